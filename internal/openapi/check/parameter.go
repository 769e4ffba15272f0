package check

import (
	"net/http"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
)

// parameter is a parameter, a header of an answer, or a field of a form.
type parameter struct {
	place
	name, in string
	required bool
	// empty says that an empty text holds, whatever the type.
	empty  bool
	schema *judge.Schema
	// json says that the text is JSON.
	json bool
	style
}

// maker makes the operations of a document ready.
type maker struct {
	document *openapi.Document
	rules    *judge.Rules
}

func placeOfNode(n *cfn.Node) place { return place{n.Line, n.Column} }

func (m maker) operation(o *openapi.Operation) *operation {
	made := &operation{place: placeOf(o), body: m.document.Body(o)}
	queries := make(map[string]bool)
	open := false
	for _, p := range m.document.Parameters(o) {
		made.parameters = append(made.parameters, m.parameter(p.Name, p.In, p.Required, p.Node, p.Schema))
		switch last := made.parameters[len(made.parameters)-1]; {
		case p.In == "querystring" || p.In == "query" && last.takesAnyName():
			open = true
		case p.In == "query":
			queries[p.Name] = true
		}
	}
	if len(queries) > 0 && !open {
		for _, scheme := range m.document.Schemes {
			if scheme.In == "query" {
				queries[scheme.Parameter] = true
			}
		}
		made.queries = queries
	}
	if made.body != nil {
		made.contents = m.contents(made.body.Contents)
	}
	made.form = m.form(o)
	m.answers(made, o)
	return made
}

// parameter makes a parameter ready. In Swagger 2.0 the parameter itself is the schema.
func (m maker) parameter(name, in string, required bool, node, schema *cfn.Node) parameter {
	p := parameter{place: placeOfNode(node), name: name, in: in, required: required}
	p.empty = openapi.IsTrue(node.Get("allowEmptyValue"))
	p.style = styleOf(in, node, m.document.Swagger())
	if content := node.Get("content"); schema == nil && content != nil && len(content.Members) > 0 {
		first := content.Members[0]
		p.json = isJSON(mediaOf(first.Name))
		if schema = first.Value.Get("schema"); !p.json {
			schema = nil
		}
	}
	p.schema = m.rules.Schema(schema)
	return p
}

// ignored are the headers of which OpenAPI says that a parameter does not describe them
// (https://spec.openapis.org/oas/v3.1.0.html#fixed-fields-9).
var ignored = []string{"Accept", "Content-Type", "Authorization"}

// parameters judges the path, the query, the headers and the cookies of a request.
func (j *judgement) parameters(o *operation, r Request, variables map[string]string) {
	if o.queries != nil {
		j.queryNames(o, r)
	}
	for _, p := range o.parameters {
		var values []string
		switch p.in {
		case "path":
			if value, ok := variables[p.name]; ok {
				values = []string{value}
			}
		case "query":
			values = r.Query[p.name]
			if object, ok := p.spread(r.Query, o.parameters); ok {
				j.object(p, object)
				continue
			}
		case "header":
			if slices.ContainsFunc(ignored, func(name string) bool { return strings.EqualFold(name, p.name) }) {
				continue
			}
			values = headerValues(r.Header, p.name)
		case "cookie":
			values = cookieValues(r.Header, p.name)
		default:
			continue
		}
		j.parameter(p, p.in+" "+p.name, values)
	}
}

// queryNames says which names of a query the operation does not have.
func (j *judgement) queryNames(o *operation, r Request) {
	var unknown []string
	for name := range r.Query {
		root, _, _ := strings.Cut(name, "[")
		if !o.queries[name] && !o.queries[root] && !o.queries[root+"[]"] {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		j.add("query "+name, "is not in the contract", o.place)
	}
}

// parameter judges the values that a parameter has, none if it is not there.
func (j *judgement) parameter(p parameter, part string, values []string) {
	switch {
	case len(values) == 0 && p.required:
		j.add(part, "is missing", p.place)
	case len(values) == 0 || p.schema == nil || p.empty && values[0] == "":
	case p.json:
		j.json(part, []byte(values[0]), p.schema, p.place)
	default:
		_, faults := p.convert(j.run, p.schema, values)
		j.addAll(part, faults)
	}
}

// object judges a parameter whose value is spread over the names of a query.
func (j *judgement) object(p parameter, names map[string][]string) {
	part := "query " + p.name
	if len(names) == 0 {
		if p.required {
			j.add(part, "is missing", p.place)
		}
		return
	}
	j.addAll(part, j.run.Judge(p.schema, objectOf(j.run, p.schema, names)))
}

// headerValues returns the values of a header, whatever the case of its name.
func headerValues(header http.Header, name string) []string {
	var values []string
	for key, list := range header {
		if strings.EqualFold(key, name) {
			values = append(values, list...)
		}
	}
	if len(values) > 1 {
		return []string{strings.Join(values, ",")}
	}
	return values
}

func cookieValues(header http.Header, name string) []string {
	var values []string
	for key, lines := range header {
		if !strings.EqualFold(key, "Cookie") {
			continue
		}
		for _, line := range lines {
			cookies, _ := http.ParseCookie(line)
			for _, cookie := range cookies {
				if cookie.Name == name {
					values = append(values, cookie.Value)
				}
			}
		}
	}
	return values
}
