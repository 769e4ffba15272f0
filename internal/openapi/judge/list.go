package judge

import (
	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
)

func countItems(_ *Run, v *cfn.Node) (int, bool) { return len(v.Items), v.Kind == cfn.List }

func readMinItems(k *reading) rule { return k.counted(countItems, true, "item") }
func readMaxItems(k *reading) rule { return k.counted(countItems, false, "item") }

// readItems reads the schema of the items that prefixItems does not have.
func readItems(k *reading) rule {
	if k.value.Kind == cfn.List {
		return readPrefixItems(k)
	}
	schema, first := k.add(k.value, nil), 0
	k.schema.items = schema
	if prefix := k.node.Get("prefixItems"); prefix != nil && prefix.Kind == cfn.List {
		first = len(prefix.Items)
	}
	return func(r *Run, v *cfn.Node) {
		for i := first; i < len(v.Items); i++ {
			r.judge(schema, v.Items[i])
		}
	}
}

func readPrefixItems(k *reading) rule {
	schemas := k.list(k.value, nil)
	return func(r *Run, v *cfn.Node) {
		for i, schema := range schemas[:min(len(schemas), len(v.Items))] {
			r.judge(schema, v.Items[i])
		}
	}
}

// readContains makes one rule of contains, minContains and maxContains.
func readContains(k *reading) rule {
	schema, at := k.add(k.value, nil), k.value
	least, most := 1, -1
	if n := k.node.Get("minContains"); n != nil {
		if limit, ok := (&reading{value: n}).bound(); ok {
			least = limit.count()
		}
	}
	if n := k.node.Get("maxContains"); n != nil {
		if limit, ok := (&reading{value: n}).bound(); ok {
			most = limit.count()
		}
	}
	return func(r *Run, v *cfn.Node) {
		if v.Kind != cfn.List {
			return
		}
		n := 0
		for _, item := range v.Items {
			if r.over {
				return
			}
			if r.holds(schema, item) {
				n++
			}
		}
		switch {
		case r.over:
		case n < least:
			r.fault(v, at, "has %s as in contains and not at least %d", phrase.Count(n, "item"), least)
		case most >= 0 && n > most:
			r.fault(v, at, "has %s as in contains and not at most %d", phrase.Count(n, "item"), most)
		}
	}
}

func readUniqueItems(k *reading) rule {
	if !openapi.IsTrue(k.value) {
		return nil
	}
	at := k.value
	return func(r *Run, v *cfn.Node) {
		if v.Kind != cfn.List || len(v.Items) < 2 || !r.spend(size(v)) {
			return
		}
		seen := make(map[string]int, len(v.Items))
		for i, item := range v.Items {
			text := Canonical(item)
			if before, twice := seen[text]; twice {
				r.fault(v, at, "has the same item twice, as number %d and %d", before+1, i+1)
				return
			}
			seen[text] = i
		}
	}
}
