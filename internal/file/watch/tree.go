package watch

import (
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Of says what a Tree watches.
type Of struct {
	// Roots are absolute paths of folders, which may be missing.
	Roots []string
	// Wants reports whether a file, or a folder with what is below, counts, by its path below its
	// root, with slashes.
	Wants func(name string, isFolder bool) bool
	// Ignore leaves out the folders that a .gitignore names, except Keep and those around it.
	Ignore bool
	Keep   string
	// Fixed roots are not looked for when they are removed.
	Fixed bool
	// Changed is called after the stamp has changed. It must not wait, nor use the Tree.
	Changed func()
}

// Tree is what is watched for one purpose.
type Tree struct {
	watcher *Watcher
	of      Of
	tops    []*folder

	mu      sync.Mutex
	closed  bool
	refused error
	sum     uint64
	linked  int
	// took is how long the last scan took, if it is scanned; scanned is when that was.
	took    time.Duration
	scanned time.Time

	stamp atomic.Uint64
	// scans means that refused is set.
	scans atomic.Bool
}

// folder is a folder of a tree. A root is the only one of a folder around it.
type folder struct {
	tree *Tree
	// root is the number of its root, name its path below that, and path that in the system,
	// without links.
	root       int
	name, path string
	rules      rules
	// above are the folders behind links that it was reached through.
	above []string

	files   map[string]uint64
	folders map[string]*folder
	// links are the steps of links, or the folder that a root is looked for in.
	links map[string][]string
}

// Watch watches folders. The caller closes the Tree.
func (w *Watcher) Watch(of Of) *Tree {
	w.opening.Do(w.open)
	t := &Tree{watcher: w, of: of}
	refused := w.refused
	for i, root := range of.Roots {
		t.tops = append(t.tops, &folder{tree: t, root: i, path: filepath.Dir(root), name: filepath.Base(root)})
		if refused == nil {
			refused = silent(root)
		}
	}
	if refused != nil {
		t.refuse(refused)
	}
	w.mu.Lock()
	w.trees[t] = struct{}{}
	w.mu.Unlock()
	t.scan()
	return t
}

// Close ends the watching.
func (t *Tree) Close() {
	t.watcher.mu.Lock()
	delete(t.watcher.trees, t)
	t.watcher.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.forget()
}

// Stamp differs if the files do: their names, sizes, times or modes.
func (t *Tree) Stamp() uint64 { return t.stamp.Load() }

// Refused is why the files are scanned instead of being watched, a *RefusedError; nil if they are not.
func (t *Tree) Refused() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.refused
}

// Settle has Stamp tell of all that was changed up to now, or up to a time ago.
func (t *Tree) Settle(age time.Duration) {
	if !t.scans.Load() {
		t.watcher.settle(age)
		return
	}
	t.mu.Lock()
	due := age == 0 || time.Since(t.scanned) >= max(age, scanShare*t.took)
	t.mu.Unlock()
	if due {
		t.scan()
	}
}

// A tree that cannot be watched is scanned this often, and for at most this share of the time.
const (
	scanPause = 100 * time.Millisecond
	scanShare = 20
)

func (t *Tree) keepScanning() {
	for {
		t.mu.Lock()
		pause, closed := max(scanPause, scanShare*t.took), t.closed
		t.mu.Unlock()
		if closed {
			return
		}
		time.Sleep(pause)
		t.scan()
	}
}

// scan looks at all files anew.
func (t *Tree) scan() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	began := time.Now()
	t.find()
	t.publish()
	t.scanned, t.took = began, time.Since(began)
}

// find finds all files anew, once more if the system refuses to watch them. The lock is held, also
// below.
func (t *Tree) find() {
	watched := t.refused == nil
	t.forget()
	for i, root := range t.of.Roots {
		t.tops[i].anchor(root)
	}
	if watched && t.refused != nil {
		t.find()
	}
}

func (t *Tree) forget() {
	for _, top := range t.tops {
		top.empty()
	}
	t.sum, t.linked = 0, 0
}

// publish tells of a change after the first scan.
func (t *Tree) publish() {
	if t.stamp.Swap(t.sum) != t.sum && t.of.Changed != nil && !t.scanned.IsZero() {
		t.of.Changed()
	}
}

// place watches a folder of the system, unless the system refuses.
func (t *Tree) place(path string, i interest) bool {
	if t.refused != nil {
		return true
	}
	err := t.watcher.place(path, i)
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		t.refuse(refused)
		return true
	}
	return err == nil
}

// refuse has the files scanned from now on.
func (t *Tree) refuse(err error) {
	t.refused = err
	t.scans.Store(true)
	go t.keepScanning()
}

// anchor finds a root, and watches what is around it, or the nearest folder that exists.
func (f *folder) anchor(root string) {
	f.files, f.folders, f.links = make(map[string]uint64), make(map[string]*folder), make(map[string][]string)
	for at := root; !f.tree.of.Fixed; at = filepath.Dir(at) {
		parent := filepath.Dir(at)
		if f.place(parent, at, f.name) || parent == at {
			break
		}
	}
	f.path = filepath.Dir(root)
	f.find(f.name)
}

// place watches the folder of a path for what is found under a name of this one.
func (f *folder) place(dir, target, name string) bool {
	if !f.tree.place(dir, interest{folder: f, only: filepath.Base(target), as: name}) {
		return false
	}
	f.links[name] = append(f.links[name], target)
	return true
}

// happened looks at what an event was about.
func (f *folder) happened(name string, what fsnotify.Op) {
	t := f.tree
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || t.refused != nil {
		return
	}
	// Windows says that a folder was written when something in it was.
	if f.folders[name] != nil && what == fsnotify.Write {
		return
	}
	top := slices.Index(t.tops, f)
	switch {
	case top >= 0:
		f.empty()
		f.anchor(t.of.Roots[top])
	case name == ignoreFile && t.of.Ignore:
		t.find()
	default:
		f.drop(name)
		f.find(name)
	}
	if t.refused != nil {
		t.find()
	}
	t.publish()
}
