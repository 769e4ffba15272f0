// Package atomicfile replaces files as a whole: a concurrent reader sees the old
// content or the new one. Files of a project are written by project/journal, which
// does this for several files at once.
package atomicfile

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gatewright/inuse"
	"gatewright/regular"
)

// Private are the permission bits of a file that only its user may read.
const Private fs.FileMode = 0o600

// ErrFolder is the error of Replace for the name of a folder.
var ErrFolder = errors.New("is a folder")

// Replace replaces a file by one with the content that fill writes; the folder must
// exist. What is no regular file is not replaced: the error is ErrFolder or regular.Err.
// perm are the permission bits of the file, less the umask. fill calls Sync if the file
// must survive a power cut. After an error the old file stays; the error is fill's, or an
// *fs.PathError or *os.LinkError of the system.
func Replace(name string, perm fs.FileMode, fill func(*os.File) error) error {
	switch info, err := os.Stat(name); {
	case err != nil:
	case info.IsDir():
		return &fs.PathError{Op: "write", Path: name, Err: ErrFolder}
	case !regular.Is(info):
		return &fs.PathError{Op: "write", Path: name, Err: regular.Err}
	}
	next := filepath.Join(filepath.Dir(name), ".gatewright-"+strings.ToLower(rand.Text()))
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	err = fill(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = inuse.Rename(next, name)
	}
	if err != nil {
		_ = os.Remove(next)
	}
	return err
}

// Text returns an argument for fill that writes a text.
func Text(text []byte) func(*os.File) error {
	return func(f *os.File) error {
		_, err := f.Write(text)
		return err
	}
}

// Synced is Text followed by a call of Sync.
func Synced(text []byte) func(*os.File) error {
	return func(f *os.File) error {
		if err := Text(text)(f); err != nil {
			return err
		}
		return f.Sync()
	}
}

// JSON replaces a file by one with a value as JSON, which only the user may read, and
// syncs it to the disk. It makes the folder if that is missing.
func JSON(name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return Replace(name, Private, Synced(append(text, '\n')))
}
