package judge

import (
	"gatewright/internal/cfn"
)

func readAllOf(k *reading) rule {
	schemas := k.list(k.value, k.schema.within)
	k.schema.parts = append(k.schema.parts, schemas...)
	return func(r *Run, v *cfn.Node) {
		for _, schema := range schemas {
			r.judge(schema, v)
		}
	}
}

func readAnyOf(k *reading) rule {
	schemas, at := k.list(k.value, nil), k.value
	k.schema.choices = append(k.schema.choices, schemas)
	return func(r *Run, v *cfn.Node) {
		for _, schema := range schemas {
			if r.holds(schema, v) {
				return
			}
		}
		r.nearest(schemas, v, at, "anyOf")
	}
}

func readOneOf(k *reading) rule {
	schemas, at := k.list(k.value, nil), k.value
	k.schema.choices = append(k.schema.choices, schemas)
	return func(r *Run, v *cfn.Node) {
		first := -1
		for i, schema := range schemas {
			if !r.holds(schema, v) {
				continue
			}
			if first >= 0 {
				if !r.over {
					r.fault(v, at, "fits the schemas %d and %d of oneOf and may fit only one", first+1, i+1)
				}
				return
			}
			first = i
		}
		if first < 0 {
			r.nearest(schemas, v, at, "oneOf")
		}
	}
}

// nearest adds the faults of a value that fits none of some schemas: those of the schema that
// it comes nearest to. One that is of another type is not near.
func (r *Run) nearest(schemas []*Schema, v, at *cfn.Node, keyword string) {
	if r.over || len(schemas) == 0 {
		return
	}
	if r.quiet {
		r.add(v.Pointer, at, 0, "")
		return
	}
	var best []Fault
	least, weight, ties := 0, uint8(otherKind), 0
	for _, schema := range schemas {
		faults := r.try(schema, v, false)
		if r.over {
			return
		}
		switch w := weightOf(faults, v); {
		case w > weight:
			continue
		case w < weight:
			weight, ties = w, 0
		}
		if ties++; ties == 1 || len(faults) < least {
			best, least = faults, len(faults)
		}
	}
	if weight == otherKind || ties > 1 {
		r.add(v.Pointer, at, weight, "fits none of the %d schemas of %s", len(schemas), keyword)
	}
	if weight < otherKind {
		for _, f := range best {
			r.keep(f)
		}
	}
}

// weightOf returns how surely a value with such faults was meant for another schema.
func weightOf(faults []Fault, v *cfn.Node) uint8 {
	var most uint8
	for _, f := range faults {
		if f.weight == otherConstant || f.Pointer == v.Pointer {
			most = max(most, f.weight)
		}
	}
	return most
}

func readNot(k *reading) rule {
	schema, at := k.add(k.value, nil), k.value
	return func(r *Run, v *cfn.Node) {
		if r.holds(schema, v) && !r.over {
			r.fault(v, at, "fits a schema that it must not fit")
		}
	}
}

// readIf makes one rule of if, then and else.
func readIf(k *reading) rule {
	condition := k.add(k.value, nil)
	then, otherwise := k.add(k.node.Get("then"), k.schema.within), k.add(k.node.Get("else"), k.schema.within)
	return func(r *Run, v *cfn.Node) {
		holds := r.holds(condition, v)
		switch {
		case r.over:
		case holds:
			r.judge(then, v)
		default:
			r.judge(otherwise, v)
		}
	}
}
