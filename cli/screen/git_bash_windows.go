package screen

import (
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// isGitBash reports whether a stream is a terminal of Git Bash, MSYS2 or Cygwin. To programs
// of Windows such a terminal is a pipe, which has a name such as
// \msys-1888ae32e00d56aa-pty0-to-master.
func isGitBash(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	// FILE_NAME_INFO: the length of the name in bytes, and the name.
	var info struct {
		length uint32
		name   [windows.MAX_PATH]uint16
	}
	err := windows.GetFileInformationByHandleEx(windows.Handle(file.Fd()), windows.FileNameInfo,
		(*byte)(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		return false
	}
	name := windows.UTF16ToString(info.name[:min(int(info.length/2), len(info.name))])
	return (strings.HasPrefix(name, `\msys-`) || strings.HasPrefix(name, `\cygwin-`)) && strings.Contains(name, "-pty") &&
		strings.HasSuffix(name, "-master")
}
