package artifact

import (
	"os"
	"path"
	"path/filepath"

	"gatewright/internal/file"
	"gatewright/internal/source"
	"gatewright/internal/source/typescript"
)

// WriteProgram writes a compiled handler with its source map into a folder, from which AddProgram
// takes it.
func WriteProgram(folder string, p *typescript.Program) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	name := filepath.Join(folder, path.Base(p.File))
	code := string(p.Code) + "//# sourceMappingURL=" + path.Base(p.File) + ".map\n"
	if err := file.Ensure(name, []byte(code)); err != nil {
		return err
	}
	return file.Ensure(name+".map", p.Map)
}

// AddProgram puts a compiled handler in place of the files in TypeScript. name is its path below the
// source.
func (l *Listing) AddProgram(folder, name string) error {
	for other := range l.Files {
		if source.IsTypeScript(other) {
			delete(l.Files, other)
		}
	}
	at := filepath.Join(folder, path.Base(name))
	if err := l.Put(name, at, false); err != nil {
		return err
	}
	return l.Put(name+".map", at+".map", false)
}
