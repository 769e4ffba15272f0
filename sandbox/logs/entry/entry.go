package entry

import (
	"strings"

	"gatewright/sandbox/logs"
)

// Kind is what an entry is, besides what its text says.
type Kind uint8

// The kinds.
const (
	// Written is what a function, the gateway or the sandbox wrote.
	Written Kind = iota
	// Start, End and Report are the lines of that name of an invocation.
	Start
	End
	Report
	// Outcome is a line that says how an invocation ended, which its heading says too: a
	// timeout, the end of the process, or what the gateway answered.
	Outcome
	// Continued goes on with the entry before it of the same invocation, such as the next
	// line of a stack that was printed line by line.
	Continued
)

// Entry is one line of a log with what it means.
type Entry struct {
	logs.Line
	// Severity is the level of the line, or the one that its text gives.
	Severity Severity
	Kind     Kind
	// Of is the invocation that it belongs to; nil for none.
	Of *Invocation
}

// Severity orders the levels.
type Severity uint8

// The severities.
const (
	Plain Severity = iota
	Trace
	Debug
	Info
	Warn
	Error
	Fatal
)

// Word is the level as it is shown; "" for plain output.
func (s Severity) Word() string {
	return [...]string{"", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"}[s]
}

// Bad reports whether the severity is that of an error.
func (s Severity) Bad() bool { return s >= Error }

var ofLevel = map[logs.Level]Severity{
	logs.Trace: Trace, logs.Debug: Debug, logs.Info: Info, logs.Warn: Warn, logs.Error: Error, logs.Fatal: Fatal,
}

// Read reads lines as entries, without the invocations that they belong to: a Log adds those.
// It may take a while for many lines.
func Read(lines []logs.Line) []Entry {
	entries := make([]Entry, len(lines))
	for i, l := range lines {
		entries[i] = Entry{Line: l, Severity: severityOf(l), Kind: kindOf(l)}
	}
	return entries
}

// severityOf is the severity of a line: what its JSON or its first words say counts more than the level,
// since a logger that prints JSON uses one level for all, and Node.js prints its own warnings as errors.
func severityOf(l logs.Line) Severity {
	switch {
	case l.Level == logs.Platform:
		return ofSandbox(l)
	case strings.HasPrefix(l.Text, "{"):
		if said, ok := levelInJSON(l.Text); ok {
			return said
		}
	case strings.HasPrefix(l.Text, "(node:") && strings.Contains(firstLine(l.Text), "Warning"):
		return Warn
	case l.Level != "":
	case startsTrace(l.Text) != noTrace:
		return Error
	default:
		if _, ok := goError(l.Text); ok {
			return Error
		}
	}
	return ofLevel[l.Level]
}

// ofSandbox is the severity of a line of the sandbox: why a function cannot start is an error.
func ofSandbox(l logs.Line) Severity {
	switch {
	case strings.HasPrefix(l.Text, "function ") && strings.Contains(l.Text, ": "):
		return Error
	case strings.HasPrefix(l.Text, "the process ended"), strings.Contains(l.Text, " lines are "):
		return Warn
	}
	return Plain
}

// kindOf is the kind of a line by itself.
func kindOf(l logs.Line) Kind {
	if l.Level == logs.Error && l.Request != "" && !strings.HasPrefix(l.Function, ".") {
		if _, _, ok := answerOf(l.Text); ok {
			return Outcome
		}
	}
	if l.Level != logs.Platform || l.Request == "" {
		return Written
	}
	switch word, rest, _ := strings.Cut(l.Text, " "); {
	case word == "START":
		return Start
	case word == "END":
		return End
	case word == "REPORT":
		return Report
	case word == l.Request && rest != "", word == "RequestId:" && strings.HasPrefix(rest, l.Request+" "),
		strings.HasPrefix(l.Text, "Runtime."):
		return Outcome
	}
	return Written
}

// Short is the beginning of the id of a request, which is enough to tell requests apart.
func Short(request string) string {
	const few = 8
	if len(request) > few {
		return request[:few]
	}
	return request
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
