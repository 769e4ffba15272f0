package client

import (
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/model"
	"gatewright/model/access"
	document "gatewright/render/openapi"
)

// clientOperation is what a function of a client does.
type clientOperation struct {
	// name is that of the function; pathName is the path as the API or its contract has it.
	name, method, pathName, summary string
	deprecated                      bool
	// request are the members of the argument, next to those that every call has.
	request []typeMember
	// path are expressions whose texts together are the path; query and headers are others, "" for none.
	path           []string
	query, headers string
	// answer is the type of the answer, and read the function that reads its body.
	answer, read string
}

// operations lists the operations that the client has a function for.
func (w *clientWriter) operations(
	b *model.Backend, api *access.API, contract *openapi.Document,
) ([]*clientOperation, *model.Problem) {
	if contract != nil {
		return w.contractOperations(contract), nil
	}
	root, problem := model.ResourcesOf(api)
	if problem != nil {
		return nil, problem
	}
	var list []*clientOperation
	ids := document.NewIDs()
	rules := b.Rules(api)
	for _, i := range document.Items(root, nil) {
		id := ids.Of(i)
		for _, m := range document.Methods {
			action, _ := rules.Terms().ActionOf(m.Method)
			if rules.Callers(i.Serves, action).Nobody() {
				continue
			}
			o := &clientOperation{
				method: m.Method, pathName: i.Name("{proxy}"), answer: w.use("Answer") + "<number, unknown>",
				read: "readAny",
			}
			o.name = w.names.take(strings.ToLower(m.Method)+id, m.Method+" "+o.pathName)
			w.setPath(o, i.Name("{proxy+}"), func(string) string { return "string" })
			if mayHaveBody(m.Method) {
				o.request = append(o.request, typeMember{name: "body", text: "unknown", optional: true})
			}
			list = append(list, o)
		}
	}
	return list, nil
}

// mayHaveBody reports whether the library sends a body with a method.
func mayHaveBody(method string) bool { return method != "GET" && method != "HEAD" }

// setPath sets the path of an operation, whose variables are members of path in the request.
func (w *clientWriter) setPath(o *clientOperation, path string, typeOf func(variable string) string) {
	var members []typeMember
	known := make(map[string]bool)
	// What follows # would not be sent.
	path, _, _ = strings.Cut(path, "#")
	for path != "" {
		text, rest, _ := strings.Cut(path, "{")
		if text != "" {
			o.path = append(o.path, String(text))
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			if rest != "" {
				o.path = append(o.path, String("{"+rest))
			}
			break
		}
		path = after
		name, greedy := strings.CutSuffix(name, "+")
		encode := "segment"
		if greedy {
			encode = "below"
			w.use("segment")
		}
		o.path = append(o.path, w.use(encode)+"("+propertyOf("request.path", name)+")")
		if !known[name] {
			known[name] = true
			members = append(members, typeMember{name: propertyName(name), text: typeOf(name)})
		}
	}
	if len(o.path) == 0 || !strings.HasPrefix(o.path[0], "'/") {
		o.path = append([]string{"'/'"}, o.path...)
	}
	if members != nil {
		o.request = append(o.request, typeMember{name: "path", text: objectType(members, "", 1).text})
	}
}

// contractOperations lists the operations of a contract. Their names are given first, those that
// can stay as they are before all others.
func (w *clientWriter) contractOperations(d *openapi.Document) []*clientOperation {
	var from []*openapi.Operation
	for _, item := range d.Items {
		if item.Unread != nil && len(item.Operations) == 0 {
			w.leave(item.Name, "whose operations are not known: "+item.Unread.Error())
		}
		for _, o := range item.Operations {
			from = append(from, methodsOf(o)...)
		}
	}
	names := make(map[*openapi.Operation]string)
	for _, exact := range []bool{true, false} {
		for _, o := range from {
			if librarySender[o.Method] != "" && isIdentifier(o.ID) == exact {
				wanted := functionName(o.ID)
				if o.ID == "" {
					above, below := strings.CutSuffix(clientPath(d, o.Item), access.ProxyPath)
					wanted = strings.ToLower(o.Method) + document.PathWords(above, below)
				}
				names[o] = w.names.take(wanted, o.Method+" "+o.Item.Name)
			}
		}
	}
	w.types = newClientTypes(d, w.names)
	var list []*clientOperation
	for _, o := range from {
		if written := w.contractOperation(o, names[o]); written != nil {
			list = append(list, written)
		}
	}
	return list
}

// methodsOf returns an operation for each method that it stands for.
func methodsOf(o *openapi.Operation) []*openapi.Operation {
	if o.Method != openapi.AnyMethod {
		return []*openapi.Operation{o}
	}
	taken := make(map[string]bool)
	for _, other := range o.Item.Operations {
		taken[other.Method] = true
	}
	var list []*openapi.Operation
	for _, m := range document.Methods {
		if !taken[m.Method] {
			one := *o
			one.Method = m.Method
			if o.ID != "" {
				one.ID = strings.ToLower(m.Method) + capital(o.ID)
			}
			list = append(list, &one)
		}
	}
	return list
}

// contractOperation makes the function of an operation of a contract; nil if the library cannot send it.
func (w *clientWriter) contractOperation(from *openapi.Operation, name string) *clientOperation {
	o := &clientOperation{
		name: name, method: from.Method, pathName: commentText(from.Item.Name), summary: strings.TrimSpace(from.Summary),
		deprecated: openapi.IsTrue(from.Node.Get("deprecated")),
	}
	if o.summary == "" {
		o.summary, _, _ = strings.Cut(strings.TrimSpace(from.Description), "\n\n")
	}
	switch {
	case from.Method == "OPTIONS":
		// Browsers send it by themselves.
		return nil
	case librarySender[from.Method] == "":
		w.leave(from.Method+" "+from.Item.Name, "because aws-amplify has no function for the method")
		return nil
	}
	body, unsendable := w.bodyOf(from)
	if unsendable != "" {
		w.leave(from.Method+" "+from.Item.Name,
			"because its body is "+unsendable+", and aws-amplify sends only JSON and forms")
		return nil
	}
	parameters := w.types.Parameters(from)
	w.setPath(o, clientPath(w.types.Document, from.Item), func(variable string) string {
		for _, p := range parameters {
			if p.In == "path" && strings.TrimSuffix(p.Name, "+") == variable {
				return w.parameterType(p)
			}
		}
		return "string"
	})
	w.setQuery(o, parameters)
	w.setHeaders(o, parameters)
	if body.member != nil {
		o.request = append(o.request, *body.member)
	}
	w.setAnswer(o, from, body.mediaType)
	return o
}

// clientPath is the name of a path item, in which the variable for all that is below is written as {proxy+}.
func clientPath(d *openapi.Document, item *openapi.Item) string {
	if above, ok := strings.CutSuffix(item.Name, "/{proxy}"); ok && d.Extension(item, openapi.ExtensionPath) != nil {
		return above + access.ProxyPath
	}
	return item.Name
}

// parameterType is the type of a parameter: that of its schema, if it is a text, a number or a
// truth value, or a list of those.
func (w *clientWriter) parameterType(p openapi.Parameter) string {
	if w.isPlain(p.Schema, 0) {
		if t := w.types.typeOf(p.Schema, typePlace{sent: true, level: 2}); t != neverType {
			return t.text
		}
	}
	return w.use("Scalar")
}

// isPlain reports whether a schema describes nothing but texts, numbers and truth values, or lists of those.
func (w *clientWriter) isPlain(schema *cfn.Node, depth int) bool {
	if schema == nil || depth > 1 {
		return false
	}
	n, err := w.types.Resolve(schema)
	if err != nil || n.Kind != cfn.Map || n.Get("allOf") != nil || n.Get("oneOf") != nil || n.Get("anyOf") != nil {
		return false
	}
	kinds, null := kindsOf(n)
	for _, kind := range kinds {
		switch kind {
		case "string", "number", "integer", "boolean":
		case "array":
			if !w.isPlain(n.Get("items"), depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return len(kinds) > 0 && !null
}
