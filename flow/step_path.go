package flow

import (
	"gatewright/model"
)

// pathStep asks for the path itself.
var pathStep = &step{
	kind: "path", short: "path",
	applies: always,
	ask: func(f *Flow, at ID) Question {
		return Question{
			Title: "Which path?", Help: "It starts with /. A variable is a segment in braces. The path and everything below it go to one function.",
			Fields: []Field{{Key: "path", Label: "Path", Value: f.now.Paths[at.Path].Path, Placeholder: "/items or /book/{isbn}", Help: "segments of A-Z a-z 0-9 . _ : - or {variable}"}},
		}
	},
	set: func(a *Answers, at ID, _, value string, _ []string) { a.Paths[at.Path].Path = value },
	check: func(f *Flow, at ID) error {
		path := f.now.Paths[at.Path].Path
		if path != f.Task.Path || path == "" {
			if _, err := model.ParsePath(path); err != nil {
				return err
			}
		}
		trial, err := f.trial(at.Path)
		if err != nil {
			return err
		}
		return trial.place(&model.Path{Name: path, Function: placeholder, Access: model.Access{Setting: model.Open}})
	},
}

// sourceStep asks where the handler function comes from.
var sourceStep = &step{
	kind: "source", short: "handler source",
	applies: always,
	ask: func(f *Flow, at ID) Question {
		existing := Option{Key: ExistingFunction, Title: "Use a function that the project has", Detail: "several paths may share one"}
		if len(f.functions(at.Path)) == 0 {
			existing.Disabled = "there is no function yet; make the first one"
		}
		made := Option{Key: NewFunction, Title: "Create a new function", Detail: "its source is written from a template"}
		if f.Base.Foreign {
			made.Disabled = "functions of an Amplify CLI project are made with: amplify add function"
		}
		return Question{
			Title: "Which handler function serves " + model.Quote(f.now.Paths[at.Path].Path) + "?", Help: "The function gets every request to the path and below it, unchanged, and its result is the answer.",
			Fields: []Field{{Key: "source", Kind: Choice, Value: f.now.Paths[at.Path].Source, Options: []Option{made, existing}}},
		}
	},
	set: func(a *Answers, at ID, _, value string, _ []string) { a.Paths[at.Path].Source = value },
	check: func(f *Flow, at ID) error {
		return chosen("handler source", f.now.Paths[at.Path].Source, NewFunction, ExistingFunction)
	},
}

// existingStep asks which function it is.
var existingStep = &step{
	kind: "existing", short: "function",
	applies: func(f *Flow, at ID) bool { return f.now.Paths[at.Path].Source == ExistingFunction },
	ask: func(f *Flow, at ID) Question {
		field := Field{Key: "existing", Kind: Choice, Value: f.now.Paths[at.Path].Existing}
		for _, name := range f.functions(at.Path) {
			option := Option{Key: name, Title: name}
			if fn := f.Base.Function(name); fn != nil {
				option.Detail = fn.Template.Title()
			} else {
				option.Detail = "made in this run"
			}
			field.Options = append(field.Options, option)
		}
		return Question{Title: "Which function?", Help: "A function that serves a path restricted to one group should serve that path alone.", Fields: []Field{field}}
	},
	set: func(a *Answers, at ID, _, value string, _ []string) { a.Paths[at.Path].Existing = value },
	check: func(f *Flow, at ID) error {
		return chosen("function", f.now.Paths[at.Path].Existing, f.functions(at.Path)...)
	},
}

// anotherStep asks for one more path.
var anotherStep = &step{
	kind: "another", short: "another path",
	applies: func(f *Flow, at ID) bool { return f.Task.Path == "" },
	ask: func(f *Flow, at ID) Question {
		return Question{
			Title: "Add another path?", Help: "Each path has its own function and its own access.",
			Fields: []Field{{Key: "another", Kind: Choice, Value: f.now.Paths[at.Path].Another, Options: []Option{{Key: No, Title: "No, go on"}, {Key: Yes, Title: "Yes, one more"}}}},
		}
	},
	set:   func(a *Answers, at ID, _, value string, _ []string) { a.Paths[at.Path].Another = value },
	check: func(f *Flow, at ID) error { return chosen("another path", f.now.Paths[at.Path].Another, Yes, No) },
}

// always applies to each path that is asked for.
func always(f *Flow, at ID) bool { return at.Path < len(f.paths()) }

// functions are the functions that a path may use: the project's, and those that
// earlier paths of this run make.
func (f *Flow) functions(before int) []string {
	var names []string
	for _, fn := range f.Base.Functions {
		names = append(names, fn.Name)
	}
	for _, p := range f.now.Paths[:before] {
		if p.Source == NewFunction {
			names = append(names, p.functionName())
		}
	}
	return names
}
