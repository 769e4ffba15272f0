package outputs

import (
	"encoding/json"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/prose"
)

// clientLine is the line of that index.
type clientLine struct {
	n    int
	text string
	// section is the section of the file that the line is in; "" outside of one.
	section string
	// pointer is the place of what the line begins with; that of the whole where it
	// begins with nothing.
	pointer string
	// problem is the first of the text's problems that is in the line, counted
	// from 1; 0 is none.
	problem int
	// from is where it comes from; nil where that is not known.
	from *origin
}

// output is the one output that a line is from; "" where there is none, or more than
// one.
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

// linesOf divides a JSON file into lines, says where each is, and takes out what is
// secret. What is no JSON is somewhere.
func linesOf(text string) []*clientLine {
	var lines []*clientLine
	// What the file itself is, is in nothing that has a name.
	w := walk{in: []container{{unnamed: true}}}
	for line := range strings.SplitSeq(text, "\n") {
		at := &clientLine{n: len(lines)}
		var shown strings.Builder
		begun := false
		for _, token := range prose.JSONLexemes(strings.TrimSuffix(line, "\r")) {
			text, place, begins := w.take(token)
			shown.WriteString(text)
			if begins && !begun {
				at.pointer, begun = place, true
			}
		}
		at.text, at.section = prose.Short(shown.String()), w.section()
		lines = append(lines, at)
	}
	return lines
}

// walk follows a JSON file token by token, and knows where it is.
type walk struct {
	// in is what it is in, the innermost last.
	in []container
	// last is the string before, key the name of the value to come.
	last, key string
}

// container is an object or an array.
type container struct {
	pointer string
	// unnamed says that what is in it is said to be at its own place: nothing is said
	// of the items of an array.
	unnamed bool
	// name is that of its last member.
	name string
	// secret says that all in it is hidden.
	secret bool
}

// place is where the last member is.
func (c *container) place() string {
	if c.unnamed {
		return c.pointer
	}
	return c.pointer + "/" + model.PointerToken(c.name)
}

// section is the member of the file that the walk is in.
func (w *walk) section() string {
	if len(w.in) < 2 {
		return ""
	}
	return w.in[1].name
}

// take is a token as it is shown, and where something is that begins or ends with it.
func (w *walk) take(t prose.JSONLexeme) (shown, place string, begins bool) {
	in := &w.in[len(w.in)-1]
	hides := in.secret || isSecret(w.key)
	switch {
	case t.Kind == prose.JSONSpace:
		return t.Text, "", false
	case t.Kind == prose.JSONKey:
		w.last, w.key, in.name = t.Text, "", nameOf(t.Text)
		return t.Text, in.place(), true
	case t.Kind != prose.JSONMark:
		w.last, w.key = t.Text, ""
		if hides && !slices.Contains(noSecrets, t.Text) {
			return `"` + model.Redacted + `"`, in.place(), true
		}
		return t.Text, in.place(), true
	case t.Text == ":":
		w.key = nameOf(w.last)
	case t.Text == "{" || t.Text == "[":
		w.key = ""
		w.in = append(w.in, container{pointer: in.place(), unnamed: in.unnamed && len(w.in) > 1 || t.Text == "[", secret: hides})
		return t.Text, in.place(), true
	case t.Text == "}" || t.Text == "]":
		w.key = ""
		w.in = w.in[:max(1, len(w.in)-1)]
		return t.Text, in.pointer, true
	}
	return t.Text, "", false
}

// noSecrets are values that hide nothing, even where a key belongs.
var noSecrets = []string{`""`, "null", `"` + model.APIKeyPlaceholder + `"`}

// isSecret reports whether a member of that name holds a key.
func isSecret(name string) bool {
	return model.WithoutSecrets("/"+model.PointerToken(name), "key") == model.Redacted
}

// nameOf is the name that stands as a string of JSON.
func nameOf(text string) string {
	var name string
	if json.Unmarshal([]byte(text), &name) != nil {
		return strings.Trim(text, `"`)
	}
	return name
}

// none is the index of no line.
const none = -1

// lineAt is the first of lines that a place is in; none where none is.
func lineAt(lines []*clientLine, pointer string) int {
	for pointer != "" {
		if at := slices.IndexFunc(lines, func(l *clientLine) bool { return l.pointer == pointer }); at >= 0 {
			return at
		}
		pointer = pointer[:strings.LastIndex(pointer, "/")]
	}
	return none
}
