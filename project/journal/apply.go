package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"syscall"

	"github.com/spf13/afero"
)

// state says whether a file of a record has its old or its new content.
type state int

const (
	isOld state = iota
	isNew
	isOther // neither: another program wrote it
)

// findState finds out which content the file of an entry has.
func (e entry) findState(fsys afero.Fs) (state, error) {
	hash, err := sumFile(fsys, e.Path)
	switch {
	case errors.Is(err, errNotRegular):
		return isOther, nil
	case err != nil:
		return isOther, err
	case hash == e.New:
		return isNew, nil
	case hash == e.Old:
		return isOld, nil
	}
	return isOther, nil
}

var errNotRegular = errors.New("not a regular file")

// sumFile returns the hash of a file, "" if there is none.
func sumFile(fsys afero.Fs, name string) (string, error) {
	info, err := lstat(fsys, name)
	// ENOTDIR: a folder above it is a file now.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errNotRegular
	}
	content, err := afero.ReadFile(fsys, name)
	if err != nil {
		return "", err
	}
	return sum(content), nil
}

// forward makes the changes of a record that are not made yet. It stops with an
// *EditedError at a file that has neither the old nor the new content.
func forward(fsys afero.Fs, rec record) error {
	for _, name := range rec.Names {
		if err := name.set(fsys); err != nil {
			return err
		}
	}
	for _, file := range rec.Files {
		at, err := file.findState(fsys)
		switch {
		case err != nil:
		case at == isOther:
			return &EditedError{Paths: []string{file.Path}}
		case at == isNew:
		case file.New == "":
			err = fsys.Remove(file.Path)
		default:
			err = file.place(fsys, file.Staged)
		}
		if err != nil {
			return fmt.Errorf("change %s: %w", file.Path, err)
		}
	}
	return syncFolders(fsys, rec.parents()...)
}

// undo puts back the files that forward replaced.
func undo(fsys afero.Fs, rec record) error {
	if err := rec.settle(fsys); err != nil {
		return err
	}
	for _, file := range slices.Backward(rec.Files) {
		at, err := file.findState(fsys)
		switch {
		case err != nil, at != isNew:
		case file.Old == "":
			err = fsys.Remove(file.Path)
		default:
			err = file.place(fsys, file.Saved)
		}
		if err != nil {
			return fmt.Errorf("put back %s: %w", file.Path, err)
		}
	}
	for _, name := range slices.Backward(rec.Names) {
		if err := name.back().set(fsys); err != nil {
			return err
		}
	}
	return syncFolders(fsys, rec.parents()...)
}

// parents returns the folders in which a commit adds or removes names.
func (r record) parents() []string {
	var folders []string
	for _, file := range r.Files {
		folders = append(folders, path.Dir(file.Path))
	}
	for _, folder := range r.Folders {
		folders = append(folders, path.Dir(folder))
	}
	for _, name := range r.Names {
		folders = append(folders, path.Dir(name.To))
	}
	return folders
}

// place moves a copy from the journal folder to the path of the entry.
func (e entry) place(fsys afero.Fs, copied string) error {
	if dir := path.Dir(e.Path); dir != "." {
		if err := fsys.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	from := journalPath + "/" + copied
	err := fsys.Rename(from, e.Path)
	if errors.Is(err, syscall.EXDEV) {
		return e.placeAcross(fsys, from)
	}
	return err
}

// placeAcross is place for a file on another device than the journal: it copies the
// content next to the file, and renames that.
func (e entry) placeAcross(fsys afero.Fs, from string) error {
	content, err := afero.ReadFile(fsys, from)
	if err != nil {
		return err
	}
	dir, name := path.Split(e.Path)
	beside := dir + "." + name + ".gatewright-tmp"
	if err := fsys.Remove(beside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := create(fsys, beside, content, e.Mode, e.Old != ""); err != nil {
		return err
	}
	if err := fsys.Rename(beside, e.Path); err != nil {
		_ = fsys.Remove(beside)
		return err
	}
	return nil
}
