package worker

import (
	"encoding/binary"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"gatewright/sandbox/function"
)

// link is the connection that a Node.js worker inherits. The worker's requests are the
// same as over a TCP connection; events go to it in frames. It reads one frame at a
// time, so that the next one can be taken back.
type link struct {
	runnerEnd net.Conn
	// ended is closed when the worker's last output over the link has been read.
	ended chan struct{}

	mu sync.Mutex
	// workerEnd is a copy of the worker's end, nil after drain.
	workerEnd *os.File
	out       []byte
	// sent are the last two events, the later one last; unread is how many bytes an
	// ended worker did not read.
	sent   [2]sentFrame
	unread int
}

// sentFrame is an event that was sent: its size, and how many bytes were written.
type sentFrame struct {
	id            string
	size, written int
}

// newLink returns a link, nil if the system has none.
func newLink() *link {
	own, other, err := socketPair()
	if err != nil {
		return nil
	}
	return &link{runnerEnd: own, workerEnd: other, ended: make(chan struct{})}
}

// drain waits until everything that the ended worker wrote was read, and finds out
// what it did not read. Nothing is written or taken back after that.
func (l *link) drain() {
	if l == nil {
		return
	}
	// A write that holds the lock may be waiting for the worker to read.
	l.runnerEnd.SetWriteDeadline(time.Unix(1, 0))
	l.mu.Lock()
	rest := make([]byte, smallPayload)
	for n := receive(l.workerEnd, rest, false); n > 0; n = receive(l.workerEnd, rest, false) {
		l.unread += n
	}
	// Another process may have inherited the worker's end.
	hangUp(l.workerEnd)
	l.workerEnd.Close()
	l.workerEnd = nil
	l.mu.Unlock()
	<-l.ended
}

// isUnread reports whether an ended worker had not read an event completely, and so
// had not begun the call.
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

// frame has the times in an event's head.
type frame struct{ began, deadline time.Time }

// send writes a frame: the lengths of the head, of the event, and of the text or of the bytes that go
// apart, four bytes each, then the head (the lines id, deadline, trace, ARN, and the client context if
// there is one), the event, and the text or the bytes.
func (l *link) send(i *invocation, f frame, spec *function.Spec) {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := append(l.out[:0], make([]byte, frameHead)...)
	out = append(append(out, i.id...), '\n')
	out = append(strconv.AppendInt(out, f.deadline.UnixMilli(), 10), '\n')
	out = append(appendTrace(out, i, f.began), '\n')
	out = append(out, i.arn(spec)...)
	if i.clientContext != "" {
		out = append(append(out, '\n'), i.clientContext...)
	}
	binary.LittleEndian.PutUint32(out, uint32(len(out)-frameHead))
	binary.LittleEndian.PutUint32(out[4:], uint32(len(i.payload)))
	apart := out[8:]
	if i.body.Base64 {
		apart = out[12:]
	}
	binary.LittleEndian.PutUint32(apart, uint32(len(i.body.Text)))
	l.out = out
	l.sent[0], l.sent[1] = l.sent[1], sentFrame{id: i.id, size: len(out) + i.size()}
	if i.size() <= smallPayload {
		l.out = append(append(out, i.payload...), i.body.Text...)
		l.sent[1].written, _ = l.runnerEnd.Write(l.out)
		return
	}
	buffers := net.Buffers{out, i.payload, i.body.Text}
	n, _ := buffers.WriteTo(l.runnerEnd)
	l.sent[1].written = int(n)
}

const frameHead = 16

// takeBack removes the frame of the last event from the socket; it is false if the
// worker has read any of it. It does not block.
func (l *link) takeBack(i *invocation) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.sent[1]
	if l.workerEnd == nil || last.id != i.id || last.written < last.size {
		return false
	}
	// The event before it may be unread too.
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
		// The rest of the event before it, which the worker still needs.
		l.runnerEnd.Write(whole[:n])
	}
	return taken
}
