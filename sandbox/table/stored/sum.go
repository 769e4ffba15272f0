package stored

import (
	"encoding/binary"
	"hash/crc32"
)

// An item in the file ends with a checksum of its table, its key and itself, so that what is
// left of a damaged page can be told from what is wrong. Items that older versions wrote have
// none, and older versions take no notice of it.

const sumLength = 4

// castagnoli is made with the first sum, by the standard library.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// WithSum is an encoded item as it is stored under a key of the table with a number.
func (s Item) WithSum(number uint64, key []byte) Item {
	return binary.LittleEndian.AppendUint32(s, itemSum(number, key, s))
}

func itemSum(number uint64, key []byte, s Item) uint32 {
	n := crc32.Update(0, castagnoli(), binary.BigEndian.AppendUint64(nil, number))
	return crc32.Update(crc32.Update(n, castagnoli(), key), castagnoli(), s)
}

// body is the item without its checksum, which is nil if there is none.
func (s Item) body() (body Item, sum []byte, ok bool) {
	c := decoder{s, true}
	c.number()
	for n := c.number(); n > 0 && c.ok; n-- {
		c.bytes()
		c.kind()
		c.bytes()
	}
	switch {
	case !c.ok:
		return nil, nil, false
	case len(c.b) == sumLength:
		return s[:len(s)-sumLength], c.b, true
	}
	return s, nil, len(c.b) == 0
}

// Same reports whether two stored items have the same attributes.
func Same(a, b Item) bool {
	left, _, _ := a.body()
	right, _, _ := b.body()
	return (a == nil) == (b == nil) && string(left) == string(right)
}

// IsOf reports whether an item is as it was written under a key of the table with a number;
// with a checksum it is certain.
func (s Item) IsOf(number uint64, key []byte) (certain, possible bool) {
	body, sum, ok := s.body()
	if !ok {
		return false, false
	}
	if sum != nil {
		certain = binary.LittleEndian.Uint32(sum) == itemSum(number, key, body)
		return certain, certain
	}
	return false, true
}
