package document

import (
	"bytes"
	"slices"
)

// row is the entries of one non-empty container on disk.
type row struct {
	container Node
	entries   []uint32
}

func rowOf(container Node) row {
	r := row{container: container, entries: make([]uint32, 0, container.Len())}
	for n := range container.children() {
		r.entries = append(r.entries, n.id)
	}
	return r
}

// span returns the offsets between two entries; -1 stands for the opening
// bracket and the number of entries for the closing one.
func (r row) span(left, right int) (start, end uint32) {
	nodes := r.container.doc.nodes
	start, end = nodes[r.container.id].start+1, nodes[r.container.id].end-1
	if left >= 0 {
		start = nodes[r.entries[left]].end
	}
	if right < len(r.entries) {
		end = nodes[r.entries[right]].key
	}
	return start, end
}

// between returns the bytes between entry left and the next one on disk.
func (r row) between(left int) []byte {
	start, end := r.span(left, left+1)
	return r.container.doc.src[start:end:end]
}

// gapText returns the new text between the two entries of a gap. Lines that belong to
// neither a removed nor an inserted entry stay as they are, except for a comma.
func (c *change) gapText(r row, g gap, flat bool) []byte {
	first, last := g.left < 0, g.right == len(r.entries)
	if first && last {
		if len(g.inserted) == 0 {
			return nil
		}
		opening, closing := r.between(-1), r.between(g.right-1)
		return slices.Concat(opening, c.entries(r, g, flat, c.separator(r, g)), closing)
	}
	room := r.between(g.left)
	if g.right > g.left+1 {
		room = closeUp(room, r.between(g.right-1), first, last)
	}
	if len(g.inserted) == 0 {
		return room
	}
	sep := c.separator(r, g)
	text := c.entries(r, g, flat, sep)
	onOwnLines := sep.lead != nil && hasBreak(room)
	// On its own lines a new entry goes between the lines of its neighbours, so
	// that trailing spaces and indentation stay with theirs.
	switch {
	case (first || g.ahead) && onOwnLines:
		cut := bytes.LastIndexByte(room, '\n') + 1
		return slices.Concat(room[:cut], sep.indent(), text, []byte(","), sep.newline(), room[cut:])
	case first || g.ahead:
		return slices.Concat(room, text, sep.text)
	case last && onOwnLines:
		cut := firstBreak(room)
		return slices.Concat([]byte(","), room[:cut], sep.lead, text, room[cut:])
	case onOwnLines && bytes.IndexByte(room[:firstBreak(room)], ',') >= 0:
		cut := firstBreak(room)
		return slices.Concat(room[:cut], sep.lead, text, []byte(","), room[cut:])
	default:
		return slices.Concat(sep.text, text, room)
	}
}

// closeUp returns the text between two entries after those between them are removed:
// opening followed the left one, closing preceded the right one. first and last say
// that the left one or the right one is a bracket.
func closeUp(opening, closing []byte, first, last bool) []byte {
	if hasBreak(opening) && hasBreak(closing) {
		above := opening[:bytes.LastIndexByte(opening, '\n')+1]
		if last {
			above = bytes.Replace(above, []byte(","), nil, 1)
		}
		room := slices.Concat(above, closing[bytes.IndexByte(closing, '\n')+1:])
		commas := 1
		if first || last {
			commas = 0
		}
		if bytes.Count(room, []byte(",")) == commas {
			return room
		}
	}
	if first || !last && (hasBreak(opening) || !hasBreak(closing)) {
		return opening
	}
	return closing
}

// separated is the text between two entries of a container.
type separated struct {
	text []byte
	lead []byte // line break and indentation, when the comma ends the line before
}

func (s separated) newline() []byte { return s.lead[:bytes.IndexByte(s.lead, '\n')+1] }
func (s separated) indent() []byte  { return s.lead[bytes.IndexByte(s.lead, '\n')+1:] }

// separator returns the text between a new entry in gap g and its neighbours, copied from the nearest two entries.
func (c *change) separator(r row, g gap) separated {
	switch n := len(r.entries); {
	case n == 1:
		opening := r.between(-1)
		if hasBreak(opening) {
			lead := opening[lastBreak(opening):]
			return separated{text: slices.Concat([]byte(","), lead), lead: lead}
		}
		return separated{text: []byte(c.flatComma(r.container))}
	case g.left < 0:
		return tidy(r.between(0))
	default:
		return tidy(r.between(min(g.left, n-2)))
	}
}

// tidy removes blank lines and trailing spaces from the text between two entries.
func tidy(room []byte) separated {
	before, after, _ := bytes.Cut(room, []byte(","))
	if !hasBreak(before) && hasBreak(after) {
		lead := after[lastBreak(after):]
		return separated{text: slices.Concat([]byte(","), lead), lead: lead}
	}
	if hasBreak(before) {
		before = before[lastBreak(before):]
	}
	if hasBreak(after) {
		after = after[lastBreak(after):]
	}
	return separated{text: slices.Concat(before, []byte(","), after)}
}

func hasBreak(b []byte) bool { return bytes.IndexByte(b, '\n') >= 0 }

// firstBreak returns where the first line break starts, or the end.
func firstBreak(b []byte) int {
	i := bytes.IndexByte(b, '\n')
	switch {
	case i < 0:
		return len(b)
	case i > 0 && b[i-1] == '\r':
		return i - 1
	default:
		return i
	}
}

// lastBreak returns where the last line break starts; there is one.
func lastBreak(b []byte) int {
	i := bytes.LastIndexByte(b, '\n')
	if i > 0 && b[i-1] == '\r' {
		return i - 1
	}
	return i
}
