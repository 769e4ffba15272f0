// Package document reads a JSON file and edits its bytes without changing anything
// else: unknown keys, order, spacing, line ends and the spelling of numbers stay.
package document

import (
	"bytes"
	"sync"
)

// byteOrderMark is accepted at the start of a file, since some editors write it, and kept.
const byteOrderMark = "\xef\xbb\xbf"

// maxDepth is how deep arrays and objects may be nested, which is also the limit of the tokenizer.
const maxDepth = 10_000

// Document is a JSON file as read. It never changes: Change returns new bytes. It is safe for concurrent use.
type Document struct {
	src   []byte
	nodes []node

	// indexes maps the number of a large object to its *lookups.
	indexes sync.Map

	linesOnce sync.Once
	lines     []uint32
}

// Parse reads src strictly: one JSON value, no key twice in an object, no bytes that are not UTF-8, at most 10,000
// levels deep, less than 4 GiB. A UTF-8 byte order mark at the start is accepted. src is kept and not copied; it must
// not be modified afterwards. The error is a *SyntaxError.
func Parse(src []byte) (*Document, error) {
	d := &Document{src: src}
	if err := d.scan(); err != nil {
		return nil, err
	}
	return d, nil
}

// Bytes returns the document as read, byte order mark included. They are not a copy and must not be modified.
func (d *Document) Bytes() []byte { return d.src }

// Root returns the document's one value.
func (d *Document) Root() Node { return Node{doc: d} }

func (d *Document) bodyStart() int {
	if bytes.HasPrefix(d.src, []byte(byteOrderMark)) {
		return len(byteOrderMark)
	}
	return 0
}
