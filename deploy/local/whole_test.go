package local_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/deploy/local"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
)

// TestTheWholeRecordOfALocalPush compares all that a push to this machine records: its ids are the same in
// every push of every version, since clients have them.
func TestTheWholeRecordOfALocalPush(t *testing.T) {
	t.Parallel()
	b := deploytest.Shop(t)
	deploytest.Must(t, edit.AddPath(b, "shop", deploytest.SignedIn("/orders/{id}", "items")))
	deploytest.Must(t, edit.AddAPI(b, &access.API{Label: "office", Paths: []*access.Path{deploytest.Open("/desks", "items")}}))
	p := deploytest.Made(t, t.TempDir(), b)
	preview, err := local.Preview(deploytest.Target(p, "prod"), nil)
	deploytest.Must(t, err)
	record, _ := deploytest.Pushed(t, index.Open(t.TempDir()), p, "prod")
	kept, err := project.ReadRecord(p.Root, "prod")
	deploytest.Must(t, err)
	kept.Snapshot, kept.Version, record.Snapshot, record.Version = "", 0, "", 0
	got, err := json.MarshalIndent(kept, "", " ")
	deploytest.Must(t, err)
	const golden = "testdata/local_record.json"
	want, err := os.ReadFile(golden)
	deploytest.Must(t, err)
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got)+"\n", "\n")); diff != "" {
		t.Errorf("it is otherwise than in %s (-want +got):\n%s\nthe whole is\n%s", golden, diff, got)
	}
	preview.Sources, preview.Definition = kept.Sources, kept.Definition
	for what, other := range map[string]project.Record{"the preview": preview, "what the push returns": record} {
		other.Sources, other.Definition = kept.Sources, kept.Definition
		text, err := json.MarshalIndent(other, "", " ")
		deploytest.Must(t, err)
		if diff := cmp.Diff(string(got), string(text)); diff != "" {
			t.Errorf("%s is otherwise than what is kept:\n%s", what, diff)
		}
	}
	client := clientFile(t, p)
	text, err := json.Marshal(kept.Values)
	deploytest.Must(t, err)
	var values map[string]any
	deploytest.Must(t, json.Unmarshal(text, &values))
	for name, value := range values {
		if diff := cmp.Diff(value, client[name]); diff != "" {
			t.Errorf("the client configuration file has another %s:\n%s", name, diff)
		}
	}
}

func TestThePreviewOfAPushToThisMachineWritesNothing(t *testing.T) {
	t.Parallel()
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	state := t.TempDir()
	deploytest.Pushed(t, index.Open(state), p, "dev")
	p = deploytest.Edited(t, p, func(b *model.Backend) error {
		return errors.Join(edit.AddPath(b, "shop", deploytest.Open("/carts", "items")), edit.RemovePath(b, "shop", "/items"))
	})
	before, stacks := deploytest.Tree(t, p.Root), deploytest.Tree(t, state)
	var told []string
	_, err := local.Preview(deploytest.Target(p, "dev"), func(e contract.Event) { told = append(told, e.Kind.String()+": "+e.String()) })
	deploytest.Must(t, err)
	if diff := cmp.Diff(before, deploytest.Tree(t, p.Root)); diff != "" {
		t.Errorf("the project is otherwise (-before +now):\n%s", diff)
	}
	if diff := cmp.Diff(stacks, deploytest.Tree(t, state)); diff != "" {
		t.Errorf("the index is otherwise (-before +now):\n%s", diff)
	}
	_, did := deploytest.Pushed(t, index.Open(state), deploytest.Opened(t, p.Root), "dev")
	var resources []string
	for _, line := range did {
		if line != "update: client configuration file client_config.json" {
			resources = append(resources, line)
		}
	}
	if diff := cmp.Diff(resources, told); diff != "" || len(told) == 0 {
		t.Errorf("the preview tells otherwise than the push (-push +preview):\n%s", diff)
	}
}

func TestTheIndexListsWhatCanBeReadAndForgetsItsOwn(t *testing.T) {
	t.Parallel()
	state, one, two := t.TempDir(), t.TempDir(), t.TempDir()
	stacks := index.Open(state)
	entry := func(branch, root, env string) index.Entry {
		return index.Entry{Stack: index.StackName("app1", branch), ApplicationID: "app1", Branch: branch, Environment: env, Root: root, Deployed: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	}
	all := []index.Entry{entry("dev", one, "dev"), entry("main", two, "prod"), entry("old", one, "old")}
	for _, e := range all {
		deploytest.Must(t, stacks.Put(e))
	}
	deploytest.Put(t, filepath.Join(state, "deployments", index.StackName("app1", "broken")+".json"), `{"version": 1, `)
	deploytest.Put(t, filepath.Join(state, "deployments", index.StackName("app1", "later")+".json"), `{"version": 2, "stack": "`+index.StackName("app1", "later")+`", "environment": "dev", "root": "/x"}`)
	deploytest.Put(t, filepath.Join(state, "deployments", "notes.txt"), "notes")
	for i := range all {
		all[i].Version = 1
	}
	check := func(want ...index.Entry) {
		t.Helper()
		got, err := stacks.List()
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("listed are (-want +got), %v:\n%s", err, diff)
		}
	}
	check(all...)
	for _, not := range []struct{ root, env, stack string }{{two, "dev", all[0].Stack}, {one, "prod", all[0].Stack}, {one, "dev", index.StackName("app1", "broken")}, {one, "dev", "no stack name!"}, {one, "dev", index.StackName("x", "y")}} {
		deploytest.Must(t, stacks.ForgetOf(not.root, not.env, not.stack))
	}
	check(all...)
	deploytest.Must(t, stacks.ForgetOf(one, "dev", all[0].Stack))
	check(all[1:]...)
	deploytest.Must(t, stacks.Forget(all[2].Stack))
	deploytest.Must(t, stacks.Forget(all[2].Stack))
	check(all[1])
	if list, err := (index.Index{}).List(); err != nil || len(list) > 0 {
		t.Errorf("without a folder there are %v, %v", list, err)
	}
	if err := (index.Index{}).Put(all[0]); err == nil {
		t.Error("without a folder an entry is written")
	}
	getenv := func(name string) string { return map[string]string{"GATEWRIGHT_STATE": state}[name] }
	if got, err := index.OfUserIn(getenv).Find(all[1].Stack); err != nil || got != all[1] {
		t.Errorf("the user's index has %+v, %v", got, err)
	}
}
