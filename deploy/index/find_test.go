package index_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/internal/file/lock"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
)

func find(r index.Request) (project.Record, error) {
	return index.Find(context.Background(), r)
}

func TestADeploymentIsFoundFromAnywhere(t *testing.T) {
	t.Parallel()
	stacks := index.Open(t.TempDir())
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	want, _ := deploytest.Pushed(t, stacks, p, "prod")
	other := deploytest.Made(t, t.TempDir(), func() *model.Backend {
		b := deploytest.Shop(t)
		project := b.Project
		project.ApplicationID = "app2"
		deploytest.Must(t, edit.SetProject(b, project))
		return b
	}())
	for name, r := range map[string]index.Request{
		"by application id and branch":        {ApplicationID: "app1", Branch: "main", Index: stacks},
		"by stack":                            {Stack: want.Stack, Index: stacks},
		"from another project":                {ApplicationID: "app1", Branch: "main", Here: other, Index: stacks},
		"by stack from another project":       {Stack: want.Stack, Here: other, Index: stacks},
		"from its own project":                {ApplicationID: "app1", Branch: "main", Here: p},
		"by stack from its own project":       {Stack: want.Stack, Here: p},
		"by the branch from its own project":  {Branch: "main", Here: p},
		"by environment from its own project": {Environment: "prod", Here: p},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := find(r)
			if err != nil || got.Stack != want.Stack || got.Environment != "prod" || got.APIs[0] != want.APIs[0] || deploytest.At(got.Values, "custom", "API", "shop", "endpoint") != want.APIs[0].URL {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestAnEmptyRequestMeansTheChosenEnvironment(t *testing.T) {
	t.Parallel()
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	deploytest.Pushed(t, index.Open(t.TempDir()), p, "prod")
	plan, err := plan.Use(p, "prod")
	deploytest.Must(t, err)
	deploytest.Must(t, plan.Commit())
	if got, err := find(index.Request{Here: deploytest.Opened(t, p.Root)}); err != nil || got.Environment != "prod" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRequestsThatIdentifyNoDeployment(t *testing.T) {
	t.Parallel()
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	deploytest.Must(t, os.RemoveAll(filepath.Join(p.Root, ".gatewright")))
	p = deploytest.Opened(t, p.Root)
	bare := deploytest.Made(t, t.TempDir(), func() *model.Backend {
		b := &model.Backend{}
		deploytest.Must(t, edit.SetProject(b, model.Project{Name: "bare", ApplicationID: "bare", Dialect: model.Neutral}))
		return b
	}())
	for name, tt := range map[string]struct {
		r     index.Request
		words string
	}{
		"stack and application id": {index.Request{Stack: "s", ApplicationID: "app1"}, "without an application id"},
		"stack and branch":         {index.Request{Stack: "s", Branch: "main"}, "without an application id, branch"},
		"stack and environment":    {index.Request{Stack: "s", Environment: "dev", Here: p}, "environment"},
		"no stack at all":          {index.Request{Stack: "../s"}, "not the name of a stack"},
		"an id without a branch":   {index.Request{ApplicationID: "app1", Here: p}, "needs a branch"},
		"a branch without an id":   {index.Request{Branch: "main"}, "needs an application id"},
		"environment and branch":   {index.Request{Environment: "dev", Branch: "main", Here: p}, "environment"},
		"environment, no project":  {index.Request{Environment: "dev"}, "in no project"},
		"nothing, no project":      {index.Request{}, "in no project"},
		"nothing chosen":           {index.Request{Here: p}, "it has dev, prod"},
		"no environment":           {index.Request{Here: bare}, "no environment"},
	} {
		t.Run(name, func(t *testing.T) {
			record, err := find(tt.r)
			if !errors.Is(err, index.ErrRequest) || !strings.Contains(err.Error(), tt.words) || strings.Contains(err.Error(), "\n") || record.Stack != "" {
				t.Errorf("%+v, %v", record, err)
			}
		})
	}
	if _, err := find(index.Request{Environment: "dve", Here: p}); !errors.Is(err, model.ErrUnknown) || !strings.Contains(err.Error(), "dev") {
		t.Errorf("an unknown environment: %v", err)
	}
}

func TestEachReasonForAMissingDeploymentHasItsError(t *testing.T) {
	t.Parallel()
	type place struct {
		index index.Index
		p     *project.Project
	}
	// At the begin of each case dev is deployed from a folder and is in the index.
	for name, tt := range map[string]struct {
		change func(t *testing.T, at place) index.Request
		is     error
		words  []string
	}{
		"no such branch": {
			func(_ *testing.T, at place) index.Request {
				return index.Request{ApplicationID: "app1", Branch: "mian", Index: at.index}
			},
			index.ErrNoStack,
			[]string{"application app1 and its branch mian", "that application has deployments of dev", "gatewright push"},
		},
		"no such application": {
			func(_ *testing.T, at place) index.Request {
				return index.Request{ApplicationID: "app2", Branch: "dev", Index: at.index}
			},
			index.ErrNoStack,
			[]string{"application app2", "the nearest is " + index.StackName("app1", "dev") + " (application app1, branch dev)"},
		},
		"no such stack": {
			func(_ *testing.T, at place) index.Request {
				return index.Request{Stack: "gatewright-app1-dev", Index: at.index}
			},
			index.ErrNoStack,
			[]string{"gatewright-app1-dev is not known on this machine", "the nearest is " + index.StackName("app1", "dev")},
		},
		"nothing known": {
			func(_ *testing.T, _ place) index.Request { return index.Request{Stack: "a", Index: index.Index{}} },
			index.ErrNoStack,
			[]string{"stack: a is not known on this machine; deploy it with: gatewright push"},
		},
		"a branch that no environment has": {
			func(_ *testing.T, at place) index.Request {
				return index.Request{Branch: "feature", Here: at.p, Index: at.index}
			},
			index.ErrNoStack,
			[]string{"no environment has the branch feature", "dev, prod (branch main)"},
		},
		"never deployed": {
			func(_ *testing.T, at place) index.Request {
				return index.Request{Branch: "main", Here: at.p, Index: at.index}
			},
			project.ErrNeverDeployed,
			[]string{"environment prod was never deployed", "gatewright push --env prod"},
		},
		"the folder was removed": {
			func(t *testing.T, at place) index.Request {
				deploytest.Must(t, os.RemoveAll(at.p.Root))
				return index.Request{ApplicationID: "app1", Branch: "dev", Index: at.index}
			},
			index.ErrNoStack,
			[]string{"which no longer exists", "moved", "gatewright push"},
		},
		"the folder is empty": {
			func(t *testing.T, at place) index.Request {
				deploytest.Must(t, os.RemoveAll(filepath.Join(at.p.Root, ".gatewright")))
				return index.Request{ApplicationID: "app1", Branch: "dev", Index: at.index}
			},
			project.ErrNeverDeployed,
			[]string{"no longer has a deployment of environment dev"},
		},
		"another application is there": {
			func(t *testing.T, at place) index.Request {
				next := deploytest.Edited(t, at.p, func(b *model.Backend) error {
					project := b.Project
					project.ApplicationID = "other"
					return edit.SetProject(b, project)
				})
				deploytest.Pushed(t, index.Open(t.TempDir()), next, "dev")
				return index.Request{ApplicationID: "app1", Branch: "dev", Index: at.index}
			},
			index.ErrNoStack,
			[]string{"now belongs to the application other"},
		},
		"another branch was deployed": {
			func(t *testing.T, at place) index.Request {
				next := deploytest.Edited(t, at.p, func(b *model.Backend) error {
					return edit.UpdateEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Branch: "develop"})
				})
				deploytest.Pushed(t, index.Open(t.TempDir()), next, "dev")
				return index.Request{ApplicationID: "app1", Branch: "dev", Index: at.index}
			},
			index.ErrNoStack,
			[]string{"is now the stack " + index.StackName("app1", "develop")},
		},
		"the environment has another branch since": {
			func(t *testing.T, at place) index.Request {
				next := deploytest.Edited(t, at.p, func(b *model.Backend) error {
					return edit.UpdateEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Branch: "develop"})
				})
				return index.Request{Branch: "develop", Here: next, Index: at.index}
			},
			index.ErrNoStack,
			[]string{"environment dev: was last deployed as application app1 and branch dev", "gatewright push --env dev"},
		},
		"the environment is in the cloud": {
			func(t *testing.T, at place) index.Request {
				next := deploytest.Edited(t, at.p, func(b *model.Backend) error {
					return edit.UpdateEnvironment(b, &model.Environment{Name: "prod", Provider: model.AWS, Branch: "main"})
				})
				return index.Request{Branch: "main", Here: next, Index: at.index}
			},
			contract.ErrProvider,
			[]string{"environment prod", "provider aws"},
		},
		"a broken index": {
			func(t *testing.T, at place) index.Request {
				state := t.TempDir()
				deploytest.Put(t, filepath.Join(state, "deployments", index.StackName("app1", "dev")+".json"), "{")
				return index.Request{ApplicationID: "app1", Branch: "dev", Index: index.Open(state)}
			},
			index.ErrNoStack,
			[]string{"cannot be read", ".json", "writes it again"},
		},
		"no outputs": {
			func(t *testing.T, at place) index.Request {
				next := deploytest.Edited(t, at.p, func(b *model.Backend) error {
					return edit.Remove(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, true)
				})
				deploytest.Pushed(t, at.index, next, "dev")
				return index.Request{ApplicationID: "app1", Branch: "dev", Index: at.index}
			},
			index.ErrNoOutputs,
			[]string{"environment dev", "has no outputs", "push again"},
		},
		"a deployment in progress": {
			func(t *testing.T, at place) index.Request {
				hold(t, at.p.Root)
				return index.Request{ApplicationID: "app1", Branch: "dev", Index: at.index}
			},
			project.ErrDeploying,
			[]string{"environment dev is being deployed", "try again"},
		},
		"a deployment in progress here": {
			func(t *testing.T, at place) index.Request {
				hold(t, at.p.Root)
				return index.Request{Environment: "dev", Here: at.p}
			},
			project.ErrDeploying,
			[]string{"environment dev is being deployed", "try again"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			at := place{index.Open(t.TempDir()), deploytest.Made(t, t.TempDir(), deploytest.Shop(t))}
			deploytest.Pushed(t, at.index, at.p, "dev")
			record, err := find(tt.change(t, at))
			if !errors.Is(err, tt.is) || record.Stack != "" {
				t.Fatalf("%+v, %v", record, err)
			}
			for _, words := range tt.words {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("the error lacks %q: %v", words, err)
				}
			}
			if strings.Contains(err.Error(), "\n") || errors.Is(err, index.ErrRequest) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// hold puts dev into the state that it has while another process pushes it.
func hold(t *testing.T, root string) {
	t.Helper()
	taken, err := lock.TakePath(filepath.Join(root, ".gatewright/deployed/dev/lock"))
	deploytest.Must(t, err)
	t.Cleanup(func() { _ = taken.Release() })
}
