package index_test

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

	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/internal/file/lock"
	"gatewright/test/symlink"
)

// entryOf returns the entry of an application's branch in a folder.
func entryOf(applicationID, branch, root string) index.Entry {
	return index.Entry{
		Stack: index.StackName(applicationID, branch), ApplicationID: applicationID, Branch: branch, Environment: "dev", Root: root,
		Deployed: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
	}
}

func TestTheIndexFindsWhatWasPut(t *testing.T) {
	t.Parallel()
	state, root := filepath.Join(t.TempDir(), "not", "there", "yet"), t.TempDir()
	stacks := index.Open(state)
	if entries, err := stacks.List(); err != nil || len(entries) != 0 {
		t.Fatalf("the empty index has %v, %v", entries, err)
	}
	first, second := entryOf("app1", "main", root), entryOf("app1", "dev", root)
	deploytest.Must(t, stacks.Put(first))
	deploytest.Must(t, stacks.Put(second))
	second.Deployed = second.Deployed.Add(time.Hour)
	deploytest.Must(t, stacks.Put(second))

	first.Version, second.Version = 1, 1
	stacks = index.Open(state)
	for _, want := range []index.Entry{first, second} {
		if got, err := stacks.Find(want.Stack); err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if entries, err := stacks.List(); err != nil || len(entries) != 2 || entries[0].Stack >= entries[1].Stack {
		t.Errorf("the list is %v, %v", entries, err)
	}
	deploytest.Must(t, stacks.Forget(first.Stack))
	deploytest.Must(t, stacks.Forget(first.Stack))
	if _, err := stacks.Find(first.Stack); !errors.Is(err, index.ErrNoStack) {
		t.Errorf("a removed stack: %v", err)
	}
	if _, err := stacks.Find(second.Stack); err != nil {
		t.Errorf("the other one: %v", err)
	}
}

func TestOnlyTheUserReadsTheIndex(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	state, file := filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "client_config.json")
	index, e := index.Open(state), entryOf("app1", "main", t.TempDir())
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
			stacks, other := index.Open(state), entryOf("app2", "main", t.TempDir())
			deploytest.Must(t, stacks.Put(other))
			file := filepath.Join(state, "deployments", good.Stack+".json")
			deploytest.Put(t, file, tt.text)
			_, err := stacks.Find(good.Stack)
			if !errors.Is(err, index.ErrNoStack) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), file) != tt.named {
				t.Errorf("the error is %v", err)
			}
			if entries, err := stacks.List(); err != nil || len(entries) != 1 || entries[0].Stack != other.Stack {
				t.Errorf("the others are %v, %v", entries, err)
			}
			deploytest.Must(t, stacks.Put(good))
			if got, err := stacks.Find(good.Stack); err != nil || got.Root != good.Root {
				t.Errorf("afterwards: %+v, %v", got, err)
			}
		})
	}
}

func TestInvalidStackNamesReachNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stacks := index.Open(filepath.Join(dir, "state"))
	deploytest.Put(t, filepath.Join(dir, "precious.json"), "{}")
	for _, name := range []string{"../../precious", "", "a/b", strings.Repeat("a", 200)} {
		_, found := stacks.Find(name)
		for what, err := range map[string]error{"find": found, "put": stacks.Put(index.Entry{Stack: name}), "forget": stacks.Forget(name), "put file": stacks.PutClientFile("a", name)} {
			if !errors.Is(err, index.ErrRequest) {
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
			if err := index.Open(state).Put(entryOf("app1", fmt.Sprint("b", i%stacks), root)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	files, err := os.ReadDir(filepath.Join(state, "deployments"))
	deploytest.Must(t, err)
	entries, err := index.Open(state).List()
	deploytest.Must(t, err)
	if len(entries) != stacks || len(files) != stacks {
		t.Errorf("the index has %d stacks in %d files", len(entries), len(files))
	}
}

func TestAnIndexWithoutAFolderIsEmpty(t *testing.T) {
	t.Parallel()
	var stacks index.Index
	e := entryOf("app1", "main", t.TempDir())
	if err := stacks.Put(e); err == nil || !strings.Contains(err.Error(), "GATEWRIGHT_STATE") {
		t.Errorf("put: %v", err)
	}
	if _, err := stacks.Find(e.Stack); !errors.Is(err, index.ErrNoStack) {
		t.Errorf("find: %v", err)
	}
	if entries, err := stacks.List(); err != nil || entries != nil {
		t.Errorf("list: %v, %v", entries, err)
	}
	deploytest.Must(t, stacks.Forget(e.Stack))
}

func TestTheIndexHasTheStackOfAClientFile(t *testing.T) {
	state, dir := t.TempDir(), t.TempDir()
	index, stack := index.Open(state), index.StackName("app1", "main")
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
	stacks, file := index.Open(t.TempDir()), filepath.Join(t.TempDir(), "client_config.json")
	stack := index.StackName("app1", "main")
	release, err := stacks.LockClientFile(file)
	deploytest.Must(t, err)
	var locked *lock.HeldError
	if _, err := stacks.LockClientFile(file); !errors.As(err, &locked) || !strings.HasPrefix(err.Error(), locked.File+" is locked by process ") {
		t.Errorf("the second error is %v", err)
	}
	other, err := stacks.LockClientFile(filepath.Join(filepath.Dir(file), "other.json"))
	deploytest.Must(t, err)
	other()
	deploytest.Must(t, stacks.PutClientFile(file, stack))
	release()
	release, err = stacks.LockClientFile(file)
	deploytest.Must(t, err)
	deploytest.Must(t, stacks.ForgetClientFile(file))
	deploytest.Must(t, stacks.ForgetClientFile(file))
	release()
	if got := stacks.ClientFileStack(file); got != "" {
		t.Errorf("after it was removed: %q", got)
	}
	if release, err = (index.Index{}).LockClientFile(file); err != nil {
		t.Errorf("an index without a folder: %v", err)
	}
	release()
}
