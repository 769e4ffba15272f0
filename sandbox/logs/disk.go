package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"gatewright/internal/file"
)

// Endings of the present and of the previous log file. Names without their ending have no
// dot (fileName).
const (
	presentEnding  = ".log"
	previousEnding = ".1.log"
)

func (s *stream) file() string { return path.Join(fileName(s.environment), fileName(s.function)) }

// write appends lines to the file. It opens the file each time, so that the file may be
// moved or removed meanwhile, and no function keeps a file open.
func (s *stream) write(lines []Line) error {
	for len(lines) > 0 {
		written, err := s.writeSome(lines)
		if err != nil {
			return fmt.Errorf("writing the log of %s: %w", s.file(), err)
		}
		lines = lines[written:]
	}
	return nil
}

// writeSome appends as many lines as the file has room for, and returns their number. If
// it has no room for the first line, the file becomes the previous one.
func (s *stream) writeSome(lines []Line) (int, error) {
	f, size, err := s.open()
	if err != nil {
		return 0, err
	}
	text, written := s.encode(lines, f, size)
	if written > 0 {
		_, err = f.Write(text)
	}
	if err != nil {
		// An incomplete line would make the next one unreadable.
		err = errors.Join(err, f.Truncate(size))
	}
	if err := errors.Join(err, f.Close()); err != nil || written > 0 {
		return written, err
	}
	return 0, file.Retry(func() error {
		return s.store.root.Rename(s.file()+presentEnding, s.file()+previousEnding)
	})
}

// encode encodes as many lines as a file of a size has room for, and returns their number.
// An empty file has room for one line of any size.
func (s *stream) encode(lines []Line, file *os.File, size int64) ([]byte, int) {
	text := s.buffer[:0]
	if isTorn(file, size) {
		text = append(text, '\n')
	}
	written := 0
	for _, l := range lines {
		before := len(text)
		text = l.appendJSON(text)
		if size+int64(len(text)) > s.store.limits.file && (size > 0 || written > 0) {
			text = text[:before]
			break
		}
		written++
	}
	if s.buffer = text; cap(text) > 1<<20 {
		s.buffer = nil
	}
	return text, written
}

// open opens the file for appending, and creates the file and its folder if necessary.
func (s *stream) open() (*os.File, int64, error) {
	name, root := s.file()+presentEnding, s.store.root
	// Opening a pipe would block.
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is not a regular file", name)
	}
	const flags = os.O_RDWR | os.O_CREATE | os.O_APPEND
	file, err := root.OpenFile(name, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
			return nil, 0, err
		}
		file, err = root.OpenFile(name, flags, 0o600)
	}
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// isTorn reports whether the last line is incomplete, because a process was killed.
func isTorn(file *os.File, size int64) bool {
	last := make([]byte, 1)
	if size == 0 {
		return false
	}
	_, err := file.ReadAt(last, size-1)
	return err == nil && last[0] != '\n'
}
