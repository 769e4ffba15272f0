package worker

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
)

// report is an error object that a runtime posted.
type report struct {
	Type    string `json:"errorType"`
	Message string `json:"errorMessage"`
	// The frames are strings from Node.js and Python, objects from Go.
	Trace      []any `json:"trace"`
	StackTrace []any `json:"stackTrace"`
	// body is the object as it was posted.
	body []byte
}

// readReport reads an error object; a body of another form becomes its message.
func readReport(q *request) *report {
	var r report
	if json.Unmarshal(q.body, &r) != nil || r.Type == "" && r.Message == "" {
		r = report{Type: q.errorType, Message: string(q.body)}
	}
	if r.Type == "" {
		r.Type = "Runtime.Unknown"
	}
	r.body = q.body
	return &r
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f seconds", d.Seconds()) }

// failure returns an Error of the worker's function.
func (w *worker) failure(kind function.ErrorKind, text, fix string) *function.Error {
	return &function.Error{Kind: kind, Environment: w.spec.Environment, Function: w.spec.Name, Text: text, Fix: fix}
}

func (w *worker) notStarted(text, fix string) *function.Error {
	return w.failure(function.NotStarted, text, fix)
}

// startError returns why the process ended before its first call: what the runtime
// reported, else how the process ended and its most telling line.
func (w *worker) startError(reported *report) *function.Error {
	exit := w.process.exit
	if reported != nil {
		text := "its source fails before the first call: " + reported.Type + ": " + firstLine(reported.Message)
		if place := firstFrame(reported, w.original()); place != "" {
			text += ", at " + place
		}
		fix := "fix the source; the next call tries again"
		what, advice := prepare.AdviceForModule(w.spec, w.original(), w.output.copied, reported.Message)
		if what != "" {
			text = "its source fails before the first call: " + what
		}
		if advice != "" {
			fix = advice
		}
		e := w.notStarted(hide(w.spec, function.OneLine(text)), fix)
		e.CloudType, e.CloudText = hide(w.spec, reported.Type), hide(w.spec, reported.Message)
		if json.Valid(reported.body) {
			e.Reported = []byte(hide(w.spec, string(reported.body)))
		}
		return e
	}
	text := "its process ended before the first call (" + exit + ")"
	if lines := w.output.lastLines(); len(lines) > 0 {
		text += ": " + firstLine(mainLine(lines))
	}
	e := w.notStarted(hide(w.spec, function.OneLine(text)), "its log has the rest")
	e.CloudType, e.CloudText = "Runtime.ExitError", "Error: Runtime exited with error: "+exit
	return e
}

// original is the folder of the source that the worker runs a copy of.
func (w *worker) original() string {
	if w.output != nil && w.output.original != "" {
		return w.output.original
	}
	return filepath.Join(w.spec.Folder, "src")
}

// mainLine returns the most telling line: the first of a panic or an error, else the
// last.
func mainLine(lines []string) string {
	for _, line := range lines {
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") ||
			strings.HasPrefix(line, "FATAL ERROR:") {
			return line
		}
	}
	return lines[len(lines)-1]
}

// firstFrame returns the first place (file:line) of a trace that is in the function's own source, relative to
// it. What a compiler added is in no file of the source: its place is returned only if there is no other.
func firstFrame(r *report, source string) string {
	added := ""
	for _, item := range slices.Concat(r.Trace, r.StackTrace) {
		frame, _ := item.(string)
		for _, prefix := range []string{"file://" + filepath.ToSlash(source) + "/", source + string(filepath.Separator)} {
			_, rest, ok := strings.Cut(frame, prefix)
			if !ok || strings.HasPrefix(rest, "node_modules") {
				continue
			}
			rest = firstLine(rest)
			// Python: File "index.py", line 3, in handler
			if name, after, python := strings.Cut(rest, `", line `); python {
				line, _, _ := strings.Cut(after, ",")
				return name + ":" + line
			}
			if name, after, python := strings.Cut(rest, `" Line `); python {
				return name + ":" + after
			}
			place, _, _ := strings.Cut(rest, ")")
			place = strings.TrimSpace(place)
			file, _, _ := strings.Cut(place, ":")
			if _, err := os.Stat(filepath.Join(source, filepath.FromSlash(file))); err == nil {
				return place
			}
			added = cmp.Or(added, place)
		}
	}
	return added
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
