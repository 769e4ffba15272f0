package worker

import (
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// reader says whether read waits for output.
type reader struct{ waits atomic.Bool }

// read reads the output until no process can write any more.
func (o *output) read() {
	defer close(o.done)
	buffer := make([]byte, readSize)
	for {
		o.waits.Store(true)
		n, err := o.pipe.Read(buffer)
		o.waits.Store(false)
		o.mu.Lock()
		o.split(buffer[:n])
		if err != nil {
			o.finish()
			o.mu.Unlock()
			o.pipe.Close()
			return
		}
		o.mu.Unlock()
	}
}

// How drain waits: between two looks, and at most, since a worker that writes all the time
// must not delay its own answer.
const (
	drainPause    = 200 * time.Microsecond
	drainPatience = 50 * time.Millisecond
)

// drain waits until what is in the pipe now is read, so that lines from before an answer
// are in the log before the answer. A pipe of Windows cannot be read here without waiting,
// so read does that; drain sees twice that the pipe is empty and read waits for more.
func (o *output) drain() {
	for empty, until := 0, time.Now().Add(drainPatience); empty < 2 && time.Now().Before(until); {
		if o.waits.Load() && o.isEmpty() {
			empty++
		} else {
			empty = 0
		}
		select {
		case <-o.done:
			return
		case <-time.After(drainPause):
		}
	}
	o.mu.Lock()
	o.finish()
	o.mu.Unlock()
}

var peekNamedPipe = windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")

// isEmpty reports whether nothing is in the pipe, or that is unknown because it is closed.
func (o *output) isEmpty() bool {
	raw, err := o.pipe.SyscallConn()
	if err != nil {
		return true
	}
	var waiting uint32
	_ = raw.Control(func(handle uintptr) {
		_, _, _ = peekNamedPipe.Call(handle, 0, 0, 0, uintptr(unsafe.Pointer(&waiting)), 0)
	})
	return waiting == 0
}
