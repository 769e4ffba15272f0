package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"github.com/spf13/afero"
)

// stage writes the old and the new contents and then the record of the commit into the
// journal folder. From its end on the commit counts.
func stage(fsys afero.Fs, todo []pending, names []recasing) (record, error) {
	if err := fsys.Mkdir(journalPath, 0o700); err != nil {
		return record{}, fmt.Errorf("make the journal: %w", err)
	}
	// Deletions come last, so that deleted files are missing for the shortest time.
	slices.SortStableFunc(todo, func(a, b pending) int {
		return cmp.Compare(deleted(a), deleted(b))
	})
	rec := record{Version: 1, Names: names}
	for i, p := range todo {
		file, err := p.stage(fsys, strconv.Itoa(i))
		if err != nil {
			return record{}, fmt.Errorf("prepare %s: %w", p.Path, err)
		}
		rec.Files = append(rec.Files, file)
		missing, err := missingFolders(fsys, p.path)
		if err != nil {
			return record{}, fmt.Errorf("prepare %s: %w", p.Path, err)
		}
		rec.Folders = append(rec.Folders, missing...)
	}
	slices.Sort(rec.Folders)
	rec.Folders = slices.Compact(rec.Folders)
	return rec, rec.write(fsys)
}

func deleted(p pending) int {
	if p.Delete {
		return 1
	}
	return 0
}

func (p pending) stage(fsys afero.Fs, name string) (entry, error) {
	file := entry{Path: p.path, Mode: p.mode}
	if p.Existed {
		file.Old, file.Saved = sum(p.found), name+".old"
		if err := create(fsys, journalPath+"/"+file.Saved, p.found, p.mode, true); err != nil {
			return entry{}, err
		}
	}
	if !p.Delete {
		file.New, file.Staged = sum(p.New), name+".new"
		if err := create(fsys, journalPath+"/"+file.Staged, p.New, p.mode, p.Existed || p.Mode != 0); err != nil {
			return entry{}, err
		}
	}
	return file, nil
}

// missingFolders returns the folders above name that do not exist.
func missingFolders(fsys afero.Fs, name string) ([]string, error) {
	var missing []string
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		_, err := lstat(fsys, dir)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		missing = append(missing, dir)
	}
	return missing, nil
}
