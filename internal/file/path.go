package file

import (
	"os"
	"path/filepath"
	"strings"
)

// RealPath returns a path with its links resolved.
func RealPath(name string) string {
	if path, err := filepath.EvalSymlinks(name); err == nil {
		return path
	}
	return filepath.Clean(name)
}

// IsAround reports whether a folder is another file or folder, or around it. Both paths are clean.
func IsAround(folder, inner string) bool {
	rest, ok := strings.CutPrefix(inner, folder)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || filepath.Dir(folder) == folder)
}
