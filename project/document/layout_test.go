package document

import (
	"encoding/json"
	"slices"
	"strings"
)

// tree is an object as tests write it, in order; arrays are []any.
type tree []member

type member struct {
	key   string
	value any
}

func (t tree) at(key string) int {
	for i, m := range t {
		if m.key == key {
			return i
		}
	}
	return -1
}

func (t tree) get(key string) any {
	if i := t.at(key); i >= 0 {
		return t[i].value
	}
	return nil
}

// with returns a copy in which some members from the i-th on are replaced.
func (t tree) with(i, gone int, came ...member) tree {
	out := append(tree{}, t[:i]...)
	out = append(out, came...)
	return append(out, t[i+gone:]...)
}

// set returns a copy in which key has the value, last if it is new.
func (t tree) set(key string, value any) tree {
	if i := t.at(key); i >= 0 {
		return t.with(i, 1, member{key, value})
	}
	return t.with(len(t), 0, member{key, value})
}

// only returns a copy with only these keys.
func (t tree) only(keys []string) tree {
	return slices.DeleteFunc(slices.Clone(t), func(m member) bool { return !slices.Contains(keys, m.key) })
}

// layout is one way to write a tree.
type layout struct {
	name       string
	newline    string // "" puts everything on one line
	unit       string
	colon      string
	flatComma  string
	pad        string // inside the brackets of a container on one line
	flatArrays bool
	flatKeys   string // objects under keys that end so are on one line
	before     string // at the start of the file
	after      string // at its end
	odd        bool   // blank lines and trailing spaces
}

// layouts returns the ways to write JSON that Change must keep.
func layouts() []layout {
	return []layout{
		{name: "2 spaces", newline: "\n", unit: "  ", colon: ": ", after: "\n"},
		{name: "4 spaces", newline: "\n", unit: "    ", colon: ": ", after: "\n"},
		{name: "tabs", newline: "\n", unit: "\t", colon: ": ", after: "\n"},
		{name: "CRLF", newline: "\r\n", unit: "  ", colon: ": ", after: "\r\n"},
		{name: "no final newline", newline: "\n", unit: "  ", colon: ": "},
		{name: "byte order mark", newline: "\n", unit: "  ", colon: ": ", before: byteOrderMark},
		{name: "tight colons", newline: "\n", unit: " ", colon: ":"},
		{name: "no indentation", newline: "\n", unit: "", colon: " : ", after: "\n\n"},
		{name: "one-line arrays", newline: "\n", unit: "  ", colon: ": ", flatComma: ", ", flatArrays: true},
		{name: "padded one-line arrays", newline: "\r\n", unit: "\t", colon: ": ", flatComma: ", ", pad: " ", flatArrays: true},
		{name: "one-line permissions", newline: "\n", unit: "  ", colon: ": ", flatComma: ", ", flatArrays: true, flatKeys: "permissions"},
		{name: "minified", colon: ":", flatComma: ","},
		{name: "one line", colon: ": ", flatComma: ", ", after: "\n"},
		{name: "one padded line", colon: ": ", flatComma: ", ", pad: " "},
		{name: "blank lines and trailing spaces", newline: "\n", unit: "  ", colon: "  :  ", odd: true, after: "\n \n"},
		{name: "blank lines, CRLF", newline: "\r\n", unit: "    ", colon: " :", odd: true},
	}
}

func (l layout) render(value any) string {
	return l.before + l.value(value, "", 0, l.newline == "") + l.after
}

func (l layout) value(value any, key string, depth int, flat bool) string {
	switch v := value.(type) {
	case tree:
		flat = flat || l.flatKeys != "" && strings.HasSuffix(key, l.flatKeys)
		var entries []string
		for _, m := range v {
			entries = append(entries, quote(m.key)+l.colon+l.value(m.value, m.key, depth+1, flat))
		}
		return l.container("{", "}", entries, depth, flat)
	case []any:
		flat = flat || l.flatArrays
		var entries []string
		for _, e := range v {
			entries = append(entries, l.value(e, "", depth+1, flat))
		}
		return l.container("[", "]", entries, depth, flat)
	default:
		return quote(v)
	}
}

func (l layout) container(opening, closing string, entries []string, depth int, flat bool) string {
	switch {
	case len(entries) == 0:
		return opening + closing
	case flat:
		return opening + l.pad + strings.Join(entries, l.flatComma) + l.pad + closing
	}
	line := l.newline + strings.Repeat(l.unit, depth+1)
	comma := "," + line
	first := line
	if l.odd {
		comma = ",  " + l.newline + " " + line
		first = " " + line
	}
	return opening + first + strings.Join(entries, comma) + l.newline + strings.Repeat(l.unit, depth) + closing
}

func quote(scalar any) string {
	text, err := json.Marshal(scalar)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// meaning returns the value that encoding/json decodes.
func meaning(t failer, src string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(strings.TrimPrefix(src, byteOrderMark)), &v); err != nil {
		t.Fatalf("%v in %.300q", err, src)
	}
	return v
}

// failer is the part of testing.T and rapid.T that helpers use.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}
