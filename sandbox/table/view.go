package table

import (
	"slices"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
)

// view is which parts of an item are returned. The zero value is all of it.
type view struct {
	// names are whole attributes, sorted, which are written without decoding; nil is all.
	names []string
	// paths are set if a path leads into an attribute.
	paths expression.Projection
	// flat returns every part under the last name of its path, as SELECT does.
	flat bool
}

// newView is the view of a projection; nil is all of an item.
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

// append writes the parts of an item.
func (v view) append(b []byte, s stored) ([]byte, error) {
	if v.paths == nil {
		return s.appendJSON(b, v.names)
	}
	item, err := s.pick(v.paths.Names())
	if err != nil {
		return nil, err
	}
	if v.flat {
		item = flatten(v.paths, item)
	} else {
		item = v.paths.Apply(item)
	}
	return item.AppendJSON(b), nil
}

// top are the attributes that are returned in whole or in part; nil is all.
func (v view) top() []string {
	if v.paths == nil {
		return v.names
	}
	return v.paths.Names()
}

// flatten is the parts of an item under the last names of their paths.
func flatten(paths expression.Projection, item attribute.Item) attribute.Item {
	out := make(attribute.Item, len(paths))
	for _, path := range paths {
		v := item[path[0].Name]
		name := path[0].Name
		for _, step := range path[1:] {
			switch {
			case v == nil:
			case step.Index < 0:
				v, name = v.Map[step.Name], step.Name
			case step.Index < len(v.List):
				v = v.List[step.Index]
			default:
				v = nil
			}
		}
		if v != nil {
			out[name] = v
		}
	}
	return out
}
