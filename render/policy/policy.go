// Package policy makes the policies of an API.
package policy

import "gatewright/model"

// Role is what one principal may call of an API.
type Role struct {
	Who         model.Principal
	Allow, Deny []string
}

// Refusal is that AWS refuses requests that the definition allows.
type Refusal struct {
	Who     model.Principal
	Actions model.Actions
	Path    *model.Path
}

// Policies are the roles of an API.
type Policies struct {
	Roles    []Role
	Refusals []Refusal
}

// Of makes the policies of an API.
func Of(api *model.API, order []string, guests bool) *Policies {
	who := []model.Principal{{Kind: model.Authenticated}}
	if guests {
		who = append([]model.Principal{{Kind: model.Guest}}, who...)
	}
	for _, group := range order {
		who = append(who, model.Principal{Kind: model.Group, Group: group})
	}
	var all Policies
	for _, w := range who {
		role := Role{Who: w}
		for _, p := range api.Paths {
			if p.Access.Setting == model.Open {
				continue
			}
			name := ""
			for _, s := range model.ReadSegments(p.Name) {
				if s.Variable {
					s.Text = "?*"
				}
				name += "/" + s.Text
			}
			for _, a := range p.Access.Allowed(w).List() {
				for _, m := range a.Methods() {
					role.Allow = append(role.Allow, m+name, m+name+"/*")
				}
			}
		}
		if len(role.Allow) > 0 {
			all.Roles = append(all.Roles, role)
		}
	}
	return &all
}
