package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// ending is how the names of log files end, older that of the one that was put
// aside. No name has a dot of its own (fileName).
const (
	ending = ".log"
	older  = ".1.log"
)

func (s *stream) file() string { return path.Join(fileName(s.environment), fileName(s.function)) }

// write appends lines to the file. It opens the file anew: what a person or
// another system does with it meanwhile (removing it, moving it) then does no
// harm, and no function holds a file open.
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

// writeSome appends as many lines as the file has room for and gives their
// number; where it has none for the first, the file is put aside.
func (s *stream) writeSome(lines []Line) (int, error) {
	file, size, err := s.open()
	if err != nil {
		return 0, err
	}
	text, written := s.encode(lines, file, size)
	if written > 0 {
		_, err = file.Write(text)
	}
	if err != nil {
		// A line that is half written would spoil the next one.
		err = errors.Join(err, file.Truncate(size))
	}
	if err := errors.Join(err, file.Close()); err != nil || written > 0 {
		return written, err
	}
	return 0, s.store.root.Rename(s.file()+ending, s.file()+older)
}

// encode gives as many lines as a file of that size has room for, and their
// number. An empty file has room for one of any size.
func (s *stream) encode(lines []Line, file *os.File, size int64) ([]byte, int) {
	text := s.buffer[:0]
	if torn(file, size) {
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

// open opens the file for appending, and makes it and its folder where they are
// missing.
func (s *stream) open() (*os.File, int64, error) {
	name, root := s.file()+ending, s.store.root
	// A pipe of that name would be waited for.
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is no file", name)
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

// torn reports whether a process ended in the middle of the last line.
func torn(file *os.File, size int64) bool {
	last := make([]byte, 1)
	if size == 0 {
		return false
	}
	_, err := file.ReadAt(last, size-1)
	return err == nil && last[0] != '\n'
}
