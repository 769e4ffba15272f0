package drift

import (
	"slices"

	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/model"
)

// Entry is an entry of a template that differs from what it should be.
type Entry struct {
	// Section is that of the template: Resources, Outputs, and so on.
	Section string
	// ID is its name there, Type the type of a resource.
	ID, Type string
	// Added says that only the template has it, Removed that it lacks it; else Differences are
	// the properties that differ. Their values are "" where functions make them.
	Added, Removed bool
	Differences    []stack.Difference
}

// Templates compares a template with what it should be. The order of names does not count, nor
// do the entries in skip. A number is the same as its text.
func Templates(want, is *cfn.Node, skip func(id string) bool) []Entry {
	var all []Entry
	for _, section := range []string{
		"Parameters", "Mappings", "Conditions", "Transform", "Rules", "Resources",
		"Outputs",
	} {
		w, i := want.Get(section), is.Get(section)
		if isWhole(w) || isWhole(i) {
			if !same(w, i) {
				all = append(all, Entry{Section: section, ID: section, Added: w == nil, Removed: i == nil})
			}
			continue
		}
		for _, id := range names(w, i) {
			if skip(id) {
				continue
			}
			if e := entry(section, id, w.Get(id), i.Get(id)); e != nil {
				all = append(all, *e)
			}
		}
	}
	return all
}

// isWhole reports whether a section has no entries, as a Transform that is a text or a list.
func isWhole(n *cfn.Node) bool { return n != nil && n.Kind != cfn.Map }

// names are those of two maps, each once.
func names(a, b *cfn.Node) []string {
	var all []string
	for _, n := range []*cfn.Node{a, b} {
		if n == nil {
			continue
		}
		for _, m := range n.Members {
			if !slices.Contains(all, m.Name) {
				all = append(all, m.Name)
			}
		}
	}
	return all
}

func entry(section, id string, want, is *cfn.Node) *Entry {
	e := &Entry{Section: section, ID: id, Added: want == nil, Removed: is == nil}
	for _, n := range []*cfn.Node{want, is} {
		if kind := n.Get("Type"); section == "Resources" && kind != nil {
			e.Type = kind.Text
		}
	}
	if e.Added || e.Removed {
		return e
	}
	if section != "Resources" {
		if same(want, is) {
			return nil
		}
		return e
	}
	for _, name := range names(want, is) {
		switch name {
		case "DependsOn", "Metadata":
		case "Properties":
			e.Differences = compare(e.Differences, "", want.Get(name), is.Get(name))
		default:
			e.Differences = compare(e.Differences, "/"+name, want.Get(name), is.Get(name))
		}
	}
	if len(e.Differences) == 0 {
		return nil
	}
	return e
}

// compare adds the differences of two nodes.
func compare(to []stack.Difference, path string, want, is *cfn.Node) []stack.Difference {
	if same(want, is) {
		return to
	}
	if want != nil && is != nil && want.Kind == cfn.Map && is.Kind == cfn.Map && !isCall(want) && !isCall(is) {
		for _, name := range names(want, is) {
			to = compare(to, path+"/"+model.PointerSegment(name), want.Get(name), is.Get(name))
		}
		return to
	}
	return append(to,
		stack.Difference{Path: path, Want: scalar(want), Is: scalar(is), Added: want == nil, Removed: is == nil})
}

// isCall reports whether a node calls a function, such as Ref.
func isCall(n *cfn.Node) bool {
	return len(n.Members) == 1 &&
		(n.Members[0].Name == "Ref" || len(n.Members[0].Name) > 4 && n.Members[0].Name[:4] == "Fn::")
}

// scalar is the text of a scalar, and "" for what is none.
func scalar(n *cfn.Node) string {
	if n == nil || n.Kind == cfn.Map || n.Kind == cfn.List {
		return ""
	}
	return n.Text
}

// same reports whether two nodes mean the same.
func same(a, b *cfn.Node) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.Kind == cfn.Map && b.Kind == cfn.Map:
		return len(a.Members) == len(b.Members) &&
			!slices.ContainsFunc(a.Members, func(m cfn.Member) bool { return !same(m.Value, b.Get(m.Name)) })
	case a.Kind == cfn.List && b.Kind == cfn.List:
		return slices.EqualFunc(a.Items, b.Items, same)
	case a.Kind == cfn.Map || b.Kind == cfn.Map || a.Kind == cfn.List || b.Kind == cfn.List:
		return false
	}
	return a.Text == b.Text
}
