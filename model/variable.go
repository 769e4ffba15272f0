package model

import (
	"slices"
	"strings"
)

// ValuePart is a part of the value of an environment variable of a function: a text, or the
// name of the variable that it refers to. One of the two is empty.
type ValuePart struct{ Text, Name string }

// ValueParts divides the value of an environment variable of a function. ${NAME} refers to a
// variable that the program gives the function (see Backend.Given), if known says that it
// does; $${ is the text ${; all else is text. There are no two texts in a row.
func ValueParts(value string, known func(name string) bool) []ValuePart {
	var parts []ValuePart
	var text strings.Builder
	end := func() {
		if text.Len() > 0 {
			parts = append(parts, ValuePart{Text: text.String()})
			text.Reset()
		}
	}
	for value != "" {
		raw, part := firstPart(value)
		value = value[len(raw):]
		switch {
		case part.Name == "":
			text.WriteString(part.Text)
		case !known(part.Name):
			text.WriteString(raw)
		default:
			end()
			parts = append(parts, part)
		}
	}
	end()
	return parts
}

// EscapeValue writes a text as a value that refers to nothing.
func EscapeValue(text string) string { return strings.ReplaceAll(text, "${", escapedReference) }

const escapedReference = "$${"

// Refer writes a reference to a variable.
func Refer(name string) string { return "${" + name + "}" }

// Refers reports whether a value may have a reference.
func Refers(value string) bool { return strings.Contains(value, "${") }

// firstPart returns the first part of a value that is not empty: as it is written, and what it is.
func firstPart(value string) (raw string, part ValuePart) {
	if strings.HasPrefix(value, escapedReference) {
		return escapedReference, ValuePart{Text: "${"}
	}
	if name := referenceAt(value); name != "" {
		return Refer(name), ValuePart{Name: name}
	}
	end := strings.IndexByte(value[1:], '$') + 1
	if end == 0 {
		end = len(value)
	}
	return value[:end], ValuePart{Text: value[:end]}
}

// referenceAt returns the name of the reference that a text begins with; "" for none.
func referenceAt(text string) string {
	rest, is := strings.CutPrefix(text, "${")
	name, _, closed := strings.Cut(rest[:min(len(rest), variableRule.Max+1)], "}")
	if !is || !closed || !variableRule.Accepts(name) {
		return ""
	}
	return name
}

// References lists the names that a value refers to, each once.
func References(value string) []string {
	var names []string
	for Refers(value) {
		raw, part := firstPart(value)
		value = value[len(raw):]
		if part.Name != "" && !slices.Contains(names, part.Name) {
			names = append(names, part.Name)
		}
	}
	return names
}

// RenamedReferences returns a value with other names in its references. The rest stays as it is written.
func RenamedReferences(value string, rename func(name string) string) string {
	var b strings.Builder
	for value != "" {
		raw, part := firstPart(value)
		value = value[len(raw):]
		if part.Name != "" {
			raw = Refer(rename(part.Name))
		}
		b.WriteString(raw)
	}
	return b.String()
}
