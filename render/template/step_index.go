package template

import (
	"slices"

	"gatewright/internal/cfn"
)

// withOneIndexMore changes one index of each table of which the next template changes several.
func withOneIndexMore(old Deployed, next *Template) (to Deployed, changed bool) {
	to = old
	for _, m := range members(old.Root.Get("Resources")) {
		want := next.Root.Get("Resources", m.Name)
		if typeOf(m.Value) != tableType || want == nil {
			continue
		}
		if KeysDiffer(m.Value, want) {
			continue // it is made anew, with its indexes
		}
		was := indexesIn(m.Value)
		drop, create := missingIn(m.Value, want), missingIn(want, m.Value)
		if len(drop)+len(create) < 2 {
			continue
		}
		changed = true
		// What goes makes room for what comes: an index that changes has one name.
		left := slices.Clone(was)
		if len(drop) > 0 {
			left = slices.DeleteFunc(left, func(n *cfn.Node) bool { return n == drop[0] })
		} else {
			left = append(left, create[0])
		}
		properties := m.Value.Get("Properties")
		var list *cfn.Node
		if len(left) > 0 {
			list = cfn.ListNode(left...)
		}
		properties = replaced(properties, list, "GlobalSecondaryIndexes")
		// While an old index goes, the others are as they were, so the old types come first.
		// Those of a new one are not among them, or stay.
		properties = replaced(properties,
			usedAttributes(properties, m.Value.Get("Properties", "AttributeDefinitions"),
				want.Get("Properties", "AttributeDefinitions")), "AttributeDefinitions")
		to.Root = replaced(to.Root, properties, "Resources", m.Name, "Properties")
	}
	return to, changed
}

func indexesIn(table *cfn.Node) []*cfn.Node {
	if list := table.Get("Properties", "GlobalSecondaryIndexes"); list != nil {
		return list.Items
	}
	return nil
}

// missingIn are the indexes of one table that another one does not have in the same form, with
// the same types of attributes.
func missingIn(table, other *cfn.Node) []*cfn.Node {
	forms := make(map[string]bool)
	for _, n := range indexesIn(other) {
		forms[formOf(n, other)] = true
	}
	return slices.DeleteFunc(slices.Clone(indexesIn(table)), func(n *cfn.Node) bool { return forms[formOf(n, table)] })
}

func formOf(index, table *cfn.Node) string {
	form, types := minified(index), typesOf(table)
	for _, name := range keysOf(index.Get("KeySchema")) {
		form += " " + types[name]
	}
	return form
}

// usedAttributes are the definitions of the attributes that keys of a table use: a table takes no others.
func usedAttributes(properties *cfn.Node, definitions ...*cfn.Node) *cfn.Node {
	used := make(map[string]bool)
	take := func(schema *cfn.Node) {
		for _, name := range keysOf(schema) {
			used[name] = true
		}
	}
	take(properties.Get("KeySchema"))
	if list := properties.Get("GlobalSecondaryIndexes"); list != nil {
		for _, index := range list.Items {
			take(index.Get("KeySchema"))
		}
	}
	all := cfn.ListNode()
	for _, list := range definitions {
		if list == nil {
			continue
		}
		for _, d := range list.Items {
			if name := d.Get("AttributeName").Text; used[name] {
				used[name] = false
				all.Items = append(all.Items, d)
			}
		}
	}
	return all
}
