package apptest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// Definition is every file below the definition of a project, with its name, as one text.
func Definition(t testing.TB, dir string) string {
	t.Helper()
	var all strings.Builder
	folder := os.DirFS(filepath.Join(dir, "backend"))
	Must(t, fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folder, name)
		_, _ = fmt.Fprintf(&all, "== %s\n%s\n", name, data)
		return err
	}))
	return all.String()
}

// Amplify is a folder with a project of the Amplify CLI.
func Amplify(t testing.TB) string {
	t.Helper()
	dir := Folder(t)
	Must(t, os.CopyFS(dir, os.DirFS(filepath.Join(repository(t), "testdata", "amplify"))))
	return dir
}

// repository returns the folder with go.mod. Tests run in the folder of their package.
func repository(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	Must(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("there is no go.mod above the folder of the test")
		}
		dir = filepath.Dir(dir)
	}
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
