package function

import (
	"encoding/binary"
	"net"
	"os"
	"strconv"
	"sync"
	"time"
)

// link is the connection that a Node.js worker inherits. Requests come over it as
// they do over any other; events go in frames, of which the worker reads one at a
// time, so that one that waits behind it can be taken back.
type link struct {
	own net.Conn
	// ended is closed when everything that the worker wrote has been read.
	ended chan struct{}

	mu sync.Mutex
	// other is the worker's end, nil when it is not needed any more.
	other *os.File
	out   []byte
}

// newLink makes a link, nil where there can be none.
func newLink() *link {
	own, other, err := socketPair()
	if err != nil {
		return nil
	}
	return &link{own: own, other: other, ended: make(chan struct{})}
}

// last lets what the worker wrote before it ended be read to its end. Nothing is
// taken back from then on.
func (l *link) last() {
	if l == nil {
		return
	}
	l.mu.Lock()
	l.other.Close()
	l.other = nil
	l.mu.Unlock()
	select {
	case <-l.ended:
	case <-time.After(answerPatience):
	}
}

// answerPatience is how long what a worker has written is waited for.
const answerPatience = 100 * time.Millisecond

func (l *link) close() {
	if l == nil {
		return
	}
	l.own.Close()
	l.mu.Lock()
	if l.other != nil {
		l.other.Close()
		l.other = nil
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
	if len(i.payload) <= smallPayload {
		l.out = append(out, i.payload...)
		l.own.Write(l.out)
		return
	}
	buffers := net.Buffers{out, i.payload}
	buffers.WriteTo(l.own)
}

const frameHead = 8

// takeBack takes the frame of an event out again, and reports whether it was still
// there as a whole. It does not wait.
func (l *link) takeBack(i *invocation) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.other == nil {
		return false
	}
	// The event before it may not have been read yet.
	begin := make([]byte, frameHead+len(i.id))
	if n := receive(l.other, begin, true); n < len(begin) || string(begin[frameHead:]) != i.id {
		return false
	}
	whole := make([]byte, frameHead+binary.LittleEndian.Uint32(begin)+binary.LittleEndian.Uint32(begin[4:]))
	n := receive(l.other, whole, false)
	if n == len(whole) {
		return true
	}
	// The worker has read the beginning meanwhile, and waits for this.
	l.own.Write(whole[:n])
	return false
}
