package disk

import (
	"errors"
	"io/fs"
	"os"
)

// openFile is an opened file or folder whose name, also in errors, is relative to the
// project. An os.File of an os.Root has the whole path as its name.
type openFile struct {
	os   *os.File
	name string
}

func (f *openFile) Name() string { return f.name }

func (f *openFile) Close() error { return f.named(f.os.Close()) }
func (f *openFile) Sync() error  { return f.named(f.os.Sync()) }

func (f *openFile) Truncate(size int64) error { return f.named(f.os.Truncate(size)) }

func (f *openFile) Read(b []byte) (int, error) {
	n, err := f.os.Read(b)
	return n, f.named(err)
}

func (f *openFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.os.ReadAt(b, off)
	return n, f.named(err)
}

func (f *openFile) Write(b []byte) (int, error) {
	n, err := f.os.Write(b)
	return n, f.named(err)
}

func (f *openFile) WriteAt(b []byte, off int64) (int, error) {
	n, err := f.os.WriteAt(b, off)
	return n, f.named(err)
}

func (f *openFile) WriteString(s string) (int, error) {
	n, err := f.os.WriteString(s)
	return n, f.named(err)
}

func (f *openFile) Seek(offset int64, whence int) (int64, error) {
	at, err := f.os.Seek(offset, whence)
	return at, f.named(err)
}

func (f *openFile) Stat() (fs.FileInfo, error) {
	info, err := f.os.Stat()
	return info, f.named(err)
}

func (f *openFile) Readdir(count int) ([]fs.FileInfo, error) {
	infos, err := f.os.Readdir(count)
	return infos, f.named(err)
}

func (f *openFile) Readdirnames(n int) ([]string, error) {
	names, err := f.os.Readdirnames(n)
	return names, f.named(err)
}

func (f *openFile) named(err error) error {
	failed, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return err
	}
	return &fs.PathError{Op: failed.Op, Path: f.name, Err: failed.Err}
}
