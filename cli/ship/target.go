package ship

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/project/read"
)

// targetFile is a file that a command generates, as it is on disk.
type targetFile struct {
	// path is absolute, and name is its name in messages. look resolves links in path.
	path, name string
	// another advises to name another file or folder, and how.
	another string
	exists  bool
	info    fs.FileInfo
	// was is its text, at most one byte more than a file of a project may have.
	was []byte
}

// look reads the file. It follows links, so that a link stays and its target is written.
func (f *targetFile) look() error {
	if err := f.lookAtFolder(); err != nil {
		return err
	}
	info, err := os.Lstat(f.path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		var target string
		if target, err = filepath.EvalSymlinks(f.path); err != nil {
			return f.problem("is a link to a file that does not exist", "remove the link, or create its target")
		}
		f.path = target
		info, err = os.Stat(target)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return f.failed("cannot be read", err)
	case !info.Mode().IsRegular():
		return f.problem("exists and is not a regular file", "remove it, or "+f.another)
	}
	f.exists, f.info = true, info
	file, err := os.Open(f.path)
	if err != nil {
		return f.failed("cannot be read", err)
	}
	defer func() { _ = file.Close() }()
	if f.was, err = io.ReadAll(io.LimitReader(file, read.MaxFile+1)); err != nil {
		return f.failed("cannot be read", err)
	}
	return nil
}

// isAt reports whether the file, which look has read, is the one at a path.
func (f *targetFile) isAt(path string) bool {
	info, err := os.Stat(path)
	return err == nil && f.exists && os.SameFile(info, f.info)
}

// lookAtFolder resolves links in the folder of the file, and checks that the folder exists
// or can be made.
func (f *targetFile) lookAtFolder() error {
	folder, file := filepath.Split(f.path)
	const isFile = "cannot be written: its folder would have to replace a file"
	switch info, err := os.Stat(folder); {
	case err == nil && info.IsDir():
		if folder, err = filepath.EvalSymlinks(folder); err != nil {
			return f.failed("cannot be read", err)
		}
		f.path = filepath.Join(folder, file)
		return nil
	// The order counts: on Windows a folder that is missing is ENOTDIR too.
	case errors.Is(err, fs.ErrNotExist):
	case err == nil, errors.Is(err, syscall.ENOTDIR):
		return f.problem(isFile, f.another)
	default:
		return f.failed("cannot be written", err)
	}
	for at := filepath.Clean(folder); at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err != nil {
			continue
		}
		info, err := os.Stat(at)
		if err != nil {
			return f.problem("cannot be written: "+phrase.QuotePath(filepath.Base(at))+
				" is a link to a folder that does not exist", f.another)
		}
		if !info.IsDir() {
			return f.problem(isFile, f.another)
		}
		break
	}
	return nil
}

// replace replaces the file by a rename: a reader sees the old file or the new one.
func (f *targetFile) replace(text []byte) error {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return f.failed("cannot be written", err)
	}
	mode := fs.FileMode(0o644)
	if f.exists {
		mode = f.info.Mode().Perm()
	}
	err := file.Replace(f.path, mode|0o200, func(out *os.File) error {
		if f.exists {
			// An existing file keeps its mode, whatever the umask.
			if err := out.Chmod(mode); err != nil {
				return err
			}
		}
		return file.Synced(text)(out)
	})
	if err != nil {
		return f.failed("cannot be written", err)
	}
	return nil
}

// problem returns a problem of the file.
func (f *targetFile) problem(text, fix string) error {
	return &read.Problem{File: f.name, Text: text, Fix: fix}
}

// failed returns the problem of an error of the filesystem.
func (f *targetFile) failed(text string, err error) error {
	return f.problem(text+": "+file.Cause(err).Error(), "check the permissions, or "+f.another)
}
