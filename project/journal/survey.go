package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/afero"
)

// StaleError says that files changed since a commit was planned. Nothing was written.
type StaleError struct {
	Files []StaleFile
}

// StaleFile is one file that changed since a commit was planned.
type StaleFile struct {
	Path    string
	Planned []byte // the content when the commit was planned, nil unless Existed
	Existed bool
	Found   []byte // the content now, nil unless Exists
	Exists  bool
}

func (e *StaleError) Error() string {
	var text strings.Builder
	for i, file := range e.Files {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(file.Path)
		switch {
		case !file.Existed:
			text.WriteString(" appeared")
		case !file.Exists:
			text.WriteString(" vanished")
		default:
			text.WriteString(" changed")
		}
	}
	return text.String() + " since the project was read; nothing was written, read it again and repeat"
}

// pending is a change that is not made yet.
type pending struct {
	Change
	path  string // Path without links
	found []byte // the content now
	mode  fs.FileMode
}

// survey returns the changes whose files do not have the wanted content yet. The error
// is a *StaleError if one of these changed since the changes were planned.
func survey(fsys afero.Fs, changes []Change) ([]pending, error) {
	var (
		todo  []pending
		stale []StaleFile
		paths []string
	)
	for _, change := range changes {
		at, err := resolve(fsys, change.Path)
		if err != nil {
			return nil, err
		}
		paths = append(paths, at.path)
		next := pending{Change: change, path: at.path, mode: 0o644}
		exists := at.info != nil
		if change.Mode != 0 {
			next.mode = change.Mode.Perm()
		}
		if exists {
			next.mode = at.info.Mode().Perm()
			next.found, err = read(fsys, at)
			// Another process may commit meanwhile.
			if exists = !errors.Is(err, fs.ErrNotExist); exists && err != nil {
				return nil, err
			}
		}
		switch {
		case change.isMade(next.found, exists):
		case exists != change.Existed, exists && !bytes.Equal(next.found, change.Old):
			stale = append(stale, change.stale(next.found, exists))
		case change.Delete && at.isLink:
			return nil, fmt.Errorf("%s: is a link, which is not deleted; remove it yourself and repeat", change.Path)
		default:
			todo = append(todo, next)
		}
	}
	if len(stale) > 0 {
		return nil, &StaleError{Files: stale}
	}
	return todo, checkDistinct(paths)
}

// isMade reports whether the file already has the wanted content.
func (c Change) isMade(found []byte, exists bool) bool {
	if c.Delete {
		return !exists
	}
	return exists && bytes.Equal(found, c.New)
}

func (c Change) stale(found []byte, exists bool) StaleFile {
	file := StaleFile{Path: c.Path, Existed: c.Existed, Found: found, Exists: exists}
	if c.Existed {
		file.Planned = c.Old
	}
	return file
}

// read returns the content of the regular file at a location.
func read(fsys afero.Fs, at location) ([]byte, error) {
	if at.info.IsDir() {
		return nil, fmt.Errorf("%s: is a folder, not a file", at.path)
	}
	if !at.info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is not a regular file", at.path)
	}
	content, err := afero.ReadFile(fsys, at.path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", at.path, err)
	}
	return content, nil
}
