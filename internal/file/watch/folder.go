package watch

import (
	"hash/maphash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"gatewright/internal/file"
)

const (
	// mostLinked is how many files and folders behind links count: a link may lead anywhere.
	mostLinked = 5000
	// mostSteps is how many links may lead to a place, as in the system.
	mostSteps = 255
)

// follow watches where a path leads, and what is there.
func (t *Tree) follow(from string, as folder) {
	t.steps = 0
	at := t.real(from)
	if as.isLinked || !t.of.Fixed {
		t.lead(at)
	}
	info, err := os.Stat(at)
	switch {
	case err != nil || as.isLinked && file.IsAround(at, filepath.Dir(from)):
	case info.IsDir():
		t.fill(at, as)
	default:
		if f := t.place(filepath.Dir(at)); f != nil {
			t.add(f, filepath.Base(at), info)
		}
	}
}

// real is a path without links. Whatever may lead elsewhere is watched.
func (t *Tree) real(at string) string {
	parent := filepath.Dir(at)
	if t.steps++; parent == at || t.steps > mostSteps {
		return at
	}
	parent = t.real(parent)
	at = filepath.Join(parent, filepath.Base(at))
	target, err := os.Readlink(at)
	if err != nil {
		if _, err = os.Lstat(at); err != nil {
			t.lead(at)
		}
		return at
	}
	t.lead(at)
	if filepath.IsAbs(target) {
		return t.real(target)
	}
	for part := range strings.SplitSeq(filepath.ToSlash(target), "/") {
		parent = t.real(filepath.Join(parent, part))
	}
	return parent
}

// lead watches a name that decides where a path leads.
func (t *Tree) lead(at string) {
	if f := t.place(filepath.Dir(at)); f != nil {
		f.leads[filepath.Base(at)] = true
	}
}

// fill watches a folder, and then reads it, so that nothing is missed.
func (t *Tree) fill(at string, as folder) {
	f := t.place(at)
	if f == nil || f.isWhole || as.isLinked && t.linked > mostLinked {
		return
	}
	f.isWhole, f.name, f.isLinked, f.rules = true, as.name, as.isLinked, as.rules
	if t.of.Keep != "" {
		f.readRules()
	}
	if f.isLinked {
		t.linked++
	}
	entries, _ := os.ReadDir(at)
	for _, entry := range entries {
		t.find(f, entry)
	}
}

// find finds what a folder has.
func (t *Tree) find(f *folder, entry fs.DirEntry) {
	at, isFolder, isLink := filepath.Join(f.path, entry.Name()), entry.IsDir(), entry.Type()&fs.ModeSymlink != 0
	if isLink {
		target, err := os.Stat(at)
		isFolder = err == nil && target.IsDir()
	}
	if !t.wants(f, entry.Name(), isFolder) {
		return
	}
	as := folder{name: path.Join(f.name, entry.Name()), rules: f.rules, isLinked: f.isLinked || isLink}
	if info, err := entry.Info(); err == nil && !entry.IsDir() {
		t.add(f, entry.Name(), info)
	}
	switch {
	case isLink:
		t.follow(at, as)
	case isFolder:
		t.fill(at, as)
	}
}

// add adds a file, or how it is now.
func (t *Tree) add(f *folder, base string, info fs.FileInfo) {
	type look struct {
		at         string
		size, time int64
		mode       fs.FileMode
	}
	t.drop(f, base)
	at := filepath.Join(f.path, base)
	sum := maphash.Comparable(seed, look{at, info.Size(), info.ModTime().UnixNano(), info.Mode()})
	f.files[base] = sum
	t.sum += sum
	if f.isLinked {
		t.linked++
	}
}

func (t *Tree) drop(f *folder, base string) {
	sum, there := f.files[base]
	if there && f.isLinked {
		t.linked--
	}
	t.sum -= sum
	delete(f.files, base)
}

var seed = maphash.MakeSeed()
