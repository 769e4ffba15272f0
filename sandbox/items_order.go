package sandbox

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// mostKept is how many bytes of lines a sorter keeps in memory.
const mostKept = 16 << 20

// sorter puts lines in the order of keys, in the memory of mostKept bytes: what is more waits in
// sorted parts, in temporary files that only this user can read. Close removes them.
type sorter struct {
	lines []sortedLine
	kept  int
	most  int
	parts []*os.File
}

type sortedLine struct{ key, text []byte }

func compareLines(a, b sortedLine) int {
	return cmp.Or(bytes.Compare(a.key, b.key), bytes.Compare(a.text, b.text))
}

// add adds a line. It is kept, and must not be changed.
func (s *sorter) add(key, text []byte) error {
	s.lines = append(s.lines, sortedLine{key, text})
	if s.kept += len(key) + len(text); s.kept < s.most {
		return nil
	}
	return s.put()
}

// put writes the lines that are kept into a part.
func (s *sorter) put() error {
	part, err := os.CreateTemp("", "gatewright-export-")
	if err != nil {
		return fmt.Errorf("sorting the items in a temporary file: %w", err)
	}
	s.parts = append(s.parts, part)
	slices.SortFunc(s.lines, compareLines)
	out := bufio.NewWriter(part)
	for _, line := range s.lines {
		for _, field := range [][]byte{line.key, line.text} {
			_, _ = out.Write(binary.AppendUvarint(nil, uint64(len(field))))
			_, _ = out.Write(field)
		}
	}
	s.lines, s.kept = nil, 0
	err = out.Flush()
	if err == nil {
		_, err = part.Seek(0, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("sorting the items in a temporary file: %w", err)
	}
	return nil
}

// each calls use for each line in order, until use fails.
func (s *sorter) each(use func(text []byte) error) error {
	slices.SortFunc(s.lines, compareLines)
	var merged merge
	if len(s.lines) > 0 {
		merged = append(merged, &source{line: s.lines[0], rest: s.lines[1:]})
	}
	for _, part := range s.parts {
		from := &source{part: bufio.NewReader(part)}
		if err := from.next(); err != nil {
			return err
		}
		merged = append(merged, from)
	}
	heap.Init(&merged)
	for len(merged) > 0 {
		first := merged[0]
		if err := use(first.line.text); err != nil {
			return err
		}
		switch err := first.next(); {
		case errors.Is(err, io.EOF):
			heap.Pop(&merged)
		case err != nil:
			return err
		default:
			heap.Fix(&merged, 0)
		}
	}
	return nil
}

// Close removes the temporary files.
func (s *sorter) Close() error {
	var errs []error
	for _, part := range s.parts {
		errs = append(errs, part.Close(), os.Remove(part.Name()))
	}
	return errors.Join(errs...)
}

// source gives the lines of a part, or those that are in memory.
type source struct {
	line sortedLine
	rest []sortedLine
	part *bufio.Reader
}

// next takes the next line; the error is io.EOF behind the last one.
func (s *source) next() error {
	if s.part == nil {
		if len(s.rest) == 0 {
			return io.EOF
		}
		s.line, s.rest = s.rest[0], s.rest[1:]
		return nil
	}
	for i, field := range []*[]byte{&s.line.key, &s.line.text} {
		size, err := binary.ReadUvarint(s.part)
		if err == nil {
			*field = make([]byte, size)
			_, err = io.ReadFull(s.part, *field)
		}
		if errors.Is(err, io.EOF) && i == 0 {
			return io.EOF
		}
		if err != nil {
			return fmt.Errorf("reading the sorted items of a temporary file: %w", err)
		}
	}
	return nil
}

// merge is a heap of sources, the one with the first line at its head.
type merge []*source

func (m merge) Len() int           { return len(m) }
func (m merge) Less(i, j int) bool { return compareLines(m[i].line, m[j].line) < 0 }
func (m merge) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *merge) Push(x any)        { *m = append(*m, x.(*source)) }
func (m *merge) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}
