// Package pool describes the user pool and the identity pool of an environment.
package pool

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"gatewright/model"
	"gatewright/model/access"
)

// Pool is the user pool and the identity pool of one environment.
type Pool struct {
	Environment, Region, AccountID string
	// UserPoolID, ClientID and IdentityPoolID are the ids in the client configuration file,
	// such as eu-west-1_AbCdEfGhI.
	UserPoolID, ClientID, IdentityPoolID string
	// NativeClientID is the client of native apps; "" for none.
	NativeClientID string
	// Definition has the rules of the user pool; nil for the defaults.
	Definition *model.Auth
	// Unknown says that the pool exists elsewhere, and nothing says how people may sign in and which attributes
	// they have: what Definition does not have is allowed.
	Unknown bool
	// Kept says that the Amplify CLI keeps the definition.
	Kept bool
	// Groups are the user pool's groups in order of precedence.
	Groups []string
	// Triggers are the functions that the user pool calls.
	Triggers map[model.Moment]string
}

// Name is the part of the user pool's id after the region. It is part of SRP's proof.
func (p Pool) Name() string {
	_, name, _ := strings.Cut(p.UserPoolID, "_")
	return name
}

// Clients are the ids of the clients, that of web apps first.
func (p Pool) Clients() []string {
	if p.NativeClientID == "" {
		return []string{p.ClientID}
	}
	return []string{p.ClientID, p.NativeClientID}
}

// GuestsEnabled reports whether guests get an identity.
func (p Pool) GuestsEnabled() bool { return p.Definition.GuestsEnabled() }

// Flows are the ways to sign in that the client allows, by their names in the cloud.
func (p Pool) Flows() []string {
	definition := p.Definition
	if p.Unknown {
		definition = &model.Auth{AuthFlows: slices.Collect(maps.Keys(model.AuthFlows))}
	}
	return definition.ClientFlows(p.Triggers[model.DefineAuthChallenge] != "")
}

// Command is the command that changes the definition of the pool: that of this program, or that of the
// Amplify CLI if it keeps the definition.
func (p Pool) Command(own, kept string) string {
	if p.Kept {
		return kept
	}
	return own
}

// Custom finds a custom attribute, by its name with the prefix.
func (p Pool) Custom(name string) (a model.CustomAttribute, ok bool) {
	bare, prefixed := strings.CutPrefix(name, model.CustomPrefix)
	if prefixed && p.Definition != nil {
		a, ok = p.Definition.CustomAttributes[bare]
	}
	return a, ok || prefixed && p.Unknown && bare != "" && utf8.RuneCountInString(bare) <= model.LongestCustomName
}

// Principal is the principal that a signed-in member of groups acts as (see
// access.FirstGroup). Groups that the pool lacks have no role.
func (p Pool) Principal(member []string) access.Principal {
	if group := access.FirstGroup(p.Groups, member); group != "" {
		return access.Principal{Kind: access.Group, Group: group}
	}
	return access.Principal{Kind: access.Authenticated}
}

// GroupsOf are the pool's groups among those that a user is a member of, in order of
// precedence.
func (p Pool) GroupsOf(member []string) (groups []string) {
	for _, group := range p.Groups {
		if slices.Contains(member, group) && !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	return groups
}

// RoleName is the name of a principal's role.
func (p Pool) RoleName(of access.Principal) string {
	switch of.Kind {
	case access.Guest:
		return p.UserPoolID + "-unauthRole"
	case access.Group:
		return p.UserPoolID + "-" + of.Group + "GroupRole"
	}
	return p.UserPoolID + "-authRole"
}

// RoleARN is the ARN of a principal's role.
func (p Pool) RoleARN(of access.Principal) string {
	return "arn:aws:iam::" + p.AccountID + ":role/" + p.RoleName(of)
}
