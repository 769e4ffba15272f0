package watch

import (
	"os"
	"path/filepath"
	"slices"

	"gatewright/internal/file/ignore"
)

const ignoreFile = ".gitignore"

// readRules adds the rules of a folder, and for a root those of the folders around it up to that of
// a repository. If these leave out the root itself, they do not count.
func (f *folder) readRules() {
	if f.name == "" {
		for at := f.path; at != filepath.Dir(at); {
			if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
				break
			}
			at = filepath.Dir(at)
			f.rules = append(ignore.Read(filepath.Join(at, ignoreFile)), f.rules...)
		}
		for at := f.path; at != filepath.Dir(at); at = filepath.Dir(at) {
			if f.rules.Find(filepath.ToSlash(at), true) != nil {
				f.rules = nil
			}
		}
	}
	f.rules = append(slices.Clip(f.rules), ignore.Read(filepath.Join(f.path, ignoreFile))...)
}
