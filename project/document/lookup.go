package document

import (
	"bytes"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// smallObject is the number of members up to which scanning the raw keys is faster than an index.
	smallObject = 32
	// fewLookups is how often the keys of a larger object are scanned before an index is made.
	fewLookups = 4
)

// Get returns the value of an object's member; false when there is none.
func (n Node) Get(key string) (Node, bool) { return n.get([]byte(key)) }

func (n Node) get(key []byte) (Node, bool) {
	r := n.record()
	if r.kind != Object {
		return Node{}, false
	}
	if r.count > smallObject {
		if keys := n.doc.keyIndex(n); keys != nil {
			id, ok := keys[string(key)]
			if !ok {
				return Node{}, false
			}
			return Node{doc: n.doc, id: id}, true
		}
	}
	for child := range n.children() {
		if keyIs(child.rawKey(), key) {
			return child, true
		}
	}
	return Node{}, false
}

// keyIs compares a raw key of the file to a decoded one. Only a raw key that is longer
// than the decoded one can have escapes and still be equal.
func keyIs(raw, key []byte) bool {
	switch inner := raw[1 : len(raw)-1]; {
	case len(inner) < len(key):
		return false
	case len(inner) == len(key):
		return bytes.Equal(inner, key) && bytes.IndexByte(inner, '\\') < 0
	default:
		return bytes.IndexByte(inner, '\\') >= 0 && bytes.Equal(decode(raw), key)
	}
}

// lookups counts the lookups in a large object and has its index after a few.
type lookups struct {
	count atomic.Int32
	once  sync.Once
	keys  map[string]uint32
}

// keyIndex returns the number of every member by its key, so that many lookups are not
// quadratic; nil for the first few lookups.
func (d *Document) keyIndex(object Node) map[string]uint32 {
	known, ok := d.indexes.Load(object.id)
	if !ok {
		known, _ = d.indexes.LoadOrStore(object.id, &lookups{})
	}
	l := known.(*lookups)
	if l.count.Add(1) <= fewLookups {
		return nil
	}
	l.once.Do(func() {
		l.keys = make(map[string]uint32, object.Len())
		for child := range object.children() {
			l.keys[string(child.key())] = child.id
		}
	})
	return l.keys
}

// Find returns the value that an RFC 6901 pointer names; "" is the root.
func (d *Document) Find(pointer string) (Node, bool) {
	at := d.Root()
	if !jsontext.Pointer(pointer).IsValid() {
		return Node{}, false
	}
	for name := range jsontext.Pointer(pointer).Tokens() {
		var ok bool
		switch at.Kind() {
		case Object:
			at, ok = at.Get(name)
		case Array:
			at, ok = at.element(name)
		}
		if !ok {
			return Node{}, false
		}
	}
	return at, true
}

// element returns the array element that a segment of a pointer names.
func (n Node) element(segment string) (Node, bool) {
	i, err := strconv.ParseUint(segment, 10, 32)
	if err != nil || strconv.FormatUint(i, 10) != segment || i >= uint64(n.Len()) {
		return Node{}, false
	}
	id := n.id + 1
	for ; i > 0; i-- {
		id = n.doc.nodes[id].next
	}
	return Node{doc: n.doc, id: id}, true
}

// Position returns line and column, both from 1, of the value that an RFC 6901 pointer names; for an object member,
// of its key. Columns count characters. ok is false when there is no such value.
func (d *Document) Position(pointer string) (line, column int, ok bool) {
	n, ok := d.Find(pointer)
	if !ok {
		return 0, 0, false
	}
	d.linesOnce.Do(d.findLines)
	offset := n.record().key
	line = sort.Search(len(d.lines), func(i int) bool { return d.lines[i] > offset })
	return line, utf8.RuneCount(d.src[d.lines[line-1]:offset]) + 1, true
}

// findLines notes where every line starts.
func (d *Document) findLines() {
	d.lines = append(d.lines, uint32(d.bodyStart()))
	for i, b := range d.src {
		if b == '\n' {
			d.lines = append(d.lines, uint32(i+1))
		}
	}
}
