package watch

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
)

const ignoreFile = ".gitignore"

// rule is a line of a .gitignore (https://git-scm.com/docs/gitignore), for folders.
type rule struct {
	// base is the folder of the file.
	base    string
	pattern []string
	again   bool
}

// rules are those that count in a folder, the stronger last.
type rules []rule

// readRules adds the rules of a folder, and for a root those of the folders around it up to that of
// a repository. If these leave out the root itself, they do not count.
func (f *folder) readRules() {
	if f.name == "" {
		for at := f.path; at != filepath.Dir(at); {
			if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
				break
			}
			at = filepath.Dir(at)
			f.rules = append(rulesOf(at), f.rules...)
		}
		for at := f.path; at != filepath.Dir(at); at = filepath.Dir(at) {
			if f.rules.ignore(filepath.Split(at)) {
				f.rules = nil
			}
		}
	}
	f.rules = append(slices.Clip(f.rules), rulesOf(f.path)...)
}

func rulesOf(folder string) (found rules) {
	text, _ := file.ReadRegular(filepath.Join(folder, ignoreFile))
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, again := strings.CutPrefix(line, "!")
		pattern = strings.ReplaceAll(strings.TrimSuffix(pattern, "/"), "[!", "[^")
		if !strings.Contains(pattern, "/") {
			pattern = "**/" + pattern
		}
		found = append(found, rule{folder, strings.Split(strings.TrimPrefix(pattern, "/"), "/"), again})
	}
	return found
}

// ignore reports whether the folder of a name is left out.
func (r rules) ignore(folder, name string) bool {
	for _, one := range slices.Backward(r) {
		at, err := filepath.Rel(one.base, filepath.Join(folder, name))
		if err == nil && filepath.IsLocal(at) && matches(one.pattern, strings.Split(filepath.ToSlash(at), "/")) {
			return !one.again
		}
	}
	return false
}

// matches reports whether a pattern matches a whole path.
func matches(pattern, names []string) bool {
	if len(pattern) == 0 || len(names) == 0 {
		return len(pattern) == 0 && len(names) == 0
	}
	if pattern[0] == "**" {
		return len(pattern) == 1 || matches(pattern[1:], names) || matches(pattern, names[1:])
	}
	same, _ := path.Match(pattern[0], names[0])
	return same && matches(pattern[1:], names[1:])
}
