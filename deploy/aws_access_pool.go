package deploy

import (
	"cmp"
	"context"
	"fmt"

	"gatewright/deploy/account"
	"gatewright/model"
)

// pools reads which roles the identity pool gives, and the groups of the user pool.
func (x *accessReading) pools(ctx context.Context) error {
	userPool, _, identities := x.Pools()
	if auth := x.Backend().Auth; auth != nil {
		userPool, identities = cmp.Or(userPool, auth.UserPoolID), cmp.Or(identities, auth.IdentityPoolID)
	}
	if identities != "" {
		if err := x.identityPool(ctx, identities); err != nil {
			return err
		}
	}
	if userPool == "" {
		return nil
	}
	return x.groups(ctx, userPool)
}

// identityPool reads an identity pool
// (https://docs.aws.amazon.com/cognitoidentity/latest/APIReference/API_GetIdentityPoolRoles.html).
func (x *accessReading) identityPool(ctx context.Context, id string) error {
	ask := map[string]string{"IdentityPoolId": id}
	var pool struct{ AllowUnauthenticatedIdentities bool }
	err := x.Ask(ctx, account.Identities, "DescribeIdentityPool", ask, &pool)
	if account.Code(err) == "ResourceNotFoundException" {
		x.note("the identity pool is gone in AWS: nobody gets credentials")
		x.put("Attachment", "AWS::Cognito::IdentityPoolRoleAttachment", map[string]any{"Roles": map[string]any{}})
		return nil
	}
	if err != nil {
		return err
	}
	var given struct {
		Roles        map[string]string
		RoleMappings map[string]map[string]any
	}
	if err := x.Ask(ctx, account.Identities, "GetIdentityPoolRoles", ask, &given); err != nil {
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
	x.put("Pool", "AWS::Cognito::IdentityPool", map[string]any{"AllowUnauthenticatedIdentities": pool.AllowUnauthenticatedIdentities})
	attachment := map[string]any{"Roles": roles}
	if len(given.RoleMappings) > 0 {
		attachment["RoleMappings"] = given.RoleMappings
	}
	x.put("Attachment", "AWS::Cognito::IdentityPoolRoleAttachment", attachment)
	return nil
}

// groups reads the groups of a user pool
// (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListGroups.html).
func (x *accessReading) groups(ctx context.Context, pool string) error {
	ask := map[string]any{"UserPoolId": pool}
	for n := 0; ; {
		var page struct {
			Groups []struct {
				GroupName, RoleArn string
				Precedence         *int
			}
			NextToken string
		}
		err := x.Ask(ctx, account.Users, "ListGroups", ask, &page)
		if account.Code(err) == "ResourceNotFoundException" {
			x.note("the user pool " + model.Quote(pool) + " is gone in AWS: nobody signs in")
			return nil
		}
		if err != nil {
			return err
		}
		for _, g := range page.Groups {
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
			x.put(fmt.Sprintf("Group%d", n), "AWS::Cognito::UserPoolGroup", properties)
			n++
		}
		if page.NextToken == "" {
			return nil
		}
		ask["NextToken"] = page.NextToken
	}
}

// User returns the groups of a user of the environment's pool, and whether the user can sign in
// (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminListGroupsForUser.html).
// The error matches model.ErrUnknown if there is no such user.
func (r *Reached) User(ctx context.Context, name string) (groups []string, enabled, confirmed bool, err error) {
	pool, _, _ := r.Pools()
	if auth := r.Backend().Auth; auth != nil {
		pool = cmp.Or(pool, auth.UserPoolID)
	}
	if pool == "" {
		return nil, false, false, r.lacks(model.Ref{Kind: model.KindAuth})
	}
	ask := map[string]any{"UserPoolId": pool, "Username": name}
	var user struct {
		Enabled    bool
		UserStatus string
	}
	err = r.Ask(ctx, account.Users, "AdminGetUser", ask, &user)
	if account.Code(err) == "UserNotFoundException" {
		return nil, false, false, &model.Problem{
			Of:   model.Ref{Kind: model.KindEnvironment, Name: r.Deployment.Environment},
			Text: "its user pool has no user " + model.Quote(name), Fix: "name another one", Cause: model.ErrUnknown,
		}
	}
	if err != nil {
		return nil, false, false, err
	}
	for {
		var page struct {
			Groups    []struct{ GroupName string }
			NextToken string
		}
		if err := r.Ask(ctx, account.Users, "AdminListGroupsForUser", ask, &page); err != nil {
			return nil, false, false, err
		}
		for _, g := range page.Groups {
			groups = append(groups, g.GroupName)
		}
		if page.NextToken == "" {
			return groups, user.Enabled, user.UserStatus != "UNCONFIRMED", nil
		}
		ask["NextToken"] = page.NextToken
	}
}
