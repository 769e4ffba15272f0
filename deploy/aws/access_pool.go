package aws

import (
	"context"
	"fmt"

	"gatewright/deploy/account"
	"gatewright/internal/text/phrase"
)

// pools reads which roles the identity pool gives, and the groups of the user pool.
func (x *accessReading) pools(ctx context.Context) error {
	userPool, _, identities := x.Pools()
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
	type group struct {
		GroupName, RoleArn string
		Precedence         *int
	}
	all, err := listAll(ctx, x.OfPool(pool), account.Users, "ListGroups",
		map[string]any{"UserPoolId": pool, "Limit": mostListed}, func(page struct {
			Groups    []group
			NextToken string
		},
		) ([]group, string) {
			return page.Groups, page.NextToken
		})
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
