package project

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/model"
	"gatewright/project/amplify"
	"gatewright/render"
)

// PrintOf is the fingerprint of all files of the project that dir is in, whatever they are for:
// of their names, sizes, modes and times. It opens no file except the one that marks a project. The
// time of a folder does not count: generated files change it.
func PrintOf(dir string) string {
	root, _, err := Find(dir)
	if err != nil {
		return err.Error()
	}
	sum := fingerprint.New()
	sum.Text(root)
	_ = filepath.WalkDir(root, func(at string, entry fs.DirEntry, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(at[len(root):]), "/")
		if err != nil {
			sum.Text(name + " cannot be read")
			return nil
		}
		if name == "" {
			return nil
		}
		if !IsPrinted(name, entry.IsDir()) {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := entry.Info()
		switch {
		case err != nil:
		case entry.IsDir():
			sum.Text(name + info.Mode().String())
		default:
			sum.Attributes(name, info)
		}
		return nil
	})
	return sum.String()
}

// Steady reads a project until no file of it changes meanwhile, but not for ever, and returns its
// [PrintOf] of then.
func Steady(dir string, read func()) (print string) {
	const tries = 3
	next := PrintOf(dir)
	for range tries {
		print = next
		read()
		if next = PrintOf(dir); next == print {
			break
		}
	}
	return print
}

// printed are the files and folders that [PrintOf] looks at, besides the state.
var printed = sync.OnceValue(func() []string {
	names := []string{
		"backend", ".gitignore", AccessTestFile, "amplify/backend", amplify.ContractFolder, "amplify/.config",
		"amplify/team-provider-info.json", amplify.PushedFolder,
	}
	for _, dialect := range model.Dialects {
		names = append(names, render.ClientFileName(dialect))
	}
	return names
})

// IsPrinted reports whether [PrintOf] looks at a file below the root of a project, or in a folder.
func IsPrinted(name string, isFolder bool) bool {
	// A push writes deployed/ENVIRONMENT/record.json: deeper files of the state do not matter.
	const mostSlashes = 3
	switch {
	case file.IsAround(StateFolder, name):
		return strings.Count(name, "/") < mostSlashes || !isFolder && strings.Count(name, "/") == mostSlashes
	case isFolder && fingerprint.IsGenerated(path.Base(name)):
		return false
	}
	return slices.ContainsFunc(printed(), func(one string) bool {
		return file.IsAround(one, name) || isFolder && file.IsAround(name, one)
	})
}
