package deploytest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Put writes a file and makes its folders.
func Put(t testing.TB, name, content string) {
	t.Helper()
	Must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	Must(t, os.WriteFile(name, []byte(content), 0o644))
}

// Must ends a test that has an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Files returns the names of the files below a folder, without those of packages.
func Files(t testing.TB, dir string) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*", "*/*", "*/*/*", "*/*/*/*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		Must(t, err)
		names = append(names, found...)
	}
	slices.Sort(names)
	return names
}

// Tree is every file of a folder with its content, and every folder.
func Tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	Must(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			all[name] = "a folder"
			return err
		}
		text, err := os.ReadFile(name)
		all[name] = string(text)
		return err
	}))
	return all
}

// At returns the value at a path of names.
func At(values map[string]any, names ...string) any {
	var value any = values
	for _, name := range names {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return value
}
