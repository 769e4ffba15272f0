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

// String is the path as the service's messages write it: [a, [1], b].
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

// valueIn is the value at the path, nil where there is none.
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

// child is the value one step further on, nil where there is none.
func (s Step) child(v *attribute.Value) *attribute.Value {
	switch {
	case s.Index < 0 && v.Kind == attribute.M:
		return v.Map[s.Name]
	case s.Index >= 0 && v.Kind == attribute.L && s.Index < len(v.List):
		return v.List[s.Index]
	}
	return nil
}

// Paths are the document paths of a projection, or those that an update wrote.
type Paths []Path

// Projection is what a ProjectionExpression or AttributesToGet asks for.
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

// Nested is the attributes that a path goes into, sorted, each once. A key cannot be gone into.
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

// Apply is what the item has at the paths, in its own structure: maps with those members only, lists with those elements only, in
// their order. Paths that lead nowhere leave nothing. The values are shared with the item.
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

// groupedAt puts paths with the same step at a depth together, in the order of these steps.
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

// pick is what of a value the paths ask for from a depth on, nil where that is nothing. All of them agree up to there.
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

// clash is the refusal of two paths in one expression of which one is, or lies in, the other ("overlap"), or that want a map and a
// list in the same place ("conflict"). Of all pairs an overlap is told first.
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
	return attribute.Invalid("Two document paths %s with each other; must remove or rewrite one of these paths; path one: %s, path two: %s", verb, first, second)
}
