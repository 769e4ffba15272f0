package openapi

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model/access"
)

// Methods are the methods that a document for people shows, with the verb of its summary.
// HEAD and OPTIONS are left out: each path that is read has the first, every path the second.
var Methods = []struct{ Method, verb string }{
	{"GET", "Read"}, {"POST", "Create at"}, {"PUT", "Update"}, {"PATCH", "Update"}, {"DELETE", "Delete"},
}

// The names of the components that operations refer to: the body that a function takes, what
// it answers, and what the gateway answers in its place.
const (
	bodyComponent    = "Body"
	answerComponent  = "Answer"
	refusalComponent = "Refusal"
)

// reference refers to a component.
func reference(kind, name string) *cfn.Node {
	return cfn.MapNode().WithText("$ref", "#/components/"+kind+"/"+name)
}

// What operations refer to: answersOfAll is for those that everybody may call.
var (
	body         = reference("requestBodies", bodyComponent)
	answersOfAll = cfn.MapNode().With("200", reference("responses", answerComponent))
)

// docsDocument writes Docs.
func (w *writer) docsDocument(root *access.Resource) *cfn.Node {
	all := Items(root, nil)
	if w.Contract != nil {
		w.contract = placeContract(w.Contract, all)
		w.ids.take(w.contract)
	}
	paths := cfn.MapNode()
	for at, i := range all {
		if w.contract == nil || !w.contract.paths[i.Serves] {
			id, tag := w.ids.Of(i), w.tags.of(i, w.api.Label)
			paths.With(i.Name("{proxy}"), later(func() *cfn.Node { return w.docsItem(i, id, tag) }))
			continue
		}
		for _, from := range w.contract.of[at] {
			paths.With(strings.ReplaceAll(from.Name, "{proxy+}", "{proxy}"), w.contractItem(from, i))
		}
	}
	info := cfn.MapNode().WithText("title", w.api.Label).WithText("description", w.description()).WithText("version", "1")
	components, tags := w.docsComponents(), w.tags.node()
	var outside, webhooks *cfn.Node
	if w.contract != nil {
		outside, webhooks = w.contract.Root.Get("externalDocs"), w.webhooks()
		info = merged(w.contract.Root.Get("info"), info)
		components, tags = w.contract.withComponents(components), w.contract.tagNodes(&w.tags)
	}
	return w.begin(w.Version).
		With("info", info).
		With("externalDocs", outside).
		With("servers", serversNode(w.Servers)).
		With("tags", tags).
		With("paths", paths).
		With("webhooks", webhooks).
		With("components", components)
}

func (w *writer) description() string {
	text := "The REST API " + w.api.Label
	if w.b.Project.Name != "" {
		text += " of " + w.b.Project.Name
	}
	text += "."
	if w.signed {
		text += " Each operation says who may call it. Guests sign requests too."
	}
	if len(w.api.Groups()) > 1 {
		text += " A member of several groups acts as one of them: the first in the order of the user pool."
	}
	return text
}

// serversNode lists servers; nil if there are none.
func serversNode(servers []Server) *cfn.Node {
	if len(servers) == 0 {
		return nil
	}
	list := cfn.ListNode()
	for _, s := range servers {
		n := cfn.MapNode().WithText("url", s.URL).WithText("description", s.Description)
		variables := cfn.MapNode()
		for _, v := range s.Variables {
			variables.With(v.Name, cfn.MapNode().WithText("default", v.Default))
		}
		if len(s.Variables) > 0 {
			n.With("variables", variables)
		}
		list.Items = append(list.Items, n)
	}
	return list
}

func (w *writer) docsItem(i Item, id, tag string) *cfn.Node {
	item := cfn.MapNode()
	w.extend(item, i)
	item.With("parameters", i.parameters(true))
	tags := cfn.TextsNode(tag)
	for _, m := range Methods {
		action, _ := w.rules.Terms().ActionOf(m.Method)
		if who := w.rules.Callers(i.Serves, action); !who.Nobody() {
			method := strings.ToLower(m.Method)
			item.With(method, w.docsOperation(i, m.Method, m.verb, method+id, tags, who))
		}
	}
	return item
}

// whoMayCall is a sentence about an operation.
func whoMayCall(who access.Callers) string {
	if who.Everybody {
		return "Anyone may call it, without a signature."
	}
	return "Who may call it: " + who.String() + "."
}

func (w *writer) docsOperation(i Item, method, verb, id string, tags *cfn.Node, who access.Callers) *cfn.Node {
	summary := verb + " " + i.at.Full
	if i.below {
		summary = strings.TrimSuffix(verb, " at") + " anything below " + i.at.Full
	}
	o := cfn.MapNode().
		With("tags", tags).
		WithText("summary", summary).
		WithText("description", whoMayCall(who)).
		WithText("operationId", id)
	if slices.Contains([]string{"POST", "PUT", "PATCH"}, method) {
		w.bodies = true
		o.With("requestBody", body)
	}
	w.answers = true
	responses := answersOfAll
	if !who.Everybody {
		w.refusals = true
		responses = cfn.MapNode().With("200", reference("responses", answerComponent)).With("403",
			reference("responses", w.refusalName()))
	}
	return o.With("responses", responses).With("security", w.securityOf(i))
}

// content says that a body is JSON of any form, or what the API has as bytes.
func (w *writer) content() *cfn.Node {
	n := cfn.MapNode().With("application/json", cfn.MapNode().With("schema", cfn.MapNode()))
	for _, kind := range w.api.BinaryMediaTypes {
		if n.Get(kind) == nil {
			n.With(kind, cfn.MapNode().With("schema", textSchema().WithText("format", "binary")))
		}
	}
	return n
}

// docsComponents declares what operations refer to; nil if there is nothing.
func (w *writer) docsComponents() *cfn.Node {
	var schemas, bodies, schemes *cfn.Node
	responses := cfn.MapNode()
	if w.answers {
		responses.With(answerComponent,
			cfn.MapNode().WithText("description", "Response of the function").With("content", w.content()))
	}
	if w.bodies {
		bodies = cfn.MapNode().With(bodyComponent,
			cfn.MapNode().WithText("description", "Body that the function accepts").With("content", w.content()))
	}
	if w.signed {
		schemes = w.securitySchemes()
	}
	if w.refusals {
		name := w.refusalName()
		schemas = cfn.MapNode().With(name, cfn.MapNode().WithText("type", "object").With("properties", cfn.MapNode().
			With("Message", textSchema().WithText("description", "Why the caller may not do this")).
			With("message", textSchema().WithText("description", "Why API Gateway refuses the request"))))
		responses.With(name, cfn.MapNode().
			WithText("description",
				"The gateway refuses the request: its signature is missing or wrong, or its caller may not do this").
			With("content", cfn.MapNode().With("application/json", cfn.MapNode().With("schema", reference("schemas", name)))))
	}
	if len(responses.Members) == 0 {
		responses = nil
	}
	if responses == nil && schemes == nil {
		return nil
	}
	return cfn.MapNode().With("schemas", schemas).With("requestBodies", bodies).With("responses",
		responses).With("securitySchemes", schemes)
}
