package pages

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
)

// Kinds of pages, in their headers.
const (
	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10
)

const (
	headerSize  = 16
	elementSize = 16
	// bucketSize is the length of what the value of a nested bucket begins with: the
	// number of its root page, 0 if the page follows, and its sequence.
	bucketSize = 16
	// firstPage is the first page that is not a meta page.
	firstPage = 2
	// deepest is more levels than a tree of the largest file has.
	deepest = 40
	// manyFree marks a list of free pages whose length is its first element.
	manyFree = 0xffff
)

var order = binary.LittleEndian

// page is the bytes of a page with the pages that belong to it. Its methods panic if an
// element leads out of it; File turns that into damage.
type page []byte

func (p page) id() uint64       { return order.Uint64(p) }
func (p page) kind() uint16     { return order.Uint16(p[8:]) }
func (p page) count() int       { return int(order.Uint16(p[10:])) }
func (p page) overflow() uint32 { return order.Uint32(p[12:]) }

// child is the number of a page below a branch page.
func (p page) child(i int) uint64 { return order.Uint64(p[headerSize+i*elementSize+8:]) }

// branchKey is the least key below a child.
func (p page) branchKey(i int) []byte {
	at := headerSize + i*elementSize
	return cut(p, uint64(at)+uint64(order.Uint32(p[at:])), order.Uint32(p[at+4:]))
}

// leaf is an element of a leaf page.
func (p page) leaf(i int) (key, value []byte, bucket bool) {
	at := headerSize + i*elementSize
	flags, pos, keySize, valueSize := order.Uint32(p[at:]), order.Uint32(p[at+4:]), order.Uint32(p[at+8:]),
		order.Uint32(p[at+12:])
	begin := uint64(at) + uint64(pos)
	return cut(p, begin, keySize), cut(p, begin+uint64(keySize), valueSize), flags == 1
}

func cut(p page, begin uint64, length uint32) []byte {
	end := begin + uint64(length)
	return p[begin:end:end]
}

// search is the index of the first element whose key is not less than a key, and whether it
// is equal.
func (p page) search(key []byte) (at int, equal bool) {
	low, high := 0, p.count()
	for low < high {
		middle := int(uint(low+high) >> 1)
		found, _, _ := p.leaf(middle)
		switch bytes.Compare(found, key) {
		case 0:
			return middle, true
		case -1:
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, false
}

// below is the index of the child in which a key is.
func (p page) below(key []byte) int {
	low, high := 0, p.count()
	for low < high {
		middle := int(uint(low+high) >> 1)
		if bytes.Compare(p.branchKey(middle), key) <= 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return max(low-1, 0)
}

// bucketValue reads the value of a nested bucket.
func bucketValue(value []byte) (root uint64, sequence uint64, inline page) {
	root, sequence = order.Uint64(value), order.Uint64(value[8:])
	if root == 0 {
		inline = page(value[bucketSize:])
	}
	return root, sequence, inline
}

// castagnoli is made with the first sum, by the standard library.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// sum is the checksum of a page; it is never 0.
func sum(p page) uint32 { return max(crc32.Checksum(p, castagnoli()), 1) }

// meta is what a meta page says of the file.
type meta struct {
	txid, root, freelist uint64
	// end is the number of the first page that was never used.
	end      uint64
	pageSize uint32
}

const (
	magic        = 0xED0CDAED
	metaVersion  = 2
	metaSum      = 56
	metaLength   = metaSum + 8
	smallestPage = 1 << 10
	largestPage  = 1 << 16
)

// readMeta reads a meta page; false means that it is damaged.
func readMeta(p []byte) (meta, bool) {
	if len(p) < headerSize+metaLength {
		return meta{}, false
	}
	p = p[headerSize:]
	h := fnv.New64a()
	_, _ = h.Write(p[:metaSum])
	m := meta{
		pageSize: order.Uint32(p[8:]), root: order.Uint64(p[16:]), freelist: order.Uint64(p[32:]), end: order.Uint64(p[40:]),
		txid: order.Uint64(p[48:]),
	}
	ok := order.Uint32(p) == magic && order.Uint32(p[4:]) == metaVersion && order.Uint64(p[metaSum:]) == h.Sum64()
	return m, ok && m.pageSize >= smallestPage && m.pageSize <= largestPage && m.pageSize&(m.pageSize-1) == 0
}

// newest is the meta page of the last change.
func newest(memory []byte, pageSize int) (meta, error) {
	first, ok := readMeta(memory)
	if !ok {
		return meta{}, damaged(0, "a meta page is not what was written")
	}
	second, ok := readMeta(memory[min(pageSize, len(memory)):])
	if !ok {
		return meta{}, damaged(1, "a meta page is not what was written")
	}
	if first.txid > second.txid {
		return first, nil
	}
	return second, nil
}

// free is the list of free pages of a page.
func (p page) free() []uint64 {
	if p.kind() != freelistPage {
		panic("this is not the list of free pages")
	}
	at, count := headerSize, uint64(p.count())
	if count == manyFree {
		at, count = at+8, order.Uint64(p[at:])
	}
	if count > uint64(len(p)-at)/8 {
		panic("the list of free pages is longer than its page")
	}
	ids := make([]uint64, count)
	for i := range ids {
		ids[i] = order.Uint64(p[at+8*i:])
	}
	return ids
}
