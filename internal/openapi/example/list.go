package example

import (
	"iter"
	"math/big"
	"slices"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
)

var one = big.NewRat(1, 1)

const (
	// mostItems is how many items a list has at most.
	mostItems = 1000
	// mostVariants is how many values are tried to find one that is not there yet.
	mostVariants = 30
)

// wish is what schemas say of a list.
type wish struct {
	least, most int
	unique      bool
	// prefix is how many items have a schema of their own.
	prefix int
	// contained are the schemas that so many items have to fit.
	contained []*cfn.Node
	times     []int
}

func wishOf(parts []*cfn.Node) wish {
	w := wish{most: mostItems}
	for _, part := range parts {
		w.least = max(w.least, count(part, "minItems"))
		if n := count(part, "maxItems"); n >= 0 {
			w.most = min(w.most, n)
		}
		w.unique = w.unique || openapi.IsTrue(part.Get("uniqueItems"))
		if prefix := part.Get("prefixItems"); prefix != nil {
			w.prefix = max(w.prefix, len(prefix.Items))
		}
		if contains := part.Get("contains"); contains != nil {
			times := count(part, "minContains")
			if times < 0 {
				times = 1
			}
			if times = min(times, mostItems); times > 0 {
				w.contained, w.times = append(w.contained, contains), append(w.times, times)
			}
		}
	}
	return w
}

// lists returns lists that may fit: with an item, with as many as are asked for, and with
// those that must be contained at the beginning.
func (g *generator) lists(parts []*cfn.Node, variant, depth int) iter.Seq[*cfn.Node] {
	return func(yield func(*cfn.Node) bool) {
		w := wishOf(parts)
		contained := 0
		for _, n := range w.times {
			contained += n
		}
		var lengths []int
		for _, n := range []int{max(w.least, w.prefix+contained, 1), max(w.least, contained), w.least, w.least + 1} {
			if n = min(n, w.most); !slices.Contains(lengths, n) {
				lengths = append(lengths, n)
			}
		}
		if g.least || depth > mostDepth || g.left < 0 {
			slices.Sort(lengths)
		}
		for _, length := range lengths {
			for _, last := range []bool{true, false} {
				if last && contained == 0 {
					continue
				}
				if !yield(g.list(parts, w, min(length, mostItems), contained, last, variant, depth)) {
					return
				}
			}
		}
	}
}

// list makes a list of a length, with what it must contain at its end or at its beginning. It
// is nil if an item cannot be made.
func (g *generator) list(parts []*cfn.Node, w wish, length, contained int, last bool, variant, depth int) *cfn.Node {
	list := cfn.ListNode()
	seen := make(map[string]bool)
	start := 0
	if last {
		start = length - contained
	}
	for i := range length {
		schemas := itemSchemas(parts, i)
		at := i - start
		for n, s := range w.contained {
			if at >= 0 && at < w.times[n] {
				schemas = append(schemas, s)
			}
			at -= w.times[n]
		}
		if len(schemas) == 0 && i >= w.least && contained == 0 {
			break
		}
		item := g.item(schemas, w.unique, seen, variant, depth)
		if item == nil {
			return nil
		}
		seen[judge.Canonical(item)] = true
		list.Items = append(list.Items, item)
	}
	return list
}

// item makes an item of a list: another one than those seen, if they must differ.
func (g *generator) item(schemas []*cfn.Node, unique bool, seen map[string]bool, variant, depth int) *cfn.Node {
	if !unique {
		item, _ := g.value(schemas, nil, variant, depth+1)
		return item
	}
	var first *cfn.Node
	for n := range mostVariants {
		item, fits := g.value(schemas, nil, variant+len(seen)+n, depth+1)
		if item == nil || len(seen) == 0 {
			return item
		}
		if fits && !seen[judge.Canonical(item)] {
			return item
		}
		if first == nil {
			first = item
		}
	}
	return first
}

func itemSchemas(parts []*cfn.Node, i int) []*cfn.Node {
	var schemas []*cfn.Node
	for _, part := range parts {
		items, prefix := part.Get("items"), part.Get("prefixItems")
		if items != nil && items.Kind == cfn.List {
			items, prefix = nil, items
		}
		switch {
		case prefix != nil && i < len(prefix.Items):
			schemas = append(schemas, prefix.Items[i])
		case items != nil:
			schemas = append(schemas, items)
		}
	}
	return schemas
}
