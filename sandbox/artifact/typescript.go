package artifact

import (
	"maps"
	"path"

	"gatewright/internal/source"
	"gatewright/internal/source/typescript"
)

// AddProgram puts a compiled handler with its source map instead of the files in TypeScript.
func (l *Listing) AddProgram(p *typescript.Program) {
	maps.DeleteFunc(l.Files, func(name string, _ File) bool { return source.IsTypeScript(name) })
	code := string(p.Code) + "//# sourceMappingURL=" + path.Base(p.File) + ".map\n"
	for name, text := range map[string][]byte{p.File: []byte(code), p.File + ".map": p.Map} {
		l.Files[name] = File{Data: text, Size: int64(len(text))}
	}
}
