//go:build !windows

package network_test

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestEachNumberOfTheSystemIsItsFaultAndNoOther(t *testing.T) {
	t.Parallel()
	want := map[syscall.Errno]string{
		syscall.ECONNREFUSED: "refused", syscall.ECONNRESET: "reset", syscall.ECONNABORTED: "reset", syscall.EPIPE: "reset", syscall.EADDRINUSE: "in use",
		syscall.EACCES: "forbidden", syscall.EPERM: "forbidden", syscall.EMFILE: "exhausted", syscall.ENFILE: "exhausted", syscall.ENOBUFS: "exhausted",
	}
	for number := syscall.Errno(1); number < 200; number++ {
		var is []string
		for name, fault := range faults {
			if fault(fmt.Errorf("listening: %w", &net.OpError{Op: "listen", Err: os.NewSyscallError("bind", number)})) {
				is = append(is, name)
			}
		}
		slices.Sort(is)
		if got := strings.Join(is, " "); got != want[number] {
			t.Errorf("%d, %v, is %q, want %q", number, number, got, want[number])
		}
	}
}
