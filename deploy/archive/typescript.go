package archive

import (
	"os"
	"path"
	"path/filepath"

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
	folder := filepath.Dir(p.source.root)
	handler, err := source.FindHandler(os.DirFS(folder), w.Runtime, w.Handler)
	if err != nil || !handler.TypeScript {
		// A handler that is missing may be in a layer; validate finds the others.
		return nil
	}
	if p.program, err = typescript.Compile(typescript.Source{Folder: folder, Handler: handler}); err != nil {
		return w.problem(err.Error(), "correct the source")
	}
	for name := range p.source.entries {
		if source.IsTypeScript(name) {
			delete(p.source.entries, name)
		}
	}
	sum.Content(p.program.File, p.program.Code)
	sum.Content(p.program.File+".map", p.program.Map)
	return nil
}

// addProgram writes a compiled handler into a folder, and adds it to the files of the source.
func (w *work) addProgram(p *plan, folder string) error {
	if p.program == nil {
		return nil
	}
	file, sourceMap := p.program.File, p.program.File+".map"
	code := append(p.program.Code, "//# sourceMappingURL="+path.Base(sourceMap)+"\n"...)
	for name, text := range map[string][]byte{file: code, sourceMap: p.program.Map} {
		at := filepath.Join(folder, path.Base(name))
		if err := os.WriteFile(at, text, 0o600); err != nil {
			return w.noCache(err)
		}
		p.source.entries[name] = entry{at, false, int64(len(text))}
	}
	return nil
}
