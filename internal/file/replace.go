// Package file reads, replaces, renames and removes single files, for what project/journal and
// project/disk do not write:
//   - [Replace] replaces a file as a whole: a concurrent reader sees the old content or the new one.
//     [Ensure] does so unless the content is there.
//   - [Rename], [Remove] and [ReadShared] wait for files that another program has open for a moment.
//     Windows renames, removes and opens no file that somebody has open without sharing it, and
//     virus scanners, indexers, editors and readers of ours do that all the time. Unix knows no
//     such errors, and there everything is tried once.
//   - [ReadRegular] and [OpenRegular] refuse pipes, sockets and devices, which could wait for ever.
//   - [RealPath] is where a name leads to.
//   - [Cause] says why a file could not be used, in the same words on every system.
package file

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Private are the permission bits of a file that only its user may read.
const Private fs.FileMode = 0o600

// ErrFolder is the error of Replace for the name of a folder.
var ErrFolder = errors.New("is a folder")

// Replace replaces a file by one with the content that fill writes; the folder must exist. What is no regular
// file is not replaced: the error is ErrFolder or ErrNotRegular. perm are the permission bits of the file,
// less the umask. fill calls Sync if the file must survive a power cut. After an error the old file stays;
// the error is fill's, or an *fs.PathError or *os.LinkError of the system.
func Replace(name string, perm fs.FileMode, fill func(*os.File) error) error {
	switch info, err := os.Stat(name); {
	case err != nil:
	case info.IsDir():
		return &fs.PathError{Op: "write", Path: name, Err: ErrFolder}
	case !IsRegular(info):
		return &fs.PathError{Op: "write", Path: name, Err: ErrNotRegular}
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
		err = Rename(next, name)
	}
	if err != nil {
		_ = os.Remove(next)
	}
	return err
}

// Ensure has a file of its user alone contain a text: it replaces the file unless it does, in one
// step, because another process may be reading it.
func Ensure(name string, text []byte) error {
	if old, err := os.ReadFile(name); err == nil && string(old) == string(text) {
		return nil
	}
	return Replace(name, Private, Text(text))
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

// ReplaceJSON replaces a file by one with a value as JSON, which only the user may read, and
// syncs it to the disk. It makes the folder if that is missing.
func ReplaceJSON(name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return Replace(name, Private, Synced(append(text, '\n')))
}
