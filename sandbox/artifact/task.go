package artifact

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
)

// modulesName is the folder of packages for Node.js.
const modulesName = "node_modules"

// Task is a folder in which an artifact is laid out for workers. They have it as Lambda has its
// task folder, and nothing else of the source.
type Task struct {
	Folder string

	mu sync.Mutex
	// laid are the files in it, and links where its links lead; laid is nil if that is not known.
	laid  map[string]File
	links map[string]string
}

// Lay has the folder have the files and links that list returns, and no other. What is there already
// stays, unread; each other file is replaced as a whole.
func (t *Task) Lay(list func() (*Listing, error)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	const tries = 3
	for try := 1; ; try++ {
		l, err := list()
		if err != nil {
			return err
		}
		if err = t.lay(l); err == nil {
			return nil
		}
		t.laid = nil
		// A file of the source may be removed meanwhile.
		if !errors.Is(err, fs.ErrNotExist) || try == tries {
			return l.Problem("its files cannot be copied into "+phrase.QuotePath(t.Folder)+": "+file.Cause(err).Error(),
				"make that folder writable and the files readable")
		}
	}
}

func (t *Task) lay(l *Listing) error {
	if err := os.MkdirAll(t.Folder, 0o700); err != nil {
		return err
	}
	if t.laid == nil || !exists(t.Folder) {
		if err := t.read(); err != nil {
			return err
		}
	}
	// First what goes: on some systems names that differ in case are one.
	for name := range t.laid {
		if _, stays := l.Files[name]; stays {
			continue
		}
		if err := t.remove(name); err != nil {
			return err
		}
		delete(t.laid, name)
	}
	for name, folder := range t.links {
		if l.Links[name] == folder && exists(t.at(name)) {
			continue
		}
		if err := t.remove(name); err != nil {
			return err
		}
		delete(t.links, name)
	}
	for name, folder := range l.Links {
		if t.links[name] == folder {
			continue
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(t.at(name)), 0o700), linkFolder(folder, t.at(name))); err != nil {
			return err
		}
		t.links[name] = folder
	}
	for name, f := range l.Files {
		was, known := t.laid[name]
		if known && was.Size == f.Size && was.Executable == f.Executable && was.Time.Equal(f.Time) &&
			bytes.Equal(was.Data, f.Data) && (was.Path == "" || was.Path == f.Path) {
			t.laid[name] = f
			continue
		}
		if err := t.copy(name, f, known); err != nil {
			return err
		}
		t.laid[name] = f
	}
	return nil
}

func (t *Task) at(name string) string { return filepath.Join(t.Folder, filepath.FromSlash(name)) }

// read finds what is in the folder.
func (t *Task) read() error {
	t.laid, t.links = make(map[string]File), make(map[string]string)
	return filepath.WalkDir(t.Folder, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(t.Folder, at)
		if err == nil && !entry.Type().IsRegular() && entry.Type() != fs.ModeDir {
			t.links[filepath.ToSlash(name)], err = os.Readlink(at)
			return err
		}
		if entry.IsDir() || err != nil {
			// One without files is in the way of a file.
			if name != "." && err == nil && isEmpty(at) {
				return errors.Join(os.Remove(at), fs.SkipDir)
			}
			return err
		}
		info, err := entry.Info()
		if err == nil {
			t.laid[filepath.ToSlash(name)] = File{Executable: isExecutable(at, info), Size: info.Size(), Time: info.ModTime()}
		}
		return err
	})
}

func isEmpty(folder string) bool {
	entries, err := os.ReadDir(folder)
	return err == nil && len(entries) == 0
}

// remove removes a file or a link, and the folders that have nothing else.
func (t *Task) remove(name string) error {
	if err := file.Remove(t.at(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for in := path.Dir(name); in != "." && os.Remove(t.at(in)) == nil; in = path.Dir(in) {
	}
	return nil
}

// copy copies a file. There may be a link or a folder of old in the way of one that was not there.
func (t *Task) copy(name string, f File, known bool) error {
	perm := fs.FileMode(0o644)
	if f.Executable {
		perm = 0o755
	}
	fill := func(to *os.File) error {
		from, err := f.Open()
		if err != nil {
			return err
		}
		defer func() { _ = from.Close() }()
		if _, err = io.Copy(to, from); err != nil {
			return err
		}
		return errors.Join(to.Chmod(perm), os.Chtimes(to.Name(), f.Time, f.Time))
	}
	at := t.at(name)
	if known {
		return file.Replace(at, perm, fill)
	}
	to, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(at), 0o700); err == nil {
			to, err = os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
		}
	}
	if err != nil {
		return err
	}
	err = fill(to)
	return errors.Join(err, to.Close())
}

// Names are the names of the files, sorted.
func (l *Listing) Names() []string {
	names := make([]string, 0, len(l.Files))
	for name := range l.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
