package archive

import (
	"os"
	"path/filepath"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/source"
	"gatewright/internal/source/typescript"
	"gatewright/model"
)

// compile compiles a handler in TypeScript. The archive has the program and its source map in
// place of the files in TypeScript.
func (w *work) compile(p *plan, sum *fingerprint.Sum) error {
	if w.Layer || w.Runtime != model.NodeJS {
		return nil
	}
	folder := filepath.Dir(file.RealPath(w.Folder))
	handler, err := source.FindHandler(os.DirFS(folder), w.Runtime, w.Handler)
	if err != nil || !handler.TypeScript {
		// A handler that is missing may be in a layer; validate finds the others.
		return nil
	}
	if p.program, err = typescript.Compile(typescript.Source{Folder: folder, Handler: handler}); err != nil {
		return w.Problem(err.Error(), "correct the source")
	}
	sum.Content(p.program.File, p.program.Code)
	sum.Content(p.program.File+".map", p.program.Map)
	return nil
}
