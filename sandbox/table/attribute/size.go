package attribute

// Sizes follow the developer guide, which gives only estimates for numbers; numbers count
// as recorded from the service: pairs of digits that begin at an even exponent.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
const (
	containerSize = 3 // of a list or a map
	elementSize   = 1 // of each element, in addition to its value
)

// LargestItem is the maximum size of an item in bytes.
const LargestItem = 400 << 10

// Size is the item's size in bytes as the service counts it: names and values.
func (i Item) Size() int {
	size := 0
	for name, v := range i {
		size += len(name) + v.Size()
	}
	return size
}

// Size is the value's size in bytes as the service counts it, without its name.
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
