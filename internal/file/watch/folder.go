package watch

import (
	"errors"
	"hash/maphash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// mostLinked is how many files and folders behind links count: a link may lead anywhere.
const mostLinked = 5000

// find adds what a folder has under a name.
func (f *folder) find(name string) {
	at := filepath.Join(f.path, name)
	info, err := os.Lstat(at)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			f.add(name, look{})
		}
		return
	}
	sub := &folder{tree: f.tree, root: f.root, name: path.Join(f.name, name), path: at, rules: f.rules, above: f.above}
	if f.isTop() {
		sub.name = ""
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		for _, step := range steps(f.path, name) {
			f.place(filepath.Dir(step), step, name)
		}
		target, err := filepath.EvalSymlinks(at)
		if behind, statErr := os.Stat(at); err == nil && statErr == nil {
			info, sub.path = behind, target
			if info.IsDir() {
				if sub.above = append(slices.Clip(f.above), target); f.leadsBack(target) {
					return
				}
			}
		}
	}
	if !f.wants(name, sub, info.IsDir()) || len(sub.above) > 0 && f.tree.linked >= mostLinked {
		return
	}
	if info.IsDir() {
		sub.fill(f, name)
	} else {
		f.add(name, look{info.Size(), info.ModTime().UnixNano(), info.Mode()})
	}
}

// steps are the paths that decide where a link of a folder leads: the links on the way, and its end or
// what is missing of it.
func steps(at, name string) (found []string) {
	const mostLinks = 255
	rest := []string{name}
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		next := filepath.Join(at, part)
		target, err := os.Readlink(next)
		if err != nil {
			if _, err = os.Lstat(next); err != nil {
				return append(found, next)
			}
			at = next
			continue
		}
		if links++; links > mostLinks {
			return found
		}
		// The folder itself is watched.
		if links > 1 {
			found = append(found, next)
		}
		if filepath.IsAbs(target) {
			at = filepath.VolumeName(target) + string(filepath.Separator)
			target = target[len(filepath.VolumeName(target)):]
		}
		rest = append(strings.Split(filepath.ToSlash(target), "/"), rest...)
	}
	return append(found, at)
}

// look is how a file looks from outside.
type look struct {
	size, time int64
	mode       fs.FileMode
}

// add adds a file.
func (f *folder) add(name string, l look) {
	sum := maphash.Comparable(seed, struct {
		root int
		name string
		look
	}{f.root, path.Join(f.name, name), l})
	f.tree.sum += sum
	f.countLinked(1)
	if f.tree.refused == nil {
		f.files[name] = sum
	}
}

// countLinked counts what lies in a folder behind a link.
func (f *folder) countLinked(n int) {
	if len(f.above) > 0 {
		f.tree.linked += n
	}
}

var seed = maphash.MakeSeed()

func (f *folder) isTop() bool { return slices.Contains(f.tree.tops, f) }

// wants reports whether what was found counts.
func (f *folder) wants(name string, found *folder, isFolder bool) bool {
	of := &f.tree.of
	switch {
	case f.isTop():
		return isFolder
	case of.Wants != nil && !of.Wants(found.name, isFolder):
		return false
	}
	return !isFolder || !of.Ignore || isAround(found.name, of.Keep) || !f.rules.ignore(f.path, name)
}

// isAround reports whether a folder is another one, or around it.
func isAround(folder, kept string) bool { return strings.HasPrefix(kept+"/", folder+"/") }

// leadsBack reports whether a link of the folder leads to a folder that it is in.
func (f *folder) leadsBack(target string) bool {
	inside, err := filepath.Rel(target, f.path)
	return slices.Contains(f.above, target) || err == nil && filepath.IsLocal(inside)
}

// fill watches a folder, and then reads it, so that nothing is missed.
func (f *folder) fill(parent *folder, name string) {
	t := f.tree
	f.files, f.folders, f.links = make(map[string]uint64), make(map[string]*folder), make(map[string][]string)
	if t.place(f.path, interest{folder: f}) && t.refused == nil {
		parent.folders[name] = f
		f.countLinked(1)
	}
	if t.of.Ignore {
		f.readRules(parent.isTop())
	}
	entries, err := os.ReadDir(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		parent.add(name, look{})
	}
	for _, entry := range entries {
		f.find(entry.Name())
	}
}

// drop forgets what was found under a name.
func (f *folder) drop(name string) {
	if sum, ok := f.files[name]; ok {
		f.tree.sum -= sum
		f.countLinked(-1)
		delete(f.files, name)
	}
	targets := f.links[name]
	delete(f.links, name)
	for _, target := range targets {
		f.tree.watcher.release(filepath.Dir(target), interest{folder: f, only: filepath.Base(target), as: name})
	}
	if sub := f.folders[name]; sub != nil {
		delete(f.folders, name)
		f.tree.watcher.release(sub.path, interest{folder: sub})
		sub.countLinked(-1)
		sub.empty()
	}
}

// empty forgets all that was found in a folder.
func (f *folder) empty() {
	for name := range f.files {
		f.drop(name)
	}
	for name := range f.folders {
		f.drop(name)
	}
	for name := range f.links {
		f.drop(name)
	}
}
