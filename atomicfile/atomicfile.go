// Package atomicfile puts files of the system in place whole: who reads one
// meanwhile reads the old one or the new one. Files of a project are written by
// project/journal, which does this for several at once.
package atomicfile

import (
	"crypto/rand"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Private are the permission bits of a file that only its user may read.
const Private fs.FileMode = 0o600

// Replace puts a file in place that has what fill writes into it; the folder must
// be there. perm are the permission bits of a new file, less the umask. fill calls
// Sync where the file must outlive a power cut. Where anything fails, what was
// there stays and nothing else is left; the error is that of fill, or an
// *fs.PathError or *os.LinkError of the system.
func Replace(name string, perm fs.FileMode, fill func(*os.File) error) error {
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
		err = os.Rename(next, name)
	}
	if err != nil {
		_ = os.Remove(next)
	}
	return err
}

// Text is a fill that writes a text.
func Text(text []byte) func(*os.File) error {
	return func(f *os.File) error {
		_, err := f.Write(text)
		return err
	}
}

// Synced is Text that waits until the disk has it.
func Synced(text []byte) func(*os.File) error {
	return func(f *os.File) error {
		if err := Text(text)(f); err != nil {
			return err
		}
		return f.Sync()
	}
}

// JSON puts a file in place that has a value as JSON, for its user alone, and makes
// its folder where that is missing. It is on the disk then.
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
