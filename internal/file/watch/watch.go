// Package watch tells when files below folders change, by the events of the system. It scans them
// again and again only where the system refuses to watch, and says why ([Tree.Refused]).
package watch

import (
	"cmp"
	"errors"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Watcher watches all folders of a program, each once, with one queue of events.
type Watcher struct {
	most    int
	opening sync.Once
	system  *fsnotify.Watcher
	refused string

	// mu guards what the trees watch, too.
	mu    sync.Mutex
	trees map[*Tree]struct{}

	settling sync.Mutex
	settled  time.Time
	beacon   *os.File
	arrived  chan struct{}
}

// Shared is the Watcher of this program.
var Shared = New(0)

// New makes a Watcher that watches at most that many folders; 0 is what the system allows.
func New(most int) *Watcher {
	return &Watcher{most: most, trees: make(map[*Tree]struct{}), arrived: make(chan struct{}, 1)}
}

// open begins to receive events.
func (w *Watcher) open() {
	// A checkout writes many files at once.
	const waiting = 4096
	var err error
	if w.system, err = fsnotify.NewBufferedWatcher(waiting); err != nil {
		w.refused = cmp.Or(limitOf(err), err.Error())
		return
	}
	// Elsewhere the events of different folders are in no order, or a removed file has none.
	if runtime.GOOS == "linux" {
		if f, err := os.CreateTemp("", "gatewright-"); err == nil {
			if w.system.Add(f.Name()) == nil {
				w.beacon = f
			}
			_ = os.Remove(f.Name())
		}
	}
	go w.handle()
	go w.handleErrors()
}

func (w *Watcher) handle() {
	for e := range w.system.Events {
		if w.beacon != nil && e.Name == w.beacon.Name() {
			if e.Has(fsnotify.Write) {
				w.arrive()
			}
			continue
		}
		w.mu.Lock()
		for t := range w.trees {
			t.happened(e)
		}
		w.mu.Unlock()
	}
}

// handleErrors is another goroutine than handle: fsnotify locks its methods until an error is read.
func (w *Watcher) handleErrors() {
	for err := range w.system.Errors {
		if !errors.Is(err, fsnotify.ErrEventOverflow) {
			continue
		}
		w.mu.Lock()
		for t := range w.trees {
			if t.Refused() == "" {
				t.look()
				t.publish(t.sum)
			}
		}
		w.mu.Unlock()
		w.arrive()
	}
}

func (w *Watcher) arrive() {
	select {
	case w.arrived <- struct{}{}:
	default:
	}
}

// settle waits until the events of all that was changed before are handled, unless it did so less than a time
// ago. The system queues events in their order: so the event of a file that is written now is the last.
func (w *Watcher) settle(age time.Duration) {
	const patience = time.Second
	w.settling.Lock()
	defer w.settling.Unlock()
	began := time.Now()
	if w.beacon == nil || began.Sub(w.settled) < age {
		return
	}
	select {
	case <-w.arrived:
	default:
	}
	if _, err := w.beacon.WriteAt([]byte{0}, 0); err != nil {
		return
	}
	select {
	case <-w.arrived:
	case <-time.After(patience):
	}
	// What was lost is looked at under the lock.
	w.mu.Lock()
	w.settled = began
	w.mu.Unlock()
}

// add watches a folder. The lock is held.
func (w *Watcher) add(folder string) error {
	if w.most > 0 && len(w.system.WatchList()) > w.most {
		return syscall.ENOSPC
	}
	return w.system.Add(folder)
}

// release ends the watching of a folder that no tree watches any more. The lock is held.
func (w *Watcher) release(folder string) {
	for t := range w.trees {
		if t.folders[folder] != nil {
			return
		}
	}
	// The system has forgotten a folder that was removed.
	_ = w.system.Remove(folder)
}
