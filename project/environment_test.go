package project_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
)

func TestTheClientFileHasTheOutputsOfTheDeployment(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		p := shop(t, fsys)
		const address = "http://127.0.0.1:4280/a1/dev"
		deploy(t, p, "dev", address)
		record := recordOf("dev", address)
		planned, err := plan.ClientFile(p, "dev", record.Values)
		must(t, err)
		must(t, planned.Commit())
		edited(t, load(t, fsys, project.Native), func(b *model.Backend) error {
			return edit.AddOutput(b, model.Outputs{"custom": map[string]any{"answer": 42}})
		})
		if got := get(t, fsys, neutralFile); !strings.Contains(got, address) || !strings.Contains(got, `"answer": 42`) {
			t.Errorf("after an edit the file is %s", got)
		}
		p = load(t, fsys, project.Native)
		next, err := p.Backend.Edit(func(b *model.Backend) error {
			return edit.AddNamedOutput(b, "other", model.Outputs{"custom": map[string]any{"API": map[string]any{"shop": map[string]any{"endpoint": "https://elsewhere"}}}})
		})
		must(t, err)
		if _, err := plan.Of(p, next); err == nil || !strings.Contains(err.Error(), address) || !strings.Contains(err.Error(), "elsewhere") {
			t.Errorf("an output that differs from the deployment: %v", err)
		}
	})
}

func TestTheClientFileKeepsItsEnvironment(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		p := shop(t, fsys)
		deploy(t, p, "dev", "http://127.0.0.1:4280/a1/dev")
		deploy(t, p, "prod", "http://127.0.0.1:4280/b2/prod")
		use := func(env string) *plan.Plan {
			plan, err := plan.Use(load(t, fsys, project.Native), env)
			must(t, err)
			must(t, plan.Commit())
			return plan
		}
		use("dev")
		put(t, fsys, neutralFile, strings.Replace(get(t, fsys, neutralFile), `"version": "1"`, `"version": "1", "analytics": {}`, 1))
		was := get(t, fsys, neutralFile)
		planned := use("prod")
		if len(planned.Notes) != 1 || !strings.Contains(planned.Notes[0], "is now for environment prod; it was for dev") {
			t.Errorf("notes %q", planned.Notes)
		}
		edited(t, load(t, fsys, project.Native), func(b *model.Backend) error { return edit.AddGroup(b, "Admins") })
		if got := get(t, fsys, neutralFile); !strings.Contains(got, "/b2/prod") || strings.Contains(got, "/a1/dev") || !strings.Contains(got, "analytics") {
			t.Errorf("the file of prod is %s", got)
		}
		use("dev")
		if got := get(t, fsys, neutralFile); got != was {
			t.Errorf("after going there and back the file is %s, and was %s", got, was)
		}
		p = load(t, fsys, project.Native)
		if got := p.CurrentEnvironment(); got == nil || got.Name != "dev" || p.ClientFileEnvironment() != "dev" {
			t.Errorf("chosen is %v, the file is of %s", got, p.ClientFileEnvironment())
		}
		if _, err := plan.Use(p, "pord"); !errors.Is(err, model.ErrUnknown) || !strings.Contains(err.Error(), "did you mean prod?") {
			t.Errorf("a name that no environment has: %v", err)
		}
	})
}

func TestTheFirstEnvironmentOfANewProjectIsChosen(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	b := &model.Backend{}
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	p := native(t, fsys, b, nil)
	edited(t, p, func(b *model.Backend) error {
		return edit.AddEnvironment(b, &model.Environment{Name: "prod", Provider: model.Local})
	})
	if got := load(t, fsys, project.Native).CurrentEnvironment(); got == nil || got.Name != "dev" {
		t.Errorf("chosen is %v", got)
	}
}
