package flow

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// projectStep is asked if there is no project yet.
var projectStep = &step{
	kind: "project", short: "project",
	title: "What is the project called?",
	help: "The project is this folder: its APIs, functions, tables and environments. The first environment, dev, runs " +
		"on this machine.",
	asked: func(f *Flow, _ *PathAnswer) bool { return f.NewProject != "" },
	fields: func(f *Flow, _ ID, _ *PathAnswer) []Field {
		project := &f.now.Project
		region := text("region", "Region", &project.Region, model.DefaultRegion, "default for environments")
		region.Suggestions = model.Regions
		return []Field{text("name", "Name", &project.Name, f.NewProject, "letters, digits, _ and -"), region}
	},
	check: func(f *Flow, _ ID, _ *PathAnswer) []Fault {
		var all faults
		all.add("name", model.CheckName(model.KindProject, f.projectName()))
		if region := strings.TrimSpace(f.now.Project.Region); region != "" {
			all.add("region", model.CheckRegion(region))
		}
		return all
	},
}

// apiStep asks for the kind of API and for its friendly name. It shows GraphQL, disabled,
// because users of the Amplify CLI will look for it.
var apiStep = &step{
	kind: "api", short: "API",
	title: "Which API?",
	help: "A REST API has paths. One handler function serves each path and everything below it. The label names the " +
		"API in this project; clients never see it in a URL.",
	asked: newAPI,
	fields: func(f *Flow, _ ID, _ *PathAnswer) []Field {
		fields := []Field{
			text("label", "Label", &f.now.Label, f.freeLabel(), "letters, digits, _ and -, up to 64"),
			choice("service", "Service", &f.now.Service,
				prose.Option{Key: REST, Title: "REST", Detail: "paths and handler functions"},
				prose.Option{
					Key: "GraphQL", Title: "GraphQL",
					Disabled: "gatewright designs REST APIs; an existing GraphQL API goes into data.json",
				}),
		}
		if f.Base.HasMediaTypes() {
			fields = append(fields,
				list("binaryMediaTypes", "Binary types", &f.now.BinaryMediaTypes,
					"media types with binary bodies, such as image/png, application/pdf or */*"))
		}
		return fields
	},
	check: func(f *Flow, _ ID, _ *PathAnswer) []Fault {
		var all faults
		trial := *f.Base
		err := edit.AddAPI(&trial, &access.API{Label: f.Label()})
		all.add("label", err)
		if err == nil {
			all.add("binaryMediaTypes", edit.SetBinaryMediaTypes(&trial, f.Label(), f.binaryMediaTypes()))
		}
		all.add("service", chosen("service", f.now.Service == REST))
		return all
	},
}

// environmentNames returns the environments of the project, and the first of a new one.
func (f *Flow) environmentNames() []string {
	if f.NewProject != "" {
		return []string{model.FirstEnvironment}
	}
	return f.Base.Names(model.KindEnvironment)
}

// environmentsStep asks which environments get a new API.
var environmentsStep = &step{
	kind: "environments", short: "environments",
	title: "Which environments have this API?",
	help:  "Each environment is deployed separately and has its own address. Its name is the stage in the URL.",
	asked: picksEnvironments,
	fields: func(f *Flow, _ ID, _ *PathAnswer) []Field {
		var all []prose.Option
		for _, name := range f.environmentNames() {
			option := prose.Option{Key: name, Title: name, Detail: "new, runs on this machine"}
			if e := f.Base.Environment(name); e != nil {
				option.Detail = string(e.Provider)
			}
			all = append(all, option)
		}
		field := several("environments", "Environments", &f.now.Environments, all,
			prose.Option{Key: "none", Title: "no environments", Disabled: "there is no environment yet; name one below"}, "")
		if f.now.Environments == nil {
			field.Chosen = f.environmentNames()
		}
		field.store = func(_ string, chosen []string) {
			// A choice of none is an empty list: nil would mean all.
			f.now.Environments = append([]string{}, chosen...)
		}
		return []Field{
			field,
			list("new", "New environments", &f.now.NewEnvironments,
				"such as qa, prod; they run on this machine and include this API"),
		}
	},
	check: func(f *Flow, _ ID, _ *PathAnswer) []Fault {
		var all faults
		trial := *f.Base
		if f.NewProject != "" {
			trial.Environments = append(slices.Clip(trial.Environments),
				&model.Environment{Name: model.FirstEnvironment, Provider: model.Local})
		}
		for _, name := range model.SplitList(f.now.NewEnvironments) {
			all.add("new", edit.AddEnvironment(&trial, &model.Environment{Name: name, Provider: model.Local}))
		}
		return all[:min(len(all), 1)]
	},
}

func picksEnvironments(f *Flow, _ *PathAnswer) bool {
	return f.Task.API == "" && f.Base.Defines(model.KindEnvironment)
}

// Review is the last step.
const Review Kind = "review"

// reviewStep shows everything before it is written.
var reviewStep = &step{
	kind: Review, short: "review",
	title: "Review", help: "Nothing is written yet. gatewright writes all files or none.",
	fields: func(*Flow, ID, *PathAnswer) []Field { return nil },
	check: func(f *Flow, _ ID, _ *PathAnswer) []Fault {
		var all faults
		_, err := f.build()
		all.add("", err)
		return all
	},
}

func newAPI(f *Flow, _ *PathAnswer) bool { return f.Task.API == "" }

func (f *Flow) projectName() string {
	return cmp.Or(strings.TrimSpace(f.now.Project.Name), f.NewProject)
}

// binaryMediaTypes are the binary media types of the new API. Those of an API of the Amplify
// CLI are not in its definition.
func (f *Flow) binaryMediaTypes() []string {
	if !f.Base.HasMediaTypes() {
		return nil
	}
	return model.SplitList(f.now.BinaryMediaTypes)
}
