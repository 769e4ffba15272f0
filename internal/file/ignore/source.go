package ignore

import (
	"path/filepath"
	"strings"
)

// Name is the name of the files that say what of a folder belongs to no function. They count in the
// project's folder, in that of a function or a layer, and in its source.
const Name = ".gatewrightignore"

// defaults are left out unless such a file says otherwise. Editors make links like the last one.
const defaults = `
.git
__pycache__
.pytest_cache/
.mypy_cache/
.nyc_output/
.DS_Store
.#*
`

// forInstalling are files that count here, and that Lambda does not get. Settings of package managers
// may have the token for a registry, which would be readable for anyone who may read the function.
const forInstalling = Name + "\n.npmrc\n.yarnrc\n.yarnrc.yml\n"

// Defaults are the rules that count everywhere.
func Defaults() Rules { return Parse("", defaults) }

// Of returns the rules for what is in folders, the innermost last, and their files. "" is none.
func Of(folders ...string) (all Rules, files []string) {
	all = Parse("", defaults+forInstalling)
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		name := filepath.Join(folder, Name)
		all, files = append(all, Read(name)...), append(files, name)
	}
	return all, files
}

// Made returns the file that shows that a folder was made by a tool, whatever its name: a virtual
// environment of Python (https://docs.python.org/3/library/venv.html), or what a test covers.
func Made(folder string, has func(name string) bool) string {
	marks := []string{Environment}
	if strings.EqualFold(folder, "coverage") {
		marks = append(marks, "lcov.info", "coverage-final.json", "clover.xml")
	}
	for _, mark := range marks {
		if has(mark) {
			return mark
		}
	}
	return ""
}

// Environment is the file that a virtual environment of Python has.
const Environment = "pyvenv.cfg"
