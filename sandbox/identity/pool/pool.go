// Package pool says what the pools of an environment are: the user pool that
// people sign in to, and the identity pool that gives them, and guests, what
// requests are signed with.
package pool

import (
	"slices"
	"strings"

	"gatewright/model"
)

// Pool is the user pool and the identity pool of one environment.
type Pool struct {
	Environment, Region, AccountID string
	// UserPoolID, ClientID and IdentityPoolID are those of the client
	// configuration file, such as eu-west-1_AbCdEfGhI.
	UserPoolID, ClientID, IdentityPoolID string
	// Definition says the rules of the user pool; nil says none.
	Definition *model.Auth
	// Groups are the user pool's, in order of precedence.
	Groups []string
}

// Name is the user pool's own name, which follows the region in its id. A
// sign-in's proof is made with it.
func (p Pool) Name() string {
	_, name, _ := strings.Cut(p.UserPoolID, "_")
	return name
}

// GuestsEnabled reports whether guests get an identity.
func (p Pool) GuestsEnabled() bool { return p.Definition.GuestsEnabled() }

// Principal is whom a signed-in member of groups acts as: the first of them in
// the pool's order, because the identity pool gives one role (design,
// "cli-inputs.json and access"). Groups that the pool lacks have no role.
func (p Pool) Principal(member []string) model.Principal {
	for _, group := range p.Groups {
		if slices.Contains(member, group) {
			return model.Principal{Kind: model.Group, Group: group}
		}
	}
	return model.Principal{Kind: model.Authenticated}
}

// RoleName is the name of the role that a principal has.
func (p Pool) RoleName(of model.Principal) string {
	switch of.Kind {
	case model.Guest:
		return p.UserPoolID + "-unauthRole"
	case model.Group:
		return p.UserPoolID + "-" + of.Group + "GroupRole"
	}
	return p.UserPoolID + "-authRole"
}

// RoleARN is the ARN of the role that a principal has.
func (p Pool) RoleARN(of model.Principal) string {
	return "arn:aws:iam::" + p.AccountID + ":role/" + p.RoleName(of)
}
