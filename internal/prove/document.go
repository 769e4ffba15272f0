package prove

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model/access"
)

// The extensions of OpenAPI that say who may call a method. See
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
const (
	anyExtension        = "x-amazon-apigateway-any-method"
	authExtension       = "x-amazon-apigateway-auth"
	authTypeExtension   = "x-amazon-apigateway-authtype"
	authorizerExtension = "x-amazon-apigateway-authorizer"
	policyExtension     = "x-amazon-apigateway-policy"
)

// document reads the paths of an API from its OpenAPI document. guard may change what a
// method asks for.
func (r *reader) document(
	s *stack, of *cfn.Resource, api string, property string,
	guard func(method string, kind Authorization, said bool) Authorization,
) {
	node := of.Properties.Get(property)
	body := s.resolver.Resolve(node)
	if waits := s.chooses(node); waits != "" {
		r.pathless(api, "the paths of "+s.name(of)+" depend on "+waits)
	}
	paths, _ := body.Get("paths")
	if paths.Kind != cfn.Map {
		r.pathless(api, "the paths of "+s.name(of)+" are not in the template")
	}
	if policy, has := body.Get(policyExtension); has {
		r.apis[api].restrict(s.resourcePolicy(of, node.Get(policyExtension), policy))
	}
	for _, path := range paths.Members {
		if !strings.HasPrefix(path.Name, "/") {
			if !strings.HasPrefix(path.Name, "x-") {
				r.pathless(api, "the paths of "+s.name(of)+" have "+path.Name+", which is not read")
			}
			continue
		}
		at := r.documentPath(api, path.Name)
		if path.Value.Kind != cfn.Map || slices.ContainsFunc(path.Value.Members,
			func(m cfn.NamedValue) bool { return strings.HasPrefix(m.Name, "Fn::") }) {
			r.unread("the methods of " + path.Name + " of " + s.name(of) + " are not in the template")
			at.set(anyMethod, Unjudged, "")
		}
		for _, m := range path.Value.Members {
			method := strings.ToUpper(m.Name)
			if strings.EqualFold(m.Name, anyExtension) {
				method = anyMethod
			}
			if method != anyMethod && !slices.Contains(access.Methods, method) {
				continue
			}
			kind, said := securityOf(body, m.Value), true
			if _, said = m.Value.Get("security"); !said {
				_, said = m.Value.Get(authExtension)
			}
			if guard != nil {
				kind = guard(method, kind, said)
			}
			integration, _ := m.Value.Get("x-amazon-apigateway-integration")
			if _, role := integration.Get("credentials"); role {
				r.permit(api, integrated(m.Value))
			}
			at.set(method, kind, integrated(m.Value))
			r.route(api, s.sometimes(of), integrated(m.Value), kind)
		}
	}
}

// documentPath returns the resource of a path that an API's definition names whole.
func (r *reader) documentPath(api, path string) *resource {
	key := api + path
	if path == "/" {
		key = rootOf(api)
	}
	if r.resources[key] == nil {
		r.resources[key] = &resource{api: api, path: path}
		r.keys = append(r.keys, key)
	}
	return r.resources[key]
}

// securityOf returns what an operation asks for, by its own security or that of all.
func securityOf(body, operation cfn.Value) Authorization {
	if auth, ok := operation.Get(authExtension); ok {
		kind, _ := auth.Get("type")
		if !auth.Known() {
			return Unjudged
		}
		return kindOf(kind.Text)
	}
	security, ok := operation.Get("security")
	if !ok {
		security, _ = body.Get("security")
	}
	found := Nothing
	if !security.Known() {
		return Unjudged
	}
	for _, requirement := range security.List {
		for _, scheme := range requirement.Members {
			kind := schemeOf(body, scheme.Name)
			if found != Nothing && kind != Nothing && kind != found {
				return Unjudged
			}
			if kind != Nothing {
				found = kind
			}
		}
	}
	return found
}

func schemeOf(body cfn.Value, name string) Authorization {
	schemes, ok := body.Get("securityDefinitions")
	if !ok {
		components, _ := body.Get("components")
		schemes, _ = components.Get("securitySchemes")
	}
	scheme, ok := schemes.Get(name)
	if !ok {
		return Unjudged
	}
	kind, _ := scheme.Get(authTypeExtension)
	of, authorizer := scheme.Get(authorizerExtension)
	if pool, _ := of.Get("type"); kind.Text == "" && pool.Known() && pool.Text == "cognito_user_pools" {
		kind = pool
	}
	switch {
	case !kind.Known() || !scheme.Known() && !authorizer:
		return Unjudged
	case strings.EqualFold(kind.Text, "awsSigv4"):
		return Signed
	case kind.Text == "cognito_user_pools":
		return UserPool
	case authorizer || kind.Text != "":
		return Unjudged
	}
	// An API key alone asks for no identity.
	return Nothing
}

// kindOf reads the kinds of authorization that documents and SAM write.
func kindOf(text string) Authorization {
	switch strings.ToUpper(text) {
	case "", "NONE":
		return Nothing
	case "AWS_IAM":
		return Signed
	case "COGNITO_USER_POOLS":
		return UserPool
	}
	return Unjudged
}
