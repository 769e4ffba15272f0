package sandbox

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// openLock opens a file that nobody else can open for writing meanwhile. The
// error is errHeld where another process has it.
func openLock(name string) (*os.File, error) {
	const sharingViolation = syscall.Errno(32)
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, errHeld
	}
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", name, err)
	}
	return os.NewFile(uintptr(handle), name), nil
}
