//go:build unix

package file_test

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gatewright/internal/file"
)

func TestOnlyRegularFilesAreRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	for _, name := range []string{"pipe", "link", "socket"} {
		if _, err := file.ReadRegular(filepath.Join(dir, name)); !errors.Is(err, file.ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := file.OpenRegular(filepath.Join(dir, name)); !errors.Is(err, file.ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := file.ReadIn(os.DirFS(dir), name); !errors.Is(err, file.ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := file.ReadRegular(filepath.Join(dir, "file")); err != nil || string(text) != "text" {
		t.Errorf("%s, %v", text, err)
	}
	f, err := file.OpenRegular(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if text, err := io.ReadAll(f); err != nil || string(text) != "text" {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := file.OpenRegular(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := file.ReadIn(os.DirFS(dir), "none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}
