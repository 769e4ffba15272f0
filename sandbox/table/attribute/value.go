// Package attribute is the values and items of DynamoDB: their wire form, comparison, sizes
// and the encoding of keys.
package attribute

// Kind is the type of a value; the zero Kind is invalid.
type Kind uint8

// The ten types, by their names on the wire.
const (
	S Kind = iota + 1
	N
	B
	BOOL
	NULL
	M
	L
	SS
	NS
	BS
)

var kindNames = [...]string{"", "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"}

// String is the name on the wire: "S", "N", "BOOL".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// Value is one value. Kind says which field holds it; the others are zero. Values may be
// shared, so do not change one; change a Clone.
type Value struct {
	Kind  Kind
	Text  string            // S; N in canonical form
	Bytes []byte            // B
	Bool  bool              // BOOL
	Map   map[string]*Value // M
	List  []*Value          // L
	Texts []string          // SS; NS in canonical form
	Blobs [][]byte          // BS
}

// Item is the attributes of an item by name.
type Item map[string]*Value

// Clone is a deep copy.
func (i Item) Clone() Item {
	if i == nil {
		return nil
	}
	out := make(Item, len(i))
	for name, v := range i {
		out[name] = v.Clone()
	}
	return out
}

// Clone is a deep copy.
func (v *Value) Clone() *Value {
	out := *v
	if v.Bytes != nil {
		out.Bytes = append([]byte{}, v.Bytes...)
	}
	if v.Map != nil {
		out.Map = map[string]*Value(Item(v.Map).Clone())
	}
	if v.List != nil {
		out.List = make([]*Value, len(v.List))
		for i, e := range v.List {
			out.List[i] = e.Clone()
		}
	}
	if v.Texts != nil {
		out.Texts = append([]string{}, v.Texts...)
	}
	if v.Blobs != nil {
		out.Blobs = make([][]byte, len(v.Blobs))
		for i, b := range v.Blobs {
			out.Blobs[i] = append([]byte{}, b...)
		}
	}
	return &out
}
