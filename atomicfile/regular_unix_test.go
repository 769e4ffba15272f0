//go:build unix

package atomicfile_test

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gatewright/regular"
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
		if _, err := regular.ReadFile(filepath.Join(dir, name)); !errors.Is(err, regular.Err) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := regular.Open(filepath.Join(dir, name)); !errors.Is(err, regular.Err) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := regular.ReadIn(os.DirFS(dir), name); !errors.Is(err, regular.Err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := regular.ReadFile(filepath.Join(dir, "file")); err != nil || string(text) != "text" {
		t.Errorf("%s, %v", text, err)
	}
	file, err := regular.Open(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if text, err := io.ReadAll(file); err != nil || string(text) != "text" {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := regular.Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := regular.ReadIn(os.DirFS(dir), "none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}
