package logs

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"gatewright/internal/file"
)

// limits of a Store.
type limits struct {
	// lines and bytes limit the lines of one function in memory.
	lines, bytes int
	// file is the largest size of a file in bytes.
	file int64
	// waiting limits the bytes of one function that wait for the disk.
	waiting int
	// text is the largest text of a line in bytes.
	text int
	// follow limits the lines that wait for a reader.
	follow int
	// every is how long lines wait for the disk.
	every time.Duration
}

var usualLimits = limits{
	lines: 5000, bytes: 8 << 20, file: 10 << 20, waiting: 8 << 20, text: 256 << 10, follow: 5000,
	every: 200 * time.Millisecond,
}

// Query selects lines; an empty field selects all. Lines of the gateway without an
// environment, such as those about invalid HTTP, match every environment.
type Query struct {
	Environment, Function, Request string
	// Functions selects several functions instead of one.
	Functions []string
	// Since is the time of the oldest lines.
	Since time.Time
	// Last limits the lines to the newest ones; 0 is no limit.
	Last int
	// Each limits the lines of each log to the newest ones in memory, so that one with many
	// lines leaves those of the others; 0 is no limit, and reads files too.
	Each int
	// Notable selects what tells of an event: the lines of the gateway and of the user pools,
	// errors, and what the sandbox says of a function.
	Notable bool
}

func (q Query) wants(l Line) bool {
	return q.isAbout(l.Environment, l.Function) && (q.Request == "" || q.Request == l.Request) &&
		!l.Time.Before(q.Since) && (!q.Notable || l.isNotable())
}

// names reports whether the query is about no function, or about this one.
func (q Query) names(function string) bool {
	return (q.Function == "" || q.Function == function) &&
		(len(q.Functions) == 0 || slices.Contains(q.Functions, function))
}

// namesGateway reports whether the query asks for the log of the gateway by its name.
func (q Query) namesGateway() bool {
	return q.Function == Gateway || slices.Contains(q.Functions, Gateway)
}

// isNotable reports whether a line tells of an event.
func (l *Line) isNotable() bool {
	switch l.Level {
	case Error, Fatal:
		return true
	case Platform:
		return l.Request == "" && !strings.HasPrefix(l.Text, "REPORT ")
	}
	return l.Function == Gateway || l.Function == Identity
}

// isAbout reports whether a log may have lines for the query.
func (q Query) isAbout(environment, function string) bool {
	return (q.Environment == "" || q.Environment == environment || environment == "" && function == Gateway &&
		q.namesGateway()) && q.names(function)
}

// key identifies a log.
type key struct{ environment, function string }

// Store has the logs of one sandbox. Several goroutines may use it. Only one process at a
// time may open the Store of a folder.
type Store struct {
	limits limits
	root   *os.Root
	// mu is held for reading while a line is appended, and for writing while no line may
	// be appended.
	mu        sync.RWMutex
	streams   map[key]*stream
	followers map[*follower]struct{}
	closed    bool

	secretsMu sync.Mutex
	secrets   atomic.Pointer[[]string]

	// waiting receives a value when lines wait for the disk, hurry when many do.
	waiting, hurry chan struct{}
	stop, stopped  chan struct{}
	closing        sync.Once
	closeError     error
}

// Open opens a folder of logs, and creates the folder if necessary. Lines are in
// <folder>/<environment>/<function>.log, a JSON object each; at 10 MB that file replaces <function>.1.log.
func Open(folder string) (*Store, error) { return open(folder, usualLimits) }

func open(folder string, l limits) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the logs: %w", err)
	}
	// An os.Root does not follow links out of the folder.
	root, err := file.OpenRoot(folder)
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

// Append adds a line to the log of its function without waiting for the disk. The lines of
// one function keep their order. A zero time becomes the present time, and a text of more
// than 256 KB is cut. After Close, Append does nothing.
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

// wake makes the goroutine of write write soon, or now if many bytes wait.
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

// all are the logs that may have lines for a query, sorted by name.
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

// write writes waiting lines to the disk until Close.
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

// Close writes waiting lines, ends every Follow, and leaves the folder, so that it can be removed on Windows
// too. What is in memory can still be read. The error joins the errors of logs that could not be written.
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
		s.closeError = errors.Join(s.closeError, s.root.Close())
	})
	return s.closeError
}

// cut shortens a text that is too long, and says by how much.
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
