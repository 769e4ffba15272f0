package local_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/status"
	"gatewright/project/validate"
)

func TestAPushReplacesADeploymentThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		damage func(t *testing.T, folder string)
		// record is in the error of reading the record, "" if it can be read.
		record, told string
	}{
		"half a record": {
			func(t *testing.T, folder string) {
				deploytest.Put(t, filepath.Join(folder, "record.json"), `{"version": `)
			},
			"record.json: cannot be read", "record.json: cannot be read",
		},
		"a record of a later version": {
			func(t *testing.T, folder string) {
				deploytest.Put(t, filepath.Join(folder, "record.json"), `{"version": 2, "environment": {"name": "dev"}}`)
			},
			"record.json: has the version 2, but this gatewright reads version 1; use the gatewright that wrote it, or push again", "has the version 2",
		},
		"no snapshot": {
			func(t *testing.T, folder string) {
				snapshots, err := filepath.Glob(filepath.Join(folder, "snapshot-*"))
				deploytest.Must(t, err)
				for _, snapshot := range snapshots {
					deploytest.Must(t, os.RemoveAll(snapshot))
				}
			},
			"", "record.json names it; push again",
		},
		"a snapshot that is broken": {
			func(t *testing.T, folder string) {
				found, err := filepath.Glob(filepath.Join(folder, "snapshot-*/backend/api/shop/cli-inputs.json"))
				deploytest.Must(t, err)
				deploytest.Put(t, found[0], "{")
			},
			"", "cli-inputs.json",
		},
	} {
		t.Run(name, func(t *testing.T) {
			stacks := index.Open(t.TempDir())
			p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
			want, _ := deploytest.Pushed(t, stacks, p, "dev")
			tt.damage(t, filepath.Join(p.Root, ".gatewright/deployed/dev"))

			for _, r := range []index.Request{{Stack: want.Stack, Index: stacks}, {Environment: "dev", Here: p}} {
				got, err := index.Find(t.Context(), r)
				found := err == nil && got.Stack == want.Stack
				if found != (tt.record == "") || !found && (!strings.Contains(err.Error(), tt.record) || strings.Contains(err.Error(), "\n")) {
					t.Errorf("the record is %+v, %v", got, err)
				}
			}
			_, told := deploytest.Pushed(t, stacks, p, "dev")
			if len(told) < 3 || !strings.HasPrefix(told[0], "warning: the earlier deployment cannot be read") || !strings.Contains(told[0], tt.told) ||
				strings.Contains(told[0], "\n") || !slices.Contains(told, "create: API shop") {
				t.Errorf("the events of the push are %q", told)
			}
			if got, err := index.Find(t.Context(), index.Request{Stack: want.Stack, Index: stacks}); err != nil || got.APIs[0] != want.APIs[0] {
				t.Errorf("after it the deployment is %+v, %v", got, err)
			}
			if _, told := deploytest.Pushed(t, stacks, p, "dev"); len(told) != 0 {
				t.Errorf("the events of the next push are %q", told)
			}
		})
	}
}

// The first push made a pool; then an output was added that names another pool.
func TestAPushTakesThePoolOfANewOutput(t *testing.T) {
	t.Parallel()
	index := index.Open(t.TempDir())
	b := deploytest.Shop(t)
	deploytest.Must(t, edit.AddGroup(b, "Admins"))
	p := deploytest.Made(t, t.TempDir(), b)
	deploytest.Pushed(t, index, p, "dev")
	deploytest.Put(t, filepath.Join(p.Root, "backend/outputs/pool.json"), `{"auth": {"user_pool_id": "eu-west-1_own"}}`)
	record, told := deploytest.Pushed(t, index, deploytest.Opened(t, p.Root), "dev")
	if deploytest.At(record.Values, "auth", "user_pool_id") != "eu-west-1_own" || deploytest.At(clientFile(t, p), "auth", "user_pool_id") != "eu-west-1_own" {
		t.Errorf("deployed is %v", record.Values)
	}
	if want := []string{"create: output pool", "update: client configuration file client_config.json"}; !slices.Equal(told, want) {
		t.Errorf("the events are %q", told)
	}
	for _, problem := range validate.Project(deploytest.Opened(t, p.Root)) {
		if problem.Rule != access.RuleOpen {
			t.Errorf("afterwards: %v", problem)
		}
	}
}

func TestPushesAtTheSameTimeLeaveAWholeDeployment(t *testing.T) {
	t.Parallel()
	index := index.Open(t.TempDir())
	dir := t.TempDir()
	deploytest.Made(t, dir, deploytest.Shop(t))
	const pushes = 6
	var all sync.WaitGroup
	errs := make([]error, pushes)
	for i := range pushes {
		p := deploytest.Opened(t, dir)
		all.Go(func() { _, _, errs[i] = deploytest.Pushing(index, p, "dev") })
	}
	all.Wait()
	done := 0
	for _, err := range errs {
		switch {
		case err == nil:
			done++
		case !errors.Is(err, project.ErrDeploying):
			t.Errorf("a push failed for another reason: %v", err)
		}
	}
	if done == 0 {
		t.Error("none was deployed")
	}
	p := deploytest.Opened(t, dir)
	status, err := status.Of(p, "dev")
	if err != nil || status.Deployed == nil || status.Changed() {
		t.Errorf("status says %+v, %v", status, err)
	}
	if got := deploytest.At(clientFile(t, p), "custom", "API", "shop", "endpoint"); got != status.Deployed.APIs[0].URL {
		t.Errorf("the client configuration file has %v", got)
	}
	if e, err := index.Find(status.Deployed.Stack); err != nil || e.Root != dir {
		t.Errorf("the index has %+v, %v", e, err)
	}
}

func TestAPushAsAnotherBranchReplacesTheStack(t *testing.T) {
	t.Parallel()
	stacks := index.Open(t.TempDir())
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	old, _ := deploytest.Pushed(t, stacks, p, "dev")
	p = deploytest.Edited(t, p, func(b *model.Backend) error {
		return edit.UpdateEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Branch: "develop"})
	})
	now, _ := deploytest.Pushed(t, stacks, p, "dev")
	if _, err := stacks.Find(old.Stack); !errors.Is(err, index.ErrNoStack) {
		t.Errorf("the old stack is still known: %v", err)
	}
	if e, err := stacks.Find(now.Stack); err != nil || e.Branch != "develop" {
		t.Errorf("the new one is %+v, %v", e, err)
	}
	if old.APIs[0] != now.APIs[0] {
		t.Errorf("the address changed with the branch: %v, %v", old.APIs, now.APIs)
	}
}
