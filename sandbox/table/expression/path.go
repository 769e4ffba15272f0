package expression

import (
	"slices"
	"strconv"
	"strings"

	"gatewright/sandbox/table/attribute"
)

// Step is one step of a document path: a name in a map, or an index in a list.
type Step struct {
	Name  string
	Index int // -1 for a name
}

// Path is a document path; its first step is the name of an attribute.
type Path []Step

// String is the path as in the service's messages: [a, [1], b].
func (p Path) String() string {
	parts := make([]string, len(p))
	for i, s := range p {
		if s.Index < 0 {
			parts[i] = s.Name
		} else {
			parts[i] = "[" + strconv.Itoa(s.Index) + "]"
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// valueIn is the value at the path, nil if there is none.
func (p Path) valueIn(item attribute.Item) *attribute.Value {
	v := item[p[0].Name]
	for _, s := range p[1:] {
		if v == nil {
			return nil
		}
		v = s.child(v)
	}
	return v
}

// child is the value one step below v, nil if there is none.
func (s Step) child(v *attribute.Value) *attribute.Value {
	switch {
	case s.Index < 0 && v.Kind == attribute.M:
		return v.Map[s.Name]
	case s.Index >= 0 && v.Kind == attribute.L && s.Index < len(v.List):
		return v.List[s.Index]
	}
	return nil
}

// Paths are the document paths of a projection, or those that an update writes.
type Paths []Path

// Projection is a ProjectionExpression or AttributesToGet.
type Projection = Paths

// Names is the attributes that the paths begin with, sorted, each once.
func (p Paths) Names() []string {
	var names []string
	for _, path := range p {
		names = append(names, path[0].Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Nested is the attributes that a path leads into, sorted, each once. They must not be keys.
func (p Paths) Nested() []string {
	var names []string
	for _, path := range p {
		if len(path) > 1 {
			names = append(names, path[0].Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Apply is the parts of an item at the paths, in the item's structure: maps with those
// members only, lists with those elements only, in their order. Paths that lead nowhere are
// ignored. The values are shared with the item.
func (p Paths) Apply(item attribute.Item) attribute.Item {
	out := attribute.Item{}
	if !slices.ContainsFunc(p, func(path Path) bool { return len(path) > 1 }) {
		for _, path := range p {
			if v := item[path[0].Name]; v != nil {
				out[path[0].Name] = v
			}
		}
		return out
	}
	for _, group := range p.groupedAt(0) {
		name := group[0][0].Name
		if v := item[name]; v != nil {
			if v = group.pick(v, 1); v != nil {
				out[name] = v
			}
		}
	}
	return out
}

// groupedAt groups the paths by their step at a depth, in the order of these steps.
func (p Paths) groupedAt(depth int) []Paths {
	sorted := slices.Clone(p)
	order := func(a, b Path) int {
		if c := a[depth].Index - b[depth].Index; c != 0 {
			return c
		}
		return strings.Compare(a[depth].Name, b[depth].Name)
	}
	slices.SortStableFunc(sorted, order)
	var groups []Paths
	for from := 0; from < len(sorted); {
		to := from + 1
		for to < len(sorted) && order(sorted[from], sorted[to]) == 0 {
			to++
		}
		groups = append(groups, sorted[from:to:to])
		from = to
	}
	return groups
}

// pick returns the parts of a value to which the paths lead from a depth on; nil if it has
// none of them. The paths are equal up to that depth.
func (p Paths) pick(v *attribute.Value, depth int) *attribute.Value {
	if slices.ContainsFunc(p, func(path Path) bool { return len(path) == depth }) {
		return v
	}
	out := &attribute.Value{Kind: v.Kind}
	for _, group := range p.groupedAt(depth) {
		step := group[0][depth]
		inner := step.child(v)
		if inner == nil {
			continue
		}
		if inner = group.pick(inner, depth+1); inner == nil {
			continue
		}
		if step.Index >= 0 {
			out.List = append(out.List, inner)
			continue
		}
		if out.Map == nil {
			out.Map = map[string]*attribute.Value{}
		}
		out.Map[step.Name] = inner
	}
	if out.Map == nil && out.List == nil {
		return nil
	}
	return out
}

// clash is the refusal of two paths of one expression if one is equal to the other or leads
// into it ("overlap"), or if one needs a map and the other a list at the same place
// ("conflict"). An overlap takes precedence.
func (p Paths) clash() error {
	var conflict error
	for i, second := range p {
		for _, first := range p[:i] {
			switch first.relation(second) {
			case "overlap":
				return clashError("overlap", first, second)
			case "conflict":
				if conflict == nil {
					conflict = clashError("conflict", first, second)
				}
			}
		}
	}
	return conflict
}

func (p Path) relation(o Path) string {
	for i := range min(len(p), len(o)) {
		if (p[i].Index < 0) != (o[i].Index < 0) {
			return "conflict"
		}
		if p[i] != o[i] {
			return ""
		}
	}
	return "overlap"
}

func clashError(verb string, first, second Path) error {
	return attribute.Invalid("Two document paths %s with each other; must remove or rewrite one of these paths; path "+
		"one: %s, path two: %s", verb, first, second)
}
