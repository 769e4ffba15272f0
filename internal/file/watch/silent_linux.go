package watch

import (
	"slices"

	"golang.org/x/sys/unix"
)

// silent says why nothing is told of changes in a folder; "" if it is told.
func silent(folder string) string {
	// The numbers of NFS, SMB, CIFS, 9P (Windows around its Linux) and FUSE in statfs(2).
	remote := []uint32{0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x01021997, 0x65735546}
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil || !slices.Contains(remote, uint32(s.Type)) {
		return ""
	}
	return "its file system does not report changes made elsewhere; a local disk does"
}
