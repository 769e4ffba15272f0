package judge

import (
	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
)

func countProperties(_ *Run, v *cfn.Node) (int, bool) { return len(v.Members), v.Kind == cfn.Map }

func readMinProperties(k *reading) rule { return k.counted(countProperties, true, "member") }
func readMaxProperties(k *reading) rule { return k.counted(countProperties, false, "member") }

func readProperties(k *reading) rule {
	schemas := k.named(k.value)
	k.schema.properties = schemas
	return func(r *Run, v *cfn.Node) {
		for _, m := range v.Members {
			if schema := schemas[m.Name]; schema != nil {
				r.judge(schema, m.Value)
			}
		}
	}
}

// patternSchema is a schema for the properties whose names match.
type patternSchema struct {
	*pattern
	schema *Schema
}

// patterns returns the schemas of patternProperties. They are not whole if a pattern is not
// judged.
func (k *reading) patterns(node *cfn.Node) (list []patternSchema, whole bool) {
	whole = true
	if node == nil || node.Kind != cfn.Map {
		return nil, true
	}
	for _, m := range node.Members {
		if expression := k.pattern(m.Value, m.Name); expression != nil {
			list = append(list, patternSchema{expression, k.add(m.Value, nil)})
		} else {
			whole = false
		}
	}
	return list, whole
}

func (p patternSchema) matches(r *Run, name string) bool {
	return r.spend(p.cost(name)) && p.MatchString(name)
}

func readPatternProperties(k *reading) rule {
	patterns, _ := k.patterns(k.value)
	return func(r *Run, v *cfn.Node) {
		for _, m := range v.Members {
			for _, p := range patterns {
				if p.matches(r, m.Name) {
					r.judge(p.schema, m.Value)
				}
			}
		}
	}
}

func readAdditionalProperties(k *reading) rule {
	schema, at := k.add(k.value, nil), k.value
	k.schema.additional = schema
	known := make(map[string]bool)
	if properties := k.node.Get("properties"); properties != nil {
		for _, m := range properties.Members {
			known[m.Name] = true
		}
	}
	patterns, whole := k.patterns(k.node.Get("patternProperties"))
	if !whole || openapi.IsTrue(k.value) {
		return nil
	}
	refused := k.value.Kind == cfn.Bool
	return func(r *Run, v *cfn.Node) {
	members:
		for _, m := range v.Members {
			if known[m.Name] || !r.spend(1) {
				continue
			}
			for _, p := range patterns {
				if p.matches(r, m.Name) {
					continue members
				}
			}
			if refused {
				r.fault(m.Value, at, Unknown)
			} else {
				r.judge(schema, m.Value)
			}
		}
	}
}

func readPropertyNames(k *reading) rule {
	schema, at := k.add(k.value, nil), k.value
	return func(r *Run, v *cfn.Node) {
		for _, m := range v.Members {
			name := &cfn.Node{Kind: cfn.String, Text: m.Name, Pointer: m.Value.Pointer}
			if faults := r.try(schema, name, false); len(faults) > 0 {
				r.fault(m.Value, at, "has a name that %s", faults[0].Text)
			}
		}
	}
}

// requirement is a property that is required, or only one way.
type requirement struct {
	name     string
	optional Way
}

func readRequired(k *reading) rule {
	if k.value.Kind != cfn.List {
		return nil
	}
	requirements := make([]requirement, len(k.value.Items))
	for i, item := range k.value.Items {
		requirements[i] = requirement{item.Text, k.optional(item.Text)}
	}
	at := k.value
	return func(r *Run, v *cfn.Node) {
		if v.Kind != cfn.Map {
			return
		}
		for i, q := range requirements {
			if (q.optional == 0 || q.optional != r.way) && r.spend(1+len(v.Members)/8) && v.Get(q.name) == nil {
				r.missing(v, q.name, at.Items[i])
			}
		}
	}
}

// missing adds the fault of a property that is not there.
func (r *Run) missing(v *cfn.Node, name string, at *cfn.Node) {
	r.add(v.Pointer+Token(name), at, 0, "is missing")
}

// optional returns the way in which a required property is not: it is readOnly or writeOnly.
func (k *reading) optional(name string) Way {
	property := k.property(k.schema.within, name, 0)
	switch {
	case openapi.IsTrue(k.flag(property, "readOnly", 0)):
		return Request
	case openapi.IsTrue(k.flag(property, "writeOnly", 0)):
		return Answer
	}
	return 0
}

// mostParts is how deep a property is looked for in the parts of a schema.
const mostParts = 5

// property returns the schema of a property in a schema or in the parts of it; nil for none.
func (k *reading) property(schema *cfn.Node, name string, depth int) *cfn.Node {
	schema, err := k.document.Resolve(schema)
	if err != nil || depth > mostParts {
		return nil
	}
	if property := schema.Get("properties", name); property != nil {
		return property
	}
	if parts := schema.Get("allOf"); parts != nil {
		for _, part := range parts.Items[:min(len(parts.Items), mostParts)] {
			if property := k.property(part, name, depth+1); property != nil {
				return property
			}
		}
	}
	return nil
}

// flag returns what a schema has under a key, itself or in what it refers to.
func (k *reading) flag(schema *cfn.Node, key string, depth int) *cfn.Node {
	if schema == nil || depth > mostParts {
		return nil
	}
	if flag := schema.Get(key); flag != nil {
		return flag
	}
	if schema.Get("$ref") != nil {
		if to, err := k.document.Resolve(schema); err == nil {
			return k.flag(to, key, depth+1)
		}
		return nil
	}
	if parts := schema.Get("allOf"); parts != nil {
		for _, part := range parts.Items[:min(len(parts.Items), mostParts)] {
			if flag := k.flag(part, key, depth+1); flag != nil {
				return flag
			}
		}
	}
	return nil
}

func readDependentRequired(k *reading) rule {
	dependent := k.value.Members
	return func(r *Run, v *cfn.Node) {
		if v.Kind != cfn.Map {
			return
		}
		for _, d := range dependent {
			if !r.spend(1+len(v.Members)/8) || v.Get(d.Name) == nil {
				continue
			}
			for _, name := range d.Value.Items {
				if r.spend(1+len(v.Members)/8) && v.Get(name.Text) == nil {
					r.add(v.Pointer+Token(name.Text), name, 0, "is missing, which %s needs", phrase.Quote(d.Name))
				}
			}
		}
	}
}

func readDependentSchemas(k *reading) rule {
	schemas := k.named(k.value)
	return func(r *Run, v *cfn.Node) {
		for _, m := range v.Members {
			if schema := schemas[m.Name]; schema != nil {
				r.judge(schema, v)
			}
		}
	}
}
