package apptest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/project"
)

// Project opens a project until the end of the test.
func Project(t testing.TB, dir string) *project.Project {
	t.Helper()
	p, err := project.Open(dir)
	Must(t, err)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// Put writes a file of a project.
func Put(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	Must(t, os.WriteFile(file, []byte(text), 0o644))
}

// Get reads a file of a project.
func Get(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	Must(t, err)
	return string(data)
}

// Unchanged returns a function that fails if anything in a folder has changed meanwhile:
// the content, mode or modification time of a file or folder. The time of a folder also
// shows files that were made and removed again.
func Unchanged(t testing.TB, dir string) (check func()) {
	t.Helper()
	before := everyFile(t, dir)
	return func() {
		t.Helper()
		if diff := cmp.Diff(before, everyFile(t, dir)); diff != "" {
			t.Errorf("files differ (- before, + after):\n%s", diff)
		}
	}
}

func everyFile(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	Must(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		sum := ""
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			hash := sha256.Sum256(data)
			sum = hex.EncodeToString(hash[:8])
		}
		all[name] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), sum)
		return nil
	}))
	return all
}
