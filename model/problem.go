package model

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/text/phrase"
)

// Level says how much a Problem matters.
type Level uint8

// Error stops a write and fails a check. Warning may be meant, and fails a strict check. Note only informs.
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
	KindSettings    Kind = "settings"
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
		return fmt.Sprintf("path %s of the API %s", phrase.Quote(r.Name), phrase.Quote(r.API))
	case r.Name == "":
		return r.Kind.Noun()
	}
	return r.Kind.Noun() + " " + phrase.Quote(r.Name)
}

// Noun returns the kind as a word of a sentence.
func (k Kind) Noun() string {
	switch k {
	case KindAPI:
		return "API"
	case KindSettings:
		return "settings of the API"
	}
	return string(k)
}

// Problem is something wrong with a backend, or with an edit of it. As an
// error it reads as one line: what it is about, what is wrong, what to do.
type Problem struct {
	// Of is the thing that the problem is about; zero for the value of a thing that is being made.
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

// PointerSegment escapes a name as a segment of a JSON pointer (RFC 6901).
func PointerSegment(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name // without an allocation
	}
	return string(jsontext.Pointer("").AppendToken(name)[1:])
}
