package deploy_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/deploy"
	"gatewright/deploy/deploytest"
	"gatewright/internal/file/lock"
	"gatewright/test/symlink"
)

// entryOf returns the entry of an application's branch in a folder.
func entryOf(applicationID, branch, root string) deploy.Entry {
	return deploy.Entry{
		Stack: deploy.StackName(applicationID, branch), ApplicationID: applicationID, Branch: branch, Environment: "dev", Root: root,
		Deployed: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
	}
}

func TestTheIndexFindsWhatWasPut(t *testing.T) {
	t.Parallel()
	state, root := filepath.Join(t.TempDir(), "not", "there", "yet"), t.TempDir()
	index := deploy.OpenIndex(state)
	if entries, err := index.List(); err != nil || len(entries) != 0 {
		t.Fatalf("the empty index has %v, %v", entries, err)
	}
	first, second := entryOf("app1", "main", root), entryOf("app1", "dev", root)
	deploytest.Must(t, index.Put(first))
	deploytest.Must(t, index.Put(second))
	second.Deployed = second.Deployed.Add(time.Hour)
	deploytest.Must(t, index.Put(second))

	first.Version, second.Version = 1, 1
	index = deploy.OpenIndex(state)
	for _, want := range []deploy.Entry{first, second} {
		if got, err := index.Find(want.Stack); err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if entries, err := index.List(); err != nil || len(entries) != 2 || entries[0].Stack >= entries[1].Stack {
		t.Errorf("the list is %v, %v", entries, err)
	}
	deploytest.Must(t, index.Forget(first.Stack))
	deploytest.Must(t, index.Forget(first.Stack))
	if _, err := index.Find(first.Stack); !errors.Is(err, deploy.ErrNoStack) {
		t.Errorf("a removed stack: %v", err)
	}
	if _, err := index.Find(second.Stack); err != nil {
		t.Errorf("the other one: %v", err)
	}
}

func TestOnlyTheUserReadsTheIndex(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	state, file := filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "client_config.json")
	index, e := deploy.OpenIndex(state), entryOf("app1", "main", t.TempDir())
	release, err := index.LockClientFile(file)
	deploytest.Must(t, err)
	deploytest.Must(t, index.PutClientFile(file, e.Stack))
	release()
	deploytest.Must(t, index.Put(e))
	files := 0
	deploytest.Must(t, filepath.Walk(state, func(name string, info os.FileInfo, err error) error {
		if want := map[bool]os.FileMode{true: 0o700, false: 0o600}[err == nil && info.IsDir()]; err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v", name, info.Mode())
		}
		if err == nil && !info.IsDir() {
			files++
		}
		return err
	}))
	if files != 2 {
		t.Errorf("the index has %d files", files)
	}
}

func TestABrokenFileOfTheIndexIsNamedAndReplaced(t *testing.T) {
	t.Parallel()
	good := entryOf("app1", "main", t.TempDir())
	for name, tt := range map[string]struct {
		text  string
		named bool
	}{
		"half a file":     {`{"version": 1, "sta`, true},
		"nothing":         {"", true},
		"no object":       {`["a"]`, true},
		"a relative root": {`{"version": 1, "stack": "` + good.Stack + `", "environment": "dev", "root": "a"}`, true},
		"a way out":       {`{"version": 1, "stack": "` + good.Stack + `", "environment": "../dev", "root": "/a"}`, true},
		"a later version": {`{"version": 2, "stack": "` + good.Stack + `"}`, false},
		"another stack":   {`{"version": 1, "stack": "other", "environment": "dev", "root": "/a"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			index, other := deploy.OpenIndex(state), entryOf("app2", "main", t.TempDir())
			deploytest.Must(t, index.Put(other))
			file := filepath.Join(state, "deployments", good.Stack+".json")
			deploytest.Put(t, file, tt.text)
			_, err := index.Find(good.Stack)
			if !errors.Is(err, deploy.ErrNoStack) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), file) != tt.named {
				t.Errorf("the error is %v", err)
			}
			if entries, err := index.List(); err != nil || len(entries) != 1 || entries[0].Stack != other.Stack {
				t.Errorf("the others are %v, %v", entries, err)
			}
			deploytest.Must(t, index.Put(good))
			if got, err := index.Find(good.Stack); err != nil || got.Root != good.Root {
				t.Errorf("afterwards: %+v, %v", got, err)
			}
		})
	}
}

func TestInvalidStackNamesReachNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	index := deploy.OpenIndex(filepath.Join(dir, "state"))
	deploytest.Put(t, filepath.Join(dir, "precious.json"), "{}")
	for _, name := range []string{"../../precious", "", "a/b", strings.Repeat("a", 200)} {
		_, found := index.Find(name)
		for what, err := range map[string]error{"find": found, "put": index.Put(deploy.Entry{Stack: name}), "forget": index.Forget(name), "put file": index.PutClientFile("a", name)} {
			if !errors.Is(err, deploy.ErrRequest) {
				t.Errorf("%s %q: %v", what, name, err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "precious.json")); err != nil {
		t.Error(err)
	}
}

func TestPushesOfDifferentStacksDoNotOverwriteEachOther(t *testing.T) {
	t.Parallel()
	const stacks, times = 20, 5
	state, root := t.TempDir(), t.TempDir()
	var all sync.WaitGroup
	for i := range stacks * times {
		all.Go(func() {
			if err := deploy.OpenIndex(state).Put(entryOf("app1", fmt.Sprint("b", i%stacks), root)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	files, err := os.ReadDir(filepath.Join(state, "deployments"))
	deploytest.Must(t, err)
	entries, err := deploy.OpenIndex(state).List()
	deploytest.Must(t, err)
	if len(entries) != stacks || len(files) != stacks {
		t.Errorf("the index has %d stacks in %d files", len(entries), len(files))
	}
}

func TestAnIndexWithoutAFolderIsEmpty(t *testing.T) {
	t.Parallel()
	var index deploy.Index
	e := entryOf("app1", "main", t.TempDir())
	if err := index.Put(e); err == nil || !strings.Contains(err.Error(), "GATEWRIGHT_STATE") {
		t.Errorf("put: %v", err)
	}
	if _, err := index.Find(e.Stack); !errors.Is(err, deploy.ErrNoStack) {
		t.Errorf("find: %v", err)
	}
	if entries, err := index.List(); err != nil || entries != nil {
		t.Errorf("list: %v, %v", entries, err)
	}
	deploytest.Must(t, index.Forget(e.Stack))
}

func TestTheIndexHasTheStackOfAClientFile(t *testing.T) {
	state, dir := t.TempDir(), t.TempDir()
	index, stack := deploy.OpenIndex(state), deploy.StackName("app1", "main")
	file := filepath.Join(dir, "app", "client_config.json")
	deploytest.Must(t, os.Mkdir(filepath.Dir(file), 0o755))
	if got := index.ClientFileStack(file); got != "" {
		t.Errorf("before it was written: %q", got)
	}
	deploytest.Must(t, index.PutClientFile(file, stack))
	symlink.Make(t, filepath.Dir(file), filepath.Join(dir, "link"))
	for _, same := range []string{file, filepath.Join(dir, "app", "..", "app", "client_config.json"), filepath.Join(dir, "link", "client_config.json")} {
		if got := index.ClientFileStack(same); got != stack {
			t.Errorf("%s: %q", same, got)
		}
	}
	t.Chdir(filepath.Dir(file))
	if got := index.ClientFileStack("client_config.json"); got != stack {
		t.Errorf("from its own folder: %q", got)
	}
	if got := index.ClientFileStack(filepath.Join(dir, "client_config.json")); got != "" {
		t.Errorf("another file: %q", got)
	}
	notes, err := filepath.Glob(filepath.Join(state, "files", "*.json"))
	deploytest.Must(t, err)
	for _, note := range notes {
		deploytest.Put(t, note, `{"version": 1, "path": `)
	}
	if got := index.ClientFileStack(file); got != "" || len(notes) != 1 {
		t.Errorf("from a broken entry: %q, of %d", got, len(notes))
	}
}

func TestOneProcessAtATimeWritesAClientFile(t *testing.T) {
	t.Parallel()
	index, file := deploy.OpenIndex(t.TempDir()), filepath.Join(t.TempDir(), "client_config.json")
	stack := deploy.StackName("app1", "main")
	release, err := index.LockClientFile(file)
	deploytest.Must(t, err)
	var locked *lock.HeldError
	if _, err := index.LockClientFile(file); !errors.As(err, &locked) || !strings.HasPrefix(err.Error(), locked.File+" is locked by process ") {
		t.Errorf("the second error is %v", err)
	}
	other, err := index.LockClientFile(filepath.Join(filepath.Dir(file), "other.json"))
	deploytest.Must(t, err)
	other()
	deploytest.Must(t, index.PutClientFile(file, stack))
	release()
	release, err = index.LockClientFile(file)
	deploytest.Must(t, err)
	deploytest.Must(t, index.ForgetClientFile(file))
	deploytest.Must(t, index.ForgetClientFile(file))
	release()
	if got := index.ClientFileStack(file); got != "" {
		t.Errorf("after it was removed: %q", got)
	}
	if release, err = (deploy.Index{}).LockClientFile(file); err != nil {
		t.Errorf("an index without a folder: %v", err)
	}
	release()
}
