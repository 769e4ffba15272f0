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

	"gatewright/internal/file"
)

// maxRead is how many bytes are read from the end of a file. The Store's files are smaller.
const maxRead = 32 << 20

// Read returns the lines that match a query, oldest first, from memory or, if that lacks
// some, from disk.
func (s *Store) Read(q Query) []Line {
	s.fill(q)
	var logs [][]Line
	for _, log := range s.all(q) {
		lines, complete := log.inMemory(q)
		if q.Each > 0 {
			logs = append(logs, last(lines, q.Each))
			continue
		}
		if !complete {
			// The files may have fewer lines than memory if lines are long.
			if kept, err := log.onDisk(q); err == nil && len(kept) > len(lines) {
				lines = kept
			}
		}
		logs = append(logs, lines)
	}
	return last(merge(logs), q.Last)
}

// ReadFolder is Read for a folder that no Store has open. A missing folder has no lines.
func ReadFolder(folder string, q Query) ([]Line, error) {
	root, err := file.OpenRoot(folder)
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

// fill reads the last lines on disk of the logs of a query into memory, also for functions
// that have written nothing since the Store was opened.
func (s *Store) fill(q Query) {
	// Files that cannot be read are ignored.
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

// fill puts the last lines on disk before those in memory, the first time it is called.
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
	// Lines appended since then are in pending, all others are in the files.
	full := ring{limit: s.recent.limit, bytes: s.recent.bytes}
	for _, l := range slices.Concat(lines, s.pending) {
		full.push(l)
	}
	s.filled = true
	if full.count > s.recent.count {
		s.recent = full
	}
}

// inMemory returns the lines in memory that match a query; complete is set if no older
// lines can match.
func (s *stream) inMemory(q Query) (lines []Line, complete bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	started := false
	for i := range s.recent.count {
		if l := s.recent.at(i); q.wants(l) {
			lines = append(lines, l)
			started = started || l.Level == Platform && strings.HasPrefix(l.Text, "START ")
		}
	}
	lines = last(lines, q.Last)
	enough := q.Last > 0 && len(lines) == q.Last
	// START is the first line of a request.
	return lines, !s.recent.lost || enough || q.Request != "" && started
}

func (s *stream) onDisk(q Query) ([]Line, error) {
	s.disk.Lock()
	defer s.disk.Unlock()
	if err := s.flushHeld(); err != nil {
		return nil, err
	}
	return readLog(s.store.root, s.file(), q)
}

// logFiles are the names, without their endings, of the logs in a folder that may have
// lines for a query.
func logFiles(root *os.Root, q Query) ([]string, error) {
	environments, err := names(root, ".")
	if q.Environment != "" {
		environments, err = []string{fileName(q.Environment)}, nil
		if q.namesGateway() {
			environments = append(environments, fileName(""))
		}
	}
	var files []string
	for _, environment := range environments {
		found, foundErr := names(root, environment)
		err = errors.Join(err, foundErr)
		for _, name := range found {
			stem, isLog := strings.CutSuffix(name, previousEnding)
			if !isLog {
				stem, isLog = strings.CutSuffix(name, presentEnding)
			}
			if isLog && q.namesFile(stem) {
				files = append(files, path.Join(environment, stem))
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), err
}

// namesFile reports whether the log with a file name may have lines for the query.
func (q Query) namesFile(stem string) bool {
	isNamed := func(function string) bool { return fileName(function) == stem }
	return (q.Function == "" || isNamed(q.Function)) &&
		(len(q.Functions) == 0 || slices.ContainsFunc(q.Functions, isNamed))
}

// names are the names in a folder; a missing folder has none.
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

// readLog reads the lines of one log that match a query from both its files, oldest first.
// It leaves out invalid lines, such as the last one of a killed process.
func readLog(root *os.Root, file string, q Query) ([]Line, error) {
	// Decoding takes most of the time: lines without the request's id are not decoded.
	var request []byte
	if q.Request != "" {
		request, _ = jsontext.AppendQuote(nil, q.Request)
	}
	var found []Line
	for _, name := range []string{file + presentEnding, file + previousEnding} {
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

// readEnd reads the end of a file; a missing file is empty.
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
	from := max(info.Size()-maxRead, 0)
	return io.ReadAll(io.NewSectionReader(file, from, info.Size()-from))
}

// last is the last n lines, or all if n is 0.
func last(lines []Line, n int) []Line {
	if n > 0 && len(lines) > n {
		return lines[len(lines)-n:]
	}
	return lines
}

// merge sorts the lines of several logs by time; the order within each log is kept.
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
