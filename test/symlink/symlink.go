// Package symlink makes symbolic links for tests, where a system has them.
package symlink

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Make makes a symbolic link with this text, or skips the test. Windows lets only some
// users make links. Wine makes some that it does not tell from files afterwards.
func Make(t testing.TB, text, name string) {
	t.Helper()
	if err := os.Symlink(text, name); err != nil {
		t.Skipf("not tested: no symbolic links here: %v", err)
	}
	folder, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	info, err := folder.Lstat(filepath.Base(name))
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Skipf("not tested: a symbolic link is not told from what it leads to here: %v", err)
	}
}
