package journal

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
)

// checkPaths refuses paths that no commit may change, and two changes of one path or of a path and a file in it.
func checkPaths(changes []Change) error {
	paths := make([]string, len(changes))
	for i, change := range changes {
		if err := CheckPath(change.Path); err != nil {
			return err
		}
		paths[i] = change.Path
	}
	return checkDistinct(paths)
}

// CheckPath refuses the path of a file that no commit may change.
func CheckPath(name string) error {
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("path %q: must be relative to the project folder, with / between names and without empty, . or "+
			".. ones", name)
	}
	if strings.ContainsRune(name, '\\') || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("path %q: must have no backslash and no control character", name)
	}
	if len(name) >= 2 && name[1] == ':' {
		return fmt.Errorf("path %q: must not start with a drive letter", name)
	}
	first, _, _ := strings.Cut(name, "/")
	if strings.EqualFold(first, Folder) && !slices.Contains(State, name) && !isSchema(name) {
		return fmt.Errorf("path %q: %s is for gatewright's own files", name, Folder)
	}
	// A journal may come with a cloned project: it must not write a git hook.
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return fmt.Errorf("path %q: a .git folder is left alone", name)
		}
	}
	return nil
}

func isSchema(name string) bool { return path.Dir(name) == SchemaFolder && path.Ext(name) == ".json" }

func checkDistinct(paths []string) error {
	seen := make(map[string]bool, len(paths))
	for _, name := range paths {
		if seen[name] {
			return fmt.Errorf("path %q: changed twice in one commit", name)
		}
		seen[name] = true
	}
	for _, name := range paths {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if seen[dir] {
				return fmt.Errorf("path %q: is in %q, which the same commit changes as a file", name, dir)
			}
		}
	}
	return nil
}
