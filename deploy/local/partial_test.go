package local_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/deploy/local"
	"gatewright/internal/file/lock"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/journal"
)

func TestAnIncompleteSectionIsReported(t *testing.T) {
	t.Parallel()
	b := deploytest.Shop(t)
	deploytest.Must(t, edit.SetData(b, &model.Data{Region: "eu-west-1"}))
	p := deploytest.Made(t, t.TempDir(), b)
	_, told := deploytest.Pushed(t, index.Open(t.TempDir()), p, "dev")
	want := "warning: the client configuration file has no data: url, default_authorization_type, authorization_types are missing; give them with: gatewright update data"
	if !slices.Contains(told, want) {
		t.Errorf("the events are %q", told)
	}
}

func TestADeploymentStandsWhenItsClientFileCannotBeWritten(t *testing.T) {
	t.Parallel()
	index := index.Open(t.TempDir())
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	before, err := os.ReadFile(filepath.Join(p.Root, "client_config.json"))
	deploytest.Must(t, err)
	// Another command has the lock for good, and the context ends at once.
	taken, err := lock.TakePath(filepath.Join(p.Root, ".gatewright/lock"))
	deploytest.Must(t, err)
	defer func() { _ = taken.Release() }()
	ctx, cancel := context.WithCancel(context.Background())
	record, err := local.Provider{Index: index}.Push(ctx, deploytest.Target(p, "dev"), func(contract.Event) { cancel() })
	if err == nil || !strings.Contains(err.Error(), "environment dev is deployed, but its client configuration file could not be written") ||
		!errors.Is(err, journal.ErrLocked) || !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v", err)
	}
	after, err := os.ReadFile(filepath.Join(p.Root, "client_config.json"))
	if err != nil || string(after) != string(before) {
		t.Errorf("the file is %s, %v", after, err)
	}
	if got, err := (local.Provider{Index: index}).Record(context.Background(), record.Stack); err != nil || got.APIs[0] != record.APIs[0] {
		t.Errorf("the deployment is %+v, %v", got, err)
	}
}

func TestADeploymentStandsWhenTheIndexCannotBeWritten(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	deploytest.Put(t, state, "a file in its place")
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	record, _, err := deploytest.Pushing(index.Open(state), p, "dev")
	if err == nil || !strings.Contains(err.Error(), "only its project folder can find it") || !strings.Contains(err.Error(), state) {
		t.Errorf("the error is %v", err)
	}
	if got, err := (local.Provider{Here: p}).Record(context.Background(), record.Stack); err != nil || got.APIs[0] != record.APIs[0] {
		t.Errorf("the deployment is %+v, %v", got, err)
	}
}

func TestAPushThatIsInterruptedBeforeItBeginsDeploysNothing(t *testing.T) {
	t.Parallel()
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	record, err := local.Provider{}.Push(ctx, deploytest.Target(p, "dev"), nil)
	if !errors.Is(err, context.Canceled) || record.Stack != "" {
		t.Errorf("%+v, %v", record, err)
	}
	if _, err := p.Deployed("dev"); !errors.Is(err, project.ErrNeverDeployed) {
		t.Errorf("it was deployed: %v", err)
	}
}
