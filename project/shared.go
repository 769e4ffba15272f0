package project

import (
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/afero"

	"gatewright/internal/source"
	"gatewright/internal/source/workspace"
	"gatewright/model"
	"gatewright/project/read"
)

// shared returns what a function or a layer runs with besides its own folder, by the one that has its
// package.json: packages in folders that it needs, and the files of the root of their workspace.
func shared(fsys afero.Fs, folder string) (folders, files []string) {
	// Of a workspace in which something is wrong counts what was found; validate says it.
	found, _ := workspace.Find(afero.NewIOFS(fsys), folder, ".", false)
	if found == nil {
		return nil, nil
	}
	for _, m := range found.Members {
		folders = append(folders, m.Folder)
	}
	if found.Root != "" {
		for _, name := range workspace.RootFiles() {
			if name = path.Join(found.Root, name); read.Exists(fsys, name) {
				files = append(files, name)
			}
		}
	}
	return folders, files
}

// CheckPackages finds what is wrong with the packages in folders that a function needs. The error is
// a *model.Problem without the function's name.
func (p *Project) CheckPackages(f *model.Function) error {
	fsys := afero.NewIOFS(p.FS)
	found, err := workspace.Find(fsys, path.Join(p.Layout.FunctionFolder(f.Name), source.Folder), ".", false)
	if found == nil || err != nil {
		return err
	}
	return found.CheckBuilt(fsys)
}

// LayerFolder returns the folder of a layer, relative to the project: one next to those of the
// functions, where it also belongs if it is nowhere, or the folder itself. An ARN has none.
func (p *Project) LayerFolder(layer string) string {
	beside := path.Join(p.Layout.String(), layer)
	if path.Dir(layer) == "layer" && (read.Exists(p.FS, beside) || !read.Exists(p.FS, layer)) {
		return beside
	}
	return layer
}

// layersOf are the folders of a function's layers that are there. The function may be nil.
func (p *Project) layersOf(f *model.Function) (folders []string) {
	if f == nil {
		return nil
	}
	for _, layer := range f.Layers {
		folder := p.LayerFolder(layer)
		if info, err := p.FS.Stat(folder); err == nil && info.IsDir() {
			folders = append(folders, folder)
		}
	}
	return folders
}

// isSettings reports whether a file may have the token of a registry.
func isSettings(name string) bool { return slices.Contains(workspace.SettingFiles, path.Base(name)) }

// insideOf returns the name of a file of a function from its folder.
func insideOf(folder, name string) string {
	// Both are relative to the project.
	inside, _ := filepath.Rel(filepath.FromSlash(folder), filepath.FromSlash(name))
	return filepath.ToSlash(inside)
}
