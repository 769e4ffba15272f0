package watch

import (
	"errors"
	"runtime"
	"syscall"
)

// limitOf says which limit of the system an error is about, and how to raise it; "" for another error.
func limitOf(err error) string {
	const more = "the system allows no more watches; raise its limit with: "
	switch isTooMany := errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE); {
	case errors.Is(err, syscall.ENOSPC):
		return more + "sudo sysctl fs.inotify.max_user_watches=1048576"
	case isTooMany && runtime.GOOS == "linux":
		return more + "sudo sysctl fs.inotify.max_user_instances=1024"
	case isTooMany:
		return more + "ulimit -n 65536"
	}
	return ""
}
