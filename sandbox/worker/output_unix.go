//go:build unix

package worker

import (
	"errors"
	"syscall"
)

// maxDrainReads limits the reads of drain: a worker that writes all the time must not
// delay its own answer.
const maxDrainReads = 64

// reader says whether the end of the output was read. output.mu guards it.
type reader struct{ ended bool }

// read reads the output until no process can write any more.
func (o *output) read() {
	defer close(o.done)
	if raw, err := o.pipe.SyscallConn(); err == nil {
		raw.Read(func(fd uintptr) bool {
			for o.readOnce(fd) {
			}
			return o.atEnd()
		})
	}
	o.mu.Lock()
	o.finish()
	o.mu.Unlock()
	o.pipe.Close()
}

// drain reads what is in the pipe now, so that lines from before an answer are in the
// log before the answer.
func (o *output) drain() {
	if raw, err := o.pipe.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) {
			for n := 0; n < maxDrainReads && o.readOnce(fd); n++ {
			}
		})
	}
	o.mu.Lock()
	o.finish()
	o.mu.Unlock()
}

// readOnce reads once and reports whether there may be more.
func (o *output) readOnce(fd uintptr) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended {
		return false
	}
	switch n, err := syscall.Read(int(fd), o.buffer); {
	case errors.Is(err, syscall.EINTR):
		return true
	case errors.Is(err, syscall.EAGAIN):
		return false
	case err != nil || n <= 0:
		o.ended = true
		return false
	default:
		o.split(o.buffer[:n])
		// A partly filled buffer means that the pipe is empty.
		return n == len(o.buffer)
	}
}

func (o *output) atEnd() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.ended
}
