package function

import (
	"encoding/binary"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"
)

// link is the connection that a Node.js worker inherits. Requests come over it as
// they do over any other; events go in frames, of which the worker reads one at a
// time, so that one that waits behind it can be taken back.
type link struct {
	runnerEnd net.Conn
	// ended is closed when everything that the worker wrote has been read.
	ended chan struct{}

	mu sync.Mutex
	// workerEnd is the worker's end, nil when it is not needed any more.
	workerEnd *os.File
	out       []byte
	// sent are the last two events, the later one last; unread is how many bytes a
	// worker that has ended did not read.
	sent   [2]sentFrame
	unread int
}

// sentFrame is an event that was written: its bytes, and how many of them went out.
type sentFrame struct {
	id            string
	size, written int
}

// newLink makes a link, nil where there can be none.
func newLink() *link {
	own, other, err := socketPair()
	if err != nil {
		return nil
	}
	return &link{runnerEnd: own, workerEnd: other, ended: make(chan struct{})}
}

// drain lets what the worker wrote before it ended be read to its end, and finds out
// what it did not read. Nothing is written or taken back from then on.
func (l *link) drain() {
	if l == nil {
		return
	}
	// A write may wait for a worker that does not read any more, with the lock.
	l.runnerEnd.SetWriteDeadline(time.Unix(1, 0))
	l.mu.Lock()
	rest := make([]byte, smallPayload)
	for n := receive(l.workerEnd, rest, false); n > 0; n = receive(l.workerEnd, rest, false) {
		l.unread += n
	}
	// Another process may have it too.
	hangUp(l.workerEnd)
	l.workerEnd.Close()
	l.workerEnd = nil
	l.mu.Unlock()
	<-l.ended
}

// isUnread reports whether a worker that has ended had not read an event to its
// end, so that it has not begun the call.
func (l *link) isUnread(i *invocation) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	behind := 0
	for _, s := range slices.Backward(l.sent[:]) {
		if s.id == i.id {
			return s.written < s.size || l.unread > behind
		}
		behind += s.written
	}
	return true
}

func (l *link) close() {
	if l == nil {
		return
	}
	l.runnerEnd.Close()
	l.mu.Lock()
	if l.workerEnd != nil {
		l.workerEnd.Close()
		l.workerEnd = nil
	}
	l.mu.Unlock()
}

// frame is when an event was handed over, which its lines tell.
type frame struct{ began, deadline time.Time }

// send writes an event: the lengths of its lines and of itself, four bytes each,
// and both.
func (l *link) send(i *invocation, f frame, spec *Spec) {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := append(l.out[:0], 0, 0, 0, 0, 0, 0, 0, 0)
	out = append(append(out, i.id...), '\n')
	out = append(strconv.AppendInt(out, f.deadline.UnixMilli(), 10), '\n')
	out = append(appendTrace(out, i.id, f.began), '\n')
	out = append(out, arn(spec)...)
	binary.LittleEndian.PutUint32(out, uint32(len(out)-frameHead))
	binary.LittleEndian.PutUint32(out[4:], uint32(len(i.payload)))
	l.out = out
	l.sent[0], l.sent[1] = l.sent[1], sentFrame{id: i.id, size: len(out) + len(i.payload)}
	if len(i.payload) <= smallPayload {
		l.out = append(out, i.payload...)
		l.sent[1].written, _ = l.runnerEnd.Write(l.out)
		return
	}
	buffers := net.Buffers{out, i.payload}
	n, _ := buffers.WriteTo(l.runnerEnd)
	l.sent[1].written = int(n)
}

const frameHead = 8

// takeBack takes the frame of the last event out again, and reports whether it was
// still there as a whole. It does not wait.
func (l *link) takeBack(i *invocation) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.sent[1]
	if l.workerEnd == nil || last.id != i.id || last.written < last.size {
		return false
	}
	// The event before it may not have been read yet either.
	whole := make([]byte, l.sent[0].size+last.size)
	if receive(l.workerEnd, whole, true) < last.size {
		return false
	}
	n := receive(l.workerEnd, whole, false)
	taken := n >= last.size
	if taken {
		n -= last.size
		l.sent = [2]sentFrame{1: l.sent[0]}
	}
	if n > 0 {
		// Where the worker has read a beginning it waits for this.
		l.runnerEnd.Write(whole[:n])
	}
	return taken
}
