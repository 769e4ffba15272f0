package logs

import (
	"fmt"
	"sync"
	"time"
)

// stream is the log of one function of one environment.
type stream struct {
	key
	store *Store

	mu     sync.Mutex
	recent ring
	// appended counts the lines that were appended, which numbers them: those in recent are
	// the last ones.
	appended int
	// pending are the lines that wait for the disk, pendingBytes their size, and dropped
	// the number of lines that are not written because the disk is too slow.
	pending      []Line
	pendingBytes int
	dropped      int
	// filled is set when recent has the last lines that were on disk before this process.
	filled bool

	// disk is held while the files are read or written.
	disk    sync.Mutex
	failing error
	buffer  []byte
}

func newStream(k key, s *Store) *stream {
	return &stream{key: k, store: s, recent: ring{limit: s.limits.lines, bytes: s.limits.bytes}}
}

// append adds a line and returns how many bytes wait for the disk.
func (s *stream) append(l Line, followers map[*follower]struct{}) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent.push(l)
	s.appended++
	for f := range followers {
		f.offer(l)
	}
	if s.pendingBytes > s.store.limits.waiting {
		s.dropped++
		return s.pendingBytes
	}
	s.pending = append(s.pending, l)
	s.pendingBytes += weight(l)
	return s.pendingBytes
}

// say adds a line of the sandbox itself that is not written to disk.
func (s *stream) say(text string) {
	l := Line{
		Time: time.Now().Round(0).UTC(), Environment: s.environment, Function: s.function, Level: Platform,
		Text: text,
	}
	s.store.mu.RLock()
	defer s.store.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent.push(l)
	for f := range s.store.followers {
		f.offer(l)
	}
}

// take returns the lines that wait for the disk, and removes them.
func (s *stream) take() []Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := s.pending
	if s.dropped > 0 {
		lines = append(lines, Line{
			Time: time.Now().Round(0).UTC(), Environment: s.environment, Function: s.function, Level: Platform,
			Text: fmt.Sprintf("%d lines are not in this file: the disk was too slow", s.dropped),
		})
	}
	s.pending, s.pendingBytes, s.dropped = nil, 0, 0
	return lines
}

// flush writes waiting lines. Lines that cannot be written stay in memory only, which the
// log says once.
func (s *stream) flush() error {
	s.disk.Lock()
	defer s.disk.Unlock()
	return s.flushHeld()
}

// flushHeld is flush for callers that hold disk.
func (s *stream) flushHeld() error {
	lines := s.take()
	if len(lines) == 0 {
		return s.failing
	}
	err := s.write(lines)
	if err != nil && s.failing == nil {
		s.say("this log cannot be written: " + err.Error() + "; the following lines are in memory only")
	}
	s.failing = err
	return err
}
