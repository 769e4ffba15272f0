package attribute

import (
	"bytes"
	"slices"
	"strings"
)

// Compare orders two values of the same type: S and B by their bytes, N exactly. It returns
// false if the types differ or have no order.
func Compare(a, b *Value) (int, bool) {
	if a == nil || b == nil || a.Kind != b.Kind {
		return 0, false
	}
	switch a.Kind {
	case S:
		return strings.Compare(a.Text, b.Text), true
	case N:
		return compareNumbers(a.Text, b.Text), true
	case B:
		return bytes.Compare(a.Bytes, b.Bytes), true
	default:
		return 0, false
	}
}

// Equal reports whether two values are the same: of one type, lists in order, sets and maps
// in any order. A nil value is not equal to anything.
func Equal(a, b *Value) bool {
	if a == nil || b == nil || a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case S, N:
		return a.Text == b.Text
	case B:
		return bytes.Equal(a.Bytes, b.Bytes)
	case BOOL:
		return a.Bool == b.Bool
	case NULL:
		return true
	case M:
		return Item(a.Map).Equal(b.Map)
	case L:
		return slices.EqualFunc(a.List, b.List, Equal)
	case SS, NS:
		return len(a.Texts) == len(b.Texts) &&
			slices.Equal(slices.Sorted(slices.Values(a.Texts)), slices.Sorted(slices.Values(b.Texts)))
	case BS:
		return len(a.Blobs) == len(b.Blobs) &&
			slices.EqualFunc(slices.SortedFunc(slices.Values(a.Blobs), bytes.Compare),
				slices.SortedFunc(slices.Values(b.Blobs), bytes.Compare), bytes.Equal)
	default:
		return false
	}
}

// Equal reports whether two items have the same names with the same values.
func (i Item) Equal(o Item) bool {
	if len(i) != len(o) {
		return false
	}
	for name, v := range i {
		if !Equal(v, o[name]) {
			return false
		}
	}
	return true
}
