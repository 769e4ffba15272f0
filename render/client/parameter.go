package client

import (
	"slices"
	"strings"

	"gatewright/internal/openapi"
)

// setQuery sets the query of an operation.
func (w *clientWriter) setQuery(o *clientOperation, parameters []openapi.Parameter) {
	var members []typeMember
	var styles []string
	needed := false
	for _, p := range parameters {
		if p.In != "query" {
			continue
		}
		members = append(members,
			typeMember{name: propertyName(p.Name), text: w.queryType(p), optional: !p.Required, comment: aboutSchema(p.Node)})
		needed = needed || p.Required
		if style := queryStyle(p, w.types.Swagger()); style != "" {
			name := propertyName(p.Name)
			if p.Name == Prototype {
				name = "[" + String(p.Name) + "]"
			}
			styles = append(styles, name+": "+String(style))
		}
	}
	if members == nil {
		return
	}
	o.request = append(o.request, typeMember{name: "query", text: objectType(members, "", 1).text, optional: !needed})
	arguments := "request.query"
	if styles != nil {
		arguments += ", { " + strings.Join(styles, ", ") + " }"
	}
	o.query = w.use("search") + "(" + arguments + ")"
	if slices.ContainsFunc(o.path, func(part string) bool { return strings.Contains(part, "?") }) {
		o.query += ".replace('?', '&')"
	}
}

// queryType is the type of a parameter of the query. One with several members is an object.
func (w *clientWriter) queryType(p openapi.Parameter) string {
	if p.Schema == nil && p.Node.Get("content") != nil {
		return "unknown"
	}
	if p.Schema != nil {
		if n, err := w.types.Resolve(p.Schema); err == nil {
			if kinds, _ := kindsOf(n); slices.Contains(kinds, "object") {
				return w.types.typeOf(p.Schema, typePlace{sent: true, level: 2}).text
			}
		}
	}
	return w.parameterType(p)
}

// The styles of values in a query, which search in clientRuntime knows. A sign stands for lists whose items it joins.
// Without a style, a list is several parameters of one name, and an object one parameter for each member.
const (
	jsonStyle = "json"
	deepStyle = "deep"
)

// queryStyle is how a parameter is written in a query; "" for the usual way
// (https://spec.openapis.org/oas/v3.0.3.html#style-values, https://spec.openapis.org/oas/v2.0.html#parameter-object).
func queryStyle(p openapi.Parameter, swagger bool) string {
	if swagger {
		if openapi.TextOf(p.Node.Get("type")) != "array" {
			return ""
		}
		switch openapi.TextOf(p.Node.Get("collectionFormat")) {
		case "multi":
			return ""
		case "ssv":
			return " "
		case "tsv":
			return "\t"
		case "pipes":
			return "|"
		}
		return ","
	}
	explodes := p.Node.Get("explode")
	switch style := openapi.TextOf(p.Node.Get("style")); {
	case p.Node.Get("content") != nil:
		return jsonStyle
	case style == "deepObject":
		return deepStyle
	case style == "spaceDelimited" && !openapi.IsTrue(explodes):
		return " "
	case style == "pipeDelimited" && !openapi.IsTrue(explodes):
		return "|"
	case explodes != nil && !openapi.IsTrue(explodes):
		return ","
	}
	return ""
}

// setHeaders sets the headers of an operation's request. Those that other keys of a document
// describe are none of them (https://spec.openapis.org/oas/v3.0.3.html#fixed-fields-9).
func (w *clientWriter) setHeaders(o *clientOperation, parameters []openapi.Parameter) {
	var members []typeMember
	needed := false
	for _, p := range parameters {
		if p.In != "header" || slices.Contains([]string{"accept", "content-type", "authorization"}, strings.ToLower(p.Name)) {
			continue
		}
		members = append(members,
			typeMember{
				name: propertyName(p.Name), text: w.parameterType(p), optional: !p.Required,
				comment: aboutSchema(p.Node),
			})
		needed = needed || p.Required
	}
	if members != nil {
		o.request = append(o.request, typeMember{name: "headers", text: objectType(members, "", 1).text, optional: !needed})
	}
}

// Prototype is the only key with another meaning in a literal of JavaScript
// than in JSON: it sets the prototype of the object, except as a computed key
// (https://tc39.es/ecma262/#sec-__proto__-property-names-in-object-initializers).
const Prototype = "__proto__"
