// Package watch tells when files below folders differ, by the events of the system. It scans them
// again and again only where the system refuses to watch, and says why ([Tree.Refused]).
package watch

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Watcher watches all folders of a program, each once, with one queue of events.
type Watcher struct {
	most    int
	opening sync.Once
	system  *fsnotify.Watcher
	refused error

	mu     sync.Mutex
	placed map[string]*place
	used   int
	trees  map[*Tree]struct{}

	settling sync.Mutex
	settled  atomic.Int64
	beacon   *os.File
	arrived  chan struct{}
}

// place is a watched folder of the system. On some systems each file in it costs a watch too.
type place struct {
	interests []interest
	cost      int
}

// interest is what a folder of a tree wants to know of a folder of the system: all, or what happens
// to one name, which the tree has under another.
type interest struct {
	folder   *folder
	only, as string
}

// Shared is the Watcher of this program.
var Shared = New(0)

// New makes a Watcher that places at most that many watches; 0 is what the system allows.
func New(most int) *Watcher {
	return &Watcher{
		most: most, placed: make(map[string]*place), trees: make(map[*Tree]struct{}), arrived: make(chan struct{}, 1),
	}
}

// open begins to receive events.
func (w *Watcher) open() {
	// A checkout writes many files at once.
	const waiting = 4096
	if w.most == 0 {
		w.most = mostWatches()
	}
	if w.system, w.refused = fsnotify.NewBufferedWatcher(waiting); w.refused != nil {
		w.refused = noInstance()
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
	go w.run()
}

// run handles events until Close.
func (w *Watcher) run() {
	for {
		select {
		case e, open := <-w.system.Events:
			if !open {
				return
			}
			w.handle(e)
		case _, open := <-w.system.Errors:
			if !open {
				return
			}
			// Events were lost.
			w.mu.Lock()
			trees := make([]*Tree, 0, len(w.trees))
			for t := range w.trees {
				trees = append(trees, t)
			}
			w.mu.Unlock()
			for _, t := range trees {
				t.scan()
			}
			w.arrive()
		}
	}
}

func (w *Watcher) handle(e fsnotify.Event) {
	if w.beacon != nil && e.Name == w.beacon.Name() {
		if e.Has(fsnotify.Write) {
			w.arrive()
		}
		return
	}
	dir, base := filepath.Dir(e.Name), filepath.Base(e.Name)
	w.mu.Lock()
	var interests []interest
	if at := w.placed[dir]; at != nil {
		interests = slices.Clone(at.interests)
	}
	w.mu.Unlock()
	for _, i := range interests {
		switch {
		case i.only == "":
			i.folder.happened(base, e.Op)
		case i.only == base:
			i.folder.happened(i.as, e.Op)
		}
	}
}

func (w *Watcher) arrive() {
	select {
	case w.arrived <- struct{}{}:
	default:
	}
}

// settle waits until the events of all that was changed before are handled, unless it did so less
// than a time ago. The system queues events in their order: so the event of a file that is written
// now is the last.
func (w *Watcher) settle(age time.Duration) {
	const patience = time.Second
	if w.beacon == nil || time.Now().UnixNano()-w.settled.Load() < int64(age) {
		return
	}
	w.settling.Lock()
	defer w.settling.Unlock()
	began := time.Now()
	if began.UnixNano()-w.settled.Load() < int64(age) {
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
	w.settled.Store(began.UnixNano())
}

// place watches a folder for an interest.
func (w *Watcher) place(path string, i interest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := w.placed[path]
	isNew := at == nil
	if isNew {
		at = &place{cost: costOf(path)}
		if w.most > 0 && w.used+at.cost > w.most {
			return noWatch()
		}
	}
	// A folder that was placed may have been made anew: then the system does not watch it yet.
	if err := w.system.Add(path); isLimit(err) {
		return noWatch()
	} else if err != nil {
		return err
	}
	if isNew {
		w.used += at.cost
		w.placed[path] = at
	}
	at.interests = append(at.interests, i)
	return nil
}

// release ends what place began.
func (w *Watcher) release(path string, i interest) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := w.placed[path]
	if at == nil {
		return
	}
	at.interests = slices.DeleteFunc(at.interests, func(o interest) bool { return o == i })
	if len(at.interests) == 0 {
		delete(w.placed, path)
		w.used -= at.cost
		// The system has forgotten a folder that was removed.
		_ = w.system.Remove(path)
	}
}

// Close ends all watching.
func (w *Watcher) Close() error {
	w.opening.Do(func() { w.refused = os.ErrClosed })
	if w.system == nil {
		return nil
	}
	err := w.system.Close()
	if w.beacon != nil {
		err = errors.Join(err, w.beacon.Close())
	}
	return err
}
