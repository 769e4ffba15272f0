package aws

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"gatewright/deploy/account"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// role reads all policies of a role, and returns its name. A role that is gone has none.
func (x *accessReading) role(ctx context.Context, arn string) (string, error) {
	name := arn[strings.LastIndexByte(arn, '/')+1:]
	if name == "" || x.roles[name] {
		return name, nil
	}
	x.roles[name] = true
	var role struct {
		PermissionsBoundary string `xml:"GetRoleResult>Role>PermissionsBoundary>PermissionsBoundaryArn"`
	}
	err := x.Ask(ctx, account.Roles, "GetRole", url.Values{"RoleName": {name}}, &role)
	if account.Code(err) == "NoSuchEntity" {
		x.note("the role " + phrase.Quote(name) + " is gone in AWS: nobody can act as it")
		x.put("Role"+name, roleType, map[string]any{"RoleName": name})
		return name, nil
	}
	if err != nil {
		return name, err
	}
	if role.PermissionsBoundary != "" {
		x.unread = append(x.unread,
			"the role "+phrase.Quote(name)+" has a permissions boundary, which is not read: it may do less")
	}
	inline, err := x.listed(ctx, "ListRolePolicies", name,
		func(policy string) (any, error) { return x.inline(ctx, name, policy) })
	if err != nil {
		return name, err
	}
	attached, err := x.listed(ctx, "ListAttachedRolePolicies", name,
		func(arn string) (any, error) { return x.managed(ctx, arn) })
	if err != nil {
		return name, err
	}
	x.put("Role"+name, roleType, map[string]any{"RoleName": name, "Policies": append(inline, attached...)})
	return name, nil
}

// listed reads the policies that an operation lists for a role, page by page; read reads one by
// its name or ARN.
func (x *accessReading) listed(
	ctx context.Context, operation, role string, read func(id string) (any, error),
) ([]any, error) {
	type list struct {
		Inline    []string `xml:"PolicyNames>member"`
		Attached  []string `xml:"AttachedPolicies>member>PolicyArn"`
		Truncated bool     `xml:"IsTruncated"`
		Marker    string
	}
	var all []any
	ask := url.Values{"RoleName": {role}}
	for {
		var page struct {
			Inline   list `xml:"ListRolePoliciesResult"`
			Attached list `xml:"ListAttachedRolePoliciesResult"`
		}
		if err := x.Ask(ctx, account.Roles, operation, ask, &page); err != nil {
			return nil, err
		}
		for _, id := range append(page.Inline.Inline, page.Attached.Attached...) {
			document, err := read(id)
			if err != nil {
				return nil, err
			}
			all = append(all, document)
		}
		next := cmp.Or(page.Inline.Marker, page.Attached.Marker)
		if !page.Inline.Truncated && !page.Attached.Truncated || next == "" {
			return all, nil
		}
		ask.Set("Marker", next)
	}
}

// inline reads a policy that a role has itself
// (https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRolePolicy.html).
func (x *accessReading) inline(ctx context.Context, role, name string) (any, error) {
	var policy struct {
		Document string `xml:"GetRolePolicyResult>PolicyDocument"`
	}
	if err := x.Ask(ctx, account.Roles, "GetRolePolicy", url.Values{"RoleName": {role}, "PolicyName": {name}},
		&policy); err != nil {
		return nil, err
	}
	return policyDocument(name, policy.Document)
}

// managed reads the version of a managed policy that is in force
// (https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetPolicyVersion.html).
func (x *accessReading) managed(ctx context.Context, arn string) (any, error) {
	var policy struct {
		Version string `xml:"GetPolicyResult>Policy>DefaultVersionId"`
	}
	if err := x.Ask(ctx, account.Roles, "GetPolicy", url.Values{"PolicyArn": {arn}}, &policy); err != nil {
		return nil, err
	}
	var version struct {
		Document string `xml:"GetPolicyVersionResult>PolicyVersion>Document"`
	}
	if err := x.Ask(ctx, account.Roles, "GetPolicyVersion", url.Values{"PolicyArn": {arn}, "VersionId": {policy.Version}},
		&version); err != nil {
		return nil, err
	}
	return policyDocument(arn, version.Document)
}

// policyDocument reads a policy document, which IAM escapes as a URL does (RFC 3986).
func policyDocument(name, escaped string) (any, error) {
	text, err := url.PathUnescape(escaped)
	var document any
	if err == nil {
		err = json.Unmarshal([]byte(text), &document)
	}
	if err != nil {
		return nil, &model.Problem{Field: "policy " + phrase.Quote(name), Text: "is no JSON", Cause: err}
	}
	return map[string]any{"PolicyName": name, "PolicyDocument": document}, nil
}
