package read

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Problem is something wrong with a project. Its text is one line: where, what,
// what to do.
type Problem struct {
	// File is slash-separated and relative to the project; "" where the problem
	// is in no file. Line and Column count from 1; 0 where they are not known.
	File    string      `json:"file,omitempty"`
	Line    int         `json:"line,omitempty"`
	Column  int         `json:"column,omitempty"`
	Pointer string      `json:"pointer,omitempty"`
	Text    string      `json:"text"`
	Fix     string      `json:"fix,omitempty"`
	Level   model.Level `json:"-"`
	// Rule is the rule of a warning about a path, such as access.RuleOpen; "" for none.
	Rule string `json:"rule,omitempty"`
	// Cause is the error behind the problem, for callers; nil for none.
	Cause error `json:"-"`
}

// Error returns the problem as one line.
func (p *Problem) Error() string {
	var b strings.Builder
	if place := p.Place(); place != "" {
		b.WriteString(place + ": ")
	}
	b.WriteString(p.Text)
	if p.Pointer != "" {
		b.WriteString(" (at " + shortPointer(p.Pointer) + ")")
	}
	if p.Fix != "" {
		b.WriteString("; " + p.Fix)
	}
	return b.String()
}

// Reported returns the problem as one line with its level, as validate prints it: "a.json:3:7:
// warning: ...".
func (p *Problem) Reported() string {
	place := p.Place()
	if place == "" {
		return p.Level.String() + ": " + p.Error()
	}
	return place + ": " + p.Level.String() + ": " + strings.TrimPrefix(p.Error(), place+": ")
}

// Place returns the file, with line and column if they are known: "a.json:3:7".
func (p *Problem) Place() string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return phrase.QuotePath(p.File)
	}
	return fmt.Sprintf("%s:%d:%d", phrase.QuotePath(p.File), p.Line, p.Column)
}

// Unwrap returns the cause of the problem, which may be nil.
func (p *Problem) Unwrap() error { return p.Cause }

// CannotRead returns the problem of a file that a person named and that cannot be read.
func CannotRead(name string, err error) *Problem {
	return &Problem{
		File: filepath.ToSlash(name), Text: "cannot be read: " + file.Cause(err).Error(),
		Fix: "check the name and its permissions",
	}
}

// CannotWrite returns the problem of a file that a person named and that cannot be
// written.
func CannotWrite(name string, err error) *Problem {
	shown := filepath.ToSlash(name)
	switch {
	case errors.Is(err, file.ErrFolder):
		return &Problem{File: shown, Text: "is a folder", Fix: "name a file to write"}
	case errors.Is(err, file.ErrNotRegular):
		return &Problem{File: shown, Text: "is not a regular file", Fix: "name another file to write"}
	}
	return &Problem{
		File: shown, Text: "cannot be written: " + file.Cause(err).Error(),
		Fix: "check the name of the folder and its permissions",
	}
}

// longestPointer is how many characters of a pointer a line shows.
const longestPointer = 120

func shortPointer(pointer string) string {
	if runes := []rune(pointer); len(runes) > longestPointer {
		pointer = string(runes[:longestPointer/2]) + "..." + string(runes[len(runes)-longestPointer/2:])
	}
	return phrase.QuotePath(pointer)
}

// Listed names paths in a sentence.
func Listed(paths []string) string {
	shown := make([]string, len(paths))
	for i, p := range paths {
		shown[i] = phrase.QuotePath(p)
	}
	return phrase.List(shown)
}

// SortProblems sorts problems by file, line and column; those without a file come
// first.
func SortProblems(problems []*Problem) {
	slices.SortStableFunc(problems, func(a, b *Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Level, b.Level))
	})
}

// FirstError returns the first problem that is an error; nil if there is none.
func FirstError(problems []*Problem) error {
	for _, p := range problems {
		if p.Level == model.Error {
			return p
		}
	}
	return nil
}

// IsUnknownField reports whether the problem is a field that the schema of its file does
// not have.
func (p *Problem) IsUnknownField() bool { return strings.HasPrefix(p.Text, "unknown field ") }
