package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrOutside is matched by the error of every call whose name, or a link in it, leads out of the project folder.
var ErrOutside = errors.New("leads out of the project folder")

var (
	errLinkOutside = fmt.Errorf("the link %w", ErrOutside)
	errPathOutside = fmt.Errorf("the path %w", ErrOutside)
)

// pathError puts the caller's operation into an error of os.Root, instead of the
// system call, and says whether a link or the path itself leads out.
func (f *FS) pathError(op string, err error) error {
	failed, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return err
	}
	return &fs.PathError{Op: op, Path: failed.Path, Err: f.cause(failed.Err, failed.Path)}
}

func (f *FS) linkError(err error) error {
	failed, ok := errors.AsType[*os.LinkError](err)
	if !ok {
		return err
	}
	return &os.LinkError{
		Op: "rename", Old: failed.Old, New: failed.New,
		Err: f.cause(failed.Err, failed.Old, failed.New),
	}
}

// cause returns errPathOutside if a name is not local, else errLinkOutside, for an error
// that os.Root returns for names that leave the folder.
func (f *FS) cause(err error, names ...string) error {
	if !errors.Is(err, f.escape) {
		return err
	}
	for _, name := range names {
		if !filepath.IsLocal(name) {
			return errPathOutside
		}
	}
	return errLinkOutside
}
