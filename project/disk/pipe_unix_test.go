//go:build unix

package disk_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"gatewright/project/disk"
	"gatewright/regular"
)

func TestAPipeIsNotOpened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	fsys, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = fsys.Close() }()
	if _, err := afero.ReadFile(fsys, "pipe"); !errors.Is(err, regular.Err) {
		t.Error(err)
	}
}
