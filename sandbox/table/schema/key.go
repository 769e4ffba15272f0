package schema

import (
	"encoding/binary"
	"hash/fnv"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
)

// The longest key attributes, in bytes.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const (
	LongestPartition = 2048
	LongestSort      = 1024
)

// hashLength is the length of the hash that a key begins with, in bytes.
const hashLength = 4

// HashOf is the hash of an encoded partition key. FNV alone leaves short keys close together.
func HashOf(partition []byte) uint32 {
	h := fnv.New64a()
	h.Write(partition)
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return uint32(x >> 32)
}

// appendPartition writes the prefix of all keys of a partition.
func appendPartition(b []byte, partition *attribute.Value) []byte {
	start := len(b)
	b = append(b, 0, 0, 0, 0)
	b = attribute.AppendKey(b, partition)
	binary.BigEndian.PutUint32(b[start:], HashOf(b[start+hashLength:]))
	return b
}

// AppendKey writes the key of an item that has all its attributes.
func (k Keys) AppendKey(b []byte, item attribute.Item) []byte {
	b = appendPartition(b, item[k.Partition])
	if k.Sort != "" {
		b = attribute.AppendKey(b, item[k.Sort])
	}
	return b
}

// AppendEntry writes the key of an item's entry in an index, which ends with the item's own
// key. It returns false for an item that is not in the index: it lacks an attribute of the
// index's key, or has it with another type from before the index was created.
func (x *Index) AppendEntry(b []byte, item attribute.Item, key []byte) ([]byte, bool) {
	for i, name := range x.Keys.Names() {
		if v := item[name]; v == nil || v.Kind != x.Keys.Kind(i) || EmptyKind(v) != "" {
			return b, false
		}
	}
	return append(x.Keys.AppendKey(b, item), key...), true
}

// EntryValue is the value of an index entry: where in the entry's key the item's key begins.
func EntryValue(entry, key []byte) []byte {
	return binary.BigEndian.AppendUint16(nil, uint16(len(entry)-len(key)))
}

// ItemKey is the key of an entry's item.
func ItemKey(entry, value []byte) []byte {
	if len(value) != 2 || int(binary.BigEndian.Uint16(value)) > len(entry) {
		return nil
	}
	return entry[binary.BigEndian.Uint16(value):]
}

// Span is a range of keys: from low (inclusive) to high (exclusive); a nil high is the end.
type Span struct{ Low, High []byte }

// PartitionSpan is the range of keys that a key condition selects. Keys of an index
// continue after its sort key, so equality is a range too.
func PartitionSpan(c expression.KeyCondition) Span {
	prefix := appendPartition(nil, c.Partition)
	if c.Sort == nil {
		return Span{prefix, after(prefix)}
	}
	at := func(v *attribute.Value) []byte { return attribute.AppendKey(append([]byte{}, prefix...), v) }
	low := at(c.Sort.Low)
	switch c.Sort.Op {
	case "=":
		return Span{low, after(low)}
	case "<":
		return Span{prefix, low}
	case "<=":
		return Span{prefix, after(low)}
	case ">":
		return Span{after(low), after(prefix)}
	case ">=":
		return Span{low, after(prefix)}
	case "between":
		return Span{low, after(at(c.Sort.High))}
	default: // begins_with
		low = low[:len(low)-terminatorLength]
		return Span{low, after(low)}
	}
}

// terminatorLength is the length of the end mark of an encoded text or binary key, in bytes.
const terminatorLength = 2

// MostSegments is the maximum of TotalSegments (API reference, Scan).
const MostSegments = 1_000_000

// SegmentSpan is one of total segments of a scan.
func SegmentSpan(segment, total int64) Span {
	var s Span
	bound := func(n int64) []byte {
		return binary.BigEndian.AppendUint32(nil, uint32((n<<32+total-1)/total))
	}
	if segment > 0 {
		s.Low = bound(segment)
	}
	if segment+1 < total {
		s.High = bound(segment + 1)
	}
	return s
}

// after is the least key that is greater than every key with a prefix; nil is the end.
func after(prefix []byte) []byte {
	out := append([]byte{}, prefix...)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i] != 0xff {
			out[i]++
			return out[:i+1]
		}
	}
	return nil
}
