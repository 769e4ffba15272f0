package example

import (
	"iter"
	"slices"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// property is a property that an object may have.
type property struct {
	name     string
	required bool
	schemas  []*cfn.Node
}

// spare is the name of a property of which nothing is known.
const spare = "property"

// mostSpare is how many properties are added to have enough.
const mostSpare = 100

// objects returns objects that may fit: with all properties, then with those that do not make
// it worse.
func (g *generator) objects(parts []*cfn.Node, variant, depth int) iter.Seq[*cfn.Node] {
	return func(yield func(*cfn.Node) bool) {
		properties := g.properties(parts)
		least, most := 0, mostItems
		for _, part := range parts {
			least = max(least, count(part, "minProperties"))
			if n := count(part, "maxProperties"); n >= 0 {
				most = min(most, n)
			}
		}
		object := cfn.MapNode()
		var optional []cfn.Member
		for _, p := range properties {
			if !p.required && (g.least || depth > mostDepth || g.left < 0 || g.steps < 0) {
				continue
			}
			g.left -= len(p.name) + 2*depth + 6
			v, fits := g.value(p.schemas, nil, variant, depth+1)
			switch {
			case p.required && v == nil:
				return
			case p.required:
				object.Members = append(object.Members, cfn.Member{Name: p.name, Value: v})
			case fits:
				object.Members = append(object.Members, cfn.Member{Name: p.name, Value: v})
				optional = append(optional, object.Members[len(object.Members)-1])
			}
		}
		g.fill(object, parts, least, variant, depth)
		for len(object.Members) > most && len(optional) > 0 {
			last := optional[len(optional)-1]
			optional = optional[:len(optional)-1]
			object.Members = slices.DeleteFunc(object.Members, func(m cfn.Member) bool { return m.Name == last.Name })
		}
		if !yield(object) || len(optional) == 0 {
			return
		}
		yield(g.withoutWorse(parts, object, optional))
	}
}

// withoutWorse returns an object with only those of its optional properties that do not make
// it break more of its schemas.
func (g *generator) withoutWorse(parts []*cfn.Node, object *cfn.Node, optional []cfn.Member) *cfn.Node {
	isOptional := func(m cfn.Member) bool {
		return slices.ContainsFunc(optional, func(o cfn.Member) bool { return o.Name == m.Name })
	}
	best := cfn.MapNode(slices.DeleteFunc(slices.Clone(object.Members), isOptional)...)
	faults := g.faults(parts, best)
	for _, m := range optional {
		more := cfn.MapNode(append(slices.Clone(best.Members), m)...)
		if n := g.faults(parts, more); n <= faults {
			best, faults = more, n
		}
	}
	return best
}

// properties lists the properties that the schemas name, in the order of the document; those
// that are required and not named come last. What is writeOnly is left out.
func (g *generator) properties(parts []*cfn.Node) []property {
	var properties []property
	known := make(map[string]int)
	add := func(name string, required bool) {
		if i, ok := known[name]; ok {
			properties[i].required = properties[i].required || required
			return
		}
		known[name] = len(properties)
		properties = append(properties, property{name, required, g.propertySchemas(parts, name)})
	}
	for _, part := range parts {
		if named := part.Get("properties"); named != nil {
			for _, m := range named.Members {
				add(m.Name, false)
			}
		}
	}
	for _, part := range parts {
		if required := part.Get("required"); required != nil {
			for _, item := range required.Items {
				add(item.Text, true)
			}
		}
	}
	properties = slices.DeleteFunc(properties, func(p property) bool { return g.writeOnly(p.schemas) })
	if len(properties) == 0 {
		for _, part := range parts {
			if more := part.Get("additionalProperties"); more != nil && more.Kind == cfn.Map && len(more.Members) > 0 {
				add(spare+"1", false)
			}
		}
	}
	return properties
}

func (g *generator) writeOnly(schemas []*cfn.Node) bool {
	for _, s := range schemas {
		n, err := g.document.Resolve(s)
		if openapi.IsTrue(s.Get("writeOnly")) || err == nil && openapi.IsTrue(n.Get("writeOnly")) {
			return true
		}
	}
	return false
}

// propertySchemas returns the schemas of a property.
func (g *generator) propertySchemas(parts []*cfn.Node, name string) []*cfn.Node {
	var schemas []*cfn.Node
	for _, part := range parts {
		found := false
		if s := part.Get("properties", name); s != nil {
			schemas, found = append(schemas, s), true
		}
		if patterns := part.Get("patternProperties"); patterns != nil {
			for _, m := range patterns.Members {
				if g.rules.Matches(m.Name, name) {
					schemas, found = append(schemas, m.Value), true
				}
			}
		}
		if more := part.Get("additionalProperties"); more != nil && !found {
			schemas = append(schemas, more)
		}
	}
	return schemas
}

// fill adds properties that the schemas do not name, until there are enough.
func (g *generator) fill(object *cfn.Node, parts []*cfn.Node, least, variant, depth int) {
	for n := 0; len(object.Members) < least && n < mostSpare; n++ {
		for _, name := range g.spareNames(parts, n) {
			if object.Get(name) != nil || len(object.Members) >= least {
				continue
			}
			if v, fits := g.value(g.propertySchemas(parts, name), nil, variant, depth+1); fits {
				object.Members = append(object.Members, cfn.Member{Name: name, Value: v})
			}
		}
	}
}

// spareNames returns names for further properties, others for each number.
func (g *generator) spareNames(parts []*cfn.Node, n int) []string {
	var names []string
	var rules []*cfn.Node
	for _, part := range parts {
		if rule := part.Get("propertyNames"); rule != nil {
			rules = append(rules, rule)
		}
		if patterns := part.Get("patternProperties"); patterns != nil {
			for _, m := range patterns.Members {
				if name, ok := matching(m.Name, n/26+1, n); ok {
					names = append(names, name)
				}
			}
		}
	}
	if len(rules) > 0 {
		if name, fits := g.value(append(rules, textSchema), nil, n, 0); fits {
			names = append(names, name.Text)
		}
		names = slices.DeleteFunc(names, func(name string) bool { return !g.fits(rules, cfn.TextNode(name)) })
		return names
	}
	return append(names, spare+number(n+1))
}

// textSchema is the schema of texts.
var textSchema = cfn.MapNode(cfn.Member{Name: "type", Value: cfn.TextNode("string")})
