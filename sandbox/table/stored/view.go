package stored

import (
	"slices"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
)

// View is which parts of an item are returned. The zero value is all of it.
type View struct {
	// Names are whole attributes, sorted, which are written without decoding; nil is all.
	Names []string
	// Paths are set if a path leads into an attribute.
	Paths expression.Projection
	// Flat returns every part under the last name of its path, as SELECT does.
	Flat bool
}

// NewView is the view of a projection; nil is all of an item.
func NewView(p expression.Projection) View {
	if p == nil {
		return View{}
	}
	for _, path := range p {
		if len(path) != 1 {
			return View{Paths: p}
		}
	}
	names := slices.Clone(p.Names())
	slices.Sort(names)
	return View{Names: names}
}

// Append writes the parts of an item.
func (v View) Append(b []byte, s Item) ([]byte, error) {
	if v.Paths == nil {
		return s.AppendJSON(b, v.Names)
	}
	item, err := s.Pick(v.Paths.Names())
	if err != nil {
		return nil, err
	}
	if v.Flat {
		item = flatten(v.Paths, item)
	} else {
		item = v.Paths.Apply(item)
	}
	return item.AppendJSON(b), nil
}

// Top are the attributes that are returned in whole or in part; nil is all.
func (v View) Top() []string {
	if v.Paths == nil {
		return v.Names
	}
	return v.Paths.Names()
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
