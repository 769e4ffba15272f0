package flow

import (
	"slices"

	"gatewright/model"
)

// environmentsStep asks which environments have a new API.
var environmentsStep = &step{
	kind: "environments", short: "environments",
	applies: func(f *Flow, _ ID) bool { return f.Task.API == "" && !f.Base.Foreign && !f.NewProject },
	ask: func(f *Flow, _ ID) Question {
		chosen := f.now.Environments
		field := Field{Key: "environments", Label: "Environments", Kind: Several}
		for _, e := range f.Base.Environments {
			field.Options = append(field.Options, Option{Key: e.Name, Title: e.Name, Detail: string(e.Provider)})
			if f.now.Environments == nil {
				chosen = append(chosen, e.Name)
			}
		}
		if len(field.Options) == 0 {
			field.Options = []Option{{Key: "none", Title: "no environments", Disabled: "there is no environment yet; name one below"}}
		}
		field.Chosen = chosen
		return Question{
			Title: "Which environments have this API?", Help: "Each environment is deployed by itself and has its own address; its name is the stage in the URL.",
			Fields: []Field{field, {Key: "new", Label: "New environment", Value: f.now.NewEnvironment, Placeholder: "none", Help: "made on the spot; it runs on this machine"}},
		}
	},
	set: func(a *Answers, _ ID, field, value string, chosen []string) {
		if field == "new" {
			a.NewEnvironment = value
			return
		}
		if chosen == nil {
			chosen = []string{}
		}
		a.Environments = chosen
	},
	check: func(f *Flow, _ ID) error {
		if f.now.NewEnvironment == "" {
			return nil
		}
		trial := *f.Base
		return trial.AddEnvironment(&model.Environment{Name: f.now.NewEnvironment, Provider: model.Local})
	},
}

// Review is the last step.
const Review Kind = "review"

// reviewStep is where everything is looked at before it is written.
var reviewStep = &step{
	kind: Review, short: "review",
	applies: func(*Flow, ID) bool { return true },
	ask: func(*Flow, ID) Question {
		return Question{Title: "Review", Help: "Nothing is on disk yet. Writing makes every file, or none."}
	},
	set:   func(*Answers, ID, string, string, []string) {},
	check: func(*Flow, ID) error { return nil },
}

// start are the answers that a walk begins with: what is there already, and what
// is usual.
func (f *Flow) start() Answers {
	a := Answers{Service: REST}
	a.Paths = []PathAnswer{f.usualPath()}
	api := f.Base.API(f.Task.API)
	if api == nil || f.Task.Path == "" {
		return a
	}
	p := api.Path(f.Task.Path)
	if p == nil {
		return a
	}
	a.Paths[0] = answered(p)
	return a
}

// usualPath are the answers that a path begins with.
func (f *Flow) usualPath() PathAnswer {
	p := PathAnswer{Source: NewFunction, Restrict: Yes, Who: ForUsers, Another: No, Function: usualFunction()}
	if f.Base.Foreign {
		p.Source = ExistingFunction
	}
	return p
}

func usualFunction() FunctionAnswer {
	return FunctionAnswer{Runtime: string(model.NodeJS), Template: string(model.Express), Advanced: No}
}

// answered are the answers that would have made a path.
func answered(p *model.Path) PathAnswer {
	a := PathAnswer{Path: p.Name, Source: ExistingFunction, Existing: p.Function, Restrict: Yes, Actions: make(map[string][]string), Another: No}
	a.Function = usualFunction()
	if p.Access.Setting == model.Open {
		a.Restrict, a.Who = No, ForUsers
		return a
	}
	var users, guests bool
	for _, g := range p.Access.Grants {
		key := "auth"
		switch g.To.Kind {
		case model.Authenticated:
			users = true
		case model.Guest:
			guests, key = true, "guest"
		case model.Group:
			key = "group " + g.To.Group
			a.Groups = append(a.Groups, g.To.Group)
		}
		for _, action := range g.Actions.List() {
			a.Actions[key] = append(a.Actions[key], action.String())
		}
	}
	switch {
	case guests && len(a.Groups) > 0:
		a.Who = ForAll
	case guests:
		a.Who = ForGuests
	case users && len(a.Groups) > 0:
		a.Who = ForBoth
	case len(a.Groups) > 0:
		a.Who = ForGroups
	default:
		a.Who = ForUsers
	}
	return a
}

// environmentsWith are the environments after a new API: those that have it
// say so, where saying nothing would say otherwise.
func environmentsWith(b *model.Backend, label string, chosen []string) error {
	for _, e := range b.Environments {
		want := slices.Contains(chosen, e.Name)
		if e.Has(label) == want {
			continue
		}
		next := *e
		if want {
			next.APIs = append(slices.Clone(e.APIs), label)
		} else {
			next.APIs = []string{}
			for _, api := range b.APIs {
				if api.Label != label && e.Has(api.Label) {
					next.APIs = append(next.APIs, api.Label)
				}
			}
		}
		if err := b.UpdateEnvironment(&next); err != nil {
			return err
		}
	}
	return nil
}
