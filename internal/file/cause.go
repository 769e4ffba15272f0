package file

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"
)

// Cause returns why a file could not be used, without the file's name.
func Cause(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	} else if link := (*os.LinkError)(nil); errors.As(err, &link) {
		err = link.Err
	}
	if runtime.GOOS == "windows" {
		return plain(err)
	}
	return err
}

// reason is an error in words of ours.
type reason struct {
	text string
	err  error
}

func (r reason) Error() string { return r.text }

func (r reason) Unwrap() error { return r.err }

// plain puts an error of Windows, which is a sentence with a full stop, into the words that
// other systems have for it.
func plain(err error) error {
	if err == nil {
		return nil
	}
	for _, known := range []struct {
		is   error
		text string
	}{
		{fs.ErrNotExist, "no such file or directory"},
		{fs.ErrPermission, "permission denied"},
		{fs.ErrExist, "file exists"},
	} {
		if errors.Is(err, known.is) {
			return reason{known.text, err}
		}
	}
	return reason{strings.TrimSuffix(err.Error(), "."), err}
}
