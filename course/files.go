package course

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"gatewright/project"
)

// ours are the folders whose files nobody wrote by hand or by a lesson's task.
var ours = []string{project.StateFolder, "node_modules", "__pycache__", ".git"}

// fingerprints are the files of a folder with a fingerprint of each.
func fingerprints(dir string) (map[string]string, error) {
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(ours, entry.Name()):
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		below, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		files[filepath.ToSlash(below)] = hex.EncodeToString(sum[:])
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the folder of the course: %w", err)
	}
	return files, nil
}

// changed are the files of now that were not there before, or were others.
func changed(before, now map[string]string) []string {
	var names []string
	for name, print := range now {
		if before[name] != print {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
