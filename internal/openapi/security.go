package openapi

import (
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
)

// Scheme is a way in which a request can say who sends it.
type Scheme struct {
	Name string
	Place
	// Type is that of the document: apiKey, http, basic, oauth2, openIdConnect, mutualTLS, or
	// one that no version of the format has.
	Type string
	// HTTP is the scheme of the header Authorization if Type is http, in small letters, such
	// as bearer.
	HTTP string
	// In and Parameter are the place of an API key, such as header, and its name there; "" if
	// the document does not say.
	In, Parameter string
	// Gateway is how the cloud's gateway checks it, such as awsSigv4 or cognito_user_pools;
	// "" if the document does not say. Authorizer says that a function or a pool checks it.
	Gateway    string
	Authorizer bool
}

// Requirement is one alternative of the security of an operation: all of its schemes.
type Requirement struct {
	// Schemes are the names, and Scopes what each asks for, at the same position.
	Schemes []string
	Scopes  [][]string
}

// schemesAt returns where a document has its security schemes.
func (d *Document) schemesAt() *cfn.Node {
	if d.Swagger() {
		return d.Root.Get("securityDefinitions")
	}
	return d.Root.Get("components", "securitySchemes")
}

func (d *Document) readSchemes() error {
	for _, m := range MembersOf(d.schemesAt()) {
		s := &Scheme{Name: m.Name, Place: PlaceOf(m)}
		// A scheme that cannot be read is one of an unknown type: it still closes what names it.
		if n, err := d.Resolve(m.Value); err == nil {
			s.Type, s.HTTP = TextOf(n.Get("type")), strings.ToLower(TextOf(n.Get("scheme")))
			s.In, s.Parameter = TextOf(n.Get("in")), TextOf(n.Get("name"))
			s.Gateway = TextOf(n.Get(ExtensionAuthType))
			s.Authorizer = n.Get(extensionAuthorizer) != nil
		}
		d.Schemes[m.Name] = s
	}
	return nil
}

// Signed reports whether a scheme is that of requests which are signed with credentials of
// AWS (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-authtype.html).
func (s *Scheme) Signed() bool { return strings.EqualFold(s.Gateway, "awsSigv4") }

// readSecurity finds out who may send an operation. Whatever it cannot read closes it.
func (d *Document) readSecurity(o *Operation) error {
	security := o.Node.Get("security")
	if security == nil || security.Kind == cfn.Null {
		security = d.Root.Get("security")
	}
	if security != nil && security.Kind != cfn.List && security.Kind != cfn.Null {
		return d.fault(security, "security is %s; write a list of maps", security.Kind)
	}
	o.Public = len(ItemsOf(security)) == 0
	for _, alternative := range ItemsOf(security) {
		if alternative.Kind != cfn.Map {
			return d.fault(alternative, "an alternative of security is %s; write a map of schemes", alternative.Kind)
		}
		if len(alternative.Members) == 0 {
			o.Public = true
			continue
		}
		var r Requirement
		for _, m := range alternative.Members {
			var scopes []string
			for _, scope := range ItemsOf(m.Value) {
				scopes = append(scopes, scope.Text)
			}
			r.Schemes, r.Scopes = append(r.Schemes, m.Name), append(r.Scopes, scopes)
		}
		o.Security = append(o.Security, r)
	}
	if o.Public && d.closedOtherwise(o) {
		o.Public = false
	}
	return nil
}

// closedOtherwise reports whether something else than the security of the format restricts
// who may send an operation: an extension of the gateway
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-auth.html),
// or a header with credentials among the parameters. A parameter that cannot be read may be one.
func (d *Document) closedOtherwise(o *Operation) bool {
	if d.Restriction != nil {
		return true
	}
	nodes := []*cfn.Node{o.Node, o.Item.Node, d.Root}
	if to, err := d.Resolve(o.Item.Node); err == nil && to != o.Item.Node {
		nodes = append(nodes, to)
	}
	for _, n := range nodes {
		if auth := n.Get(extensionAuth); auth != nil && !strings.EqualFold(TextOf(auth.Get("type")), "NONE") {
			return true
		}
		for _, parameter := range ItemsOf(n.Get("parameters")) {
			if _, err := d.Resolve(parameter); err != nil {
				o.Unread = err
				return true
			}
		}
	}
	for _, p := range d.Parameters(o) {
		if p.In == "header" && p.Required && strings.EqualFold(p.Name, "Authorization") {
			return true
		}
	}
	return false
}

// Describe names the kind of a scheme in a sentence.
func (s *Scheme) Describe() string {
	switch {
	case s.Signed():
		return "requests signed with credentials of AWS"
	case s.Authorizer || s.Gateway != "":
		return "an authorizer of the gateway"
	case s.Type == "apiKey":
		return "an API key"
	case s.Type == "basic", s.Type == "http" && s.HTTP == "basic":
		return "a name and a password"
	case s.Type == "http" && s.HTTP == "bearer":
		return "a bearer token"
	case s.Type == "oauth2":
		return "a token of OAuth 2"
	case s.Type == "openIdConnect":
		return "a token of OpenID Connect"
	case s.Type == "mutualTLS":
		return "a certificate of the client"
	case s.Type == "":
		return "a scheme without a type"
	}
	return "a scheme of the type " + phrase.Quote(strings.TrimSpace(s.Type+" "+s.HTTP))
}
