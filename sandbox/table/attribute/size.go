package attribute

// Sizes follow the developer guide's "Item sizes and formats"; what a number takes it gives as about, here are the bytes that the
// service was seen to count (pairs of digits that begin at an even exponent).
const (
	containerSize = 3 // of a list or a map, whatever is in it
	elementSize   = 1 // of each element of a list or a map, besides itself
)

// LargestItem is the most that an item may count for, in bytes (the developer guide's quotas).
const LargestItem = 400 << 10

// Size is what an item counts for in bytes: names and values.
func (i Item) Size() int {
	size := 0
	for name, v := range i {
		size += len(name) + v.Size()
	}
	return size
}

// Size is what a value counts for in bytes, without the name it stands under.
func (v *Value) Size() int {
	switch v.Kind {
	case S:
		return len(v.Text)
	case N:
		return numberSize(v.Text)
	case B:
		return len(v.Bytes)
	case BOOL, NULL:
		return 1
	case M:
		return containerSize + elementSize*len(v.Map) + Item(v.Map).Size()
	case L:
		size := containerSize + elementSize*len(v.List)
		for _, e := range v.List {
			size += e.Size()
		}
		return size
	case SS:
		size := 0
		for _, text := range v.Texts {
			size += len(text)
		}
		return size
	case NS:
		size := 0
		for _, text := range v.Texts {
			size += numberSize(text)
		}
		return size
	case BS:
		size := 0
		for _, blob := range v.Blobs {
			size += len(blob)
		}
		return size
	default:
		return 0
	}
}

func numberSize(text string) int {
	d, _ := parseDecimal(text)
	if d.count == 0 {
		return 1
	}
	size := 1 + (d.count+1)/2
	if d.count%2 == 0 && d.exponent%2 == 0 {
		size++
	}
	if d.negative {
		size++
	}
	return size
}
