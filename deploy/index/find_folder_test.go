package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
)

func TestAProjectThatMovedIsFoundFromItsNewFolder(t *testing.T) {
	t.Parallel()
	stacks := index.Open(t.TempDir())
	old, moved := filepath.Join(t.TempDir(), "old"), filepath.Join(t.TempDir(), "new")
	deploytest.Must(t, os.Mkdir(old, 0o755))
	p := deploytest.Made(t, old, deploytest.Shop(t))
	want, _ := deploytest.Pushed(t, stacks, p, "dev")
	deploytest.Must(t, p.Close())
	deploytest.Must(t, os.Rename(old, moved))

	r := index.Request{ApplicationID: "app1", Branch: "dev", Index: stacks}
	if _, err := find(r); !errors.Is(err, index.ErrNoStack) || !strings.Contains(err.Error(), old) {
		t.Errorf("from elsewhere: %v", err)
	}
	r.Here = deploytest.Opened(t, moved)
	if got, err := find(r); err != nil || got.APIs[0] != want.APIs[0] {
		t.Errorf("from its folder: %+v, %v", got, err)
	}
	if _, told := deploytest.Pushed(t, stacks, r.Here, "dev"); len(told) != 0 {
		t.Errorf("the events of the next push are %q", told)
	}
	r.Here = nil
	if got, err := find(r); err != nil || got.APIs[0] != want.APIs[0] {
		t.Errorf("after the next push: %+v, %v", got, err)
	}
}

func TestTwoFoldersOfOneApplication(t *testing.T) {
	t.Parallel()
	stacks := index.Open(t.TempDir())
	first, second := deploytest.Made(t, t.TempDir(), deploytest.Shop(t)), deploytest.Made(t, t.TempDir(), func() *model.Backend {
		b := deploytest.Shop(t)
		deploytest.Must(t, edit.AddOutput(b, model.Outputs{"custom": map[string]any{"second": true}}))
		return b
	}())
	deploytest.Pushed(t, stacks, first, "dev")
	second2, told := deploytest.Pushed(t, stacks, second, "dev")
	if last := told[len(told)-1]; !strings.HasPrefix(last, "note: the stack "+second2.Stack+" was deployed from "+first.Root+" before") {
		t.Errorf("the events are %q", told)
	}
	for name, tt := range map[string]struct {
		here   *project.Project
		second any
	}{"from anywhere the last": {nil, true}, "from the first its own": {first, nil}, "from the second its own": {second, true}} {
		t.Run(name, func(t *testing.T) {
			got, err := find(index.Request{ApplicationID: "app1", Branch: "dev", Here: tt.here, Index: stacks})
			if err != nil || deploytest.At(got.Values, "custom", "second") != tt.second {
				t.Errorf("%+v, %v", got.Values, err)
			}
		})
	}
}
