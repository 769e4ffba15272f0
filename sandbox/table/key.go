package table

import (
	"encoding/binary"
	"hash/fnv"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
)

// The longest key attributes, in bytes.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const (
	longestPartition = 2048
	longestSort      = 1024
)

// hashLength is the length of the hash that a key begins with, in bytes.
const hashLength = 4

// hashOf is the hash of an encoded partition key. FNV alone leaves short keys close together.
func hashOf(partition []byte) uint32 {
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
	binary.BigEndian.PutUint32(b[start:], hashOf(b[start+hashLength:]))
	return b
}

// appendKey writes the key of an item that has all its attributes.
func (k keys) appendKey(b []byte, item attribute.Item) []byte {
	b = appendPartition(b, item[k.partition])
	if k.sort != "" {
		b = attribute.AppendKey(b, item[k.sort])
	}
	return b
}

// appendEntry writes the key of an item's entry in an index, which ends with the item's own
// key. It returns false for an item that is not in the index: it lacks an attribute of the
// index's key, or has it with another type from before the index was created.
func (x *index) appendEntry(b []byte, item attribute.Item, key []byte) ([]byte, bool) {
	for i, name := range x.keys.names() {
		if v := item[name]; v == nil || v.Kind != x.keys.kind(i) || emptyKind(v) != "" {
			return b, false
		}
	}
	return append(x.keys.appendKey(b, item), key...), true
}

// entryValue is the value of an index entry: where in the entry's key the item's key begins.
func entryValue(entry, key []byte) []byte {
	return binary.BigEndian.AppendUint16(nil, uint16(len(entry)-len(key)))
}

// itemKey is the key of an entry's item.
func itemKey(entry, value []byte) []byte {
	if len(value) != 2 || int(binary.BigEndian.Uint16(value)) > len(entry) {
		return nil
	}
	return entry[binary.BigEndian.Uint16(value):]
}

// span is a range of keys: from low (inclusive) to high (exclusive); a nil high is the end.
type span struct{ low, high []byte }

// partitionSpan is the range of keys that a key condition selects. Keys of an index
// continue after its sort key, so equality is a range too.
func partitionSpan(c expression.KeyCondition) span {
	prefix := appendPartition(nil, c.Partition)
	if c.Sort == nil {
		return span{prefix, after(prefix)}
	}
	at := func(v *attribute.Value) []byte { return attribute.AppendKey(append([]byte{}, prefix...), v) }
	low := at(c.Sort.Low)
	switch c.Sort.Op {
	case "=":
		return span{low, after(low)}
	case "<":
		return span{prefix, low}
	case "<=":
		return span{prefix, after(low)}
	case ">":
		return span{after(low), after(prefix)}
	case ">=":
		return span{low, after(prefix)}
	case "between":
		return span{low, after(at(c.Sort.High))}
	default: // begins_with
		low = low[:len(low)-terminatorLength]
		return span{low, after(low)}
	}
}

// terminatorLength is the length of the end mark of an encoded text or binary key, in bytes.
const terminatorLength = 2

// mostSegments is the maximum of TotalSegments (API reference, Scan).
const mostSegments = 1_000_000

// segmentSpan is one of total segments of a scan.
func segmentSpan(segment, total int64) span {
	var s span
	bound := func(n int64) []byte {
		return binary.BigEndian.AppendUint32(nil, uint32((n<<32+total-1)/total))
	}
	if segment > 0 {
		s.low = bound(segment)
	}
	if segment+1 < total {
		s.high = bound(segment + 1)
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
