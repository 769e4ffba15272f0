package table

import (
	"slices"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
)

// view is what is shown of an item. The zero value shows all of it.
type view struct {
	// names are whole attributes in order, which are shown without making values of them; nil is all.
	names []string
	// paths are for parts of attributes.
	paths expression.Projection
	// flat shows every part by the last name on its way, as a SELECT does.
	flat bool
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
	if v.flat {
		item = flatten(v.paths, item)
	} else {
		item = v.paths.Apply(item)
	}
	return item.AppendJSON(b), nil
}

// top are the attributes that are shown, whole or in part; nil is all.
func (v view) top() []string {
	if v.paths == nil {
		return v.names
	}
	return v.paths.Names()
}

// flatten is the parts of an item by the last names on their ways.
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
