package prove

import (
	"slices"

	"gatewright/model/access"
)

// caller is who sends requests.
type caller struct {
	order int
	words string
	// unsigned is a caller without credentials, guest one without a sign-in.
	unsigned, guest bool
	principal       access.Principal
	role            *Role
	// by is what gives somebody rights that are not those of callers, such as "the role Ops"; doubt is why
	// it is not known whether they have them.
	by, doubt string
}

func (c *comparison) callers() []caller {
	all := []caller{{words: "anyone unsigned", unsigned: true}}
	guest, user := access.Principal{Kind: access.Guest}, access.Principal{Kind: access.Authenticated}
	all = append(all, caller{words: guest.String(), guest: true, principal: guest, role: &c.d.Guest},
		caller{words: user.String(), principal: user, role: &c.d.SignedIn})
	for _, group := range c.groups() {
		who := caller{principal: access.Principal{Kind: access.Group, Group: group}, role: &c.d.SignedIn}
		who.words = who.principal.String()
		for _, g := range c.d.Groups {
			if g.Name == group && g.Role != nil {
				who.role = g.Role
			}
		}
		all = append(all, who)
	}
	all = append(all, c.d.takers...)
	for i := range all {
		all[i].order = i
	}
	return all
}

// groups are those of the project, then those that only the deployment has.
func (c *comparison) groups() []string {
	groups := c.b.RoleOrder()
	for _, g := range c.d.Groups {
		if !slices.Contains(groups, g.Name) {
			groups = append(groups, g.Name)
		}
	}
	return groups
}
