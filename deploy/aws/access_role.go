package aws

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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

// pools reads which roles the identity pool gives, and the groups of the user pool.
func (x *accessReading) pools(ctx context.Context) error {
	if x.identities != "" {
		if err := x.identityPool(ctx, x.identities); err != nil {
			return err
		}
	}
	if x.userPool == "" {
		return nil
	}
	return x.groups(ctx, x.userPool)
}

// identityPool reads an identity pool
// (https://docs.aws.amazon.com/cognitoidentity/latest/APIReference/API_GetIdentityPoolRoles.html).
func (x *accessReading) identityPool(ctx context.Context, id string) error {
	of, ask := x.OfPool(id), map[string]string{"IdentityPoolId": id}
	var pool struct{ AllowUnauthenticatedIdentities bool }
	err := of.Ask(ctx, account.Identities, "DescribeIdentityPool", ask, &pool)
	if account.Code(err) == "ResourceNotFoundException" {
		x.note("the identity pool is gone in AWS: nobody gets credentials")
		x.put("Attachment", attachmentType, map[string]any{"Roles": map[string]any{}})
		return nil
	}
	if err != nil {
		return err
	}
	var given struct {
		Roles        map[string]string
		RoleMappings map[string]map[string]any
	}
	if err := of.Ask(ctx, account.Identities, "GetIdentityPoolRoles", ask, &given); err != nil {
		return err
	}
	roles := make(map[string]any)
	for kind, arn := range given.Roles {
		name, err := x.role(ctx, arn)
		if err != nil {
			return err
		}
		roles[kind] = name
	}
	x.put("Pool", identityPoolType, map[string]any{"AllowUnauthenticatedIdentities": pool.AllowUnauthenticatedIdentities})
	attachment := map[string]any{"Roles": roles}
	if len(given.RoleMappings) > 0 {
		attachment["RoleMappings"] = given.RoleMappings
	}
	x.put("Attachment", attachmentType, attachment)
	return nil
}

// groups reads the groups of a user pool
// (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListGroups.html).
func (x *accessReading) groups(ctx context.Context, pool string) error {
	all, err := groupsOf(ctx, x.OfPool(pool), pool)
	if account.Code(err) == "ResourceNotFoundException" {
		x.note("the user pool " + phrase.Quote(pool) + " is gone in AWS: nobody signs in")
		return nil
	}
	if err != nil {
		return err
	}
	for n, g := range all {
		properties := map[string]any{"GroupName": g.GroupName}
		if g.Precedence != nil {
			properties["Precedence"] = *g.Precedence
		}
		if g.RoleArn != "" {
			name, err := x.role(ctx, g.RoleArn)
			if err != nil {
				return err
			}
			properties["RoleArn"] = name
		}
		x.put(fmt.Sprintf("Group%d", n), groupType, properties)
	}
	return nil
}
