package pages

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
)

// DoubtSuffix is the end of the name of the file in which Open keeps checksums that were
// damaged. As long as it is there, not all of the database is known to be as it was written.
const DoubtSuffix = Suffix + ".damaged"

// IsDoubted reports whether damaged checksums of a file are kept.
func IsDoubted(name string) bool {
	_, err := os.Lstat(name + DoubtSuffix)
	return err == nil
}

// Doubt is the warning about a file whose checksums were damaged.
func Doubt(name string) string {
	return phrase.Quote(filepath.Base(name)) +
		" had damaged checksums, so it is not known whether all of it is as it was written; check it, once the sandbox has " +
		"ended, with: gatewright sandbox repair"
}

// Warning says in one line what Open could not check, or is "".
func (f *File) Warning() string { return f.warning }

func (f *File) doubt() { f.warning = Doubt(f.name) }

// keepDoubt keeps the checksums that are damaged, before new ones take their place. They say
// nothing of a new database, which has no warning.
func (f *File) keepDoubt() error {
	var err error
	switch {
	case f.warning == "":
		err = file.Remove(f.name + DoubtSuffix)
	case !IsDoubted(f.name):
		err = file.Rename(f.name+Suffix, f.name+DoubtSuffix)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
