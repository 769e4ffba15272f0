package aws

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"gatewright/deploy/account"
	"gatewright/internal/prove"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// role reads all policies of a role, and returns its name. A role that is gone has none.
func (x *accessReading) role(ctx context.Context, arn string) (string, error) {
	name := arn[strings.LastIndexByte(arn, '/')+1:]
	if _, known := x.roles[name]; name == "" || known {
		return name, nil
	}
	x.roles[name] = nil
	var role struct {
		PermissionsBoundary string `xml:"GetRoleResult>Role>PermissionsBoundary>PermissionsBoundaryArn"`
		Trust               string `xml:"GetRoleResult>Role>AssumeRolePolicyDocument"`
	}
	err := x.Ask(ctx, account.Roles, "GetRole", url.Values{"RoleName": {name}}, &role)
	if account.Code(err) == "NoSuchEntity" {
		x.note("the role " + phrase.Quote(name) + " no longer exists in AWS: nobody can assume it")
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
	trust, err := policyDocument("trust", role.Trust)
	properties := map[string]any{"RoleName": name, "AssumeRolePolicyDocument": trust["PolicyDocument"]}
	if err != nil {
		x.unread = append(x.unread, "who may assume the role "+phrase.Quote(name)+" is unknown")
		delete(properties, "AssumeRolePolicyDocument")
	}
	inline, err := x.listed(ctx, "ListRolePolicies", name,
		func(policy string) (map[string]any, error) { return x.inline(ctx, name, policy) })
	if err != nil {
		return name, err
	}
	attached, err := x.listed(ctx, "ListAttachedRolePolicies", name,
		func(arn string) (map[string]any, error) { return x.managed(ctx, arn) })
	if err != nil {
		return name, err
	}
	x.roles[name] = append(inline, attached...)
	properties["Policies"] = x.roles[name]
	x.put("Role"+name, roleType, properties)
	return name, nil
}

// listed reads the policies that an operation lists for a role, page by page; read reads one by
// its name or ARN.
func (x *accessReading) listed(
	ctx context.Context, operation, role string, read func(id string) (map[string]any, error),
) (all []map[string]any, err error) {
	type list struct {
		Inline    []string `xml:"PolicyNames>member"`
		Attached  []string `xml:"AttachedPolicies>member>PolicyArn"`
		Truncated bool     `xml:"IsTruncated"`
		Marker    string
	}
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
func (x *accessReading) inline(ctx context.Context, role, name string) (map[string]any, error) {
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
func (x *accessReading) managed(ctx context.Context, arn string) (map[string]any, error) {
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
func policyDocument(name, escaped string) (map[string]any, error) {
	text, err := url.PathUnescape(escaped)
	var document any
	if err == nil {
		err = json.Unmarshal([]byte(text), &document)
	}
	if err != nil {
		return nil, &model.Problem{Field: "policy " + phrase.Quote(name), Text: "is not JSON", Cause: err}
	}
	return map[string]any{"PolicyName": name, "PolicyDocument": document}, nil
}

// judge tells what of a role no push gave, next to whom its policies let call what. kind is "" for
// the role of a function; otherwise it is what the identity pool calls the users that get the role.
func (x *accessReading) judge(of, role, kind string) {
	whose := map[bool]string{true: "its", false: "their"}[kind == ""]
	for _, policy := range x.roles[role] {
		name, _ := policy["PolicyName"].(string)
		if kind == "" && name != "function" || kind != "" && !callsOnly(policy["PolicyDocument"]) {
			x.foreign(of, whose+" role has the policy "+phrase.Quote(path.Base(name))+", which no push attached")
		}
	}
	if kind != "" && x.own[x.identities] && !x.own[role] {
		x.foreign(of, "they get the role "+phrase.Quote(role)+", which no push created")
	}
}

// foreign tells what no push made.
func (x *accessReading) foreign(of, why string) {
	if x.pushed {
		x.doors = append(x.doors, prove.Door{Of: of, Direction: prove.More, Why: why})
	}
}

// callsOnly reports whether a policy allows nothing but what is compared: calls of APIs and functions.
func callsOnly(document any) bool {
	of, _ := document.(map[string]any)
	return !slices.ContainsFunc(listOf(of["Statement"]), func(one any) bool {
		statement, _ := one.(map[string]any)
		return statement["Effect"] != "Deny" && (statement["NotAction"] != nil ||
			slices.ContainsFunc(listOf(statement["Action"]), func(action any) bool {
				name := strings.ToLower(fmt.Sprint(action))
				return !strings.HasPrefix(name, "execute-api:") && !strings.HasPrefix(name, "lambda:invoke")
			}))
	})
}

// listOf is what a policy has once or as a list.
func listOf(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// identityPool reads an identity pool
// (https://docs.aws.amazon.com/cognitoidentity/latest/APIReference/API_GetIdentityPoolRoles.html).
func (x *accessReading) identityPool(ctx context.Context, id string) error {
	of, ask := x.OfPool(id), map[string]string{"IdentityPoolId": id}
	var pool struct {
		AllowUnauthenticatedIdentities, AllowClassicFlow bool
		CognitoIdentityProviders                         []struct{ ClientID, ProviderName string }
		DeveloperProviderName                            string
		OpenIDConnectProviderARNs, SamlProviderARNs      []string
		SupportedLoginProviders                          map[string]string
	}
	err := of.Ask(ctx, account.Identities, "DescribeIdentityPool", ask, &pool)
	if account.Code(err) == "ResourceNotFoundException" {
		x.note("the identity pool no longer exists in AWS: nobody gets credentials")
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
	guests, users := access.Principal{Kind: access.Guest}.String(), access.Principal{Kind: access.Authenticated}.String()
	for _, kind := range slices.Sorted(maps.Keys(given.Roles)) {
		name, err := x.role(ctx, given.Roles[kind])
		if err != nil {
			return err
		}
		roles[kind] = name
		x.judge(map[string]string{"authenticated": users, "unauthenticated": guests}[kind], name, kind)
	}
	if x.own[id] {
		from := slices.Concat(pool.OpenIDConnectProviderARNs, pool.SamlProviderARNs,
			slices.Sorted(maps.Keys(pool.SupportedLoginProviders)), strings.Fields(pool.DeveloperProviderName))
		for _, p := range pool.CognitoIdentityProviders {
			if !x.own[path.Base(p.ProviderName)] || !x.own[p.ClientID] {
				from = append(from, p.ProviderName+" with the client "+p.ClientID)
			}
		}
		for _, name := range from {
			x.foreign(users, "the identity pool accepts users of "+phrase.Quote(name)+", which no push set")
		}
		if pool.AllowClassicFlow {
			x.foreign(users, "they may choose among the roles that trust them (AllowClassicFlow), which no push set")
		}
	}
	x.ids["Pool"] = id
	x.put("Pool", identityPoolType, map[string]any{"AllowUnauthenticatedIdentities": pool.AllowUnauthenticatedIdentities})
	attachment := map[string]any{"Roles": roles, "IdentityPoolId": id}
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
		x.note("the user pool " + phrase.Quote(pool) + " no longer exists in AWS: nobody can sign in")
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
			if x.identities != "" {
				x.judge(access.Principal{Kind: access.Group, Group: g.GroupName}.String(), name, "authenticated")
			}
		}
		x.put(fmt.Sprintf("Group%d", n), groupType, properties)
	}
	return nil
}
