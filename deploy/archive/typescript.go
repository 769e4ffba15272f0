package archive

import (
	"os"
	"path/filepath"

	"gatewright/internal/file"
	"gatewright/internal/source"
	"gatewright/internal/source/typescript"
	"gatewright/model"
	"gatewright/sandbox/artifact"
)

// compile puts the program and its source map instead of a handler in TypeScript.
func (w *work) compile(l *artifact.Listing) error {
	if w.Layer || w.Runtime != model.NodeJS {
		return nil
	}
	folder := filepath.Dir(file.RealPath(w.Folder))
	handler, err := source.FindHandler(os.DirFS(folder), w.Runtime, w.Handler)
	if err != nil || !handler.TypeScript {
		// A handler that is missing may be in a layer; validate finds the others.
		return nil
	}
	program, err := typescript.Compile(typescript.Source{
		Folder: folder, Handler: handler, Node: source.NodeMajor(string(w.RuntimeName)),
	})
	if err != nil {
		return w.Problem(err.Error(), "fix the source")
	}
	l.AddProgram(program)
	return nil
}
