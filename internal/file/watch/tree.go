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
	"gatewright/internal/file/ignore"
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
	// Rules, unless it is nil, returns what else is left out, by its path on the system with slashes.
	// It is asked again when one of RuleFiles changes, none of which it lets count.
	Rules     func() ignore.Rules
	RuleFiles []string
	// Fixed roots are not looked for when they are removed: nobody watches what else is next to them.
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
	// rules are those that Of.Rules returned.
	rules ignore.Rules
	// linked counts what lies behind links, steps the steps to where a path leads.
	linked, steps int
	// sum is of all files: what comes and goes, or is as it was, leaves it the same.
	sum uint64

	// scanned is when the last scan began, if the files are scanned, and took how long it took.
	scanning sync.Mutex
	scanned  time.Time
	took     time.Duration
}

// folder is a folder of the system.
type folder struct {
	path string
	// isWhole says that all in it counts, and not only names; name is its path below its root then.
	isWhole bool
	name    string
	rules   ignore.Rules
	// isLinked says that it is behind a link.
	isLinked bool
	// leads are the names that decide where a link or a root leads, files the sums of files.
	leads map[string]bool
	files map[string]uint64
}

// Watch watches folders. The caller closes the Tree.
func (w *Watcher) Watch(of Of) *Tree {
	w.opening.Do(w.open)
	t := &Tree{watcher: w, of: of}
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
	if t.Refused() == "" {
		t.publish(t.sum)
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

// Stamp differs if the files do: their names, sizes, times or modes. It is never 0.
func (t *Tree) Stamp() uint64 { return t.stamp.Load() }

// Refused is why the files are scanned instead of being watched, and what to do; "" if they are not.
func (t *Tree) Refused() string {
	why, _ := t.refused.Load().(string)
	return why
}

// Settle has Stamp report all that was changed up to now, or up to a time ago. Files are scanned
// for at most a share of the time then.
func (t *Tree) Settle(age time.Duration) {
	if t.Refused() == "" {
		t.watcher.settle(age)
	}
	if t.Refused() != "" {
		t.scan(age)
	}
}

// publish tells of a change after the first look.
func (t *Tree) publish(sum uint64) {
	if was := t.stamp.Swap(sum + 1); was != sum+1 && was != 0 && t.of.Changed != nil {
		t.of.Changed()
	}
}

// refuse has the files scanned from now on.
func (t *Tree) refuse(why string) {
	const pause = 100 * time.Millisecond
	t.forget("")
	t.refused.Store(why)
	t.scan(0)
	go func() {
		for isOpen := true; isOpen; {
			time.Sleep(pause)
			t.scan(pause)
			t.watcher.mu.Lock()
			_, isOpen = t.watcher.trees[t]
			t.watcher.mu.Unlock()
		}
	}()
}

// scan looks at all files, unless it did so less than a time ago, or that took long.
func (t *Tree) scan(age time.Duration) {
	const share = 20
	t.scanning.Lock()
	defer t.scanning.Unlock()
	began := time.Now()
	if age > 0 && began.Sub(t.scanned) < max(age, share*t.took) {
		return
	}
	now := &Tree{of: t.of}
	now.look()
	t.scanned, t.took = began, time.Since(began)
	t.publish(now.sum)
}

// look finds all folders anew. The lock is held, also below.
func (t *Tree) look() {
	before := t.folders
	t.folders, t.linked, t.sum = make(map[string]*folder), 0, 0
	if t.of.Rules != nil {
		t.rules = t.of.Rules()
	}
	for _, root := range t.of.Roots {
		t.follow(root, folder{})
	}
	for _, name := range t.of.RuleFiles {
		t.lead(name)
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
	f := &folder{path: at, leads: make(map[string]bool), files: make(map[string]uint64)}
	t.folders[at] = f
	return f
}

// forget forgets a folder with those below, or all for "". It reports whether a link led through one.
func (t *Tree) forget(at string) (led bool) {
	for path, f := range t.folders {
		if at == "" || file.IsAround(at, path) {
			led = led || len(f.leads) > 0
			for base := range f.files {
				t.drop(f, base)
			}
			if f.isLinked {
				t.linked--
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
	switch {
	case t.Refused() != "":
		return
	case f == nil && sub != nil && e.Has(fsnotify.Remove|fsnotify.Rename):
		t.look()
	// Windows says that a folder was written when something in it was.
	case f == nil, sub != nil && e.Op == fsnotify.Write:
		return
	case base == ignoreFile && t.of.Keep != "" && f.isWhole:
		t.look()
	case e.Op == fsnotify.Write && f.files[base] != 0:
		if info, err := os.Lstat(e.Name); err == nil {
			t.add(f, base, info)
		}
	case f.leads[base]:
		t.look()
	case f.isWhole:
		t.drop(f, base)
		if sub != nil && t.forget(e.Name) {
			t.look()
		} else if info, err := os.Lstat(e.Name); err == nil {
			t.find(f, fs.FileInfoToDirEntry(info))
		}
	}
	// The system may have refused one more folder.
	if t.Refused() == "" {
		t.publish(t.sum)
	}
}

func (t *Tree) wants(f *folder, base string, isFolder bool) bool {
	name := path.Join(f.name, base)
	switch {
	case t.of.Wants != nil && !t.of.Wants(name, isFolder),
		t.rules.Find(filepath.ToSlash(f.path)+"/"+base, isFolder) != nil:
		return false
	case !isFolder || t.of.Keep == "" || file.IsAround(name, t.of.Keep):
		return true
	}
	return f.rules.Find(filepath.ToSlash(f.path)+"/"+base, true) == nil
}
