//go:build darwin || freebsd || openbsd || netbsd || dragonfly

package watch

import (
	"os"
	"syscall"
)

// share is what part of the program's files may be open for watching: kqueue opens each file.
const share = 4

func mostWatches() int {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil {
		return 0
	}
	return int(min(uint64(l.Cur), 1<<16)) / share
}

func costOf(folder string) int {
	entries, _ := os.ReadDir(folder)
	return 1 + len(entries)
}

func noWatch() *RefusedError {
	return &RefusedError{"watching takes a quarter of the files that ulimit -n allows", "raise that with: ulimit -n 65536"}
}

func noInstance() *RefusedError { return noWatch() }

func silent(string) error { return nil }
