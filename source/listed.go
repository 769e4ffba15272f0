package source

import (
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// A handler may be in a package that a function only lists, such as one that measures every
// call and leads to the function's own handler.

// isListed reports whether a module is in a package that src/package.json lists.
func isListed(folder fs.FS, module string) bool {
	text, err := fs.ReadFile(folder, path.Join(Folder, "package.json"))
	if err != nil {
		return false
	}
	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	// npm reports what is wrong with the file.
	_ = json.Unmarshal(text, &manifest)
	name, rest, _ := strings.Cut(module, "/")
	if strings.HasPrefix(name, "@") {
		second, _, _ := strings.Cut(rest, "/")
		name += "/" + second
	}
	_, listed := manifest.Dependencies[name]
	return listed
}

var separators = regexp.MustCompile(`[-_.]+`)

// isRequired reports whether a package is named like a module of Python in the files that
// list a function's packages. Names that differ only in case and separators are the same
// (https://packaging.python.org/en/latest/specifications/name-normalization/).
func isRequired(folder fs.FS, module string) bool {
	normal := func(name string) string { return strings.ToLower(separators.ReplaceAllString(name, "-")) }
	for _, file := range []string{Folder + "/requirements.txt", "requirements.txt", "Pipfile", Folder + "/Pipfile"} {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			name := strings.TrimLeft(strings.TrimSpace(line), `"'`)
			if end := strings.IndexFunc(name, func(r rune) bool {
				return !strings.ContainsRune("-_.", r) && (r < '0' || r > 'z' || r > '9' && r < 'A' || r > 'Z' && r < 'a')
			}); end >= 0 {
				name = name[:end]
			}
			if name != "" && normal(name) == normal(module) {
				return true
			}
		}
	}
	return false
}
