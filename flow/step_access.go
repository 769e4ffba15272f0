package flow

import (
	"slices"
	"strings"

	"gatewright/model"
)

// restrictStep asks whether access is restricted at all.
var restrictStep = &step{
	kind: "restrict", short: "restrict",
	applies: always,
	ask: func(f *Flow, at ID) Question {
		return Question{
			Title: "Restrict access to " + model.Quote(f.now.Paths[at.Path].Path) + "?", Help: "An open path serves everybody in the world. A restricted one serves those whom you name, for the actions that you choose.",
			Fields: []Field{{Key: "restrict", Kind: Choice, Value: f.now.Paths[at.Path].Restrict, Options: []Option{
				{Key: Yes, Title: "Yes, restrict it"},
				{Key: No, Title: "No, it is open to everybody"},
			}}},
		}
	},
	set:   func(a *Answers, at ID, _, value string, _ []string) { a.Paths[at.Path].Restrict = value },
	check: func(f *Flow, at ID) error { return chosen("restrict", f.now.Paths[at.Path].Restrict, Yes, No) },
}

func restricts(f *Flow, at ID) bool {
	return always(f, at) && f.now.Paths[at.Path].Restrict == Yes
}

// whoStep asks which user types have access.
var whoStep = &step{
	kind: "who", short: "who",
	applies: restricts,
	ask: func(f *Flow, at ID) Question {
		options := []Option{
			{Key: ForUsers, Title: "Authenticated users", Detail: "whoever signs in"},
			{Key: ForGuests, Title: "Authenticated users and guests", Detail: "guests need not sign in"},
			{Key: ForGroups, Title: "Groups", Detail: "members of the groups that you choose, and nobody else"},
			{Key: ForBoth, Title: "Authenticated users, and groups with their own actions", Detail: "a member acts under the group's entry only"},
			{Key: ForAll, Title: "Authenticated users, guests, and groups", Detail: "all three"},
		}
		if f.Base.Foreign && len(f.Base.Groups) == 0 {
			for i := range options[2:] {
				options[2+i].Disabled = "the user pool has no groups; add one with: amplify update auth"
			}
		}
		return Question{
			Title: "Who has access?", Help: "A member of a group that the path names acts under that group's entry, every other signed-in user under the entry of authenticated users.",
			Fields: []Field{{Key: "who", Kind: Choice, Value: f.now.Paths[at.Path].Who, Options: options}},
		}
	},
	set: func(a *Answers, at ID, _, value string, _ []string) { a.Paths[at.Path].Who = value },
	check: func(f *Flow, at ID) error {
		return chosen("who", f.now.Paths[at.Path].Who, ForUsers, ForGuests, ForGroups, ForBoth, ForAll)
	},
}

// groupsStep asks which groups.
var groupsStep = &step{
	kind: "groups", short: "groups",
	applies: func(f *Flow, at ID) bool { return restricts(f, at) && f.now.Paths[at.Path].asksGroups() },
	ask: func(f *Flow, at ID) Question {
		p := f.now.Paths[at.Path]
		groups := Field{Key: "groups", Label: "Groups", Kind: Several, Chosen: p.Groups, Help: "in the order of precedence: a member of several acts as the first"}
		for _, g := range f.groups(at.Path) {
			groups.Options = append(groups.Options, Option{Key: g, Title: g})
		}
		if len(groups.Options) == 0 {
			groups.Options = []Option{{Key: "none", Title: "no groups", Disabled: "there is no group yet; name one below"}}
		}
		fields := []Field{groups}
		if !f.Base.Foreign {
			fields = append(fields, Field{Key: "new", Label: "New group", Value: p.NewGroup, Placeholder: "none", Help: "made on the spot, last in the order of precedence"})
		}
		return Question{Title: "Which groups?", Help: "The groups belong to the user pool. Their order decides what a member of several may do.", Fields: fields}
	},
	set: func(a *Answers, at ID, field, value string, chosen []string) {
		if field == "new" {
			a.Paths[at.Path].NewGroup = value
		} else {
			a.Paths[at.Path].Groups = chosen
		}
	},
	check: func(f *Flow, at ID) error {
		p := f.now.Paths[at.Path]
		have := f.groups(at.Path)
		if p.NewGroup != "" && !slices.Contains(have, p.NewGroup) {
			trial := model.Backend{Groups: have}
			if err := trial.AddGroup(p.NewGroup); err != nil {
				return err
			}
		}
		for _, g := range p.Groups {
			if !slices.Contains(have, g) {
				return &model.Problem{Field: "groups", Text: model.Quote(g) + " is not there any more", Fix: "choose again"}
			}
		}
		if len(p.groups()) == 0 {
			return &model.Problem{Field: "groups", Text: "none is chosen", Fix: "choose at least one, or name a new one"}
		}
		return nil
	},
}

// groups are the groups that a path may name: the project's, and those that
// earlier paths of this run make.
func (f *Flow) groups(before int) []string {
	groups := slices.Clone(f.Base.Groups)
	for _, p := range f.now.Paths[:before] {
		if p.Restrict == Yes && p.asksGroups() && p.NewGroup != "" && !slices.Contains(groups, p.NewGroup) {
			groups = append(groups, p.NewGroup)
		}
	}
	return groups
}

// actionsStep asks what one principal may do.
var actionsStep = &step{
	kind: "actions", short: "actions",
	applies: restricts,
	ask: func(f *Flow, at ID) Question {
		field := Field{Key: "actions", Kind: Several, Chosen: f.now.Paths[at.Path].Actions[at.Of]}
		for _, a := range model.AllActions {
			field.Options = append(field.Options, Option{Key: a.String(), Title: a.String(), Detail: strings.Join(a.Methods(), ", ")})
		}
		return Question{
			Title: "What may " + f.principal(at).String() + " do?", Help: "An action opens its methods, for the path and everything below it. At least one, or none of them: then leave them out of the path.",
			Fields: []Field{field},
		}
	},
	set: func(a *Answers, at ID, _, _ string, chosen []string) {
		p := &a.Paths[at.Path]
		if p.Actions == nil {
			p.Actions = make(map[string][]string)
		}
		p.Actions[at.Of] = chosen
	},
	check: func(f *Flow, at ID) error {
		if len(f.now.Paths[at.Path].Actions[at.Of]) == 0 {
			return &model.Problem{Field: "actions", Text: "no action is chosen", Fix: "choose at least one"}
		}
		return nil
	},
}

func (f *Flow) principal(at ID) model.Principal {
	for _, p := range f.now.Paths[at.Path].principals() {
		if p.key == at.Of {
			return p.who
		}
	}
	return model.Principal{}
}

// access is the access that a path's answers make.
func (p PathAnswer) access() model.Access {
	if p.Restrict != Yes {
		return model.Access{Setting: model.Open}
	}
	access := model.Access{Setting: model.Private}
	for _, principal := range p.principals() {
		if principal.who.Kind == model.Guest {
			access.Setting = model.Protected
		}
		var set model.Actions
		for _, word := range p.Actions[principal.key] {
			if action, ok := model.ParseAction(word); ok {
				set |= model.Actions(action)
			}
		}
		access = access.With(principal.who, set)
	}
	return access
}
