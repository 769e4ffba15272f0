package file

import "path/filepath"

// RealPath returns a path with its links resolved.
func RealPath(name string) string {
	if path, err := filepath.EvalSymlinks(name); err == nil {
		return path
	}
	return filepath.Clean(name)
}
