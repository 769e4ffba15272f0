package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/term"

	"gatewright/project/read"
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// safe replaces control characters in a text for a terminal, which must not obey those of
// somebody's files. A pipe gets them unchanged.
func safe(text string, out io.Writer) string {
	if !IsTerminal(out) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && invisible(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}

// invisible reports whether a character controls a terminal or the order of other
// characters, and is not visible itself.
func invisible(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// Reports as JSON have names in camelCase. Lists and objects are never null or left out:
// programs iterate over them without a check.

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

// EscapeJSON escapes invisible characters in JSON. They occur in strings only, where an
// escape means the same.
func EscapeJSON(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || !invisible(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, "\\u%04x", unit)
		}
	}
	return b.String()
}

// Listed returns the list, or an empty one for nil, which JSON would write as null.
func Listed[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// ProblemReport is a problem as JSON.
type ProblemReport struct {
	Level string `json:"level"`
	*read.Problem
}

// ReportProblems returns problems for a report as JSON.
func ReportProblems(problems []*read.Problem) []ProblemReport {
	list := []ProblemReport{}
	for _, p := range problems {
		list = append(list, ProblemReport{p.Level.String(), p})
	}
	return list
}

// Print prints a report as JSON or as text. text gets the width of the terminal in cells; 0
// means that out is not a terminal.
func Print(out io.Writer, asJSON bool, report any, text func(width int) string) error {
	if asJSON {
		return PrintJSON(out, report)
	}
	return PrintText(out, text(WidthOf(out)))
}

// PrintText prints text. For a terminal, control characters are replaced.
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

// SayWarnings prints warnings, a line each.
func SayWarnings(out io.Writer, warnings []string) {
	for _, warning := range warnings {
		Say(out, "warning: %s", warning)
	}
}

// SayProblem prints a problem as one line: the place, the level, the problem, the fix.
func SayProblem(out io.Writer, p *read.Problem) {
	Say(out, "%s", p.Reported())
}
