package course

import (
	"gatewright/flow"
	"gatewright/model"
)

// table has the lessons in their order, without their texts.
func table() []Lesson {
	return []Lesson{
		{
			ID: "first-api", Place: InWizard, Begin: beginFirstAPI,
			Check: checkFirstAPI, Look: served("GET /books", "POST /books", "GET /books/978"),
			Solved: walked(flow.Task{}, flow.Answers{Service: flow.REST, Label: shop, Paths: []flow.PathAnswer{open(list, "books")}}),
		},
		{
			ID: "paths", Place: InWizard, Begin: beginPaths,
			Check: checkPaths, Look: served("GET /books", "GET /books/978", "GET /books/978/reviews", "GET /books/978/reviews/4"),
			Solved: walked(flow.Task{API: shop}, flow.Answers{Paths: []flow.PathAnswer{open(book, "book")}}),
		},
		{
			ID: "access", Place: InWizard, Begin: beginAccess,
			Check: checkAccess, Look: lookAtAccess,
			Solved: walked(flow.Task{API: shop, Path: book}, flow.Answers{Paths: []flow.PathAnswer{{
				Path: book, Source: flow.ExistingFunction, Existing: "book", Restrict: flow.Yes, Who: flow.ForAll, NewGroup: editors, Another: flow.No,
				Actions: map[string][]string{"auth": {"read"}, "guest": {"read"}, "group " + editors: {"read", "update", "delete"}},
			}}}),
		},
		{
			ID: "environments", Place: InWizard, Begin: beginEnvironments,
			Check: checkEnvironments, Look: lookAtEnvironments,
			Solved: walked(flow.Task{}, flow.Answers{
				Service: flow.REST, Label: stock, Paths: []flow.PathAnswer{open("/stock", stock)},
				Environments: []string{}, NewEnvironment: quality,
			}),
		},
		{
			ID: "outputs", Place: InOutputs,
			Check: checkOutputs, Look: lookAtOutputs,
			Solved: func(b *model.Backend) (*model.Backend, error) {
				return b.Edit(func(b *model.Backend) error {
					return b.AddNamedOutput("covers", model.Outputs{
						"storage": map[string]any{"cloud_region": bucketRegion, "bucket_name": bucket},
						"custom":  map[string]any{supportMail: "help@bookshop.example"},
					})
				})
			},
		},
		{
			ID: "testing", Place: InConsole, Event: "books", Check: checkTesting,
			// Nothing that is tried or pushed changes the definitions.
			Solved: func(b *model.Backend) (*model.Backend, error) { return b, nil },
		},
	}
}

// walked does a task as the wizard does, with these answers.
func walked(task flow.Task, answers flow.Answers) func(*model.Backend) (*model.Backend, error) {
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

// open is the answers for a path that serves everybody, with a function of its
// own.
func open(path, function string) flow.PathAnswer {
	return flow.PathAnswer{
		Path: path, Source: flow.NewFunction, Restrict: flow.No, Another: flow.No,
		Function: flow.FunctionAnswer{Name: function, Runtime: string(model.NodeJS), Template: string(model.Plain), Advanced: flow.No},
	}
}
