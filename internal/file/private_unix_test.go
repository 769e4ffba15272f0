//go:build unix

package file_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gatewright/internal/file"
)

func TestAPrivateFolderIsOneThatOnlyItsUserChanges(t *testing.T) {
	at := t.TempDir()
	t.Setenv("TMPDIR", at)
	want := filepath.Join(at, "x-"+strconv.Itoa(os.Getuid()))
	for range 2 {
		if got := file.PrivateTemp("x"); got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
	}
	if err := os.Chmod(want, 0o770); err != nil {
		t.Fatal(err)
	}
	if got := file.PrivateTemp("x"); got != "" {
		t.Errorf("one that others may change is %q", got)
	}
	if err := os.Remove(want); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(at, want); err != nil {
		t.Fatal(err)
	}
	if got := file.PrivateTemp("x"); got != "" {
		t.Errorf("a link is %q", got)
	}
	if os.Getuid() == 0 {
		if err := os.Remove(want); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(want, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(want, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if got := file.PrivateTemp("x"); got != "" {
			t.Errorf("one of another user is %q", got)
		}
	}
}
