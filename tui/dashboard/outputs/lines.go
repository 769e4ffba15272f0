package outputs

import (
	"encoding/json"
	"slices"
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/model"
)

// clientLine is a line of the file; n is its index.
type clientLine struct {
	n    int
	text string
	// section is the section of the file that the line is in; "" outside of one.
	section string
	// pointer is the JSON pointer of the first value in the line; "" if there is none.
	pointer string
	// problem is the number of the first problem in the line, from 1; 0 for none.
	problem int
	// from is the origin of the value; nil if unknown.
	from *origin
}

// output is the one output that the line is from; "" if there is none, or several.
func (l *clientLine) output() string {
	if l == nil || l.from == nil || len(l.from.outputs) != 1 {
		return ""
	}
	return l.from.outputs[0]
}

// copied is what goes to the clipboard for a line.
func (l *clientLine) copied() string {
	if l == nil {
		return ""
	}
	return strings.TrimSpace(l.text)
}

// linesOf splits a JSON file into lines, finds the pointer of each, and redacts secrets. It
// also takes text that is not valid JSON.
func linesOf(text string) []*clientLine {
	var lines []*clientLine
	// The outermost value has no name.
	c := jsonCursor{in: []container{{unnamed: true}}}
	for line := range strings.SplitSeq(text, "\n") {
		at := &clientLine{n: len(lines)}
		var shown strings.Builder
		begun := false
		lexemes, _ := prose.JSON.Lexemes(strings.TrimSuffix(line, "\r"), prose.State{})
		for _, lexeme := range lexemes {
			text, place, begins := c.take(lexeme)
			shown.WriteString(text)
			if begins && !begun {
				at.pointer, begun = place, true
			}
		}
		at.text, at.section = prose.PrintableStart(shown.String()), c.section()
		lines = append(lines, at)
	}
	return lines
}

// jsonCursor follows the lexemes of a JSON file and knows its place in it.
type jsonCursor struct {
	// in are the open objects and arrays, the innermost last.
	in []container
	// last is the last string, key the name of the next value.
	last, key string
}

// container is an object or an array.
type container struct {
	pointer string
	// unnamed says that its members have no places of their own, as in an array.
	unnamed bool
	// name is the name of its last member.
	name string
	// secret says that all its values are redacted.
	secret bool
}

// place is the pointer of the last member.
func (c *container) place() string {
	if c.unnamed {
		return c.pointer
	}
	return c.pointer + "/" + model.PointerSegment(c.name)
}

// section is the member of the file that the cursor is in.
func (c *jsonCursor) section() string {
	if len(c.in) < 2 {
		return ""
	}
	return c.in[1].name
}

// take gives the text to show for a lexeme, and the place of a value that begins or ends with
// it.
func (c *jsonCursor) take(t prose.Lexeme) (shown, place string, begins bool) {
	in := &c.in[len(c.in)-1]
	hides := in.secret || isSecret(c.key)
	switch {
	case t.Kind == prose.KindSpace:
		return t.Text, "", false
	case t.Kind == prose.KindKey:
		c.last, c.key, in.name = t.Text, "", nameOf(t.Text)
		return t.Text, in.place(), true
	case t.Kind != prose.KindMark:
		c.last, c.key = t.Text, ""
		if hides && !slices.Contains(noSecrets, t.Text) {
			return `"` + model.Redacted + `"`, in.place(), true
		}
		return t.Text, in.place(), true
	case t.Text == ":":
		c.key = nameOf(c.last)
	case t.Text == "{" || t.Text == "[":
		c.key = ""
		c.in = append(c.in,
			container{pointer: in.place(), unnamed: in.unnamed && len(c.in) > 1 || t.Text == "[", secret: hides})
		return t.Text, in.place(), true
	case t.Text == "}" || t.Text == "]":
		c.key = ""
		c.in = c.in[:max(1, len(c.in)-1)]
		return t.Text, in.pointer, true
	}
	return t.Text, "", false
}

// noSecrets are values that are shown even instead of a secret.
var noSecrets = []string{`""`, "null", `"` + model.APIKeyPlaceholder + `"`}

// isSecret reports whether a member of that name holds a key.
func isSecret(name string) bool {
	return model.WithoutSecrets("/"+model.PointerSegment(name), "key") == model.Redacted
}

// nameOf decodes a name from a JSON string.
func nameOf(text string) string {
	var name string
	if json.Unmarshal([]byte(text), &name) != nil {
		return strings.Trim(text, `"`)
	}
	return name
}

// none is the index of no line.
const none = -1

// lineAt is the index of the first line of a place, or of the closest object around it; none
// if there is none.
func lineAt(lines []*clientLine, pointer string) int {
	for pointer != "" {
		if at := slices.IndexFunc(lines, func(l *clientLine) bool { return l.pointer == pointer }); at >= 0 {
			return at
		}
		pointer = pointer[:strings.LastIndex(pointer, "/")]
	}
	return none
}
