package project

import (
	"io/fs"
	"strings"

	"github.com/spf13/afero"

	"gatewright/internal/source"
	"gatewright/model"
)

// Ignores reports whether the lines of a .gitignore cover the wanted one: the same
// with or without a final /, or for every folder if the wanted one is for the root.
func Ignores(lines map[string]bool, wanted string) bool {
	bare := strings.TrimSuffix(wanted, "/")
	name := strings.TrimPrefix(bare, "/")
	for _, line := range []string{bare, name, "**/" + name} {
		if lines[line] || lines[line+"/"] {
			return true
		}
	}
	return false
}

// FolderOf opens the folder of a function.
func (p *Project) FolderOf(f *model.Function) (fs.FS, error) {
	return fs.Sub(afero.NewIOFS(p.FS), p.Layout.FunctionFolder(f.Name))
}

// Handler finds the file of a function's handler. The error is a *model.Problem without the function's name.
func (p *Project) Handler(f *model.Function) (source.Handler, error) {
	folder, err := p.FolderOf(f)
	if err != nil {
		return source.Handler{}, &model.Problem{Text: "its folder has no valid name", Fix: "rename it"}
	}
	return source.FindHandler(folder, f.Runtime, f.Handler)
}

// CompiledFunctions are the functions whose handler is written in TypeScript, by name.
func (p *Project) CompiledFunctions() map[string]bool {
	compiled := make(map[string]bool)
	for _, f := range p.Backend.Functions {
		if handler, err := p.Handler(f); err == nil && handler.TypeScript {
			compiled[f.Name] = true
		}
	}
	return compiled
}
