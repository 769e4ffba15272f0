package logs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// mostRead is how many bytes of one file are read, its last ones. Our own files
// are smaller.
const mostRead = 32 << 20

// Read gives the lines that the query wants, oldest first: from memory where that
// has all of them, else from disk.
func (s *Store) Read(q Query) []Line {
	s.fill(q)
	var logs [][]Line
	for _, log := range s.all(q) {
		lines, complete := log.inMemory(q)
		if !complete {
			// Where lines are long, the files may have fewer.
			if kept, err := log.onDisk(q); err == nil && len(kept) > len(lines) {
				lines = kept
			}
		}
		logs = append(logs, lines)
	}
	return last(merge(logs), q.Last)
}

// ReadFolder is Read of a folder that no Store has open. A folder that is not
// there has no lines.
func ReadFolder(folder string, q Query) ([]Line, error) {
	root, err := os.OpenRoot(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the logs: %w", err)
	}
	defer func() { _ = root.Close() }()
	files, err := logFiles(root, q)
	if err != nil {
		return nil, fmt.Errorf("reading the logs: %w", err)
	}
	var logs [][]Line
	for _, file := range files {
		lines, err := readLog(root, file, q)
		if err != nil {
			return nil, fmt.Errorf("reading the logs: %w", err)
		}
		logs = append(logs, lines)
	}
	return last(merge(logs), q.Last), nil
}

// fill brings into memory what is on disk of the logs of a query, of functions
// also that said nothing since the Store was opened.
func (s *Store) fill(q Query) {
	// What cannot be read is not there.
	files, _ := logFiles(s.root, q)
	known := make(map[string]bool)
	for _, log := range s.all(q) {
		known[log.file()] = true
	}
	for _, file := range files {
		if known[file] {
			continue
		}
		if lines, err := readLog(s.root, file, Query{Last: 1}); err == nil && len(lines) == 1 {
			s.stream(key{lines[0].Environment, lines[0].Function})
		}
	}
	for _, log := range s.all(q) {
		log.fill()
	}
}

// fill puts the last lines on disk before those in memory, once.
func (s *stream) fill() {
	s.disk.Lock()
	defer s.disk.Unlock()
	s.mu.Lock()
	filled := s.filled
	s.mu.Unlock()
	if filled {
		return
	}
	if s.flushHeld() != nil {
		return
	}
	lines, err := readLog(s.store.root, s.file(), Query{Last: s.store.limits.lines + 1})
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// Whoever appended since then is in pending, all before is in the files.
	full := ring{limit: s.recent.limit, bytes: s.recent.bytes}
	for _, l := range slices.Concat(lines, s.pending) {
		full.push(l)
	}
	s.filled = true
	if full.count > s.recent.count {
		s.recent = full
	}
}

// inMemory gives the lines in memory that a query wants; complete says that it
// wants no older ones.
func (s *stream) inMemory(q Query) (lines []Line, complete bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	begun := false
	for i := range s.recent.count {
		if l := s.recent.at(i); q.wants(l) {
			lines = append(lines, l)
			begun = begun || l.Level == Platform && strings.HasPrefix(l.Text, "START ")
		}
	}
	lines = last(lines, q.Last)
	enough := q.Last > 0 && len(lines) == q.Last
	// The first line of a request is its START.
	return lines, !s.recent.lost || enough || q.Request != "" && begun
}

func (s *stream) onDisk(q Query) ([]Line, error) {
	s.disk.Lock()
	defer s.disk.Unlock()
	if err := s.flushHeld(); err != nil {
		return nil, err
	}
	return readLog(s.store.root, s.file(), q)
}

// logFiles is the logs in a folder that a query may be about, without their
// ending.
func logFiles(root *os.Root, q Query) ([]string, error) {
	environments, err := names(root, ".")
	if q.Environment != "" {
		environments, err = []string{fileName(q.Environment)}, nil
		if q.Function == Gateway {
			environments = append(environments, fileName(""))
		}
	}
	var files []string
	for _, environment := range environments {
		found, foundErr := names(root, environment)
		err = errors.Join(err, foundErr)
		for _, name := range found {
			stem, isLog := strings.CutSuffix(name, older)
			if !isLog {
				stem, isLog = strings.CutSuffix(name, ending)
			}
			if isLog && (q.Function == "" || stem == fileName(q.Function)) {
				files = append(files, path.Join(environment, stem))
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), err
}

// names is what lies in a folder; nothing where there is no such folder.
func names(root *os.Root, folder string) ([]string, error) {
	entries, err := fs.ReadDir(root.FS(), folder)
	if info, statErr := root.Stat(folder); errors.Is(err, fs.ErrNotExist) || statErr == nil && !info.IsDir() {
		return nil, nil
	}
	found := make([]string, len(entries))
	for i, entry := range entries {
		found[i] = entry.Name()
	}
	return found, err
}

// readLog reads the lines of one log that a query wants, of both its files,
// oldest first. A line that is none, such as the last of a process that was
// killed, is left out.
func readLog(root *os.Root, file string, q Query) ([]Line, error) {
	// Decoding takes most of the time: what lacks the request is not decoded.
	var request []byte
	if q.Request != "" {
		request, _ = jsontext.AppendQuote(nil, q.Request)
	}
	var found []Line
	for _, name := range []string{file + ending, file + older} {
		text, err := readEnd(root, name)
		if err != nil {
			return nil, err
		}
		for len(text) > 0 && (q.Last == 0 || len(found) < q.Last) {
			begin := bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n') + 1
			raw := text[begin:]
			text = text[:begin]
			var l Line
			if bytes.Contains(raw, request) && json.Unmarshal(raw, &l) == nil && !l.Time.IsZero() && q.wants(l) {
				found = append(found, l)
			}
		}
	}
	slices.Reverse(found)
	return found, nil
}

// readEnd reads the end of a file; nothing where there is no such file.
func readEnd(root *os.Root, name string) ([]byte, error) {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	from := max(info.Size()-mostRead, 0)
	return io.ReadAll(io.NewSectionReader(file, from, info.Size()-from))
}

// last is the last n lines, all of them where n is 0.
func last(lines []Line, n int) []Line {
	if n > 0 && len(lines) > n {
		return lines[len(lines)-n:]
	}
	return lines
}

// merge is the lines of several logs by their time; those of one log stay in
// their order.
func merge(logs [][]Line) []Line {
	switch len(logs) {
	case 0:
		return nil
	case 1:
		return logs[0]
	}
	a, b := merge(logs[:len(logs)/2]), merge(logs[len(logs)/2:])
	merged := make([]Line, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].Time.Before(a[0].Time) {
			merged, b = append(merged, b[0]), b[1:]
		} else {
			merged, a = append(merged, a[0]), a[1:]
		}
	}
	return append(append(merged, a...), b...)
}
