package journal_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/afero"

	"gatewright/internal/file/lock"
	"gatewright/project/disk"
)

// trouble says at which call, counted from 1, a faultyFS fails; 0 means never.
type trouble struct {
	failAt int // this call fails and does nothing (a Write: half of it)
	lateAt int // this call does its work and fails
	killAt int // this call (a Write: after half of it) and all later ones fail
}

// faultyFS counts the calls to a filesystem and its files, reads included.
type faultyFS struct {
	below afero.Fs
	trouble
	calls []string
	dead  bool
}

var errFault = errors.New("injected fault")

// run makes one call, or half a call, or none.
func (f *faultyFS) run(call string, work func() error, half func()) error {
	f.calls = append(f.calls, call)
	at := len(f.calls)
	switch {
	case f.dead:
		return errFault
	case at == f.killAt, at == f.failAt:
		f.dead = at == f.killAt
		if half != nil {
			half()
		}
		return errFault
	}
	if err := work(); err != nil {
		return err
	}
	if at == f.lateAt {
		return errFault
	}
	return nil
}

func (f *faultyFS) Name() string { return "faulty" }

func (f *faultyFS) Create(name string) (afero.File, error) {
	return f.open("create "+name, func() (afero.File, error) { return f.below.Create(name) })
}

func (f *faultyFS) Open(name string) (afero.File, error) {
	return f.open("open "+name, func() (afero.File, error) { return f.below.Open(name) })
}

func (f *faultyFS) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	return f.open("openfile "+name, func() (afero.File, error) { return f.below.OpenFile(name, flag, perm) })
}

func (f *faultyFS) open(call string, open func() (afero.File, error)) (afero.File, error) {
	var file afero.File
	err := f.run(call, func() (err error) { file, err = open(); return err }, nil)
	if err != nil {
		if file != nil {
			file.Close()
		}
		return nil, err
	}
	return &faultyFile{File: file, fs: f}, nil
}

func (f *faultyFS) Mkdir(name string, perm fs.FileMode) error {
	return f.run("mkdir "+name, func() error { return f.below.Mkdir(name, perm) }, nil)
}

func (f *faultyFS) MkdirAll(name string, perm fs.FileMode) error {
	return f.run("mkdirall "+name, func() error { return f.below.MkdirAll(name, perm) }, nil)
}

func (f *faultyFS) Remove(name string) error {
	return f.run("remove "+name, func() error { return f.below.Remove(name) }, nil)
}

func (f *faultyFS) RemoveAll(name string) error {
	return f.run("removeall "+name, func() error { return f.below.RemoveAll(name) }, nil)
}

func (f *faultyFS) Rename(from, to string) error {
	return f.run("rename "+from+" "+to, func() error { return f.below.Rename(from, to) }, nil)
}

func (f *faultyFS) Chmod(name string, mode fs.FileMode) error {
	return f.run("chmod "+name, func() error { return f.below.Chmod(name, mode) }, nil)
}

func (f *faultyFS) Chown(name string, uid, gid int) error {
	return f.run("chown "+name, func() error { return f.below.Chown(name, uid, gid) }, nil)
}

func (f *faultyFS) Chtimes(name string, atime, mtime time.Time) error {
	return f.run("chtimes "+name, func() error { return f.below.Chtimes(name, atime, mtime) }, nil)
}

func (f *faultyFS) Stat(name string) (info fs.FileInfo, err error) {
	err = f.run("stat "+name, func() (err error) { info, err = f.below.Stat(name); return err }, nil)
	return info, err
}

func (f *faultyFS) LstatIfPossible(name string) (info fs.FileInfo, tells bool, err error) {
	err = f.run("lstat "+name, func() (err error) {
		info, tells, err = f.below.(afero.Lstater).LstatIfPossible(name)
		return err
	}, nil)
	return info, tells, err
}

func (f *faultyFS) ReadlinkIfPossible(name string) (text string, err error) {
	err = f.run("readlink "+name, func() (err error) {
		text, err = f.below.(afero.LinkReader).ReadlinkIfPossible(name)
		return err
	}, nil)
	return text, err
}

// Lock takes the lock of the filesystem below. Releasing it never fails: the
// system does that for a process that is killed.
func (f *faultyFS) Lock(name string) (taken *lock.Lock, err error) {
	err = f.run("lock "+name, func() (err error) { taken, err = f.lockBelow(name); return err }, nil)
	if err != nil && taken != nil {
		_ = taken.Release()
	}
	return taken, err
}

func (f *faultyFS) lockBelow(name string) (*lock.Lock, error) {
	if below, ok := f.below.(*disk.FS); ok {
		return below.Lock(name)
	}
	return lock.TakeInProcess(f.below, name)
}

func (f *faultyFS) CheckLock(string) error { panic("a commit never calls CheckLock") }

type faultyFile struct {
	afero.File
	fs *faultyFS
}

func (f *faultyFile) Read(b []byte) (n int, err error) {
	err = f.fs.run("read "+filepath.ToSlash(f.Name()), func() (err error) { n, err = f.File.Read(b); return err }, nil)
	return n, err
}

func (f *faultyFile) Write(b []byte) (n int, err error) {
	err = f.fs.run("write "+filepath.ToSlash(f.Name()),
		func() (err error) { n, err = f.File.Write(b); return err },
		func() { n, _ = f.File.Write(b[:len(b)/2]) })
	return n, err
}

// Sync does not sync the file below, which would take long and changes nothing here.
func (f *faultyFile) Sync() error {
	return f.fs.run("sync "+filepath.ToSlash(f.Name()), func() error { return nil }, nil)
}

// Close always closes, as the system does for a killed process.
func (f *faultyFile) Close() error {
	closed := f.File.Close()
	return f.fs.run("close "+filepath.ToSlash(f.Name()), func() error { return closed }, nil)
}

func (f *faultyFile) Stat() (info fs.FileInfo, err error) {
	err = f.fs.run("fstat "+filepath.ToSlash(f.Name()), func() (err error) { info, err = f.File.Stat(); return err }, nil)
	return info, err
}

func (f *faultyFile) Readdirnames(n int) (names []string, err error) {
	err = f.fs.run("readdir "+filepath.ToSlash(f.Name()), func() (err error) { names, err = f.File.Readdirnames(n); return err }, nil)
	return names, err
}
