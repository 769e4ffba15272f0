package project

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gatewright/internal/file/fingerprint"
	"gatewright/model"
	"gatewright/project/amplify"
	"gatewright/render"
)

// PrintOf is the fingerprint of all files of the project that dir is in, whatever they are for:
// of their names, sizes, modes and times. It opens no file except the one that marks a project.
func PrintOf(dir string) string {
	root, kind, err := Find(dir)
	if err != nil {
		return err.Error()
	}
	sum := fingerprint.New()
	sum.Text(root)
	for _, name := range printed(kind) {
		addFiles(sum, filepath.Join(root, filepath.FromSlash(name)), everything)
	}
	addFiles(sum, filepath.Join(root, StateFolder), printDepth)
	return sum.String()
}

// A push writes deployed/ENVIRONMENT/record.json: deeper files of the state do not matter.
const printDepth = 3

// printed are the files and folders of a layout that [PrintOf] looks at, besides the state.
func printed(kind Layout) []string {
	names := []string{"backend", ".gitignore", AccessTestFile}
	if kind == Amplify {
		names = []string{
			"amplify/backend", ".gitignore", AccessTestFile, amplify.ContractFolder, "amplify/.config",
			"amplify/team-provider-info.json", amplify.PushedFolder,
		}
	}
	for _, dialect := range model.Dialects {
		names = append(names, render.ClientFileName(dialect))
	}
	return names
}

// allPrinted are those of all layouts.
var allPrinted = sync.OnceValue(func() []string { return slices.Concat(printed(Native), printed(Amplify)) })

// IsPrinted reports whether [PrintOf] may look at a file below the root of a project, or look for
// one in a folder.
func IsPrinted(name string, isFolder bool) bool {
	if strings.HasPrefix(name+"/", StateFolder+"/") {
		return strings.Count(name, "/") < printDepth || !isFolder && strings.Count(name, "/") == printDepth
	}
	if isFolder && fingerprint.IsGenerated(path.Base(name)) {
		return false
	}
	return slices.ContainsFunc(allPrinted(), func(one string) bool {
		return strings.HasPrefix(name+"/", one+"/") || isFolder && strings.HasPrefix(one, name+"/")
	})
}

// everything is deeper than any folder.
const everything = 1 << 10

// addFiles adds a file, or a folder with its files down to a depth. The time of a folder does
// not count: generated files change it.
func addFiles(sum *fingerprint.Sum, name string, depth int) {
	level := strings.Count(name, string(filepath.Separator)) + depth
	_ = filepath.WalkDir(name, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			sum.Text(name + " cannot be looked at")
			return nil
		}
		info, err := entry.Info()
		switch {
		case err != nil:
		case !entry.IsDir():
			sum.Attributes(name, info)
		default:
			sum.Text(name + info.Mode().String())
			if fingerprint.IsGenerated(entry.Name()) || strings.Count(name, string(filepath.Separator)) >= level {
				return fs.SkipDir
			}
		}
		return nil
	})
}
