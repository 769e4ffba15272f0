package table

import (
	"slices"

	"gatewright/sandbox/table/expression"
)

// view is what is shown of an item. The zero value shows all of it.
type view struct {
	// names are whole attributes in order, which are shown without making values of them; nil is all.
	names []string
	// paths are for parts of attributes.
	paths expression.Projection
}

func newView(p expression.Projection) view {
	if p == nil {
		return view{}
	}
	for _, path := range p {
		if len(path) != 1 {
			return view{paths: p}
		}
	}
	names := slices.Clone(p.Names())
	slices.Sort(names)
	return view{names: names}
}

// append writes what is shown of an item.
func (v view) append(b []byte, s stored) ([]byte, error) {
	if v.paths == nil {
		return s.appendJSON(b, v.names)
	}
	item, err := s.pick(v.paths.Names())
	if err != nil {
		return nil, err
	}
	return v.paths.Apply(item).AppendJSON(b), nil
}

// top are the attributes that are shown, whole or in part; nil is all.
func (v view) top() []string {
	if v.paths == nil {
		return v.names
	}
	return v.paths.Names()
}
