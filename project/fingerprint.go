package project

import (
	"io/fs"
	"path/filepath"
	"strings"

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
	definition := []string{"backend", ".gitignore", AccessTestFile}
	if kind == Amplify {
		definition = []string{
			"amplify/backend", ".gitignore", AccessTestFile, amplify.ContractFolder, "amplify/.config",
			"amplify/team-provider-info.json", amplify.PushedFolder,
		}
	}
	for _, dialect := range model.Dialects {
		definition = append(definition, render.ClientFileName(dialect))
	}
	for _, name := range definition {
		addFiles(sum, filepath.Join(root, filepath.FromSlash(name)), everything)
	}
	// A push writes deployed/ENVIRONMENT/record.json: deeper files do not matter.
	const depth = 3
	addFiles(sum, filepath.Join(root, StateFolder), depth)
	return sum.String()
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
