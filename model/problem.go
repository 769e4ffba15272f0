package model

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// Level says how much a Problem matters.
type Level uint8

// Error stops a write and fails a check. Warning may be meant, and fails a strict check.
// Note only informs.
const (
	Error Level = iota
	Warning
	Note
)

// String returns the word that reports use: error, warning or note.
func (l Level) String() string {
	switch l {
	case Warning:
		return "warning"
	case Note:
		return "note"
	}
	return "error"
}

// Kind is a kind of thing in a backend, as commands and files write it.
type Kind string

// The kinds.
const (
	KindProject     Kind = "project"
	KindEnvironment Kind = "environment"
	KindAPI         Kind = "api"
	KindPath        Kind = "path"
	KindFunction    Kind = "function"
	KindTable       Kind = "table"
	KindGroup       Kind = "group"
	KindAuth        Kind = "auth"
	KindData        Kind = "data"
	KindStorage     Kind = "storage"
	KindOutput      Kind = "output"
)

// Ref names one thing of a backend. API is set for a path only.
type Ref struct {
	Kind Kind
	API  string
	Name string
}

// String names the thing in a sentence: `function items`, `path /book of the API shop`.
func (r Ref) String() string {
	switch {
	case r.Kind == KindPath && r.API != "":
		return fmt.Sprintf("path %s of the API %s", Quote(r.Name), Quote(r.API))
	case r.Name == "":
		return r.Kind.noun()
	}
	return r.Kind.noun() + " " + Quote(r.Name)
}

// noun returns the kind as a word of a sentence.
func (k Kind) noun() string {
	if k == KindAPI {
		return "API"
	}
	return string(k)
}

// Problem is something wrong with a backend, or with an edit of it. As an
// error it reads as one line: what it is about, what is wrong, what to do.
type Problem struct {
	// Of is the thing that the problem is about; zero for the value of a thing that is
	// being made.
	Of Ref
	// Field is the name of the field on screen ("path", "timeout").
	Field string
	// Pointer is the JSON pointer of the place in the thing's own file.
	Pointer   string
	Text, Fix string
	Level     Level
	// Rule names the rule of a warning or note about a path, such as RuleOpen, by which a
	// report may group them; "" for none.
	Rule string
	// Cause is a sentinel error for callers, such as ErrInUse; nil for none.
	Cause error
}

// Error gives the problem as one line.
func (p *Problem) Error() string {
	var b strings.Builder
	switch {
	case p.Of.Kind != "":
		b.WriteString(p.Of.String())
		b.WriteString(": ")
	case p.Field != "":
		b.WriteString(p.Field)
		b.WriteString(": ")
	}
	b.WriteString(p.Text)
	if p.Fix != "" {
		b.WriteString("; ")
		b.WriteString(p.Fix)
	}
	return b.String()
}

// Unwrap returns Cause.
func (p *Problem) Unwrap() error { return p.Cause }

// longestQuoted is how many characters of a name Quote shows.
const longestQuoted = 80

// mostListed is how many things List names at most before it counts the rest.
const mostListed = 6

// List joins things for one line: the first few, and how many more there are.
func List(things []string) string {
	if len(things) <= mostListed+1 {
		return strings.Join(things, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(things[:mostListed], ", "), len(things)-mostListed)
}

// Either joins choices for a sentence: "a, b or c".
func Either[T ~string](choices []T) string {
	var b strings.Builder
	for i, choice := range choices {
		switch {
		case i == 0:
		case i == len(choices)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(choice))
	}
	return b.String()
}

// QuoteList is List of names, each shown by Quote.
func QuoteList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = Quote(name)
	}
	return List(quoted)
}

// Quote shows a name in a line of text: as it is if it is one word of printable characters,
// else in quotes. Characters that a terminal might obey or that nobody sees (control
// characters, marks that reorder text, invalid UTF-8) are escaped, and a long name is cut.
// All names from files and networks are shown this way.
func Quote(name string) string {
	shown, length := name, 0
	for i := range name {
		if length++; length > longestQuoted {
			shown = name[:i]
			break
		}
	}
	quoted := Escape(shown)
	if quoted == `"`+shown+`"` && shown != "" && !strings.ContainsAny(shown, " ,;") {
		quoted = shown
	}
	if len(shown) < len(name) {
		return quoted + "..."
	}
	return quoted
}

// QuotePath makes the path of a file or folder safe for a terminal: it escapes a path that has
// unprintable characters, and never cuts one, since people open it. Quote is for names: it quotes
// spaces too, and shortens.
func QuotePath(path string) string {
	quoted := Escape(path)
	if quoted == `"`+path+`"` {
		return path
	}
	return quoted
}

// Escape quotes a text as Go does, with invisible characters escaped too. It leaves
// backslashes single if nothing else is escaped: people paste paths of Windows.
func Escape(text string) string {
	quoted := strconv.Quote(text)
	if strings.ContainsFunc(text, invisible) {
		quoted = strconv.QuoteToASCII(text)
	}
	if plain := `"` + text + `"`; strings.ReplaceAll(quoted, `\\`, `\`) == plain {
		return plain
	}
	return quoted
}

// invisible reports printable characters that are drawn as nothing, such as U+3164.
func invisible(r rune) bool { return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) }

// PointerSegment escapes a name as a segment of a JSON pointer (RFC 6901).
func PointerSegment(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name // without an allocation
	}
	return string(jsontext.Pointer("").AppendToken(name)[1:])
}
