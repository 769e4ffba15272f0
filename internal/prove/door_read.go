package prove

import (
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/cfn"
)

// found are the ways to functions that a template has.
type found struct {
	functions []*function
	// aliases are what aliases and versions of functions refer to.
	aliases map[string]string
	urls    []functionURL
	routes  []route
	// others are the APIs of the second version of API Gateway, by what Ref gives, sockets those of
	// WebSockets; connects is what their route $connect asks for, integrations are where they lead.
	sockets              []string
	others, integrations map[string]string
	connects             map[string]Authorization
	permissions          []permission
	// busPolicy says that a bus of events has a policy.
	busPolicy bool
}

// functionURL is an address of a function of its own. of refers to the function.
type functionURL struct {
	of, by, auth, depends string
	// opened says that the permission comes with it.
	opened bool
}

// route is what an API calls a function for. of refers to the function.
type route struct {
	api, of string
	kind    Authorization
	depends string
}

func (r *reader) route(api, depends, of string, kind Authorization) {
	r.routes = append(r.routes, route{api, of, kind, depends})
}

// ways collects what leads to functions.
func (r *reader) ways(s *stack, of *cfn.Resource) {
	text := func(names ...string) string { return s.textOr(of.Properties.Get(names...), "") }
	key, _ := s.reference(of)
	switch of.Type {
	case "AWS::Lambda::Function", "AWS::Serverless::Function":
		f := &function{id: s.name(of), key: "{" + s.name(of), name: text("FunctionName"), role: text("Role")}
		if strings.Contains(f.name, "{") {
			f.name = ""
		}
		r.functions = append(r.functions, f)
		if of.Type == "AWS::Serverless::Function" {
			r.serverlessRole(s, of, f)
		}
		if of.Properties.Get("FunctionUrlConfig") != nil {
			r.urls = append(r.urls, functionURL{
				f.key + "}", "its function URL", s.known(of.Properties.Get("FunctionUrlConfig", "AuthType")),
				s.sometimes(of), true,
			})
		}
	case "AWS::Lambda::Alias", "AWS::Lambda::Version":
		r.aliases[key] = text("FunctionName")
	case "AWS::Lambda::Url":
		r.urls = append(r.urls, functionURL{
			text("TargetFunctionArn"), "the function URL " + s.name(of), s.known(of.Properties.Get("AuthType")),
			s.sometimes(of), false,
		})
	case "AWS::Lambda::Permission":
		r.permissions = append(r.permissions, s.permission(of))
	case "AWS::ApiGatewayV2::Api":
		r.others[key] = "the API " + s.textOr(of.Properties.Get("Name"), s.name(of))
		if text("ProtocolType") == "WEBSOCKET" {
			// Its callers are asked at $connect alone; without that route they are not
			// (https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-control-access-iam.html).
			r.sockets = append(r.sockets, key)
		}
		if target := of.Properties.Get("Target"); target != nil {
			r.route(key, s.sometimes(of), text("Target"), Nothing)
		}
		r.httpDocument(s, of, key, "Body", Nothing)
	case "AWS::ApiGatewayV2::Integration":
		r.integrations["integrations/"+key] = text("IntegrationUri")
	case "AWS::ApiGatewayV2::Route":
		kind := kindOf(s.known(of.Properties.Get("AuthorizationType")))
		if text("RouteKey") == "$connect" {
			r.connects[text("ApiId")] = kind
		}
		r.route(text("ApiId"), s.sometimes(of), text("Target"), kind)
	case "AWS::Events::EventBusPolicy":
		r.busPolicy = true
	case "AWS::Serverless::HttpApi":
		r.others[key] = "the API " + s.textOr(of.Properties.Get("Name"), s.name(of))
		r.httpDocument(s, of, key, "DefinitionBody", s.httpKind(of, nil))
	}
}

// known is a text, or "?" for one that a template does not tell.
func (s *stack) known(n *cfn.Node) string {
	if n == nil {
		return ""
	}
	if text, ok := s.text(n); ok && !strings.Contains(text, "{") && s.chooses(n) == "" {
		return text
	}
	return "?"
}

// textsOf lists the texts in a value.
func textsOf(v cfn.Value) (all []string) {
	if v.Kind == cfn.String {
		return []string{v.Text}
	}
	for _, item := range v.List {
		all = append(all, textsOf(item)...)
	}
	for _, m := range v.Members {
		all = append(all, textsOf(m.Value)...)
	}
	return all
}

// httpKind is what a method of an HTTP API of SAM asks for: what the event names, or all of the API. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-httpapi-httpapiauth.html
func (s *stack) httpKind(api *cfn.Resource, event *cfn.Node) Authorization {
	for _, n := range []*cfn.Node{event.Get("Auth", "Authorizer"), api.Properties.Get("Auth", "DefaultAuthorizer")} {
		if n != nil {
			return kindOf(s.known(n))
		}
	}
	if api.Type == "" || isCall(api.Properties.Get("Auth")) {
		return Unjudged
	}
	return Nothing
}

func (r *reader) httpEvent(s *stack, of *cfn.Resource, event *cfn.Node) {
	id := implicit["HttpApi"].ID
	if n := event.Get("ApiId"); n != nil {
		id = strings.TrimPrefix(strings.Trim(s.textOr(n, ""), "{}"), s.path)
	}
	key, api := "{"+s.path+id+"}", s.resource(id)
	if r.others[key] == "" {
		r.others[key] = "the API " + s.path + id
	}
	r.route(key, s.sometimes(of), "{"+s.name(of)+"}", s.httpKind(api, event))
}

// httpDocument reads the functions that the document of an HTTP API names. normal is what a method
// asks for that says nothing.
func (r *reader) httpDocument(s *stack, of *cfn.Resource, key, property string, normal Authorization) {
	node := of.Properties.Get(property)
	body := s.resolver.Resolve(node)
	paths, _ := body.Get("paths")
	if node != nil && paths.Kind != cfn.Map || of.Properties.Get("BodyS3Location") != nil ||
		of.Properties.Get("DefinitionUri") != nil {
		r.unread("the paths of " + s.name(of) + " are not in the template")
	}
	for _, path := range paths.Members {
		for _, m := range path.Value.Members {
			kind := securityOf(body, m.Value)
			if kind == Nothing {
				kind = normal
			}
			r.route(key, s.sometimes(of), integrated(m.Value), kind)
		}
	}
}

// integrated is what an operation of a document calls.
func integrated(operation cfn.Value) string {
	integration, _ := operation.Get("x-amazon-apigateway-integration")
	uri, _ := integration.Get("uri")
	return uri.Text
}

// transforms notes what is made of the template before it is deployed, and cannot be read.
func (r *reader) transforms(s *stack) {
	transform := s.template.Root.Get("Transform")
	for _, name := range textsOf(s.resolver.Resolve(transform)) {
		if name != "AWS::Serverless-2016-10-31" && name != "AWS::LanguageExtensions" {
			r.unread("the macro " + name + " changes " + s.words() + " before it is deployed, and what it makes is not read")
		}
	}
	r.calls(s.template.Root, s.words())
	for _, section := range []string{"Resources", "Globals"} {
		r.calls(s.template.Root.Get(section), "the section "+section+" of "+s.words())
	}
	for _, of := range s.resources {
		kind, sam := strings.CutPrefix(of.Type, "AWS::Serverless::")
		known := []string{"Function", "Api", "HttpApi", "SimpleTable", "LayerVersion", "Application", "StateMachine"}
		owner, _, _ := strings.Cut(of.Type, "::")
		foreign := of.Type != "" && !slices.Contains([]string{"AWS", "Custom", "Alexa"}, owner)
		if sam && !slices.Contains(known, kind) || strings.HasSuffix(of.Type, "::MODULE") || foreign ||
			strings.HasSuffix(of.Type, "::StackSet") || strings.HasSuffix(of.Type, "::PermissionSet") ||
			strings.HasSuffix(of.Type, "ProvisionedProduct") {
			r.unread(s.name(&of) + " is of the type " + of.Type + ", which is not read")
		}
		if kind == "StateMachine" && sam && of.Properties.Get("Events") != nil {
			r.unread("the events of " + s.name(&of) + " are not read")
		}
		if of.Node.Get("Connectors") != nil {
			r.unread("the connectors of " + s.name(&of) + " are not read")
		}
		r.calls(of.Node, s.name(&of))
		r.calls(of.Properties, "the properties of "+s.name(&of))
	}
}

// calls notes a part that a function of CloudFormation makes.
func (r *reader) calls(n *cfn.Node, what string) {
	if n == nil {
		return
	}
	for _, m := range n.Members {
		if strings.HasPrefix(m.Name, "Fn::") {
			r.unread("a part of " + what + " is made by " + m.Name + " (line " + strconv.Itoa(m.Line) + "), which is not read")
		}
	}
}

// words name the stack's template in sentences.
func (s *stack) words() string {
	if s.path == "" {
		return "the template"
	}
	return "the nested stack " + strings.TrimSuffix(s.path, "/")
}
