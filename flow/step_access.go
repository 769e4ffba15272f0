package flow

import (
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/prose"
)

// restrictStep asks whether access is restricted at all.
var restrictStep = &step{
	kind: "restrict", short: "restrict",
	title: "Restrict access to %s?",
	about: func(_ ID, p *PathAnswer) string { return model.Quote(p.Path) },
	help:  "Everybody in the world can use an open path. A restricted path lets in those whom you name, for the actions that you choose.",
	fields: func(_ *Flow, _ ID, p *PathAnswer) []Field {
		return []Field{choice("restrict", "", &p.Restrict, prose.Option{Key: Yes, Title: "Yes, restrict it"}, prose.Option{Key: No, Title: "No, it is open to everybody"})}
	},
}

// whoStep asks whether users, guests or groups have access.
var whoStep = &step{
	kind: "who", short: "who",
	title: "Who has access?", help: "A member of a group that the path names has the actions of that group. Every other user has the actions of signed-in users.",
	asked: func(_ *Flow, p *PathAnswer) bool { return p.restricts() },
	fields: func(f *Flow, _ ID, p *PathAnswer) []Field {
		noGroups := ""
		if f.Base.AmplifyCLI && len(f.Base.Groups) == 0 {
			noGroups = "the user pool has no groups; add one with: amplify update auth"
		}
		return []Field{choice("who", "", &p.Who,
			prose.Option{Key: ForUsers, Title: "Signed-in users", Detail: "everybody who signs in"},
			prose.Option{Key: ForGuests, Title: "Signed-in users and guests", Detail: "guests need not sign in"},
			prose.Option{Key: ForGroups, Title: "Groups", Detail: "members of the groups that you choose, and nobody else", Disabled: noGroups},
			prose.Option{Key: ForBoth, Title: "Signed-in users, and groups with their own actions", Detail: "a member has only the group's actions", Disabled: noGroups},
			prose.Option{Key: ForAll, Title: "Signed-in users, guests, and groups", Detail: "all three", Disabled: noGroups})}
	},
}

// groupsStep asks which groups.
var groupsStep = &step{
	kind: "groups", short: "groups",
	title: "Which groups?", help: "The groups belong to the user pool. A member of several groups acts as the first of them in the pool's order.",
	asked: func(_ *Flow, p *PathAnswer) bool { return p.letsGroups() },
	fields: func(f *Flow, at ID, p *PathAnswer) []Field {
		fields := []Field{several("groups", "Groups", &p.Groups, options(f.usable(at, model.KindGroup)),
			prose.Option{Key: "none", Title: "no groups", Disabled: "there is no group yet; name one below"},
			"a member of several groups acts as the first of them in this order")}
		if !f.Base.AmplifyCLI {
			fields = append(fields, text("new", "New group", &p.NewGroup, "none", "is added to the user pool, last in the order"))
		}
		return fields
	},
	check: func(f *Flow, at ID, p *PathAnswer) error {
		have := f.usable(at, model.KindGroup)
		if p.NewGroup != "" && !slices.Contains(have, p.NewGroup) {
			trial := model.Backend{Groups: have}
			if err := trial.AddGroup(p.NewGroup); err != nil {
				return err
			}
		}
		for _, g := range p.Groups {
			if !slices.Contains(have, g) {
				return &model.Problem{Field: "groups", Text: "the group " + model.Quote(g) + " no longer exists", Fix: "choose again"}
			}
		}
		if len(p.groups()) == 0 {
			return &model.Problem{Field: "groups", Text: "no group is chosen", Fix: "choose at least one, or name a new one"}
		}
		return nil
	},
}

// actionsStep asks what one principal may do.
var actionsStep = &step{
	kind: "actions", short: "actions",
	title: "What may %s do?",
	about: func(at ID, _ *PathAnswer) string { return at.Who.String() },
	help:  "An action allows its methods, on the path and everything below it. Choose at least one.",
	asked: func(_ *Flow, p *PathAnswer) bool { return p.restricts() },
	fields: func(_ *Flow, at ID, p *PathAnswer) []Field {
		field := Field{Key: "actions", Kind: Several, Chosen: p.Actions[keyOf(at.Who)]}
		for _, a := range model.AllActions {
			field.Options = append(field.Options, prose.Option{Key: a.String(), Title: a.String(), Detail: strings.Join(a.Methods(), ", ")})
		}
		field.store = func(_ string, chosen []string) {
			if p.Actions == nil {
				p.Actions = make(map[string][]string)
			}
			p.Actions[keyOf(at.Who)] = chosen
		}
		return []Field{field}
	},
	check: func(_ *Flow, at ID, p *PathAnswer) error {
		if len(p.Actions[keyOf(at.Who)]) == 0 {
			return &model.Problem{Field: "actions", Text: "no action is chosen", Fix: "choose at least one"}
		}
		return nil
	},
}
