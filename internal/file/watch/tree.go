package watch

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"gatewright/internal/file"
)

// Of says what a Tree watches.
type Of struct {
	// Roots are absolute paths of folders, which may be missing.
	Roots []string
	// Wants reports whether a file, or a folder with what is below, counts, by its path below its
	// root, with slashes.
	Wants func(name string, isFolder bool) bool
	// Keep, unless it is "", leaves out the folders that a .gitignore names, except this one and
	// those around it.
	Keep string
	// Fixed roots are not looked for when they are removed: nobody watches what else is beside them.
	Fixed bool
	// Changed is called after a change. It must not wait, nor use the Tree.
	Changed func()
}

// Tree is what is watched for one purpose.
type Tree struct {
	// watcher is nil for one scan.
	watcher *Watcher
	of      Of
	stamp   atomic.Uint64
	refused atomic.Value

	// folders are the watched folders of the system, by their paths without links.
	folders map[string]*folder
	// linked counts what lies behind links, steps the steps to where a path leads.
	linked, steps int

	// sum is of the files, if they are scanned.
	scanning sync.Mutex
	sum      uint64
}

// folder is a folder of the system.
type folder struct {
	path string
	// isWhole says that all in it counts, and not only names; name is its path below its root then.
	isWhole bool
	name    string
	rules   rules
	// isLinked says that it is behind a link.
	isLinked bool
	// names has true for what decides where a link or a root leads, and false for a folder that is
	// left out.
	names map[string]bool
}

// Watch watches folders. The caller closes the Tree.
func (w *Watcher) Watch(of Of) *Tree {
	w.opening.Do(w.open)
	t := &Tree{watcher: w, of: of}
	t.stamp.Store(1)
	refused := w.refused
	for _, root := range of.Roots {
		refused = cmp.Or(refused, silent(root))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trees[t] = struct{}{}
	if refused != "" {
		t.refuse(refused)
	} else {
		t.look()
	}
	return t
}

// Close ends the watching.
func (t *Tree) Close() {
	t.watcher.mu.Lock()
	defer t.watcher.mu.Unlock()
	delete(t.watcher.trees, t)
	t.forget("")
}

// Stamp differs after a change of files: of their names, contents, times or modes. It is never 0.
func (t *Tree) Stamp() uint64 { return t.stamp.Load() }

// Refused is why the files are scanned instead of being watched, and what to do; "" if they are not.
func (t *Tree) Refused() string {
	why, _ := t.refused.Load().(string)
	return why
}

// Settle has Stamp tell of all that was changed up to now, or up to a time ago. Files are scanned
// for 0 alone.
func (t *Tree) Settle(age time.Duration) {
	if t.Refused() == "" {
		t.watcher.settle(age)
	}
	if t.Refused() != "" && age == 0 {
		t.scan()
	}
}

func (t *Tree) changed() {
	t.stamp.Add(1)
	if t.of.Changed != nil {
		t.of.Changed()
	}
}

// refuse has the files scanned from now on, for at most a share of the time.
func (t *Tree) refuse(why string) {
	const least, share = 100 * time.Millisecond, 20
	t.forget("")
	t.refused.Store(why)
	t.scan()
	go func() {
		pause := least
		for isOpen := true; isOpen; {
			time.Sleep(pause)
			began := time.Now()
			t.scan()
			pause = max(least, share*time.Since(began))
			t.watcher.mu.Lock()
			_, isOpen = t.watcher.trees[t]
			t.watcher.mu.Unlock()
		}
	}()
}

// scan looks at all files.
func (t *Tree) scan() {
	t.scanning.Lock()
	defer t.scanning.Unlock()
	now := &Tree{of: t.of}
	now.look()
	if now.sum != t.sum {
		t.sum = now.sum
		t.changed()
	}
}

// look finds all folders anew. The lock is held, also below.
func (t *Tree) look() {
	before := t.folders
	t.folders, t.linked = make(map[string]*folder), 0
	for _, root := range t.of.Roots {
		t.follow(root, folder{})
	}
	for path := range before {
		if t.folders[path] == nil {
			t.watcher.release(path)
		}
	}
}

// place watches a folder of the system, unless it is scanned; nil if it cannot.
func (t *Tree) place(at string) *folder {
	if f := t.folders[at]; f != nil {
		return f
	}
	if t.watcher != nil {
		if t.Refused() != "" {
			return nil
		}
		if err := t.watcher.add(at); err != nil {
			if limit := limitOf(err); limit != "" {
				t.refuse(limit)
			}
			return nil
		}
	}
	f := &folder{path: at, names: make(map[string]bool)}
	t.folders[at] = f
	return f
}

// forget forgets a folder with those below, or all for "". It reports whether a link led through one.
func (t *Tree) forget(at string) (led bool) {
	for path, f := range t.folders {
		if at == "" || file.IsAround(at, path) {
			for _, leads := range f.names {
				led = led || leads
			}
			delete(t.folders, path)
			t.watcher.release(path)
		}
	}
	return led
}

// happened looks at what an event was about.
func (t *Tree) happened(e fsnotify.Event) {
	f, sub, base := t.folders[filepath.Dir(e.Name)], t.folders[e.Name], filepath.Base(e.Name)
	// Windows says that a folder was written when something in it was.
	if f == nil || t.Refused() != "" || sub != nil && e.Op == fsnotify.Write {
		return
	}
	leads, known := f.names[base]
	switch {
	case leads && e.Op != fsnotify.Write, base == ignoreFile && t.of.Keep != "" && f.isWhole:
		t.look()
	case leads:
	case !f.isWhole:
		return
	default:
		delete(f.names, base)
		led := sub != nil && t.forget(e.Name)
		info, err := os.Lstat(e.Name)
		counts := err == nil && t.find(f, fs.FileInfoToDirEntry(info)) || err != nil && !known && t.wants(f, base, false)
		if led {
			t.look()
		}
		if sub == nil && !counts {
			return
		}
	}
	t.changed()
}

func (t *Tree) wants(f *folder, base string, isFolder bool) bool {
	name := path.Join(f.name, base)
	switch {
	case t.of.Wants != nil && !t.of.Wants(name, isFolder):
		return false
	case !isFolder || t.of.Keep == "" || file.IsAround(name, t.of.Keep):
		return true
	}
	return !f.rules.ignore(f.path, base)
}
