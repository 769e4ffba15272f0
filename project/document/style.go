package document

import (
	"bytes"
	"strings"
)

// style is the layout of new text at one place of the document.
type style struct {
	flat    bool   // everything on one line
	newline string // "\n" or "\r\n"
	indent  string // of the line that the new text starts on
	unit    string // one more level of indentation
	colon   string // between key and value
	pad     string // inside the braces of an object on one line
	near    uint32 // the value on disk whose neighbours are the example
	like    Node   // a value beside the new one, the example if no key is the same
}

// styleIn returns the style of new text in a container on disk, or of the root if the
// container is invalid. It finds indent only if the text may have several lines.
func (c *change) styleIn(container Node, flat bool, near uint32) style {
	st := style{flat: flat, newline: c.newline(), colon: c.colon(container), near: near}
	if container.Kind() == Object {
		st.pad = flatPadding(container)
	}
	if !flat {
		st.unit = c.unit(container)
		st.indent = c.disk.lineIndent(c.disk.nodes[near].key)
	}
	return st
}

// knownStyle is the style of the whole document, as far as one call of Change needed it.
type knownStyle struct {
	newline   string
	unit      string
	unitFound bool
	array     Node
	arraySeen bool
}

// newline returns the document's line break, else the rendering's.
func (c *change) newline() string {
	if c.known.newline == "" {
		c.known.newline = "\n"
		for _, src := range [][]byte{c.disk.src, c.after.src} {
			if i := firstBreak(src); i < len(src) {
				c.known.newline = string(src[i : bytes.IndexByte(src, '\n')+1])
				break
			}
		}
	}
	return c.known.newline
}

// unit returns one level of indentation: the container's, else the first one of the document, else the rendering's.
func (c *change) unit(container Node) string {
	if unit, ok := unitOf(container); ok {
		return unit
	}
	if !c.known.unitFound {
		c.known.unit, c.known.unitFound = c.disk.firstUnit()
		if !c.known.unitFound {
			c.known.unit, c.known.unitFound = c.after.firstUnit()
		}
		if !c.known.unitFound {
			c.known.unit, c.known.unitFound = "  ", true
		}
	}
	return c.known.unit
}

// firstUnit returns the indentation of the first container that has one.
func (d *Document) firstUnit() (string, bool) {
	if !hasBreak(d.src) {
		return "", false
	}
	for id := range d.nodes {
		if unit, ok := unitOf(Node{doc: d, id: uint32(id)}); ok {
			return unit, true
		}
	}
	return "", false
}

// unitOf returns the indentation of an open container's entries beyond that of the line
// on which it starts; false if they have none.
func unitOf(container Node) (string, bool) {
	if !isOpen(container) {
		return "", false
	}
	room := openingRoom(container)
	inner := string(room[bytes.LastIndexByte(room, '\n')+1:])
	return strings.CutPrefix(inner, container.doc.lineIndent(container.record().key))
}

// isOpen reports whether the entries of a container have lines of their own.
func isOpen(container Node) bool {
	return container.Len() > 0 && hasBreak(openingRoom(container))
}

// openingRoom returns the bytes between the opening bracket and the first entry.
func openingRoom(container Node) []byte {
	nodes := container.doc.nodes
	return container.doc.src[nodes[container.id].start+1 : nodes[container.id+1].key]
}

// flatPadding returns the spaces inside the brackets of a container on one line; "" for every other container.
func flatPadding(container Node) string {
	if container.Len() == 0 || isOpen(container) {
		return ""
	}
	return string(openingRoom(container))
}

// lineIndent returns the white space that starts the line around offset.
func (d *Document) lineIndent(offset uint32) string {
	start := bytes.LastIndexByte(d.src[:offset], '\n') + 1
	return leadingSpace(d.src[start:offset])
}

func leadingSpace(line []byte) string {
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// colon returns the text between an object's first key and value, else between those of
// the document's first member, else of the rendering's.
func (c *change) colon(object Node) string {
	for _, n := range []Node{object, c.disk.Root(), c.after.Root()} {
		if n.Kind() != Object || n.Len() == 0 {
			continue
		}
		first := n.doc.nodes[n.id+1]
		if room := n.doc.src[first.keyEnd:first.start]; !hasBreak(room) {
			return string(room)
		}
	}
	return ": "
}

// flatComma returns the separator of entries on one line: the one that the container or
// the document's root uses, else a comma, with a space if colons have one.
func (c *change) flatComma(container Node) string {
	for _, n := range []Node{container, c.disk.Root()} {
		if n.Len() < 2 {
			continue
		}
		first := n.doc.nodes[n.id+1]
		room := n.doc.src[first.end:n.doc.nodes[first.next].key]
		if !hasBreak(room) {
			return string(room)
		}
	}
	if strings.HasSuffix(c.colon(container), " ") {
		return ", "
	}
	return ","
}
