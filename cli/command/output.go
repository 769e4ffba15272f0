package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"golang.org/x/term"

	"gatewright/project"
)

// IsTerminal reports whether a stream is a terminal that a person looks at.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// safe is text fit for where it goes: a terminal must not obey control
// characters that stand in somebody's files; a pipe gets them as they are.
func safe(text string, out io.Writer) string {
	if !IsTerminal(out) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unseen(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}

// unseen reports whether a character steers a terminal, or the order in which it
// shows others, and is not to be seen itself.
func unseen(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// Reports as JSON have names in camelCase. A list or an object of names is always
// there, empty where there is nothing to say: programs go through it unasked.

// PrintJSON prints a report as JSON.
func PrintJSON(out io.Writer, value any) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	if err == nil {
		_, err = io.WriteString(out, EscapeJSON(b.String()))
	}
	if err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// EscapeJSON is JSON without characters that are not to be seen: they stand in
// strings only, where an escape means the same.
func EscapeJSON(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || !unseen(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, "\\u%04x", unit)
		}
	}
	return b.String()
}

// Listed is a list as JSON has it: never null.
func Listed[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// ProblemReport is a problem as JSON.
type ProblemReport struct {
	Level string `json:"level"`
	*project.Problem
}

// ReportProblems is a list of problems as JSON.
func ReportProblems(problems []*project.Problem) []ProblemReport {
	list := []ProblemReport{}
	for _, p := range problems {
		list = append(list, ProblemReport{p.Level.String(), p})
	}
	return list
}

// Print prints a report as JSON, or as the text that it is in a terminal of so many
// cells; width 0 is no terminal.
func Print(out io.Writer, asJSON bool, report any, text func(width int) string) error {
	if asJSON {
		return PrintJSON(out, report)
	}
	return PrintText(out, text(WidthOf(out)))
}

// PrintText prints text as it is; a terminal gets what it must not obey replaced.
func PrintText(out io.Writer, text string) error {
	if _, err := io.WriteString(out, safe(text, out)); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// Say prints one line.
func Say(out io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintln(out, OneLine(fmt.Sprintf(format, args...)))
}

// SayNotes prints notes, a line each.
func SayNotes(out io.Writer, notes []string) {
	for _, note := range notes {
		Say(out, "note: %s", note)
	}
}

// SayProblem prints a problem as one line: the place, the level, what, what to do.
func SayProblem(out io.Writer, p *project.Problem) {
	line := p.Error()
	if place := p.Place(); place != "" {
		line = place + ": " + p.Level.String() + ": " + strings.TrimPrefix(line, place+": ")
	} else {
		line = p.Level.String() + ": " + line
	}
	Say(out, "%s", line)
}

// Moment is how a time is said: of this machine's zone nobody elsewhere knows.
func Moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
