package cfn

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// lineWidth is how wide a line with a whole list or map on it may be.
const lineWidth = 100

// JSON writes a node as JSON for people: members in their order, two spaces for each level,
// a newline at the end. A short list, a call of a function and a small map in a list have a
// line of their own. A number of YAML that JSON does not have, such as 0x1F, becomes a text.
func (n *Node) JSON() []byte {
	w := writer{spaced: true}
	w.write(n, 0, 0, false)
	return slices.Concat(append(w.parts, w.out, []byte{'\n'})...)
}

// Minified writes a node as JSON without white space.
func (n *Node) Minified() []byte {
	var w writer
	w.inline(n, -1)
	return w.out
}

// writer writes nodes. spaced puts spaces between the members of a line.
type writer struct {
	out    []byte
	spaced bool
	// parts are what is written before out: a long text that grows would be copied over and over.
	parts [][]byte
}

// part is about how long a part is.
const part = 1 << 20

// write writes a node at a level. taken is how much of its line is taken before it. item
// says that it is the item of a list.
func (w *writer) write(n *Node, level, taken int, item bool) {
	n = n.there()
	if n.scalar() || len(n.Items)+len(n.Members) == 0 {
		w.scalar(n)
		return
	}
	if w.isLine(n, item) {
		start := len(w.out)
		limit := start + lineWidth - taken
		if n.isPlainCall() {
			limit = -1
		}
		if w.inline(n, limit) {
			return
		}
		w.out = w.out[:start]
	}
	if n.Kind == List {
		w.out = append(w.out, '[')
		for i, item := range n.Items {
			w.begin(i, level+1)
			w.write(item, level+1, 2*level+2, true)
		}
		w.newline(level)
		w.out = append(w.out, ']')
		return
	}
	w.out = append(w.out, '{')
	for i, m := range n.Members {
		w.begin(i, level+1)
		start := len(w.out)
		w.name(m.Name)
		w.write(m.Value, level+1, 2*level+2+len(w.out)-start, false)
	}
	w.newline(level)
	w.out = append(w.out, '}')
}

func (w *writer) begin(i, level int) {
	if len(w.out) > part {
		w.parts = append(w.parts, w.out)
		w.out = make([]byte, 0, cap(w.out))
	}
	if i > 0 {
		w.out = append(w.out, ',')
	}
	w.newline(level)
}

func (w *writer) newline(level int) {
	w.out = append(w.out, '\n')
	for range level {
		w.out = append(w.out, "  "...)
	}
}

func (w *writer) name(name string) {
	w.quoted(name)
	w.out = append(w.out, ':')
	if w.spaced {
		w.out = append(w.out, ' ')
	}
}

// quoted writes a text. Invalid UTF-8 becomes U+FFFD, which is the only error there is.
func (w *writer) quoted(text string) {
	w.out, _ = jsontext.AppendQuote(w.out, text)
}

func (w *writer) scalar(n *Node) {
	switch n.Kind {
	case Bool:
		w.out = append(w.out, n.Text...)
	case Number:
		if number := jsontext.Value(n.Text); number.Kind() == '0' && number.IsValid() {
			w.out = append(w.out, n.Text...)
			return
		}
		w.quoted(n.Text)
	case String:
		w.quoted(n.Text)
	case List:
		w.out = append(w.out, "[]"...)
	case Map:
		w.out = append(w.out, "{}"...)
	default:
		w.out = append(w.out, "null"...)
	}
}

// inline writes a node on one line, and reports whether the line ends before limit; it
// stops early if not. There is no limit below 0.
func (w *writer) inline(n *Node, limit int) bool {
	separate := func(i int) {
		if i > 0 {
			w.out = append(w.out, ',')
			if w.spaced {
				w.out = append(w.out, ' ')
			}
		}
	}
	n = n.there()
	switch {
	case n.Kind == List && len(n.Items) > 0:
		w.out = append(w.out, '[')
		for i, item := range n.Items {
			separate(i)
			if !w.inline(item, limit) {
				return false
			}
		}
		w.out = append(w.out, ']')
	case n.Kind == Map && len(n.Members) > 0:
		w.out = append(w.out, '{')
		for i, m := range n.Members {
			separate(i)
			w.name(m.Name)
			if !w.inline(m.Value, limit) {
				return false
			}
		}
		w.out = append(w.out, '}')
	default:
		w.scalar(n)
	}
	return limit < 0 || len(w.out) < limit
}

// mostOnLine is how many members a map on one line has.
const mostOnLine = 3

// isLine reports whether a list or a map may be on one line: a call of a function, a list of
// scalars or of one such call, a map with one of both, a small map of both in a list.
func (w *writer) isLine(n *Node, item bool) bool {
	if _, _, ok := n.function(); ok {
		return true
	}
	if n.Kind == List {
		for _, i := range n.Items {
			if !i.scalar() && !(i.isPlainCall() && len(n.Items) == 1) {
				return false
			}
		}
		return true
	}
	if len(n.Members) > 1 && (!item || len(n.Members) > mostOnLine) {
		return false
	}
	for _, m := range n.Members {
		if !m.Value.scalar() && !m.Value.isPlainCall() {
			return false
		}
	}
	return true
}

// isPlainCall reports whether a node calls a function with a scalar or a list of scalars,
// which is not broken into lines however long it is.
func (n *Node) isPlainCall() bool {
	_, argument, ok := n.function()
	if !ok || argument.Kind == Map {
		return false
	}
	for _, item := range argument.Items {
		if !item.scalar() {
			return false
		}
	}
	return true
}

// scalar reports whether a node is neither a list nor a map.
func (n *Node) scalar() bool { return n.Kind != List && n.Kind != Map }
