package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/spf13/afero"
)

// finish ends a commit, or its roll-back, after every file is in place. From then on
// people may edit the files again, since Recover only sweeps.
func finish(fsys afero.Fs, rec record) error {
	if err := fsys.Rename(listPath, donePath); err != nil {
		return err
	}
	// The next Commit or Recover sweeps what cannot be cleaned up now.
	_ = syncFolders(fsys, journalPath)
	_ = cleanUp(fsys, rec)
	return nil
}

// cleanUp removes the folders that became empty by a finished commit, and the journal.
func cleanUp(fsys afero.Fs, rec record) error {
	if rec.Undo {
		for _, folder := range slices.Backward(rec.Folders) {
			removeEmpty(fsys, folder)
		}
	} else {
		for _, file := range rec.Files {
			if file.New == "" {
				removeEmptied(fsys, path.Dir(file.Path))
			}
		}
	}
	return sweep(fsys)
}

// removeEmptied removes a folder and those above it as far as they are empty.
func removeEmptied(fsys afero.Fs, folder string) {
	for folder != "." && removeEmpty(fsys, folder) {
		folder = path.Dir(folder)
	}
}

// removeEmpty removes a folder if it is empty, and reports whether it is gone. It lists
// the folder first, since MemMapFs would remove a full one.
func removeEmpty(fsys afero.Fs, folder string) bool {
	names, err := list(fsys, folder)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return err == nil && len(names) == 0 && fsys.Remove(folder) == nil
}

// sweep removes the journal folder. The list is removed first, so that a half-swept folder
// does not count as a commit, and done.json last, which says how the commit ended.
func sweep(fsys afero.Fs) error {
	names, err := list(fsys, journalPath)
	if err != nil {
		return fmt.Errorf("sweep %s: %w", journalPath, err)
	}
	rank := map[string]int{path.Base(listPath): -1, path.Base(donePath): 1}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(rank[a], rank[b]) })
	for _, name := range names {
		if err := fsys.Remove(journalPath + "/" + name); err != nil {
			return fmt.Errorf("sweep %s: %w", journalPath, err)
		}
	}
	if err := fsys.Remove(journalPath); err != nil {
		return fmt.Errorf("sweep %s: %w", journalPath, err)
	}
	return nil
}

func list(fsys afero.Fs, folder string) ([]string, error) {
	opened, err := fsys.Open(folder)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return opened.Readdirnames(-1)
}
