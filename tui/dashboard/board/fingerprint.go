package board

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
)

// fingerprint tells whether files of the project that a folder belongs to were
// changed: it differs when one came, went, or has another size, mode or time. But
// for the file that marks a project none is opened for it.
func fingerprint(dir string) string {
	root, kind, err := project.Find(dir)
	if err != nil {
		return err.Error()
	}
	hash := sha256.New()
	_, _ = fmt.Fprintln(hash, root, kind)
	definition := []string{"backend"}
	if kind == project.Amplify {
		definition = []string{"amplify/backend", "amplify/.config", "amplify/team-provider-info.json"}
	}
	for _, dialect := range model.Dialects {
		definition = append(definition, render.ClientFileName(dialect))
	}
	for _, name := range definition {
		note(hash, filepath.Join(root, filepath.FromSlash(name)), everything)
	}
	// deployed/ENVIRONMENT/record.json says all that is new below it.
	const deep = 3
	note(hash, filepath.Join(root, project.StateFolder), deep)
	return hex.EncodeToString(hash.Sum(nil))
}

// everything is deeper than any folder.
const everything = 1 << 10

// generated are the folders that tools put beside sources: nothing in them is
// deployed or shown.
var generated = []string{"node_modules", "__pycache__", ".git"}

// note adds a file, or a folder and what lies so deep below it. What is not there
// or cannot be looked at counts as that.
func note(hash hash.Hash, name string, deep int) {
	level := strings.Count(name, string(filepath.Separator)) + deep
	_ = filepath.WalkDir(name, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			_, _ = fmt.Fprintln(hash, name, "cannot be looked at")
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return nil
		}
		if entry.IsDir() {
			_, _ = fmt.Fprintln(hash, name, info.Mode())
			if slices.Contains(generated, entry.Name()) || strings.Count(name, string(filepath.Separator)) >= level {
				return fs.SkipDir
			}
			return nil
		}
		_, _ = fmt.Fprintln(hash, name, info.Mode(), info.Size(), info.ModTime().UnixNano())
		return nil
	})
}
