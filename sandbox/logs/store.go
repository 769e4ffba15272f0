package logs

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// limits say how much is kept.
type limits struct {
	// lines and bytes are those of one function in memory.
	lines, bytes int
	// file is the size in bytes at which a file is put aside.
	file int64
	// waiting is how many bytes of one function wait for the disk at most.
	waiting int
	// text is the longest text of a line in bytes.
	text int
	// follow is how many lines wait for a reader at most.
	follow int
	every  time.Duration
}

var usualLimits = limits{
	lines: 5000, bytes: 8 << 20, file: 10 << 20, waiting: 8 << 20, text: 256 << 10, follow: 5000, every: 200 * time.Millisecond,
}

// Query says which lines; a field that is empty means any. What the gateway says of
// no environment, such as a request that is no HTTP, is in its log of every one.
type Query struct {
	Environment, Function, Request string
	// Last is how many at most, the newest; 0 is all that is kept.
	Last int
}

func (q Query) wants(l Line) bool {
	return q.isAbout(l.Environment, l.Function) && (q.Request == "" || q.Request == l.Request)
}

// isAbout reports whether lines of a log may be wanted.
func (q Query) isAbout(environment, function string) bool {
	return (q.Environment == "" || q.Environment == environment || environment == "" && q.Function == Gateway) &&
		(q.Function == "" || q.Function == function)
}

// key is whose log it is.
type key struct{ environment, function string }

// Store is the logs of one sandbox. It may be used by many goroutines at once. One
// process at a time may have a Store of a folder.
type Store struct {
	limits limits
	root   *os.Root
	// mu is held for reading while a line is appended, and for writing where no
	// line may be on its way.
	mu        sync.RWMutex
	streams   map[key]*stream
	followers map[*follower]struct{}
	closed    bool

	secretsMu sync.Mutex
	secrets   atomic.Pointer[[]string]

	// waiting says that a line waits for the disk, hurry that too many do.
	waiting, hurry chan struct{}
	stop, stopped  chan struct{}
	closing        sync.Once
	closeError     error
}

// Open opens the logs in a folder, which is made where it is missing. Lines are
// kept in <folder>/<environment>/<function>.log, one JSON object a line; at 10 MB
// that file becomes <function>.1.log, in the place of the one before it.
func Open(folder string) (*Store, error) { return open(folder, usualLimits) }

func open(folder string, l limits) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the logs: %w", err)
	}
	// Below it nothing leads out, whatever lies there.
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("opening the folder of the logs: %w", err)
	}
	s := &Store{
		limits: l, root: root,
		streams: make(map[key]*stream), followers: make(map[*follower]struct{}),
		waiting: make(chan struct{}, 1), hurry: make(chan struct{}, 1),
		stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	go s.write()
	return s, nil
}

// Append adds a line to the log of its function. It never waits for the disk.
// Lines of one function stay in the order in which they are appended. A time that
// is not set is now; a text of more than 256 KB is cut. After Close nothing is
// kept.
func (s *Store) Append(l Line) {
	if l.Time.IsZero() {
		l.Time = time.Now()
	}
	l.Time = l.Time.Round(0).UTC()
	l.Text, l.Request = s.Hide(l.Text), s.Hide(l.Request)
	l.Text = s.limits.cut(l.Text)
	k := key{l.Environment, l.Function}
	s.mu.RLock()
	for !s.closed {
		if log := s.streams[k]; log != nil {
			s.wake(log.append(l, s.followers))
			break
		}
		s.mu.RUnlock()
		s.stream(k)
		s.mu.RLock()
	}
	s.mu.RUnlock()
}

// wake has the disk written soon, or now where much waits for it.
func (s *Store) wake(bytes int) {
	signal := s.waiting
	if bytes > s.limits.waiting/4 {
		signal = s.hurry
	}
	select {
	case signal <- struct{}{}:
	default:
	}
}

func (s *Store) stream(k key) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.streams[k]
	if log == nil {
		log = newStream(k, s)
		s.streams[k] = log
	}
	return log
}

// all is the logs that a query may be about, in the order of their names.
func (s *Store) all(q Query) []*stream {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.matching(q)
}

func (s *Store) matching(q Query) []*stream {
	var found []*stream
	for k, log := range s.streams {
		if q.isAbout(k.environment, k.function) {
			found = append(found, log)
		}
	}
	slices.SortFunc(found, func(a, b *stream) int {
		return cmp.Or(cmp.Compare(a.environment, b.environment), cmp.Compare(a.function, b.function))
	})
	return found
}

// write writes what waits for the disk until Close.
func (s *Store) write() {
	defer close(s.stopped)
	for {
		select {
		case <-s.waiting:
			select {
			case <-time.After(s.limits.every):
			case <-s.hurry:
			case <-s.stop:
			}
		case <-s.hurry:
		case <-s.stop:
			return
		}
		for _, log := range s.all(Query{}) {
			log.flush()
		}
	}
}

// Close writes what is left and ends every Follow. Its error is the first one of
// the disk since that log was last written without one.
func (s *Store) Close() error {
	s.closing.Do(func() {
		s.mu.Lock()
		s.closed = true
		for f := range s.followers {
			f.end()
		}
		clear(s.followers)
		s.mu.Unlock()
		close(s.stop)
		<-s.stopped
		for _, log := range s.all(Query{}) {
			if err := log.flush(); err != nil {
				s.closeError = errors.Join(s.closeError, err)
			}
		}
	})
	return s.closeError
}

// cut is the text, or its beginning with how much is missing.
func (l limits) cut(text string) string {
	if len(text) <= l.text {
		return text
	}
	end := l.text
	for range utf8.UTFMax - 1 {
		if !utf8.RuneStart(text[end]) {
			end--
		}
	}
	return fmt.Sprintf("%s... (%d more bytes)", text[:end], len(text)-end)
}
