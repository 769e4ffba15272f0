package workspace

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// CheckBuilt finds a member that has to be built before it can be required. The error is a
// *model.Problem without the function's name.
func (f *Found) CheckBuilt(fsys fs.FS) error {
	for _, m := range f.Members {
		missing, file := m.entry(fsys)
		what := ", which its package.json names, does not exist"
		switch ext := path.Ext(file); {
		case missing == "" && slices.Contains([]string{".ts", ".mts", ".cts", ".tsx"}, ext):
			// https://nodejs.org/api/typescript.html#type-stripping-in-dependencies
			missing, what = file, ", which its package.json names, is in TypeScript, which Node.js does not run in packages"
		case missing == "":
			continue
		}
		fix := "correct it, or build the package"
		for _, script := range []string{"build", "compile", "prepare", "prepack"} {
			if m.manifest.Scripts[script] != "" {
				fix = "run npm run " + script + " in " + phrase.QuotePath(m.Folder)
				break
			}
		}
		return &model.Problem{
			Text: "the package " + phrase.Quote(m.Name) + " is not built: " +
				phrase.QuotePath(path.Join(m.Folder, missing)) + what,
			Fix: fix,
		}
	}
	return nil
}

// entry returns the file that Node.js loads for the package's name, as missing if it is not there
// (https://nodejs.org/api/packages.html#package-entry-points).
func (p *Package) entry(fsys fs.FS) (missing, file string) {
	var files []string
	var endings []string
	if p.manifest.Exports != nil {
		files, endings = targets(p.manifest.Exports), []string{""}
	} else if p.manifest.Main != "" {
		files, endings = []string{p.manifest.Main}, []string{"", ".js", ".json", ".node", "/index.js"}
	}
	for _, name := range files {
		for _, ending := range endings {
			if info, err := fs.Stat(fsys, path.Join(p.Folder, name+ending)); err == nil && info.Mode().IsRegular() {
				return "", name + ending
			}
		}
	}
	if len(files) == 0 {
		return "", ""
	}
	return files[0], ""
}

// targets are the files that exports name for the package itself. Of conditions one may hold.
func targets(exports any) (files []string) {
	switch e := exports.(type) {
	case string:
		if strings.HasPrefix(e, "./") && !strings.Contains(e, "*") {
			files = append(files, e)
		}
	case []any:
		for _, each := range e {
			files = append(files, targets(each)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(e)) {
			if key != "types" && (!strings.HasPrefix(key, ".") || key == ".") {
				files = append(files, targets(e[key])...)
			}
		}
	}
	return files
}
