package document

import "bytes"

// replace adds the splice that replaces a value on disk by wanted.
func (c *change) replace(disk, wanted Node, p place) {
	r := disk.record()
	st := c.styleIn(p.parent, p.flat, disk.id)
	st.like = disk
	c.splices = append(c.splices, splice{start: r.start, end: r.end, text: c.text(nil, wanted, st)})
}

// fill adds the splice that puts entries into the empty container at p. The entries
// get lines of their own unless the parent is on one line or the example is.
func (c *change) fill(empty Node, wanted []Node, p place) {
	r := empty.record()
	flat := p.flat || p.parent.valid() && !isOpen(p.parent)
	st := c.styleIn(p.parent, flat, empty.id)
	example := c.example(empty, st)
	open := !flat && (!example.valid() || isOpen(example) || hasBreak(empty.Raw()))
	text := c.container(nil, r.kind, wanted, open, example, st)
	c.splices = append(c.splices, splice{start: r.start, end: r.end, text: text})
}

// entries returns the text that is inserted in gap g, separated by sep.
func (c *change) entries(r row, g gap, flat bool, sep separated) []byte {
	st := c.styleIn(r.container, flat, r.nearest(g))
	st.like = r.beside(g, g.inserted[0].Kind())
	if end := bytes.LastIndexByte(sep.text, '\n') + 1; end > 0 {
		st.newline = string(sep.text[lastBreak(sep.text):end])
		st.indent = leadingSpace(sep.text[end:])
	}
	var text []byte
	for i, n := range g.inserted {
		if i > 0 {
			text = append(text, sep.text...)
		}
		text = c.entry(text, n, st)
	}
	return text
}

// entry appends a member or an element.
func (c *change) entry(text []byte, wanted Node, st style) []byte {
	if key := wanted.rawKey(); key != nil {
		text = append(text, key...)
		text = append(text, st.colon...)
	}
	return c.text(text, wanted, st)
}

// text appends a value.
func (c *change) text(text []byte, wanted Node, st style) []byte {
	kind := wanted.Kind()
	if kind != Object && kind != Array {
		return append(text, wanted.Raw()...)
	}
	example := c.example(wanted, st)
	open := !st.flat && (!example.valid() || isOpen(example))
	return c.container(text, kind, nodesOf(wanted), open, example, st)
}

// container appends a container of entries. If open, each entry has a line of its own.
func (c *change) container(text []byte, kind Kind, entries []Node, open bool, example Node, st style) []byte {
	brackets := "[]"
	if kind == Object {
		brackets = "{}"
	}
	if len(entries) == 0 {
		return append(text, brackets...)
	}
	first, between, last := "", "", ""
	st.like = Node{}
	if kind == Object && example.valid() {
		st.colon = c.colon(example)
	}
	if open {
		last = st.newline + st.indent
		st.indent += st.unit
		first = st.newline + st.indent
		between = "," + first
	} else {
		st.flat = true
		first = flatPadding(example)
		if kind == Object && !example.valid() {
			first = st.pad
		}
		last = first
		between = c.flatComma(example)
	}
	text = append(text, brackets[0])
	text = append(text, first...)
	for i, n := range entries {
		if i > 0 {
			text = append(text, between...)
		}
		text = c.entry(text, n, st)
	}
	text = append(text, last...)
	return append(text, brackets[1])
}
