package prove

import (
	"slices"
	"strings"

	"gatewright/cfn"
)

// implicitAPI is the API that SAM makes for events that name none. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-specification-generated-resources-api.html
const implicitAPI = "ServerlessRestApi"

// serverless reads APIs and functions with events of the Serverless Application Model,
// before it is transformed. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-api.html
func (r *reader) serverless(s *stack, of *cfn.Resource) {
	switch of.Type {
	case "AWS::Serverless::Api":
		r.serverlessAPI(s, of.ID, of.Properties)
	case "AWS::Serverless::Function":
		events := s.resolver.Resolve(of.Properties.Get("Events"))
		for _, event := range events.Members {
			if kind, _ := event.Value.Get("Type"); kind.Text == "Api" {
				properties, _ := event.Value.Get("Properties")
				r.event(s, properties)
			}
		}
	}
}

func (r *reader) serverlessAPI(s *stack, id string, properties *cfn.Node) {
	key := "{" + s.path + id + "}"
	if r.apis[key] != nil {
		return
	}
	r.addAPI(key, id, s.textOr(properties.Get("Name"), ""))
	r.apis[key].stage = s.textOr(properties.Get("StageName"), "Prod")
	if body := properties.Get("DefinitionBody"); body != nil {
		r.document(key, s.resolver.Resolve(body))
	}
	if properties.Get("DefinitionUri") != nil {
		r.unread("the paths of " + id + " are in DefinitionUri, which is not read")
	}
}

// globals returns what the template says of all APIs.
func (s *stack) globals(name string) *cfn.Node {
	return s.template.Root.Get("Globals", "Api", name)
}

// event adds the method of an event.
func (r *reader) event(s *stack, event cfn.Value) {
	path, _ := event.Get("Path")
	method, _ := event.Get("Method")
	api, named := event.Get("RestApiId")
	key := api.Text
	if !named {
		key = "{" + s.path + implicitAPI + "}"
	}
	if r.apis[key] == nil {
		id := strings.TrimPrefix(strings.Trim(key, "{}"), s.path)
		if declared := s.template.Resource(id); declared != nil {
			r.serverlessAPI(s, id, declared.Properties)
		} else {
			r.serverlessAPI(s, id, nil)
		}
	}
	at := r.resources[key+path.Text]
	if path.Text == "/" {
		at = r.resources[rootOf(key)]
	}
	if at == nil {
		at = &resource{api: key, path: path.Text}
		r.resources[key+path.Text] = at
		r.keys = append(r.keys, key+path.Text)
	}
	name := strings.ToUpper(method.Text)
	auth, _ := event.Get("Auth")
	kind, preflight := r.eventAuth(s, key, auth)
	at.set(name, kind)
	if cors := s.propertyOf(key, "Cors"); cors != nil && name != "OPTIONS" {
		if _, own := at.methods["OPTIONS"]; !own {
			if !preflight {
				kind = Nothing
			}
			at.set("OPTIONS", kind)
		}
	}
}

// propertyOf returns a property of the API that events belong to, or of all APIs.
func (s *stack) propertyOf(key, name string) *cfn.Node {
	if declared := s.template.Resource(strings.TrimPrefix(strings.Trim(key, "{}"), s.path)); declared != nil {
		if n := declared.Properties.Get(name); n != nil {
			return n
		}
	}
	return s.globals(name)
}

// eventAuth returns what an event's method asks for, and whether the default authorizer
// guards the preflight too.
func (r *reader) eventAuth(s *stack, key string, own cfn.Value) (kind Authorization, preflight bool) {
	auth := s.resolver.Resolve(s.propertyOf(key, "Auth"))
	of := func(name string) string {
		if v, ok := own.Get(name); ok {
			return v.Text
		}
		v, _ := auth.Get(name)
		return v.Text
	}
	guarded, said := auth.Get("AddDefaultAuthorizerToCorsPreflight")
	preflight = !said || guarded.Text != "false"
	name := of("Authorizer")
	if name == "" {
		name = of("DefaultAuthorizer")
	}
	if slices.Contains([]string{"", "NONE", "AWS_IAM"}, name) {
		return kindOf(name), preflight
	}
	authorizers, _ := auth.Get("Authorizers")
	authorizer, _ := authorizers.Get(name)
	if _, pool := authorizer.Get("UserPoolArn"); pool {
		return UserPool, preflight
	}
	return Unjudged, preflight
}
