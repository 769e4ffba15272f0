//go:build unix

package file

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// PrivateTemp returns a folder of a name, and of this user, among the temporary ones, which is made if it is
// missing; "" if another user may change what is in it.
func PrivateTemp(name string) string {
	folder := filepath.Join(os.TempDir(), name+"-"+strconv.Itoa(os.Getuid()))
	// What is there already is looked at below.
	_ = os.Mkdir(folder, 0o700)
	info, err := os.Lstat(folder)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 {
		return ""
	}
	if owner, known := info.Sys().(*syscall.Stat_t); !known || int(owner.Uid) != os.Getuid() {
		return ""
	}
	return folder
}
