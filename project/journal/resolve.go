package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/afero"
)

// maxLinks is the limit of links in one path, as in os.Root.
const maxLinks = 8

// location is the file that a path leads to.
type location struct {
	path   string      // free of links
	info   fs.FileInfo // nil if there is no file
	isLink bool        // the last element of the path as given is a link
}

// resolve follows the links in name: a rename to a link would replace the link.
func resolve(fsys afero.Fs, name string) (location, error) {
	var (
		done  = "."
		rest  = strings.Split(name, "/")
		found location
		links int
	)
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if done == "." {
				return location{}, fmt.Errorf("%s: the link leads out of the project folder", name)
			}
			done = path.Dir(done)
			continue
		}
		next := path.Join(done, part)
		info, err := lstat(fsys, next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			// A missing folder has no "..".
			if slices.Contains(rest, "..") {
				return location{}, fmt.Errorf("%s: the link leads nowhere, %s is missing", name, next)
			}
			found.info = nil
			found.path = path.Join(next, path.Join(rest...))
			return found, checkResolved(name, found.path)
		case err != nil:
			return location{}, fmt.Errorf("look at %s: %w", name, err)
		case info.Mode()&fs.ModeSymlink != 0:
			found.isLink = found.isLink || len(rest) == 0
			text, err := readLink(fsys, next)
			if err != nil {
				return location{}, fmt.Errorf("follow the link %s: %w", next, err)
			}
			if links++; links > maxLinks {
				return location{}, fmt.Errorf("%s: more than %d links to follow", name, maxLinks)
			}
			text = filepath.ToSlash(text)
			if path.IsAbs(text) {
				return location{}, fmt.Errorf("%s: the link leads out of the project folder", name)
			}
			rest = append(strings.Split(text, "/"), rest...)
		case len(rest) > 0 && !info.IsDir():
			return location{}, fmt.Errorf("%s: %s is a file, not a folder", name, next)
		default:
			done = next
			found.info = info
		}
	}
	found.path = done
	return found, checkResolved(name, found.path)
}

// checkResolved checks the target of a link by the rules for paths.
func checkResolved(name, resolved string) error {
	if resolved == name {
		return nil
	}
	if err := CheckPath(resolved); err != nil {
		return fmt.Errorf("%s: follow the link: %w", name, err)
	}
	return nil
}

func lstat(fsys afero.Fs, name string) (fs.FileInfo, error) {
	if lstater, ok := fsys.(afero.Lstater); ok {
		info, _, err := lstater.LstatIfPossible(name)
		return info, err
	}
	return fsys.Stat(name)
}

func readLink(fsys afero.Fs, name string) (string, error) {
	reader, ok := fsys.(afero.LinkReader)
	if !ok {
		return "", afero.ErrNoReadlink
	}
	return reader.ReadlinkIfPossible(name)
}
