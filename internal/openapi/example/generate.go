package example

import (
	"iter"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
)

const (
	// mostSteps is how many values are made at most, with those that do not fit.
	mostSteps = 20_000
	// mostDepth is how deep a value is nested before all that is optional is left out.
	mostDepth = 12
	// mostParts is how many schemas one value has at most.
	mostParts = 200
)

// generator makes a value of schemas.
type generator struct {
	document *openapi.Document
	rules    *judge.Rules
	run      *judge.Run
	// left are the bytes that the body may still have, and steps the values that may still be
	// made.
	left, steps int
	// older says that a reference has no other keywords next to it, as before OpenAPI 3.1.
	older bool
	// least leaves out all that is optional.
	least bool
	// active are the schemas of which a value is being made: one within itself has no end.
	active []*cfn.Node
}

// newGenerator makes a generator; with least it leaves out all that is optional.
func newGenerator(d *openapi.Document, rules *judge.Rules, least bool) *generator {
	return &generator{
		document: d, rules: rules, run: judge.NewRun(judge.Answer), left: Largest, steps: mostSteps, least: least,
		older: d.Swagger() || strings.HasPrefix(d.Version, "3.0"),
	}
}

// value makes a value that fits all of the schemas; fits says whether it does. It is nil if
// none can be made. Of choices, those that are settled are not made again. The variant is 0, or
// another number for another value.
func (g *generator) value(schemas, settled []*cfn.Node, variant, depth int) (v *cfn.Node, fits bool) {
	if g.steps--; g.steps < -mostSteps || depth > 4*mostDepth {
		return nil, false
	}
	parts, ok := g.flat(schemas)
	if !ok {
		return nil, false
	}
	for _, part := range parts {
		if options, at := g.choice(part, settled); at != nil {
			return g.choose(schemas, options, append(slices.Clip(settled), at), variant, depth)
		}
	}
	before := len(g.active)
	g.active = append(g.active, parts...)
	defer func() { g.active = g.active[:before] }()
	return g.first(schemas, g.candidates(parts, variant, depth))
}

// first returns the first value that fits; if none does, the first that there is.
func (g *generator) first(schemas []*cfn.Node, candidates iter.Seq[*cfn.Node]) (first *cfn.Node, fits bool) {
	for v := range candidates {
		if v == nil {
			continue
		}
		if g.fits(schemas, v) {
			return v, true
		}
		if first == nil {
			first = v
		}
	}
	return first, false
}

func (g *generator) fits(schemas []*cfn.Node, v *cfn.Node) bool { return g.faults(schemas, v) == 0 }

// faults counts how a value breaks schemas.
func (g *generator) faults(schemas []*cfn.Node, v *cfn.Node) int {
	n := 0
	for _, s := range schemas {
		n += len(g.run.Judge(g.rules.Schema(s), v))
	}
	return n
}

// choice returns the schemas of which a value has to fit one, with the node that has them; nil
// for none that is not settled.
func (g *generator) choice(part *cfn.Node, settled []*cfn.Node) (options [][]*cfn.Node, at *cfn.Node) {
	for _, key := range []string{"oneOf", "anyOf"} {
		if at := part.Get(key); at != nil && at.Kind == cfn.List && len(at.Items) > 0 && !slices.Contains(settled, at) {
			for _, item := range at.Items {
				options = append(options, []*cfn.Node{item})
			}
			return g.named(part, options), at
		}
	}
	condition := part.Get("if")
	if condition == nil || slices.Contains(settled, condition) {
		return nil, nil
	}
	with, without := []*cfn.Node{condition}, []*cfn.Node(nil)
	if then := part.Get("then"); then != nil {
		with = append(with, then)
	}
	if otherwise := part.Get("else"); otherwise != nil {
		without = append(without, otherwise)
	}
	return [][]*cfn.Node{with, without}, condition
}

// choose makes a value with the first of the options that gives one that fits.
func (g *generator) choose(
	schemas []*cfn.Node, options [][]*cfn.Node, settled []*cfn.Node, variant, depth int,
) (first *cfn.Node, fits bool) {
	for _, option := range options {
		v, _ := g.value(append(slices.Clip(schemas), option...), settled, variant, depth)
		if v == nil {
			continue
		}
		if g.fits(schemas, v) {
			return v, true
		}
		if first == nil {
			first = v
		}
		if g.steps < 0 {
			break
		}
	}
	return first, false
}

// flat returns the schemas themselves, those that they refer to, and all of their allOf. It is
// not ok if nothing fits them, or if one is being made already.
func (g *generator) flat(schemas []*cfn.Node) (parts []*cfn.Node, ok bool) {
	waiting := slices.Clone(schemas)
	for len(waiting) > 0 {
		n := waiting[0]
		waiting = waiting[1:]
		if n.Get("$ref") != nil {
			to, err := g.document.Resolve(n)
			if err != nil {
				continue
			}
			waiting = slices.Insert(waiting, 0, to)
			if g.older {
				continue
			}
		}
		switch {
		case n.Kind == cfn.Bool && n.Text == "false", slices.Contains(g.active, n), len(parts) > mostParts:
			return nil, false
		case n.Kind != cfn.Map || slices.Contains(parts, n):
			continue
		}
		parts = append(parts, n)
		if all := n.Get("allOf"); all != nil {
			waiting = append(waiting, all.Items...)
		}
	}
	return parts, true
}

// candidates returns the values that may fit: those that the schemas have, then one of each
// type.
func (g *generator) candidates(parts []*cfn.Node, variant, depth int) iter.Seq[*cfn.Node] {
	return func(yield func(*cfn.Node) bool) {
		for _, v := range present(parts, variant) {
			if !yield(g.counted(v)) {
				return
			}
		}
		for _, kind := range kindsOf(parts) {
			for v := range g.ofKind(kind, parts, variant, depth) {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// counted takes the size of a value from the bytes that are left.
func (g *generator) counted(v *cfn.Node) *cfn.Node {
	g.left -= len(v.Minified())
	return v
}

// present returns the values that schemas have. For another variant, it begins with another.
func present(parts []*cfn.Node, variant int) []*cfn.Node {
	var values []*cfn.Node
	for _, part := range parts {
		gift := given(part)
		values = append(append(values, gift.examples...), gift.values...)
	}
	if variant == 0 || len(values) == 0 {
		return values
	}
	start := variant % len(values)
	return append(slices.Clone(values[start:]), values[:start]...)
}

// keywordsOf are the keywords that say of which type a value is meant to be.
var keywordsOf = []struct {
	kind     judge.Kinds
	keywords []string
}{
	{
		judge.Object,
		[]string{
			"properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties",
			"maxProperties", "dependentRequired", "dependentSchemas",
		},
	},
	{judge.Array, []string{"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"}},
	{judge.String, []string{"minLength", "maxLength", "pattern", "format"}},
	{judge.Number, []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}},
}

// kindsOf returns the types that a value may have, the likeliest first.
func kindsOf(parts []*cfn.Node) []judge.Kinds {
	allowed, typed := judge.All, false
	var order []judge.Kinds
	for _, part := range parts {
		names := []*cfn.Node{part.Get("type")}
		if names[0] == nil {
			continue
		}
		if names[0].Kind == cfn.List {
			names = names[0].Items
		}
		var kinds judge.Kinds
		for _, name := range names {
			kind := judge.KindNamed(name.Text)
			if kind == judge.Number {
				kind |= judge.Integer
			}
			kinds |= kind
			order = append(order, kind)
		}
		if kinds == 0 {
			continue
		}
		if part.Get("nullable") != nil || part.Get("x-nullable") != nil {
			kinds |= judge.Null
		}
		allowed, typed = allowed&kinds, true
	}
	if !typed {
		for _, k := range keywordsOf {
			if slices.ContainsFunc(parts, func(part *cfn.Node) bool {
				return slices.ContainsFunc(k.keywords, func(keyword string) bool { return part.Get(keyword) != nil })
			}) {
				order = append(order, k.kind)
			}
		}
	}
	order = append(order, judge.Object, judge.String, judge.Integer, judge.Number, judge.Array, judge.Boolean, judge.Null)
	var kinds []judge.Kinds
	for _, kind := range order {
		if kind &= allowed; kind != 0 && kind != judge.Null && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if allowed&judge.Null != 0 {
		kinds = append(kinds, judge.Null)
	}
	return kinds
}

// ofKind returns values of a type.
func (g *generator) ofKind(kind judge.Kinds, parts []*cfn.Node, variant, depth int) iter.Seq[*cfn.Node] {
	return func(yield func(*cfn.Node) bool) {
		switch {
		case kind&judge.Object != 0:
			g.objects(parts, variant, depth)(yield)
		case kind&judge.Array != 0:
			g.lists(parts, variant, depth)(yield)
		case kind&judge.String != 0:
			for text := range textsOf(parts, variant) {
				if !yield(g.counted(cfn.TextNode(text))) {
					return
				}
			}
		case kind&(judge.Integer|judge.Number) != 0:
			for _, number := range numbersOf(parts, kind == judge.Integer, variant) {
				if !yield(g.counted(number)) {
					return
				}
			}
		case kind&judge.Boolean != 0:
			_ = yield(g.counted(cfn.BoolNode(variant%2 == 0))) && yield(cfn.BoolNode(variant%2 != 0))
		default:
			yield(&cfn.Node{})
		}
	}
}
