package cfn

import "strings"

// Value is what a node of a template is worth.
type Value struct {
	Kind    Kind
	Text    string
	List    []Value
	Members []NamedValue
	// Unknown is what could not be worked out in it; none if it is all known.
	Unknown []Unknown
	// parts are those of a partly known text, with none for an unknown part.
	parts []part
	// removed is the value of AWS::NoValue.
	removed bool
}

// NamedValue is a member of a Map.
type NamedValue struct {
	Name  string
	Value Value
}

// Unknown is something that could not be worked out, with its place. What is a phrase
// for people.
type Unknown struct {
	Pointer      string
	Line, Column int
	What         string
}

// part is a part of a text.
type part struct {
	text  string
	known bool
}

// TextValue returns a known text.
func TextValue(text string) Value { return Value{Kind: String, Text: text} }

// ListValue returns a list of known texts.
func ListValue(texts ...string) Value {
	v := Value{Kind: List}
	for _, text := range texts {
		v.List = append(v.List, TextValue(text))
	}
	return v
}

// Known reports whether all of the value was worked out.
func (v Value) Known() bool { return len(v.Unknown) == 0 }

// String returns the text of a known scalar.
func (v Value) String() (string, bool) {
	return v.Text, v.Known() && (v.Kind == String || v.Kind == Number || v.Kind == Bool)
}

// Pattern returns the text with an asterisk for each part that could not be worked out.
func (v Value) Pattern() string {
	if len(v.parts) > 0 {
		var b strings.Builder
		for _, p := range v.parts {
			if p.known {
				b.WriteString(p.text)
			} else {
				b.WriteByte('*')
			}
		}
		return b.String()
	}
	if text, known := v.String(); known {
		return text
	}
	return "*"
}

// Get returns a member of a Map.
func (v Value) Get(name string) (Value, bool) {
	for _, m := range v.Members {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Value{}, false
}

// partsOf returns a value as parts of a text.
func partsOf(v Value) []part {
	if len(v.parts) > 0 {
		return v.parts
	}
	text, known := v.String()
	return []part{{text, known}}
}

// joined returns the text of parts.
func joined(parts []part, unknown []Unknown) Value {
	if len(unknown) > 0 {
		return Value{Kind: String, Unknown: unknown, parts: parts}
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text)
	}
	return TextValue(b.String())
}
