package request

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/project/read"
)

// SaveBody writes a body to a file that a person named, byte for byte. A relative name is below dir, and ~/ is the
// home folder. Unless replace is true, it is an error that matches fs.ErrExist if there is such a file.
func SaveBody(dir, name string, body []byte, replace bool) (to string, err error) {
	to = strings.TrimSpace(name)
	if rest, home := strings.CutPrefix(to, "~/"); home {
		if folder, err := os.UserHomeDir(); err == nil {
			to = filepath.Join(folder, rest)
		}
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(dir, to)
	}
	if target, err := filepath.EvalSymlinks(to); err == nil {
		to = target // the link stays, and the file that it leads to gets the body
	}
	info, err := os.Lstat(to)
	switch {
	case err == nil && info.IsDir():
		return to, fmt.Errorf("%s is a folder: give the name of a file", phrase.QuotePath(name))
	case err == nil && !info.Mode().IsRegular():
		// A device or a link to nothing would be lost by being replaced.
		return to, fmt.Errorf("%s is not a regular file: give another name", phrase.QuotePath(name))
	case err == nil && !replace:
		return to, fmt.Errorf("%s exists: %w", phrase.QuotePath(name), fs.ErrExist)
	case err == nil:
		err = file.Replace(to, info.Mode().Perm(), file.Text(body))
	case errors.Is(err, fs.ErrNotExist):
		var f *os.File
		// O_EXCL: a file that is made meanwhile is not replaced.
		if f, err = os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err == nil {
			_, err = f.Write(body)
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		return to, read.CannotWrite(name, err)
	}
	return to, nil
}
