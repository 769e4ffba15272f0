package expression

import (
	"bytes"
	"maps"
	"slices"

	"gatewright/sandbox/table/attribute"
)

// application is an update that is being applied to an item.
type application struct {
	update  *Update
	old     attribute.Item
	sources []*attribute.Value // what each change writes, nil for REMOVE
	touched Paths
}

// members is a map after the changes below a branch. depth is the number of steps to the map.
func (a *application) members(
	b *branch, old map[string]*attribute.Value, depth int,
) (map[string]*attribute.Value, error) {
	out := make(map[string]*attribute.Value, len(old)+len(b.names))
	maps.Copy(out, old)
	for _, name := range sortedNames(b) {
		v, err := a.value(b.names[name], old[name], depth+1)
		if err != nil {
			return nil, err
		}
		if v == nil {
			delete(out, name)
		} else {
			out[name] = v
		}
	}
	return out, nil
}

// elements is a list after the changes below a branch. Indexes mean places in the old
// list; values beyond its end are appended in the order of their indexes.
func (a *application) elements(b *branch, old []*attribute.Value, depth int) ([]*attribute.Value, error) {
	out := slices.Clone(old)
	for _, index := range slices.Sorted(maps.Keys(b.indexes)) {
		inner := b.indexes[index]
		if index < len(old) {
			v, err := a.value(inner, old[index], depth+1)
			if err != nil {
				return nil, err
			}
			out[index] = v
			continue
		}
		v, err := a.value(inner, nil, depth+1)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		a.moved(inner.change, depth, len(out))
		out = append(out, v)
	}
	return slices.DeleteFunc(out, func(v *attribute.Value) bool { return v == nil }), nil
}

// moved records that a change was made at another index than it names.
func (a *application) moved(change, depth, index int) {
	path := slices.Clone(a.touched[change])
	path[depth].Index = index
	a.touched[change] = path
}

// value is a value after the changes at or below a branch, nil if it is removed.
func (a *application) value(b *branch, old *attribute.Value, depth int) (*attribute.Value, error) {
	if b.change >= 0 {
		v, err := a.changed(b.change, old)
		if err == nil && v != nil && depth-1+levels(v) > attribute.MostLevels {
			err = attribute.Invalid(attribute.NestingMessage)
		}
		return v, err
	}
	switch {
	case old != nil && old.Kind == attribute.M && b.indexes == nil:
		inner, err := a.members(b, old.Map, depth)
		return &attribute.Value{Kind: attribute.M, Map: inner}, err
	case old != nil && old.Kind == attribute.L && b.names == nil:
		inner, err := a.elements(b, old.List, depth)
		return &attribute.Value{Kind: attribute.L, List: inner}, err
	}
	return nil, attribute.Invalid(pathMessage)
}

// levels is how deep a value nests: a scalar is one level.
func levels(v *attribute.Value) int {
	deepest := 0
	for _, e := range v.Map {
		deepest = max(deepest, levels(e))
	}
	for _, e := range v.List {
		deepest = max(deepest, levels(e))
	}
	return deepest + 1
}

// changed returns what the change with this index makes of a whole value; nil if it removes
// the value.
func (a *application) changed(change int, old *attribute.Value) (*attribute.Value, error) {
	source := a.sources[change]
	switch a.update.changes[change].verb {
	case "SET":
		return source, nil
	case "ADD":
		return a.added(old, source)
	case "DELETE":
		return a.subtracted(old, source)
	default:
		return nil, nil
	}
}

// added is a number plus another, a set with more members, or a list with more elements (only
// AttributeUpdates adds to lists).
func (a *application) added(old, source *attribute.Value) (*attribute.Value, error) {
	if old == nil {
		return source, nil
	}
	if old.Kind != source.Kind {
		return nil, attribute.Invalid("%s", a.update.mismatch)
	}
	out := &attribute.Value{Kind: old.Kind}
	var err error
	switch old.Kind {
	case attribute.N:
		out.Text, err = attribute.Add(old.Text, source.Text)
	case attribute.L:
		out.List = slices.Concat(old.List, source.List)
	case attribute.BS:
		out.Blobs = slices.Clone(old.Blobs)
		for _, blob := range source.Blobs {
			if !hasBlob(out.Blobs, blob) {
				out.Blobs = append(out.Blobs, blob)
			}
		}
	default:
		out.Texts = slices.Clone(old.Texts)
		has := membersOf(old.Texts)
		for _, text := range source.Texts {
			if !has[text] {
				out.Texts = append(out.Texts, text)
			}
		}
	}
	return out, err
}

// subtracted is a set without some members, nil if none is left.
func (a *application) subtracted(old, source *attribute.Value) (*attribute.Value, error) {
	if old == nil {
		return nil, nil
	}
	if old.Kind != source.Kind {
		return nil, attribute.Invalid("%s", a.update.mismatch)
	}
	out := &attribute.Value{Kind: old.Kind}
	removed := membersOf(source.Texts)
	for _, text := range old.Texts {
		if !removed[text] {
			out.Texts = append(out.Texts, text)
		}
	}
	for _, blob := range old.Blobs {
		if !hasBlob(source.Blobs, blob) {
			out.Blobs = append(out.Blobs, blob)
		}
	}
	if out.Texts == nil && out.Blobs == nil {
		return nil, nil
	}
	return out, nil
}

func membersOf(texts []string) map[string]bool {
	has := make(map[string]bool, len(texts))
	for _, text := range texts {
		has[text] = true
	}
	return has
}

func hasBlob(blobs [][]byte, blob []byte) bool {
	return slices.ContainsFunc(blobs, func(b []byte) bool { return bytes.Equal(b, blob) })
}
