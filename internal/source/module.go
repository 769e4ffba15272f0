package source

import (
	"encoding/json"
	"io/fs"
	"path"
	"strings"

	"gatewright/internal/file"
)

// IsModule reports whether Node.js takes the file of a handler for an ES module: its extension
// says so, else the nearest package.json, not above src, which Lambda does not have
// (https://nodejs.org/api/packages.html#determining-module-system). TypeScript counts as the
// script that it becomes.
func (h Handler) IsModule(folder fs.FS) bool {
	switch path.Ext(h.File) {
	case ".mjs", ".mts":
		return true
	case ".js", ".ts", ".tsx":
	default:
		return false
	}
	for at := path.Dir(path.Join(Folder, h.Module)); ; at = path.Dir(at) {
		text, err := file.ReadIn(folder, path.Join(at, "package.json"))
		if err == nil {
			var manifest struct{ Type string }
			return json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &manifest) == nil &&
				manifest.Type == "module"
		}
		if at == Folder || at == "." {
			return false
		}
	}
}
