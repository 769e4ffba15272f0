package deploytest

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/deploy/local"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
)

// Write makes a project of a backend in an empty folder.
func Write(t testing.TB, dir string, b *model.Backend) {
	t.Helper()
	fsys, err := disk.Open(dir)
	Must(t, err)
	commit(t, project.New(fsys, fsys.Close), b)
}

// Change edits a project as another process would.
func Change(t testing.TB, dir string, edit func(*model.Backend) error) {
	t.Helper()
	p, err := project.Open(dir)
	Must(t, err)
	next, err := p.Backend.Edit(edit)
	Must(t, err)
	commit(t, p, next)
}

func commit(t testing.TB, p *project.Project, b *model.Backend) {
	t.Helper()
	plan, err := plan.Of(p, b)
	Must(t, err)
	Must(t, errors.Join(plan.Commit(), p.Close()))
}

// Push deploys an environment at a time. The index of deployments is in the folder
// state next to the project's folder.
func Push(t testing.TB, dir, env string, at time.Time) {
	t.Helper()
	p, err := project.Open(dir)
	Must(t, err)
	defer func() { _ = p.Close() }()
	provider := local.Provider{Index: index.Open(filepath.Join(filepath.Dir(dir), "state"))}
	_, err = provider.Push(context.Background(),
		contract.Target{Project: p, Environment: p.Backend.Environment(env), Now: at}, func(contract.Event) {})
	Must(t, err)
}
