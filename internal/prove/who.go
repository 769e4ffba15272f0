package prove

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/lazyregexp"
)

// identities are what a template says of its identity pools.
type identities struct {
	// attached says that roles are attached to a pool; of are the roles of signed-in users
	// and of guests.
	attached        bool
	signedIn, guest string
	// mapped says that members of groups get the roles of their groups, strict that a user
	// whose token names none, or several that are equal, may be refused.
	mapped, strict bool
}

// who finds whose roles those are. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-identitypoolroleattachment.html
func (r *reader) who() {
	var i identities
	r.ofType("AWS::Cognito::IdentityPoolRoleAttachment", func(s *stack, of *cfn.Resource) { r.attachment(s, of, &i) })
	if !i.attached && r.d.place == nil {
		// The templates of the Amplify CLI's first generation leave the roles to the root
		// stack and name them in parameters.
		i.signedIn, i.guest, i.mapped = r.named("authrole"), r.named("unauthrole"), true
	}
	r.groups(i.mapped)
	if r.noGuests = r.guestsOff(); r.noGuests {
		i.guest = ""
	}
	if i.signedIn != "" {
		r.d.SignedIn = *r.role(i.signedIn)
		if i.strict {
			r.d.SignedIn.Statements = partly(r.d.SignedIn.Statements)
			r.notice("the identity pool may refuse signed-in users whose token names no role or several " +
				"(AmbiguousRoleResolution)")
		}
	}
	if i.guest != "" {
		r.d.Guest = *r.role(i.guest)
	}
	r.noticeOutside()
}

// attachment reads which roles an identity pool gives.
func (r *reader) attachment(s *stack, of *cfn.Resource, i *identities) {
	r.settled(s, of, "Roles", "RoleMappings")
	roles := s.resolver.Resolve(of.Properties.Get("Roles"))
	take := func(name string, to *string) {
		v, ok := roles.Get(name)
		role, known := v.String()
		switch {
		case !ok:
		case !known:
			r.unread("the role that " + s.name(of) + " gives to " + name + " callers is not known")
		case *to != "" && *to != role:
			r.unread("several identity pools give roles to " + name + " callers; " + s.name(of) + " is left out")
		default:
			*to = role
		}
	}
	if !roles.Known() && len(roles.Members) == 0 {
		r.unread("the roles that " + s.name(of) + " gives are not known")
	}
	i.attached = true
	if pool, ok := s.text(of.Properties.Get("IdentityPoolId")); ok {
		r.pools = append(r.pools, pool)
	}
	take("authenticated", &i.signedIn)
	take("unauthenticated", &i.guest)
	mappings := s.resolver.Resolve(of.Properties.Get("RoleMappings"))
	for _, m := range mappings.Members {
		kind, _ := m.Value.Get("Type")
		if kind.Text != "Token" {
			r.unread("the role mapping " + m.Name + " of " + s.name(of) + " has rules, which are not read")
		}
		ambiguous, _ := m.Value.Get("AmbiguousRoleResolution")
		i.mapped, i.strict = true, i.strict || ambiguous.Text != "AuthenticatedRole"
	}
	if !mappings.Known() && len(mappings.Members) == 0 {
		r.unread("the role mappings of " + s.name(of) + " are not known")
	}
}

// providers are what lets others sign in than the users of a user pool.
var providers = []string{
	"SupportedLoginProviders", "OpenIdConnectProviderARNs", "SamlProviderARNs", "DeveloperProviderName",
}

// guestsOff reports whether all identity pools of the template refuse guests.
func (r *reader) guestsOff() bool {
	pools, off := 0, 0
	r.ofType("AWS::Cognito::IdentityPool", func(s *stack, of *cfn.Resource) {
		pools++
		for _, other := range providers {
			if of.Properties.Get(other) != nil {
				r.door(Door{
					Of: "the identity pool " + s.name(of), Who: "anyone who signs in elsewhere",
					By: other, Direction: More, verb: "use",
					Why: "it takes them for signed-in users",
				}, s.sometimes(of))
			}
		}
		if len(r.userPools(s, of)) > 1 {
			r.door(Door{
				Of: "the identity pool " + s.name(of), Who: "users of another user pool", By: "CognitoIdentityProviders",
				Direction: More, verb: "use", Why: "it takes them for signed-in users",
			}, s.sometimes(of))
		}
		v, ok := s.text(of.Properties.Get("AllowUnauthenticatedIdentities"))
		if ok = ok && !strings.Contains(v, "{"); !ok {
			r.unread("whether " + s.name(of) + " lets guests in (AllowUnauthenticatedIdentities) is not known")
		}
		if v == "false" {
			off++
		}
	})
	if 0 < off && off < pools {
		r.unread("of several identity pools one lets guests in and another does not (AllowUnauthenticatedIdentities)")
	}
	return off > 0 && off == pools
}

// userPools lists the user pools whose users an identity pool takes, with that of the template: several clients
// may be of one.
func (r *reader) userPools(s *stack, of *cfn.Resource) (all []string) {
	value := s.resolver.Resolve(of.Properties.Get("CognitoIdentityProviders"))
	if !value.Known() && value.List == nil {
		r.unread("whose users " + s.name(of) + " takes (CognitoIdentityProviders) is not known")
	}
	for _, one := range value.List {
		name, _ := one.Get("ProviderName")
		id, _, _ := strings.Cut(strings.Trim(name.Text[strings.LastIndexByte(name.Text, '/')+1:], "{}"), ".")
		own := func(of cfn.Resource) bool { return of.Type == "AWS::Cognito::UserPool" }
		if !strings.Contains(name.Text, "{") && id != "" && slices.ContainsFunc(s.template.Resources(), own) {
			all = append(all, "that of the template")
		}
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

// named finds a role whose name says what it is for: authRoleName or amplify-app-authRole.
func (r *reader) named(word string) string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(r.roles)) {
		plain := plainly(name)
		if strings.Contains(plain, word) && (word != "authrole" || !strings.Contains(plain, "unauthrole")) &&
			!strings.Contains(plain, "group") {
			found = append(found, name)
		}
	}
	if len(found) > 1 {
		r.unread("several roles are named like the one of callers: " + strings.Join(found, ", "))
	}
	return strings.Join(found[:min(1, len(found))], "")
}

// groupRole ends the name that the Amplify CLI gives the role of a group. Members get it by a
// function of that tool, not by role mappings.
const groupRole = "GroupRole"

// amplifyRole is how that tool names the role of a group: by the user pool, whose id begins
// with the region, and the group.
var amplifyRole = lazyregexp.New(`^(?:[^{}]*\{[^{}]*\}|[a-z]+(?:-[a-z]+)+-\d+_[A-Za-z0-9]+)-([^{}]+)` + groupRole +
	`$`)

// groups finds the groups of the pool and their roles. mapped says that the identity pool
// gives members the roles of their groups.
func (r *reader) groups(mapped bool) {
	own := false
	r.ofType("AWS::Cognito::UserPoolGroup", func(s *stack, of *cfn.Resource) {
		r.settled(s, of, "RoleArn", "Precedence", "GroupName")
		g := Group{Name: s.textOr(of.Properties.Get("GroupName"), of.ID), Precedence: -1}
		if n := of.Properties.Get("Precedence"); n != nil {
			text, _ := s.text(n)
			rank, err := strconv.Atoi(text)
			if g.Precedence = rank; err != nil {
				r.unread("the precedence of the group " + g.Name + " is not known")
			}
		}
		if n := of.Properties.Get("RoleArn"); n != nil {
			arn, ok := s.text(n)
			if !ok {
				r.unread("the role of the group " + g.Name + " is not known")
			}
			if mapped || strings.HasSuffix(arn, "-"+g.Name+groupRole) {
				g.Role, own = r.role(arn), true
			}
		}
		r.d.Groups = append(r.d.Groups, g)
	})
	slices.SortStableFunc(r.d.Groups, func(x, y Group) int { return x.rank() - y.rank() })
	if len(r.d.Groups) > 0 && !own {
		r.notice("the identity pool has no role mappings, so members of groups act as signed-in users")
	}
	for _, name := range slices.Sorted(maps.Keys(r.roles)) {
		match := amplifyRole().FindStringSubmatch(name)
		if match == nil || slices.ContainsFunc(r.d.Groups, func(g Group) bool { return g.Name == match[1] }) {
			continue
		}
		r.d.Groups = append(r.d.Groups, Group{Name: match[1], Role: r.roles[name], Precedence: -1, unordered: true})
		r.notice("the template has roles of groups and not the groups: their precedence is taken as the project's")
	}
}
