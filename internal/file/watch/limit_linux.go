package watch

import (
	"strings"

	"golang.org/x/sys/unix"

	"gatewright/internal/file"
)

func mostWatches() int  { return 0 }
func costOf(string) int { return 1 }

func noWatch() *RefusedError    { return limitedBy("fs.inotify.max_user_watches", "1048576") }
func noInstance() *RefusedError { return limitedBy("fs.inotify.max_user_instances", "1024") }

// limitedBy is the refusal for a setting of the kernel.
func limitedBy(setting, more string) *RefusedError {
	now, _ := file.ReadRegular("/proc/sys/" + strings.ReplaceAll(setting, ".", "/"))
	return &RefusedError{
		"the system allows no more watches (" + strings.TrimSpace(setting+" is "+string(now)) + ")",
		"raise that with: sudo sysctl " + setting + "=" + more,
	}
}

// remote are file systems that tell nothing of changes from elsewhere, by their numbers in statfs(2).
var remote = map[uint32]string{
	0x6969: "NFS", 0x517b: "SMB", 0xfe534d42: "SMB", 0xff534d42: "CIFS", 0x01021997: "9P", 0x65735546: "FUSE",
}

// silent is the refusal for a folder whose file system tells nothing of changes, or nil.
func silent(folder string) error {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil || remote[uint32(s.Type)] == "" {
		return nil
	}
	return &RefusedError{
		"its file system (" + remote[uint32(s.Type)] + ") does not tell of changes from elsewhere",
		"a disk of this machine does",
	}
}
