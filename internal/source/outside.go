package source

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
)

// Function is the source of a function in a project, by absolute paths.
type Function struct {
	// Project is the folder of the project, "" if that is not known; Source is the folder src.
	Project, Source string
}

// only ends the sentences.
const only = ": only src is deployed"

// Outside says where a module lies that a file below src asks for, and that Lambda would not find, and
// how it comes in. text is a sentence whose subject is the file; it is "" if that is not known.
func (f Function) Outside(from, module string) (text, fix string) {
	if isRelative(module) {
		return f.outsidePath(from, module)
	}
	name := PackageOf(module)
	list := "add it to the dependencies of " + phrase.Quote(f.named(filepath.Join(f.Source, "package.json")))
	for at := filepath.Dir(f.Source); ; at = filepath.Dir(at) {
		if isThere(filepath.Join(at, "node_modules", filepath.FromSlash(name))) {
			return "imports " + phrase.Quote(name) + ", which is installed in " +
				phrase.Quote(f.named(filepath.Join(at, "node_modules"))) + " and not in the function" + only, list
		}
		if at == filepath.Dir(at) {
			return "", ""
		}
	}
}

func (f Function) outsidePath(from, module string) (text, fix string) {
	target := filepath.Join(f.Source, filepath.FromSlash(path.Join(path.Dir(from), module)))
	if file.IsAround(f.Source, target) {
		return "", ""
	}
	found := ""
	for _, ending := range []string{"", ".js", ".json", ".node", ".mjs", ".cjs", ".ts"} {
		if isThere(target + ending) {
			found = target + ending
			break
		}
	}
	text = "requires " + phrase.Quote(module) + ", which leads out of the function" + only
	if found == "" {
		return text, "move what it requires into src, or list it in src/package.json"
	}
	text = "requires " + phrase.Quote(module) + ", which lies in " + phrase.Quote(f.named(found)) +
		", outside of the function" + only
	var manifest struct{ Name string }
	content, err := file.ReadRegular(filepath.Join(found, "package.json"))
	relative, away := filepath.Rel(f.Source, found)
	if err == nil && away == nil && json.Unmarshal(content, &manifest) == nil && manifest.Name != "" {
		return text, "list it in src/package.json as " + quoted(manifest.Name) + ": " +
			quoted("file:"+filepath.ToSlash(relative)) + ", and require " + quoted(manifest.Name)
	}
	return text, "move it into src, make a link in src that leads to it, or make a package of its folder and list " +
		"that in src/package.json"
}

// named is the name of a file in the project.
func (f Function) named(file string) string {
	if inside, err := filepath.Rel(f.Project, file); err == nil && f.Project != "" && filepath.IsLocal(inside) {
		return filepath.ToSlash(inside)
	}
	return file
}

func quoted(text string) string {
	encoded, _ := json.Marshal(text)
	return string(encoded)
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func isRelative(module string) bool {
	return module == "." || module == ".." || strings.HasPrefix(module, "./") || strings.HasPrefix(module, "../")
}
