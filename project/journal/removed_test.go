package journal_test

import (
	"errors"
	"testing"

	"github.com/spf13/afero"

	"gatewright/project/journal"
)

// removedFS removes a file when it is opened, as another process may.
type removedFS struct {
	afero.Fs
	path string
}

func (f removedFS) Open(name string) (afero.File, error) {
	if name == f.path {
		_ = f.Remove(name)
	}
	return f.Fs.Open(name)
}

func TestAFileThatIsRemovedWhileItIsReadHasChanged(t *testing.T) {
	t.Parallel()
	fsys := removedFS{afero.NewMemMapFs(), "a.json"}
	if err := afero.WriteFile(fsys, "a.json", []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := journal.Commit(fsys, []journal.Change{{Path: "a.json", Existed: true, Old: []byte("old"), New: []byte("new")}})
	if stale, ok := errors.AsType[*journal.StaleError](err); !ok || stale.Files[0].Exists {
		t.Errorf("the error is %v", err)
	}
}
