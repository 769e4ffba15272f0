// Package jsonpath picks values from JSON by a path: a small part of RFC 9535, without filters and slices.
//
//	$            the whole document
//	.name        a member of an object; ['any name'] for names that are no identifiers
//	[0]  [-1]    an element of an array, counted from its beginning or its end
//	.*   [*]     all members or elements
//	..name  ..*  at any depth
package jsonpath

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/document"
)

// Path is a parsed path.
type Path struct {
	text  string
	steps []step
}

// step is one step of a path: a name, an index, or all.
type step struct {
	name  string
	index int
	kind  kind
	// deep says that the step is looked for at any depth.
	deep bool
}

type kind uint8

const (
	byName kind = iota
	byIndex
	all
)

// Help says in one line what a path may have.
const Help = "a path is like $.items[0].title, $.items[*].id or $..id"

// String returns the path as it was written.
func (p Path) String() string { return p.text }

// Parse reads a path. The error is one line, with what to write.
func Parse(text string) (Path, error) {
	p := Path{text: text}
	bad := func(at int, why string) (Path, error) {
		return Path{},
			fmt.Errorf("%s is not a path: %s at character %d; %s", phrase.Quote(text), why,
				len([]rune(text[:min(at, len(text))]))+1, Help)
	}
	rest, begins := strings.CutPrefix(text, "$")
	if !begins {
		return bad(0, "it does not begin with $")
	}
	for rest != "" {
		at := len(text) - len(rest)
		s := step{}
		switch {
		case strings.HasPrefix(rest, ".."):
			s.deep = true
			rest = rest[2:]
			if strings.HasPrefix(rest, "[") {
				break
			}
			rest = "." + rest
		case rest[0] != '.' && rest[0] != '[':
			return bad(at, "a . or a [ is missing")
		}
		var why string
		if rest[0] == '.' {
			rest, why = s.readName(rest[1:])
		} else {
			rest, why = s.readBracket(rest[1:])
		}
		if why != "" {
			return bad(at, why)
		}
		p.steps = append(p.steps, s)
	}
	return p, nil
}

// readName reads a name, or *, after a dot.
func (s *step) readName(text string) (rest, why string) {
	if strings.HasPrefix(text, "*") {
		s.kind = all
		return text[1:], ""
	}
	end := strings.IndexFunc(text,
		func(r rune) bool { return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		end = len(text)
	}
	if end == 0 {
		return "", "a name is missing"
	}
	s.name = text[:end]
	return text[end:], ""
}

// readBracket reads what is between brackets, and the closing one.
func (s *step) readBracket(text string) (rest, why string) {
	if text != "" && (text[0] == '\'' || text[0] == '"') {
		quote := text[0]
		var name strings.Builder
		for i := 1; i < len(text); i++ {
			switch c := text[i]; {
			case c == '\\' && i+1 < len(text):
				i++
				name.WriteByte(text[i])
			case c == quote:
				s.name = name.String()
				if !strings.HasPrefix(text[i+1:], "]") {
					return "", "a ] is missing"
				}
				return text[i+2:], ""
			default:
				name.WriteByte(c)
			}
		}
		return "", "the name in quotes does not end"
	}
	inside, rest, closed := strings.Cut(text, "]")
	if !closed {
		return "", "a ] is missing"
	}
	if inside == "*" {
		s.kind = all
		return rest, ""
	}
	n, err := strconv.Atoi(inside)
	if err != nil {
		return "", "between brackets is neither a number, nor a name in quotes, nor *"
	}
	s.kind, s.index = byIndex, n
	return rest, ""
}

// Match is a value that a path leads to, with its JSON pointer.
type Match struct {
	Pointer string
	Node    document.Node
}

// most is how many matches a path has at most; a person looks at fewer.
const most = 10_000

// Find returns the values that the path leads to, in their order in the document.
func (p Path) Find(root document.Node) []Match {
	found := []Match{{"", root}}
	for _, s := range p.steps {
		var next []Match
		for _, m := range found {
			next = s.from(m, next)
		}
		found = next
	}
	return found
}

// from adds what the step leads to from a value.
func (s step) from(m Match, to []Match) []Match {
	last := m.Node.Len() + s.index
	for child := range children(m) {
		if len(to) >= most {
			return to
		}
		i, element := child.position()
		switch {
		case s.kind == all,
			s.kind == byName && !element && child.name == s.name,
			s.kind == byIndex && element && (i == s.index || s.index < 0 && i == last):
			to = append(to, child.Match)
		}
		if s.deep {
			to = s.from(child.Match, to)
		}
	}
	return to
}

// child is a member of an object, or an element of an array.
type child struct {
	Match
	name  string
	index int
}

// position is the index of an element; element is false for a member.
func (c child) position() (index int, element bool) { return c.index, c.index >= 0 }

// children are the members or elements of a value.
func children(m Match) func(yield func(child) bool) {
	return func(yield func(child) bool) {
		if m.Node.Kind() == document.Array {
			for i, node := range m.Node.Elements() {
				if !yield(child{Match{m.Pointer + "/" + strconv.Itoa(i), node}, "", i}) {
					return
				}
			}
			return
		}
		for name, node := range m.Node.Members() {
			if !yield(child{Match{m.Pointer + "/" + model.PointerSegment(name), node}, name, -1}) {
				return
			}
		}
	}
}
