package flow

import (
	"gatewright/model"
)

// serviceStep is the first question of the specification's flow. GraphQL is
// named since the field's other tool offers it.
var serviceStep = &step{
	kind: "service", short: "service",
	applies: func(f *Flow, _ ID) bool { return f.Task.API == "" },
	ask: func(f *Flow, _ ID) Question {
		return Question{
			Title: "Which kind of API?", Help: "A REST API has paths; each path is served by one handler function, at any depth below it.",
			Fields: []Field{{Key: "service", Kind: Choice, Value: f.now.Service, Options: []Option{
				{Key: REST, Title: "REST", Detail: "paths and handler functions"},
				{Key: "GraphQL", Title: "GraphQL", Disabled: "gatewright designs REST APIs; a data API that exists is described in data.json"},
			}}},
		}
	},
	set:   func(a *Answers, _ ID, _, value string, _ []string) { a.Service = value },
	check: func(f *Flow, _ ID) error { return chosen("service", f.now.Service, REST) },
}

// projectStep is asked where there is no project.
var projectStep = &step{
	kind: "project", short: "project",
	applies: func(f *Flow, _ ID) bool { return f.NewProject },
	ask: func(f *Flow, _ ID) Question {
		return Question{
			Title: "What is the project called?", Help: "The project is this folder: its APIs, functions, tables and environments. The first environment, dev, runs on this machine.",
			Fields: []Field{
				{Key: "name", Label: "Name", Value: f.now.Project.Name, Placeholder: f.proposed, Help: "letters, digits, _ and -"},
				{Key: "region", Label: "Region", Value: f.now.Project.Region, Placeholder: "none", Help: "where environments are deployed that name none, such as eu-west-1"},
			},
		}
	},
	set: func(a *Answers, _ ID, field, value string, _ []string) {
		if field == "name" {
			a.Project.Name = value
		} else {
			a.Project.Region = value
		}
	},
	check: func(f *Flow, _ ID) error { return model.CheckName(model.KindProject, f.projectName()) },
}

// labelStep asks for the API's friendly name.
var labelStep = &step{
	kind: "label", short: "label",
	applies: func(f *Flow, _ ID) bool { return f.Task.API == "" },
	ask: func(f *Flow, _ ID) Question {
		return Question{
			Title: "A friendly name for the API?", Help: "It labels the API in this project and names its folder. Clients never see it in a URL.",
			Fields: []Field{{Key: "label", Label: "Label", Value: f.now.Label, Placeholder: f.freeLabel(), Help: "letters, digits, _ and -, up to 64"}},
		}
	},
	set: func(a *Answers, _ ID, _, value string, _ []string) { a.Label = value },
	check: func(f *Flow, _ ID) error {
		trial := *f.Base
		return trial.AddAPI(&model.API{Label: f.label()})
	},
}

// label is the API's label: what was said, or a usual one that is free.
func (f *Flow) label() string {
	if f.now.Label != "" {
		return f.now.Label
	}
	return f.freeLabel()
}

func (f *Flow) freeLabel() string {
	if f.Base.API("api") == nil {
		return "api"
	}
	return ""
}

func (f *Flow) projectName() string {
	if f.now.Project.Name != "" {
		return f.now.Project.Name
	}
	return f.proposed
}

// chosen says that one of the choices must be made.
func chosen(field, value string, choices ...string) error {
	for _, c := range choices {
		if value == c {
			return nil
		}
	}
	return &model.Problem{Field: field, Text: "is not chosen yet", Fix: "choose one"}
}
