package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/spf13/afero"
)

// create makes a file that must not exist yet, and syncs it to the disk. With exact it sets the mode whatever the
// umask is. After an error no file is left. The error matches fs.ErrExist if there is a file already.
func create(fsys afero.Fs, name string, data []byte, mode fs.FileMode, exact bool) error {
	file, err := fsys.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if exact {
		err = fsys.Chmod(name, mode)
	}
	if err == nil {
		_, err = file.Write(data)
	}
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = fsys.Remove(name)
	}
	return err
}

// syncFolders syncs the names in the folders to the disk, if the system can do that.
func syncFolders(fsys afero.Fs, folders ...string) error {
	slices.Sort(folders)
	for _, name := range slices.Compact(folders) {
		err := syncFolder(fsys, name)
		// EINVAL is from filesystems that cannot sync folders, ErrPermission from Windows, ENOTDIR from
		// a file that has taken the place of a folder.
		for _, cannot := range []error{
			errors.ErrUnsupported, syscall.EINVAL, fs.ErrPermission, fs.ErrNotExist,
			syscall.ENOTDIR,
		} {
			if errors.Is(err, cannot) {
				err = nil
			}
		}
		if err != nil {
			return fmt.Errorf("sync the folder %s: %w", name, err)
		}
	}
	return nil
}

func syncFolder(fsys afero.Fs, name string) error {
	folder, err := fsys.Open(name)
	if err != nil {
		return err
	}
	err = folder.Sync()
	if closed := folder.Close(); err == nil {
		err = closed
	}
	return err
}
