package template

import (
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
)

// partitionOf returns the partition of a region, see
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html
func partitionOf(region string) string {
	switch {
	case strings.HasPrefix(region, "cn-"):
		return "aws-cn"
	case strings.HasPrefix(region, "us-gov-"):
		return "aws-us-gov"
	}
	return "aws"
}

// identityService is the name of the service of identity pools in trust policies, see
// https://docs.aws.amazon.com/govcloud-us/latest/UserGuide/govcloud-cog.html and
// https://docs.amazonaws.cn/en_us/aws/latest/userguide/cognito.html
func identityService(region string) string {
	switch partitionOf(region) {
	case "aws-cn":
		return "cognito-identity." + region + ".amazonaws.com.cn"
	case "aws-us-gov":
		return "cognito-identity-us-gov.amazonaws.com"
	}
	return "cognito-identity.amazonaws.com"
}

// principalName names a principal in logical ids.
func principalName(who access.Principal) string {
	switch who.Kind {
	case access.Guest:
		return "Guests"
	case access.Group:
		// No name of a group has a slash before its first character.
		return "group/" + who.Group
	}
	return "SignedInUsers"
}

// roleID is the logical id of the role of a principal.
func roleID(who access.Principal) string { return logicalID("Role", principalName(who)) }

// callerRoles makes the roles of guests, signed-in users and groups. Their policies come with the APIs.
func (r *renderer) callerRoles() {
	principals := []access.Principal{{Kind: access.Authenticated}}
	if r.b.Auth.GuestsEnabled() {
		principals = append(principals, access.Principal{Kind: access.Guest})
	}
	for _, g := range r.groups {
		principals = append(principals, access.Principal{Kind: access.Group, Group: g})
	}
	for _, who := range principals {
		r.root.add(resource{
			id: roleID(who), kind: "AWS::IAM::Role", of: refOf(who), is: "the role of " + who.String(),
			properties: cfn.MapNode().With("AssumeRolePolicyDocument", r.trustOf(who)),
		})
	}
}

// refOf is the part of the backend that a caller's role belongs to: a group, or the user pool.
func refOf(who access.Principal) model.Ref {
	if who.Kind == access.Group {
		return model.Ref{Kind: model.KindGroup, Name: who.Group}
	}
	return model.Ref{Kind: model.KindAuth}
}

// trustOf lets the identity pool give the role of a principal to its own users, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/role-trust-and-permissions.html
func (r *renderer) trustOf(who access.Principal) *cfn.Node {
	service, users := identityService(r.b.Region(r.env)), "authenticated"
	if who.Kind == access.Guest {
		users = "unauthenticated"
	}
	return policyDocument(cfn.MapNode().
		WithText("Effect", "Allow").
		With("Principal", cfn.MapNode().WithText("Federated", service)).
		WithText("Action", "sts:AssumeRoleWithWebIdentity").
		With("Condition", cfn.MapNode().
			With("StringEquals", cfn.MapNode().With(service+":aud", cfn.Ref(identityPoolID))).
			With("ForAnyValue:StringLike", cfn.MapNode().WithText(service+":amr", users))))
}

// trustService lets a service take a role.
func trustService(service string) *cfn.Node {
	return policyDocument(cfn.MapNode().
		WithText("Effect", "Allow").
		With("Principal", cfn.MapNode().WithText("Service", service)).
		WithText("Action", "sts:AssumeRole"))
}
