package client

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// scriptType is a type of TypeScript.
type scriptType struct {
	text string
	rank typeRank
}

// typeRank says which types need parentheses inside another.
type typeRank uint8

const (
	single typeRank = iota
	intersection
	union
)

// Types that have a name in the language.
var (
	unknownType = scriptType{text: "unknown"}
	neverType   = scriptType{text: "never"}
	nullType    = scriptType{text: "null"}
)

// inside returns the text of a type where a type of this rank at most is expected.
func (t scriptType) inside(rank typeRank) string {
	if t.rank > rank {
		return "(" + t.text + ")"
	}
	return t.text
}

// distinct lists types without those that are there already.
func distinct(types []scriptType) []scriptType {
	var list []scriptType
	known := make(map[scriptType]bool, len(types))
	for _, t := range types {
		if !known[t] {
			known[t] = true
			list = append(list, t)
		}
	}
	return list
}

// unionOf is the type of what has one of the types. Without types, nothing has it.
func unionOf(types ...scriptType) scriptType {
	return joined(types, unknownType, neverType, union, " | ")
}

// intersectionOf is the type of what has all of the types. Without types, that is anything.
func intersectionOf(types ...scriptType) scriptType {
	return joined(types, neverType, unknownType, intersection, " & ")
}

// joined is the type that an operator makes of types. It is whole if one of them is, and none adds nothing.
func joined(types []scriptType, whole, none scriptType, rank typeRank, operator string) scriptType {
	types = slices.DeleteFunc(distinct(types), func(t scriptType) bool { return t == none })
	switch {
	case slices.Contains(types, whole):
		return whole
	case len(types) == 0:
		return none
	case len(types) == 1:
		return types[0]
	}
	texts := make([]string, len(types))
	for i, t := range types {
		texts[i] = t.inside(rank)
	}
	return scriptType{strings.Join(texts, operator), rank}
}

// arrayOf is the type of arrays whose items have a type.
func arrayOf(t scriptType) scriptType { return scriptType{text: t.inside(single) + "[]"} }

// typeMember is a member of the type of an object.
type typeMember struct {
	// name is as a type has it, in quotes if it is no identifier.
	name, text         string
	optional, readOnly bool
	comment            []string
}

func (m typeMember) String() string {
	text := m.name
	if m.readOnly {
		text = "readonly " + text
	}
	if m.optional {
		text += "?"
	}
	return text + ": " + m.text
}

// widestType is how many characters the type of an object has in one line.
const widestType = 100

// objectType is the type of an object with members, at a level of indentation. rest is the type
// of all other members, "" for none. It has several lines if it is long, or has comments.
func objectType(members []typeMember, rest string, level int) scriptType {
	var lines []string
	plain := true
	for _, m := range members {
		lines = append(lines, m.String())
		plain = plain && len(m.comment) == 0
	}
	if rest != "" {
		lines = append(lines, "[name: string]: "+rest)
	}
	line := "{ " + strings.Join(lines, "; ") + " }"
	if len(lines) == 0 {
		line = "{}"
	}
	if plain && utf8.RuneCountInString(line) <= widestType && !strings.Contains(line, "\n") {
		return scriptType{text: line}
	}
	return scriptType{text: objectLines(members, rest, level)}
}

// objectLines is like objectType, always in several lines.
func objectLines(members []typeMember, rest string, level int) string {
	var b strings.Builder
	indent := strings.Repeat("  ", level+1)
	b.WriteString("{\n")
	for _, m := range members {
		b.WriteString(docComment(level+1, m.comment...) + indent + m.String() + ";\n")
	}
	if rest != "" {
		b.WriteString(indent + "[name: string]: " + rest + ";\n")
	}
	b.WriteString(indent[2:] + "}")
	return b.String()
}
