package depth

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// standardError returns the standard error of a process. It is the same open file, so that the
// process goes on after what is written here. Where that is not allowed, it is the same file opened
// again, and apart says so.
func standardError(process int) (f *os.File, apart bool, err error) {
	if pidfd, err := unix.PidfdOpen(process, 0); err == nil {
		defer func() { _ = unix.Close(pidfd) }()
		if fd, err := unix.PidfdGetfd(pidfd, 2, 0); err == nil {
			return os.NewFile(uintptr(fd), "standard error"), false, nil
		}
	}
	f, err = os.OpenFile(fmt.Sprintf("/proc/%d/fd/2", process), os.O_WRONLY|os.O_APPEND, 0)
	return f, true, err
}
