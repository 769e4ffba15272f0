//go:build unix

package frame

import (
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// escapeWait is how long an escape character may be alone before it is the key Esc. A terminal
// with the keyboard protocol of kitty does not need it: there Esc is a sequence of its own
// (https://sw.kovidgoyal.net/kitty/keyboard-protocol/#disambiguate). Others write a sequence at
// once, and ssh carries it in one packet, however late. So the delay of a network does not matter.
// tmux waits 10 ms (https://github.com/tmux/tmux/issues/3844), Bubble Tea 50.
const escapeWait = 5 * time.Millisecond

// escapeReader is a terminal. An escape character that stays alone is read as the sequence of kitty.
type escapeReader struct {
	*os.File
	wait time.Duration
}

func (r escapeReader) Read(p []byte) (int, error) {
	n, err := r.File.Read(p)
	if n == 1 && p[0] == '\x1b' {
		var in unix.FdSet
		in.Set(int(r.Fd()))
		wait := unix.NsecToTimeval(r.wait.Nanoseconds())
		if more, err := unix.Select(int(r.Fd())+1, &in, nil, nil, &wait); more == 0 && err == nil {
			n += copy(p[n:], "[27u")
		}
	}
	return n, err
}

// file is what another program gets. Of any other reader, exec would make a pipe.
func (r escapeReader) file() *os.File { return r.File }

func input(in io.Reader) io.Reader {
	if file, ok := in.(*os.File); ok {
		return escapeReader{file, escapeWait}
	}
	return in
}
