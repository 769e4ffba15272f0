package worker

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// Bootstraps write a log entry as one line: the mark, the request's id, a tab, the level, a tab, the text
// with the mark instead of its line breaks. Any other line is plain output, which processes that the function
// started may write too. A line of two marks and an id begins the plain output of that request.
const mark = 0x1e

// The limits of output: bytes of an entry (256 KB, as in CloudWatch Logs), bytes of one
// read, and lines of a start that are kept for errors.
const (
	longestEntry = 256 << 10
	readSize     = 32 << 10
	mostRecent   = 40
)

// output is the output of a worker: standard output and error are one pipe, so that
// their lines stay in order.
type output struct {
	reader
	pipe *os.File
	logs *logs.Store
	line logs.Line // environment and function
	// onInspect is called once with the address of the debugger's port.
	onInspect func(address string)
	// copied is the folder that the function runs from, original where people have what is in it.
	copied, original string
	// opt is the folder that stands for /opt, "" for none.
	opt string
	// source is told of writes into the function's source; it may be nil.
	source *ownSource

	mu      sync.Mutex
	request string
	rest    []byte // an unfinished line
	cut     bool   // the beginning of the unfinished line was emitted already
	buffer  []byte
	// hasPlain means that there were lines without a request: they belong to the call
	// that runs when they are read.
	hasPlain atomic.Bool
	// recent are the last lines of the start; nil after the start.
	recent []string
	done   chan struct{}
}

func newOutput(pipe *os.File, store *logs.Store, environment, function string) *output {
	return &output{
		pipe: pipe, logs: store, line: logs.Line{Environment: environment, Function: function},
		buffer: make([]byte, readSize), recent: []string{}, done: make(chan struct{}),
	}
}

// setRequest sets the request of the lines that follow.
func (o *output) setRequest(request string) {
	o.mu.Lock()
	o.request = request
	o.mu.Unlock()
}

// forgetStart drops the lines from before the first call.
func (o *output) forgetStart() {
	o.mu.Lock()
	o.recent = nil
	o.hasPlain.Store(false)
	o.mu.Unlock()
}

// lastLines returns the last lines of the start.
func (o *output) lastLines() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.recent
}

// logPlatform appends a line of the sandbox.
func (o *output) logPlatform(request, text string) {
	l := o.line
	l.Time, l.Request, l.Level, l.Text = time.Now(), request, logs.Platform, text
	o.append(l)
}

func (o *output) append(l logs.Line) {
	if o.logs != nil {
		o.logs.Append(l)
	}
}

// split splits data into lines. o.mu is held.
func (o *output) split(data []byte) {
	for len(data) > 0 {
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			o.rest = append(o.rest, data...)
			if left := o.emitLong(o.rest); len(left) < len(o.rest) {
				o.rest, o.cut = append(o.rest[:0], left...), true
			}
			return
		}
		line := data[:end]
		if len(o.rest) > 0 {
			o.rest = append(o.rest, line...)
			line = o.rest
		}
		if left := o.emitLong(line); len(left) < len(line) {
			line, o.cut = left, true
		}
		// A line whose whole text was emitted already ends without an empty line.
		if len(line) > 0 || !o.cut {
			o.emit(line)
		}
		o.rest, o.cut = o.rest[:0], false
		data = data[end+1:]
	}
}

// emitLong emits the beginning of a line that is too long for one entry, and returns
// the rest.
func (o *output) emitLong(line []byte) []byte {
	for len(line) >= longestEntry {
		n := longestEntry
		for n > longestEntry-utf8.UTFMax && !utf8.RuneStart(line[n-1]) {
			n--
		}
		// A character that is not complete goes into the next line.
		if line[n-1] >= utf8.RuneSelf {
			n--
		}
		o.emit(line[:n])
		line = line[n:]
	}
	return line
}

// finish emits a line without an end. o.mu is held.
func (o *output) finish() {
	if len(o.rest) > 0 {
		o.emit(o.rest)
		o.rest, o.cut = o.rest[:0], false
	}
}

func (o *output) emit(line []byte) {
	l := o.line
	l.Time, l.Request = time.Now(), o.request
	// An entry may follow output without a line end.
	if at := bytes.IndexByte(line, mark); at >= 0 {
		if request, ok := bytes.CutPrefix(line[at+1:], []byte{mark}); ok && function.IsRequestID(string(request)) {
			if at > 0 {
				o.emit(line[:at])
			}
			o.request = string(request)
			return
		}
		if request, level, text, ok := parseEntry(line[at+1:]); ok {
			if at > 0 {
				o.emit(line[:at])
			}
			if level == sourceLevel {
				o.tellSource(request, o.source.written(o.named(text)))
				return
			}
			l.Request, l.Level, l.Text = request, level, text
			o.add(l)
			return
		}
	}
	o.hasPlain.Store(true)
	l.Text = strings.TrimSuffix(string(line), "\r")
	if o.onInspect != nil {
		if address, ok := strings.CutPrefix(l.Text, "Debugger listening on "); ok {
			go o.onInspect(address)
			o.onInspect = nil
		}
	}
	o.add(l)
}

// named returns a text that the function wrote with the names that people know of its files.
func (o *output) named(text string) string {
	if o == nil || o.copied == "" {
		return text
	}
	if o.opt != "" {
		text = strings.ReplaceAll(text, o.opt+string(filepath.Separator), "/opt/")
	}
	text = strings.ReplaceAll(text, o.copied+string(filepath.Separator), o.original+string(filepath.Separator))
	if runtime.GOOS != "windows" {
		return text
	}
	text = strings.ReplaceAll(text, filepath.ToSlash(o.copied)+"/", filepath.ToSlash(o.original)+"/")
	escaped := func(folder string) string { return strings.ReplaceAll(folder+`\`, `\`, `\\`) }
	return strings.ReplaceAll(text, escaped(o.copied), escaped(o.original))
}

func (o *output) add(l logs.Line) {
	l.Text = o.named(l.Text)
	if o.recent != nil {
		if o.recent = append(o.recent, l.Text); len(o.recent) > mostRecent {
			o.recent = o.recent[1:]
		}
	}
	o.append(l)
	o.tellSource(l.Request, o.source.refusedIn(l.Text))
}

// sourceLevel is that of an entry whose text is a file that the function must not write.
const sourceLevel logs.Level = "SOURCE"

// tellSource logs what is to be said about a write into the source, "" for nothing.
func (o *output) tellSource(request, text string) {
	if text != "" {
		l := o.line
		l.Time, l.Request, l.Level, l.Text = time.Now(), request, logs.Warn, text
		o.append(l)
	}
}

// levels are the levels of log entries.
var levels = map[string]logs.Level{
	"": "", "TRACE": logs.Trace, "DEBUG": logs.Debug, "INFO": logs.Info,
	"WARN": logs.Warn, "ERROR": logs.Error, "FATAL": logs.Fatal, string(sourceLevel): sourceLevel,
}

func parseEntry(line []byte) (request string, level logs.Level, text string, ok bool) {
	id, rest, ok1 := bytes.Cut(line, []byte{'\t'})
	name, message, ok2 := bytes.Cut(rest, []byte{'\t'})
	level, ok = levels[string(name)]
	if !ok || !ok1 || !ok2 || len(id) > 0 && !function.IsRequestID(string(id)) {
		return "", "", "", false
	}
	return string(id), level, strings.ReplaceAll(string(message), string(rune(mark)), "\n"), true
}
