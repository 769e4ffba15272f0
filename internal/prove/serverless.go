package prove

import (
	"strings"

	"gatewright/internal/cfn"
)

// implicitAPI is the API that SAM makes for events that name none. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-specification-generated-resources-api.html
const (
	serverlessAPI = "AWS::Serverless::Api"
	implicitAPI   = "ServerlessRestApi"
	implicitStage = "Prod"
)

// serverless reads APIs of the Serverless Application Model, before it is transformed. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-api.html
func (r *reader) serverless(s *stack, of *cfn.Resource) {
	switch of.Type {
	case serverlessAPI:
		r.serverlessAPI(s, of)
	case "AWS::Serverless::Application":
		r.unread("the application " + s.name(of) + " is not read")
	}
}

// generated gives the names of what SAM makes.
func (s *stack) generated(name string) (string, bool) {
	if api, ok := strings.CutSuffix(name, ".Stage"); ok {
		if of := s.template.Resource(api); of != nil && of.Type == serverlessAPI {
			return s.attribute(of, "Stage")
		}
	}
	switch name {
	case implicitAPI:
		return "{" + s.path + implicitAPI + "}", true
	case implicitAPI + implicitStage + "Stage", implicitAPI + ".Stage":
		return implicitStage, true
	}
	return "", false
}

func (r *reader) serverlessAPI(s *stack, of *cfn.Resource) {
	key := "{" + s.name(of) + "}"
	r.settled(s, of, "Auth", "Cors")
	r.addAPI(key, of.ID, s.textOr(of.Properties.Get("Name"), ""))
	r.apis[key].stage = s.textOr(of.Properties.Get("StageName"), implicitStage)
	auth := s.authOf(of)
	if policy := of.Properties.Get("Auth", "ResourcePolicy"); policy != nil {
		r.apis[key].restrict(s.serverlessPolicy(of, policy, "execute-api:/*"))
	}
	if of.Properties.Get("DefinitionBody") != nil {
		r.document(s, of, key, "DefinitionBody", auth.guard)
		r.apis[key].defined = true
	}
	if of.Properties.Get("DefinitionUri") != nil {
		r.pathless(key, "the paths of "+s.name(of)+" are in DefinitionUri, which is not read")
	}
	if of.Properties.Get("Cors") != nil {
		kind := Nothing
		if auth.preflight {
			kind = auth.kind("")
		}
		r.apis[key].preflight = &kind
	}
}

// samAuth is the property Auth of an API. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-api-apiauth.html
type samAuth struct {
	s  *stack
	of *cfn.Resource
	// normal is the authorizer of methods that name none.
	normal string
	// preflight says that the preflight asks for it too, unread that something of it is not known.
	preflight, unread bool
}

func (s *stack) authOf(of *cfn.Resource) samAuth {
	a := samAuth{s: s, of: of, preflight: true}
	auth := of.Properties.Get("Auth")
	if n := auth.Get("DefaultAuthorizer"); n != nil {
		text, ok := s.text(n)
		a.normal, a.unread = text, !ok || s.chooses(n) != ""
	}
	if text, ok := s.text(auth.Get("AddDefaultAuthorizerToCorsPreflight")); ok {
		a.preflight = text != "false"
	}
	a.unread = a.unread || auth.Get("Fn::If") != nil
	return a
}

// kind returns what an authorizer asks for; "" is the normal one.
func (a samAuth) kind(name string) Authorization {
	if name == "" {
		if name = a.normal; a.unread {
			return Unjudged
		}
	}
	switch name {
	case "", "NONE", "AWS_IAM":
		return kindOf(name)
	}
	if a.of.Properties.Get("Auth", "Authorizers", name, "UserPoolArn") != nil {
		return UserPool
	}
	return Unjudged
}

// guard gives the methods of a definition the normal authorizer, if they name none.
func (a samAuth) guard(method string, kind Authorization, said bool) Authorization {
	if said || method == "OPTIONS" && !a.preflight {
		return kind
	}
	return a.kind("")
}

// events reads the methods that functions serve. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-api.html
func (r *reader) events(s *stack, of *cfn.Resource) {
	events := of.Properties.Get("Events")
	if waits := s.chooses(events); waits != "" {
		r.unread("the events of " + s.name(of) + " depend on " + waits)
	}
	if value := s.resolver.Resolve(events); value.Kind != cfn.Map && !value.Known() {
		r.unread("the events of " + s.name(of) + " are not in the template")
	}
	if events == nil || isCall(events) {
		return
	}
	for _, m := range events.Members {
		switch kind := s.known(m.Value.Get("Type")); {
		case kind == "?":
			r.unread("the type of the event " + m.Name + " of " + s.name(of) + " is not in the template")
		case kind == "Api":
			r.event(s, of, m.Name, m.Value.Get("Properties"))
		case kind == "HttpApi":
			r.httpEvent(s, of, m.Value.Get("Properties"))
		}
	}
}

// event adds the method of one event.
func (r *reader) event(s *stack, of *cfn.Resource, name string, event *cfn.Node) {
	r.settled(s, of)
	what := "the event " + name + " of " + s.name(of)
	path, known := s.text(event.Get("Path"))
	method, certain := s.text(event.Get("Method"))
	if !known || !certain || event.Get("Path").Kind != cfn.String && strings.Contains(path, "{") {
		r.unread("the path and method of " + what + " are not in the template")
		return
	}
	key := "{" + s.path + implicitAPI + "}"
	if api := event.Get("RestApiId"); api != nil {
		key = s.textOr(api, "")
	}
	if r.apis[key] == nil {
		r.unread("the API of " + what + " is not in the template")
		return
	}
	declared := s.resource(strings.TrimPrefix(strings.Trim(key, "{}"), s.path))
	if policy := event.Get("Auth", "ResourcePolicy"); policy != nil {
		r.apis[key].restrict(s.serverlessPolicy(of, policy, below(r.apis[key].stage, path)...))
	}
	r.permit(key, "{"+s.name(of)+"}")
	at := r.documentPath(key, path)
	if method = strings.ToUpper(method); r.apis[key].defined {
		if _, has := at.methods[method]; !has {
			r.unread("the definition of the API lacks the method of " + what)
		}
		return
	}
	authorizer := event.Get("Auth", "Authorizer")
	own, ok := s.text(authorizer)
	kind := s.authOf(declared).kind(own)
	if authorizer != nil && (!ok || s.chooses(authorizer) != "") {
		kind = Unjudged
	}
	if authorizer == nil && method == "OPTIONS" && !s.authOf(declared).preflight {
		kind = Nothing
	}
	at.set(method, kind, "{"+s.name(of)+"}")
	r.route(key, "", "{"+s.name(of)+"}", kind)
	if invoke := s.textOr(event.Get("Auth", "InvokeRole"), s.textOr(declared.Properties.Get("Auth", "InvokeRole"),
		"CALLER_CREDENTIALS")); kind == Signed && invoke == "CALLER_CREDENTIALS" {
		r.notice("the API " + r.apis[key].Name + " calls functions with the credentials of callers (InvokeRole), whose " +
			"roles have to allow lambda:InvokeFunction: it may refuse more")
	}
}

// addPreflights adds the preflight to the paths of APIs that have one everywhere.
func (r *reader) addPreflights() {
	for _, key := range r.keys {
		at := r.resources[key]
		api := r.apis[at.api]
		if api == nil || api.preflight == nil || len(at.methods) == 0 {
			continue
		}
		if _, own := at.methods["OPTIONS"]; !own {
			at.set("OPTIONS", *api.preflight, "")
		}
	}
}
