package prove

import (
	"slices"
	"strings"

	"gatewright/cfn"
)

// The extensions of OpenAPI that say who may call a method. See
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
const (
	anyExtension        = "x-amazon-apigateway-any-method"
	authExtension       = "x-amazon-apigateway-auth"
	authTypeExtension   = "x-amazon-apigateway-authtype"
	authorizerExtension = "x-amazon-apigateway-authorizer"
)

// document reads the paths of an API from its OpenAPI document.
func (r *reader) document(api string, body cfn.Value) {
	paths, _ := body.Get("paths")
	for _, path := range paths.Members {
		at := &resource{api: api, path: path.Name}
		for _, m := range path.Value.Members {
			method := strings.ToUpper(m.Name)
			if m.Name == anyExtension {
				method = anyMethod
			}
			if method == anyMethod || slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, method) {
				at.set(method, securityOf(body, m.Value))
			}
		}
		key := api + path.Name
		if path.Name == "/" {
			key = rootOf(api)
		} else {
			r.keys = append(r.keys, key)
		}
		r.resources[key] = at
	}
	if len(paths.Members) == 0 && len(paths.Unknown) > 0 {
		r.unread("the paths of the API are not in the template")
	}
}

// securityOf returns what an operation asks for, by its own security or that of all.
func securityOf(body, operation cfn.Value) Authorization {
	if auth, ok := operation.Get(authExtension); ok {
		kind, _ := auth.Get("type")
		return kindOf(kind.Text)
	}
	security, ok := operation.Get("security")
	if !ok {
		security, _ = body.Get("security")
	}
	found := Nothing
	for _, requirement := range security.List {
		for _, scheme := range requirement.Members {
			if kind := schemeOf(body, scheme.Name); kind != Nothing {
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
	_, authorizer := scheme.Get(authorizerExtension)
	switch {
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
