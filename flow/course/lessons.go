package course

import (
	"gatewright/flow"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// lessonTable returns the lessons in their order, without their texts.
func lessonTable() []Lesson {
	return []Lesson{
		{
			ID: "first-api", Place: InWizard, WizardTask: beginFirstAPI,
			Check: checkFirstAPI, Summarize: summarizeRoutes("GET /books", "POST /books", "GET /books/978"),
			Solve: solveInWizard(flow.Task{},
				flow.Answers{Service: flow.REST, Label: shop, Paths: []flow.PathAnswer{openPath(listPath, "books")}}),
		},
		{
			ID: "paths", Place: InWizard, WizardTask: beginPaths,
			Check:     checkPaths,
			Summarize: summarizeRoutes("GET /books", "GET /books/978", "GET /books/978/reviews", "GET /books/978/reviews/4"),
			Solve:     solveInWizard(flow.Task{API: shop}, flow.Answers{Paths: []flow.PathAnswer{openPath(bookPath, "book")}}),
		},
		{
			ID: "access", Place: InWizard, WizardTask: beginAccess,
			Check: checkAccess, Summarize: summarizeAccess,
			Solve: solveInWizard(flow.Task{API: shop, Path: bookPath}, flow.Answers{Paths: []flow.PathAnswer{{
				Path: bookPath, Source: flow.ExistingFunction, Existing: "book", Another: flow.No,
				Access: flow.AccessAnswer{
					Setting: access.Protected, Users: []string{"read"}, Guests: []string{"read"},
					Groups: map[string][]string{editors: {"read", "update", "delete"}},
				},
			}}, Groups: []string{editors}}),
		},
		{
			ID: "environments", Place: InWizard, WizardTask: beginEnvironments,
			Check: checkEnvironments, Summarize: summarizeEnvironments,
			Solve: solveInWizard(flow.Task{}, flow.Answers{
				Service: flow.REST, Label: stock, Paths: []flow.PathAnswer{openPath("/stock", stock)},
				Environments: []string{}, NewEnvironments: quality,
			}),
		},
		{
			ID: "outputs", Place: InOutputs,
			Check: checkOutputs, Summarize: summarizeOutputs,
			Solve: func(b *model.Backend) (*model.Backend, error) {
				return b.Edit(func(b *model.Backend) error {
					return edit.AddNamedOutput(b, "covers", model.Outputs{
						"storage": map[string]any{"cloud_region": bucketRegion, "bucket_name": bucket},
						"custom":  map[string]any{supportMail: "help@bookshop.example"},
					})
				})
			},
		},
		{
			ID: "testing", Place: InConsole, Event: "books", Check: checkTesting,
			// Calls and pushes change no definition.
			Solve: func(b *model.Backend) (*model.Backend, error) { return b, nil },
		},
	}
}

// solveInWizard returns a Lesson.Solve that gives these answers to the wizard.
func solveInWizard(task flow.Task, answers flow.Answers) func(*model.Backend) (*model.Backend, error) {
	return func(b *model.Backend) (*model.Backend, error) {
		name := ""
		if b.Project.Name == "" {
			name = projectName
		}
		f := flow.New(b, task, name)
		f.Restore(answers)
		return f.Backend()
	}
}

// openPath returns the answers for an open path with a new function.
func openPath(path, function string) flow.PathAnswer {
	return flow.PathAnswer{
		Path: path, Source: flow.NewFunction, Access: flow.AccessAnswer{Setting: access.Open}, Another: flow.No,
		Function: flow.FunctionAnswer{
			Name: function, Runtime: string(model.NodeJS), Template: string(model.Plain),
			Advanced: flow.No,
		},
	}
}
