package flow_test

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"time"

	"gatewright/flow"
	"gatewright/flow/draft"
)

func TestADraftComesBackAsItWasSaved(t *testing.T) {
	t.Parallel()
	store := draft.In(filepath.Join(t.TempDir(), "state", "drafts"), "/somewhere")
	if _, ok, err := store.Load(); ok || err != nil {
		t.Fatalf("an empty store has a draft: %v %v", ok, err)
	}
	want := draft.Draft{
		Saved: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Task: flow.Task{API: "shop"}, Read: "abc",
		Answers: flow.Answers{Label: "shop", Paths: []flow.PathAnswer{{Path: "/a", Access: flow.AccessAnswer{Setting: "private", Users: []string{}, Groups: map[string][]string{"Admins": {"read"}}}}}},
	}
	if err := store.Save(want); err != nil {
		t.Fatal(err)
	}
	got, ok, err := store.Load()
	want.Version, want.Folder = 2, "/somewhere"
	if err != nil || !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("loaded %+v %v %v, want %+v", got, ok, err, want)
	}
	info, err := os.Stat(store.Path())
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v %v", info.Mode(), err)
	}
	if err := store.Discard(); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := store.Load(); ok || err != nil {
		t.Errorf("a discarded draft is there: %v %v", ok, err)
	}
}

func TestABrokenDraftIsNamed(t *testing.T) {
	t.Parallel()
	store := draft.In(t.TempDir(), "/somewhere")
	if err := os.WriteFile(store.Path(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := store.Load(); ok || err == nil {
		t.Errorf("a broken draft loads: %v %v", ok, err)
	}
}

func TestEachFolderHasItsOwnDraft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if draft.In(dir, "/a").Path() == draft.In(dir, "/b").Path() {
		t.Error("two folders share a draft")
	}
}
