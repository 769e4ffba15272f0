package project

import (
	"path"
	"path/filepath"
	"slices"

	"gatewright/project/amplify"
	"gatewright/project/disk"
	"gatewright/project/read"
)

// clientFiles are the names of the files that the Amplify CLI, or the tools after it, write for a front end.
var clientFiles = []string{"aws-exports.js", "amplifyconfiguration.json", "amplify_outputs.json"}

// Frontend is what a project of the Amplify CLI says about its front end (amplify/.config/project-config.json).
type Frontend struct {
	// Kind is javascript, android, ios or flutter; "" if the project does not say it.
	Kind string
	// Files are the absolute paths at which the Amplify CLI has client configuration files
	// of its own. They need not exist, and gatewright never writes them.
	Files []string
}

// IsApp reports whether the front end is an app for Android, iOS or Flutter, whose
// amplifyconfiguration.json has another shape than that of JavaScript.
func (f Frontend) IsApp() bool { return slices.Contains([]string{"android", "ios", "flutter"}, f.Kind) }

// FrontendOf reads what the project of the Amplify CLI in the folder root says about its front end. A file that is
// missing or cannot be read says nothing, and the folders are those of a new project. The folders are those of
// https://github.com/aws-amplify/amplify-cli, packages/amplify-frontend-*: the folder of the project (iOS), SourceDir
// (JavaScript), ResDir (Flutter) and raw in it (Android).
func FrontendOf(root string) Frontend {
	var front Frontend
	source, resources := "src", ""
	if f, err := readProjectConfig(root); err == nil {
		top := f.Doc.Root()
		kind, _ := top.Get("frontend")
		front.Kind = kind.Text()
		settings, _ := top.Get(front.Kind)
		config, _ := settings.Get("config")
		if folder, given := config.Get("SourceDir"); given {
			source = folder.Text()
		}
		folder, _ := config.Get("ResDir")
		resources = folder.Text()
	}
	folders := []string{".", source}
	if resources != "" {
		folders = append(folders, resources, path.Join(resources, "raw"))
	}
	for _, folder := range folders {
		for _, name := range clientFiles {
			file := filepath.Join(root, filepath.FromSlash(folder), name)
			if !slices.Contains(front.Files, file) {
				front.Files = append(front.Files, file)
			}
		}
	}
	return front
}

// readProjectConfig reads the file of the project in a folder.
func readProjectConfig(root string) (*read.File, error) {
	fsys, err := disk.Open(root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = fsys.Close() }()
	return read.JSON(fsys, amplify.ProjectFile)
}
