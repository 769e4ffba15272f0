package file

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// ErrNotRegular is the error for what is neither a regular file nor a folder.
var ErrNotRegular = errors.New("it is not a regular file")

// ReadRegular reads a regular file, or one that a link leads to. The error for another kind of
// file is ErrNotRegular.
func ReadRegular(name string) ([]byte, error) {
	if err := CheckRegular(name); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// OpenRegular opens a regular file, or one that a link leads to, to read it. The error for another kind
// of file is ErrNotRegular. The caller closes it.
func OpenRegular(name string) (*os.File, error) {
	if err := CheckRegular(name); err != nil {
		return nil, err
	}
	// A pipe may have come into its place since.
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err := check(name, info, err); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// ReadIn reads a regular file below a folder.
func ReadIn(folder fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(folder, name)
	if err := check(name, info, err); err != nil {
		return nil, err
	}
	return fs.ReadFile(folder, name)
}

// CheckRegular refuses what is neither a regular file nor a folder, and what is missing.
func CheckRegular(name string) error {
	info, err := os.Stat(name)
	return check(name, info, err)
}

// IsRegular reports whether a file is a regular one, or a folder.
func IsRegular(info fs.FileInfo) bool { return info.Mode().IsRegular() || info.IsDir() }

func check(name string, info fs.FileInfo, err error) error {
	if err == nil && !IsRegular(info) {
		return &fs.PathError{Op: "read", Path: name, Err: ErrNotRegular}
	}
	return err
}
