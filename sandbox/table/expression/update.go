package expression

import (
	"maps"
	"slices"

	"gatewright/sandbox/table/attribute"
)

const (
	operandMessage = "An operand in the update expression has an incorrect data type"
	pathMessage    = "The document path provided in the update expression is invalid for update"
	missingMessage = "The provided expression refers to an attribute that does not exist in the item"
)

// Update is an UpdateExpression or AttributeUpdates.
type Update struct {
	changes  []change
	root     *branch
	mismatch string // the message about ADD and DELETE on an attribute of another type
}

// change is one action of an update.
type change struct {
	verb   string // SET, REMOVE, ADD, DELETE
	target *term  // a path
	source *term  // what SET writes; the value of ADD or DELETE
}

// Paths is the document paths that the update writes, in the order of the text.
func (u *Update) Paths() Paths {
	if u == nil {
		return nil
	}
	paths := make(Paths, len(u.changes))
	for i, c := range u.changes {
		paths[i] = c.target.path
	}
	return paths
}

// Names is the attributes that the update writes, sorted, each once.
func (u *Update) Names() []string { return u.Paths().Names() }

// Apply returns the updated item, and the paths that the update wrote, for UPDATED_OLD and UPDATED_NEW. The
// old item is not changed; untouched values are shared. A nil old item does not exist. All operands are read
// from the old item. A nil update changes nothing. The errors are ValidationExceptions: an operand that is
// absent or of the wrong type, a path that leads nowhere, a number out of range, too many levels.
func (u *Update) Apply(old attribute.Item) (item attribute.Item, touched Paths, err error) {
	if u == nil {
		if old == nil {
			old = attribute.Item{}
		}
		return old, nil, nil
	}
	a := &application{update: u, old: old, sources: make([]*attribute.Value, len(u.changes)), touched: u.Paths()}
	for i, c := range u.changes {
		if c.source == nil {
			continue
		}
		if a.sources[i], err = c.source.evaluate(old); err != nil {
			return nil, nil, err
		}
	}
	item, err = a.members(u.root, old, 0)
	if err != nil {
		return nil, nil, err
	}
	return item, a.touched, nil
}

// evaluate is the value that SET writes.
func (t *term) evaluate(item attribute.Item) (*attribute.Value, error) {
	switch t.form {
	case valueForm:
		return t.value, nil
	case pathForm:
		if v := t.path.valueIn(item); v != nil {
			return v, nil
		}
		return nil, attribute.Invalid(missingMessage)
	case callForm:
		if t.word == "if_not_exists" {
			if v := t.args[0].path.valueIn(item); v != nil {
				return v, nil
			}
			return t.args[1].evaluate(item)
		}
	}
	left, err := t.args[0].evaluate(item)
	if err != nil {
		return nil, err
	}
	right, err := t.args[1].evaluate(item)
	if err != nil {
		return nil, err
	}
	switch {
	case t.form == callForm && left.Kind == attribute.L && right.Kind == attribute.L:
		return &attribute.Value{Kind: attribute.L, List: slices.Concat(left.List, right.List)}, nil
	case t.form == sumForm && left.Kind == attribute.N && right.Kind == attribute.N:
		calculate := attribute.Add
		if t.word == "-" {
			calculate = attribute.Subtract
		}
		text, err := calculate(left.Text, right.Text)
		if err != nil {
			return nil, err
		}
		return &attribute.Value{Kind: attribute.N, Text: text}, nil
	}
	return nil, attribute.Invalid(operandMessage)
}

// branch is a node of the tree of an update's paths: either a change, or a value in which
// changes are made.
type branch struct {
	change  int // its index; -1 if changes are made below this node
	names   map[string]*branch
	indexes map[int]*branch
}

// tree is the tree of paths that do not clash.
func tree(paths Paths) *branch {
	root := &branch{change: -1}
	for i, path := range paths {
		at := root
		for _, s := range path {
			at = at.child(s)
		}
		at.change = i
	}
	return root
}

func (b *branch) child(s Step) *branch {
	if s.Index < 0 {
		return descend(&b.names, s.Name)
	}
	return descend(&b.indexes, s.Index)
}

func descend[K comparable](children *map[K]*branch, key K) *branch {
	if *children == nil {
		*children = map[K]*branch{}
	}
	if (*children)[key] == nil {
		(*children)[key] = &branch{change: -1}
	}
	return (*children)[key]
}

// sortedNames gives a fixed order, so that the same request gets the same refusal.
func sortedNames(b *branch) []string { return slices.Sorted(maps.Keys(b.names)) }
