package prove

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model/access"
)

// holders finds who has the rights of each role, user and group of IAM: whoever the identity pool gives
// a role to, whoever a role trusts, and whoever has one that another trusts.
func (r *reader) holders() {
	r.each(func(s *stack, of *cfn.Resource) {
		name, _ := s.reference(of)
		if of.Type == "AWS::Serverless::Function" {
			name = s.name(of) + "Role"
		} else if of.Type != "AWS::IAM::Role" {
			return
		}
		if r.d.place != nil && of.Properties.Get("AssumeRolePolicyDocument") == nil {
			return // nobody may read it there, or it is gone
		}
		if r.trusts[name] = r.trust(s, of); of.Properties.Get("PermissionsBoundary") != nil && r.callerWith(name) {
			r.unread("the role " + s.name(of) + " has a permissions boundary, which is not read: it may do less")
		}
	})
	for _, c := range r.callersOf() {
		r.untaken(c)
		r.held[c.role.Name] = append(r.held[c.role.Name], holder{words: c.as.String(), as: c.as})
	}
	for name := range r.roles {
		_, known := r.trusts[name]
		switch who := strings.TrimPrefix(r.heldBy(name), "the policies of "); {
		case strings.HasPrefix(name, "user/"):
			r.held[name] = []holder{stranger(who, "", "")}
		case strings.HasPrefix(name, "group/"):
			r.held[name] = []holder{stranger("members of "+who, "", "")}
		case !known && !r.ofProject(name):
			r.held[name] = []holder{stranger("anyone who may assume it", "", "whom it trusts is not in "+r.d.name())}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, name := range slices.Sorted(maps.Keys(r.trusts)) {
			for _, who := range r.takers(name) {
				same := func(h holder) bool { return h.words == who.words && (h.doubt == "" || who.doubt != "") }
				if !r.ofProject(name) && !slices.ContainsFunc(r.held[name], same) {
					r.held[name], changed = append(r.held[name], who), true
				}
			}
		}
	}
}

// untaken takes the policies from a role in force that does not trust its callers. A template may leave it
// to others to say whom a role trusts, as those of the Amplify CLI do.
func (r *reader) untaken(c callerRole) {
	as := c.as
	if as.Kind == access.Group {
		as = access.Principal{Kind: access.Authenticated}
	}
	trusts, known := r.trusts[c.role.Name]
	taken := func(h holder) bool { return h.words == as.String() || h.doubt != "" }
	if r.d.place != nil && known && !slices.ContainsFunc(trusts, taken) {
		c.role.Statements = nil
		r.notice(c.as.String() + " do not get " + r.heldBy(c.role.Name) + ": it does not trust them")
	}
}

// takers lists who may take a role, with those who have another role that may.
func (r *reader) takers(role string) (all []holder) {
	for _, who := range r.trusts[role] {
		if who.of == "" || who.of == ofAccount {
			all = append(all, who)
		}
		for _, name := range slices.Sorted(maps.Keys(r.held)) {
			certain := More
			if who.of == ofAccount {
				to := target{"iam", "role/", "{" + role, role}
				_, certain = r.direct(r.role(name).Statements, []string{"sts:AssumeRole"}, to)
			}
			if who.of != name && who.of != ofAccount || certain == "" {
				continue
			}
			for _, h := range r.held[name] {
				if h.why = "they have " + r.heldBy(name); certain == Unknown || who.of == name && who.doubt != "" {
					h.doubt = "what lets them assume it is not known"
				}
				all = append(all, h)
			}
		}
	}
	return all
}

func (r *reader) callerWith(role string) bool {
	return slices.ContainsFunc(r.callersOf(), func(c callerRole) bool { return c.role.Name == role })
}

// ofProject reports whether a role is one of callers or of a function: who takes it has more than the
// project gives him, whatever its policies allow.
func (r *reader) ofProject(name string) bool {
	return r.callerWith(name) || slices.ContainsFunc(r.functions, func(f *function) bool { return f.roleName() == name })
}

// trustDoors finds who may take a role of the project besides those that it is for. Signed-in users may
// sign out and be guests, and the identity pool gives the role of a group to its members alone.
func (r *reader) trustDoors() {
	for name := range r.trusts {
		rights := len(r.role(name).Statements) + len(r.outside[name])
		if !r.ofProject(name) || r.callerWith(name) && rights == 0 {
			continue
		}
		for _, who := range r.takers(name) {
			due := slices.ContainsFunc(r.callersOf(), func(c callerRole) bool {
				return c.role.Name == name && (c.as.Kind == who.as.Kind || who.as.Kind != access.Guest)
			})
			if !due || who.as.Kind == access.Guest && who.words != who.as.String() {
				r.give(who, Door{Of: r.heldBy(name), By: "its trust policy", verb: "take", Why: who.why})
			}
		}
	}
}

// give adds a door of somebody.
func (r *reader) give(h holder, d Door) {
	d.Who, d.Direction = h.words, cmp.Or(d.Direction, More)
	if h.doubt != "" {
		d.Direction, d.Why = Unknown, h.doubt
	}
	r.door(d, "")
}

// rights finds what those who hold a role, or are users of IAM, may do with their own rights: call a
// function, change what says who may call one, or send requests to an API, which is compared later.
func (r *reader) rights() {
	all := r.controls()
	for _, name := range slices.Sorted(maps.Keys(r.held)) {
		role, by, found := r.role(name), r.heldBy(name), []Door(nil)
		for _, c := range all {
			action, direction := r.direct(role.Statements, c.actions, c.target)
			if action != "" {
				why := "its policies allow " + action
				found = append(found, Door{Of: c.words, function: c.function, By: by, Direction: direction, verb: c.verb, Why: why})
			}
			if direction == More && c.verb != "" {
				// Whoever changes one of these may change the others.
				break
			}
		}
		for _, h := range r.held[name] {
			for _, d := range found {
				r.give(h, d)
			}
			if !r.callerWith(name) && slices.ContainsFunc(role.Statements, callsAPIs) {
				r.d.takers = append(r.d.takers, caller{
					words: h.words, guest: h.as.Kind == access.Guest, principal: h.as, role: role, by: by, doubt: h.doubt,
				})
			}
		}
		for _, arn := range r.outside[name] {
			if !r.callerWith(name) && !strings.Contains(arn, ofAWS) {
				r.unread("the policy " + policyName(arn) + " of " + by + " is not in the template: what it allows is not known")
			}
		}
	}
}
