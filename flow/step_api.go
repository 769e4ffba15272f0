package flow

import (
	"cmp"

	"gatewright/model"
	"gatewright/prose"
)

// serviceStep asks for the kind of API. It shows GraphQL, disabled, because users of
// the Amplify CLI will look for it.
var serviceStep = &step{
	kind: "service", short: "service",
	title: "Which kind of API?", help: "A REST API has paths. One handler function serves each path and everything below it.",
	asked: newAPI,
	fields: func(f *Flow, _ ID, _ *PathAnswer) []Field {
		return []Field{choice("service", "", &f.now.Service,
			prose.Option{Key: REST, Title: "REST", Detail: "paths and handler functions"},
			prose.Option{Key: "GraphQL", Title: "GraphQL", Disabled: "gatewright designs REST APIs; an existing GraphQL API goes into data.json"})}
	},
	check: func(f *Flow, _ ID, _ *PathAnswer) error { return chosen("service", f.now.Service == REST) },
}

// projectStep is asked if there is no project yet.
var projectStep = &step{
	kind: "project", short: "project",
	title: "What is the project called?", help: "The project is this folder: its APIs, functions, tables and environments. The first environment, dev, runs on this machine.",
	asked: func(f *Flow, _ *PathAnswer) bool { return f.NewProject != "" },
	fields: func(f *Flow, _ ID, _ *PathAnswer) []Field {
		project := &f.now.Project
		return []Field{
			text("name", "Name", &project.Name, f.NewProject, "letters, digits, _ and -"),
			text("region", "Region", &project.Region, "none", "for environments that name none, such as eu-west-1"),
		}
	},
	check: func(f *Flow, _ ID, _ *PathAnswer) error { return model.CheckName(model.KindProject, f.projectName()) },
}

// labelStep asks for the API's friendly name.
var labelStep = &step{
	kind: "label", short: "label",
	title: "A friendly name for the API?", help: "It labels the API in this project and names its folder. Clients never see it in a URL.",
	asked: newAPI,
	fields: func(f *Flow, _ ID, _ *PathAnswer) []Field {
		return []Field{text("label", "Label", &f.now.Label, f.freeLabel(), "letters, digits, _ and -, up to 64")}
	},
	check: func(f *Flow, _ ID, _ *PathAnswer) error {
		trial := *f.Base
		return trial.AddAPI(&model.API{Label: f.Label()})
	},
}

// environmentsStep asks which environments get a new API.
var environmentsStep = &step{
	kind: "environments", short: "environments",
	title: "Which environments have this API?", help: "Each environment is deployed separately and has its own address. Its name is the stage in the URL.",
	asked: picksEnvironments,
	fields: func(f *Flow, _ ID, _ *PathAnswer) []Field {
		var all []prose.Option
		for _, e := range f.Base.Environments {
			all = append(all, prose.Option{Key: e.Name, Title: e.Name, Detail: string(e.Provider)})
		}
		field := several("environments", "Environments", &f.now.Environments, all,
			prose.Option{Key: "none", Title: "no environments", Disabled: "there is no environment yet; name one below"}, "")
		if f.now.Environments == nil && len(all) > 0 {
			field.Chosen = f.Base.Names(model.KindEnvironment)
		}
		field.store = func(_ string, chosen []string) {
			// A choice of none is an empty list: nil would mean all.
			f.now.Environments = append([]string{}, chosen...)
		}
		return []Field{field, text("new", "New environment", &f.now.NewEnvironment, "none", "is added to the project; it runs on this machine")}
	},
	check: func(f *Flow, _ ID, _ *PathAnswer) error {
		if f.now.NewEnvironment == "" {
			return nil
		}
		trial := *f.Base
		return trial.AddEnvironment(&model.Environment{Name: f.now.NewEnvironment, Provider: model.Local})
	},
}

func picksEnvironments(f *Flow, _ *PathAnswer) bool {
	return f.Task.API == "" && !f.Base.AmplifyCLI && f.NewProject == ""
}

// Review is the last step.
const Review Kind = "review"

// reviewStep shows everything before it is written.
var reviewStep = &step{
	kind: Review, short: "review",
	title: "Review", help: "Nothing is on disk yet. Either all files are written, or none.",
	fields: func(*Flow, ID, *PathAnswer) []Field { return nil },
	check: func(f *Flow, _ ID, _ *PathAnswer) error {
		_, err := f.build()
		return err
	},
}

func newAPI(f *Flow, _ *PathAnswer) bool { return f.Task.API == "" }

func (f *Flow) projectName() string { return cmp.Or(f.now.Project.Name, f.NewProject) }
