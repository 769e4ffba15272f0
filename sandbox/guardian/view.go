//go:build linux

package guardian

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// separateView keeps the changes of this process's view of the file system to itself, and
// what lets it make them (a capability) from the processes that it starts.
func separateView() error {
	// What is mounted elsewhere is still seen here.
	if err := unix.Mount("", "/", "", unix.MS_SLAVE|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mounting: %w", err)
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("dropping a capability: %w", err)
	}
	return nil
}

// protect makes a folder read-only in the view: writing fails with EROFS. A folder that was
// replaced by another is protected again; one that is missing needs nothing.
func protect(name string) error {
	folder, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var about unix.Statfs_t
	if err := unix.Statfs(folder, &about); err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	if about.Flags&unix.ST_RDONLY != 0 {
		return nil
	}
	if err := unix.Mount(folder, folder, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	// In a namespace of users the other settings of a mount must stay as they are.
	flags := uintptr(unix.MS_REMOUNT | unix.MS_BIND | unix.MS_RDONLY)
	for set, flag := range map[int64]uintptr{
		unix.ST_NOSUID: unix.MS_NOSUID, unix.ST_NODEV: unix.MS_NODEV, unix.ST_NOEXEC: unix.MS_NOEXEC,
		unix.ST_NOATIME: unix.MS_NOATIME, unix.ST_NODIRATIME: unix.MS_NODIRATIME, unix.ST_RELATIME: unix.MS_RELATIME,
	} {
		if about.Flags&set != 0 {
			flags |= flag
		}
	}
	if err := unix.Mount("", folder, "", flags, ""); err != nil {
		_ = unix.Unmount(folder, unix.MNT_DETACH)
		return fmt.Errorf("%s: %w", folder, err)
	}
	return nil
}
