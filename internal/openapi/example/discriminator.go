package example

import (
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// named returns the options of a choice whose discriminator names them, each with a schema that
// has its name, and then the options alone: a name may not fit
// (https://spec.openapis.org/oas/v3.1.0.html#discriminator-object).
func (g *generator) named(part *cfn.Node, options [][]*cfn.Node) [][]*cfn.Node {
	property := openapi.TextOf(part.Get("discriminator", "propertyName"))
	if property == "" {
		return options
	}
	var all [][]*cfn.Node
	for _, option := range options {
		name := optionName(part.Get("discriminator", "mapping"), openapi.TextOf(option[0].Get("$ref")))
		schema, err := g.document.Resolve(option[0])
		if name == "" || err != nil || len(given(schema).examples) > 0 {
			continue
		}
		is := cfn.MapNode().With("properties", cfn.MapNode().With(property, cfn.MapNode().WithTexts("enum", name)))
		all = append(all, append(option[:1:1], is))
	}
	return append(all, options...)
}

// optionName returns the name that a discriminator has for a reference: that of its mapping,
// which has references or names of schemas, else the name of the schema.
func optionName(mapping *cfn.Node, ref string) string {
	schema := jsontext.Pointer(ref).LastToken()
	for _, m := range openapi.MembersOf(mapping) {
		if to := openapi.TextOf(m.Value); ref != "" && (to == ref || to == schema) {
			return m.Name
		}
	}
	return schema
}
