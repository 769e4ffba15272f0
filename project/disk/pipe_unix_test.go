//go:build unix

package disk_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"gatewright/internal/file"
	"gatewright/project/disk"
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
	if _, err := afero.ReadFile(fsys, "pipe"); !errors.Is(err, file.ErrNotRegular) {
		t.Error(err)
	}
}
