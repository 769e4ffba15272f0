package document

import (
	"bytes"
	"errors"
	"strings"
)

// Relaxed is a JSON file as editors keep their settings: with comments, and with commas
// after the last entry of an array or object.
type Relaxed struct {
	src  []byte
	doc  *Document
	last map[int]bool // the offsets of commas with nothing after them
}

// ParseRelaxed reads src as Parse does, but accepts comments and commas after the last
// entry. The error is a *SyntaxError.
func ParseRelaxed(src []byte) (*Relaxed, error) {
	r := &Relaxed{src: src, last: make(map[int]bool)}
	doc, err := Parse(r.strict())
	if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
		return nil, r.syntaxError(syntax)
	}
	r.doc = doc
	return r, nil
}

// syntaxError returns an error of the file without comments as one of the file itself.
func (r *Relaxed) syntaxError(err *SyntaxError) *SyntaxError {
	text, fix := err.Text, err.Fix
	if bytes.HasPrefix(r.src[err.Offset:], []byte("/*")) {
		text, fix = "a comment without an end", "end it with */"
	}
	return (&Document{src: r.src}).errorAt(int(err.Offset), err.Pointer, text, fix)
}

// Root returns the file's one value. Its bytes have blanks instead of comments.
func (r *Relaxed) Root() Node { return r.doc.Root() }

// Position returns line and column of the value at a pointer, as Document.Position does.
func (r *Relaxed) Position(pointer string) (line, column int, ok bool) {
	return (&Document{src: r.src, nodes: r.doc.nodes}).Position(pointer)
}

// strict returns the file with blanks instead of comments and of commas after the last
// entry, so that every other byte has the same offset.
func (r *Relaxed) strict() []byte {
	text := bytes.Clone(r.src)
	comma := -1 // the comma before which, and after which, nothing but blanks was seen
	entry := false
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			i = endOfString(text, i)
			comma, entry = -1, true
			continue
		case c == '/':
			end := endOfComment(text, i)
			if end == i {
				return text
			}
			blank(text[i:end])
			i = end
			continue
		case c == ',' && entry:
			comma, entry = i, false
		case (c == ']' || c == '}') && comma >= 0:
			r.last[comma] = true
			text[comma] = ' '
			comma, entry = -1, true
		case bytes.IndexByte([]byte(whiteSpace), c) >= 0:
		default:
			comma, entry = -1, c != '[' && c != '{' && c != ','
		}
		i++
	}
	return text
}

// endOfString returns the offset after the string that starts at i.
func endOfString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// endOfComment returns the offset after the comment at i, and i itself if there is none or if it has no end.
func endOfComment(text []byte, i int) int {
	switch rest := text[i:]; {
	case bytes.HasPrefix(rest, []byte("//")):
		return i + firstBreak(rest)
	case bytes.HasPrefix(rest, []byte("/*")):
		if length := bytes.Index(rest[2:], []byte("*/")); length >= 0 {
			return i + length + 4
		}
	}
	return i
}

// blank overwrites text with spaces, and leaves its line breaks.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// Edit collects changes of a relaxed file.
type Edit struct {
	file    *Relaxed
	splices []splice
}

// Edit starts a change of the file.
func (r *Relaxed) Edit() *Edit { return &Edit{file: r} }

// Replace puts text, of one line, instead of a value.
func (e *Edit) Replace(n Node, text string) {
	record := n.record()
	e.splices = append(e.splices, splice{start: record.start, end: record.end, text: []byte(text)})
}

// Append puts entries, each with its key if the container is an object, after the last entry of a container. Each is
// on a line of its own unless the container is on one line. A break in an entry gets the indentation of the entry.
func (e *Edit) Append(container Node, entries ...string) {
	r, at := e.file, container.record()
	if len(entries) == 0 {
		return
	}
	c := change{disk: r.doc, after: r.doc}
	newline, outer := c.newline(), r.doc.lineIndent(at.key)
	inner := newline + outer + c.unit(container)
	if container.Len() == 0 {
		e.insert(at.end-1, inner+joined(entries, inner, inner)+newline+outer)
		return
	}
	row := rowOf(container)
	last, end := row.span(len(row.entries)-1, len(row.entries))
	separator, place := " ", func(i uint32) uint32 { return i }
	if isOpen(container) {
		inner = newline + r.doc.lineIndent(r.doc.nodes[row.entries[0]].key)
		separator, place = inner, func(i uint32) uint32 { return e.restOfLine(i, end) }
	}
	text := separator + joined(entries, separator, inner)
	for comma := last; comma < end; comma++ {
		if r.last[int(comma)] {
			if isOpen(container) {
				text += ","
			}
			e.insert(place(comma+1), text)
			return
		}
	}
	e.insert(last, ",")
	e.insert(place(last), text)
}

func (e *Edit) insert(at uint32, text string) {
	e.splices = append(e.splices, splice{start: at, end: at, text: []byte(text)})
}

// joined returns entries in one text, with separator after each comma and with inner in place of the breaks in them.
func joined(entries []string, separator, inner string) string {
	lines := make([]string, len(entries))
	for i, entry := range entries {
		lines[i] = strings.ReplaceAll(entry, "\n", inner)
	}
	return strings.Join(lines, ","+separator)
}

// restOfLine returns the end of the comments that follow offset i on its line, and i itself
// if something other than the end of the line follows them.
func (e *Edit) restOfLine(i, end uint32) uint32 {
	src := e.file.src
	for at := i; at < end; {
		switch src[at] {
		case ' ', '\t':
			at++
		case '\r', '\n':
			return at
		default:
			after := uint32(endOfComment(src, int(at)))
			if after == at || hasBreak(src[at:after]) {
				return i
			}
			at = after
		}
	}
	return i
}

// Bytes returns the file with all changes made.
func (e *Edit) Bytes() []byte {
	c := change{disk: &Document{src: e.file.src}, splices: e.splices}
	return c.apply()
}
