package check

import (
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
)

// style is how a value that is no text is written as one
// (https://spec.openapis.org/oas/v3.1.0.html#style-values, and collectionFormat of
// https://spec.openapis.org/oas/v2.0.html#parameter-object).
type style struct {
	// separator stands between items; "" says that a name is repeated for each.
	separator string
	// deep says that an object has a name with brackets for each property, and spread that it
	// has a name of its own for each.
	deep, spread bool
	// pairs says that a property is written as name=value.
	pairs bool
	// unknown says that the value is not judged.
	unknown bool
}

func styleOf(in string, node *cfn.Node, swagger bool) style {
	if swagger {
		return collectionFormat(openapi.TextOf(node.Get("collectionFormat")))
	}
	name := openapi.TextOf(node.Get("style"))
	if name == "" {
		name = "simple"
		if in == "query" || in == "cookie" || in == "form" {
			name = "form"
		}
	}
	explode := name == "form"
	if n := node.Get("explode"); n != nil {
		explode = openapi.IsTrue(n)
	}
	var s style
	switch name {
	case "simple":
		s = style{separator: ",", pairs: explode}
	case "form":
		s = style{separator: ",", spread: explode && in == "query"}
	case "spaceDelimited":
		s = style{separator: " "}
	case "pipeDelimited":
		s = style{separator: "|"}
	case "deepObject":
		s = style{deep: true}
	default:
		s = style{unknown: true}
	}
	if explode && name != "simple" {
		s.separator = ""
	}
	return s
}

func collectionFormat(name string) style {
	switch name {
	case "", "csv":
		return style{separator: ","}
	case "ssv":
		return style{separator: " "}
	case "tsv":
		return style{separator: "\t"}
	case "pipes":
		return style{separator: "|"}
	case "multi":
		return style{}
	}
	return style{unknown: true}
}

// composite are the types of values that are no texts.
const composite = judge.Array | judge.Object

// takesAnyName says that the names of a query may be those of the properties of a parameter.
func (p parameter) takesAnyName() bool {
	return p.style.spread && !p.json && p.schema.Kinds()&composite == judge.Object
}

// spread returns the names of a query that are properties of a parameter, with their values;
// not ok if its value is not written so.
func (p parameter) spread(query url.Values, all []parameter) (names map[string][]string, ok bool) {
	if p.schema == nil || p.json || p.schema.Kinds()&composite != judge.Object || !p.deep && !p.style.spread {
		return nil, false
	}
	names = make(map[string][]string)
	for name, values := range query {
		if !p.deep {
			root, _, _ := strings.Cut(name, "[")
			if !slices.ContainsFunc(all,
				func(q parameter) bool { return q.in == "query" && (q.name == name || q.deep && q.name == root) }) {
				names[name] = values
			}
			continue
		}
		inner, found := strings.CutPrefix(name, p.name+"[")
		inner, closed := strings.CutSuffix(inner, "]")
		if found && closed && !strings.ContainsAny(inner, "[]") {
			names[inner] = values
		}
	}
	return names, true
}

// convert makes a value of the texts of a parameter. Of those that they can stand for, it is
// the first that fits the schema; if none does, it is the first, with its faults.
func (s style) convert(run *judge.Run, schema *judge.Schema, texts []string) (*cfn.Node, []judge.Fault) {
	if s.unknown {
		return nil, nil
	}
	kinds := schema.Kinds()
	var choices []*cfn.Node
	if kinds&^composite&^judge.Null != 0 || kinds == judge.Null {
		choices = scalars(kinds, texts[0])
	}
	if kinds&judge.Array != 0 {
		choices = append(choices, s.list(run, schema, texts))
	}
	if kinds&judge.Object != 0 {
		if object := s.object(run, schema, texts[0]); object != nil {
			choices = append(choices, object)
		}
	}
	if len(choices) == 0 {
		choices = []*cfn.Node{{Kind: cfn.String, Text: texts[0]}}
	}
	return firstThatFits(run, schema, choices)
}

func firstThatFits(run *judge.Run, schema *judge.Schema, choices []*cfn.Node) (*cfn.Node, []judge.Fault) {
	var first []judge.Fault
	for i, choice := range choices {
		faults := run.Judge(schema, choice)
		if len(faults) == 0 {
			return choice, nil
		}
		if i == 0 {
			first = faults
		}
	}
	return choices[0], first
}

// scalars returns the values without parts that a text can stand for.
func scalars(kinds judge.Kinds, text string) []*cfn.Node {
	var choices []*cfn.Node
	if value := jsontext.Value(text); kinds&(judge.Integer|judge.Number) != 0 && value.Kind() == '0' && value.IsValid() &&
		strings.TrimSpace(text) == text {
		choices = append(choices, &cfn.Node{Kind: cfn.Number, Text: text})
	}
	if kinds&judge.Boolean != 0 && (text == "true" || text == "false") {
		choices = append(choices, &cfn.Node{Kind: cfn.Bool, Text: text})
	}
	if kinds&judge.Null != 0 && (text == "" || text == "null") {
		choices = append(choices, &cfn.Node{Kind: cfn.Null})
	}
	return append(choices, &cfn.Node{Kind: cfn.String, Text: text})
}

// list makes an array of texts.
func (s style) list(run *judge.Run, schema *judge.Schema, texts []string) *cfn.Node {
	if s.separator != "" {
		texts = strings.Split(texts[0], s.separator)
	}
	list := &cfn.Node{Kind: cfn.List}
	if len(texts) == 1 && texts[0] == "" {
		return list
	}
	items := schema.Items()
	for i, text := range texts {
		item, _ := firstThatFits(run, items, scalars(items.Kinds(), strings.TrimSpace(text)))
		list.Items = append(list.Items, moved(item, indexToken(i)))
	}
	return list
}

// object makes an object of a text such as a,1,b,2 or a=1,b=2; nil if it is none.
func (s style) object(run *judge.Run, schema *judge.Schema, text string) *cfn.Node {
	if s.separator == "" {
		return nil
	}
	parts := strings.Split(text, s.separator)
	names := make(map[string][]string)
	for i := 0; i < len(parts); i++ {
		name, value, found := parts[i], "", false
		if s.pairs {
			name, value, found = strings.Cut(parts[i], "=")
		} else if i+1 < len(parts) {
			i++
			value, found = parts[i], true
		}
		if !found {
			return nil
		}
		names[name] = []string{value}
	}
	return objectOf(run, schema, names)
}

// objectOf makes an object of names with texts, by the schemas of its properties. A property
// that is an array has one item for each text.
func objectOf(run *judge.Run, schema *judge.Schema, names map[string][]string) *cfn.Node {
	object := &cfn.Node{Kind: cfn.Map}
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	for _, name := range sorted {
		if len(names[name]) == 0 {
			continue
		}
		value, _ := style{}.convert(run, schema.Property(name), names[name])
		object.Members = append(object.Members, cfn.Member{Name: name, Value: moved(value, judge.Token(name))})
	}
	return object
}
