package template

import (
	"gatewright/internal/cfn"
	"gatewright/model/access"
	"gatewright/render/openapi"
)

// methodsOf makes the methods of a resource: ANY, which calls the function of the path that
// it serves, and OPTIONS, which answers CORS preflights or calls it too.
func (m *apiMaker) methodsOf(full string, serves *access.Path, resourceID *cfn.Node) {
	m.functions = append(m.functions, serves.Function)
	authorization := "AWS_IAM"
	if serves.Access.Setting == access.Open {
		authorization = "NONE"
	}
	call := cfn.MapNode().
		WithText("Type", "AWS_PROXY").WithText("IntegrationHttpMethod", "POST").
		With("Uri", cfn.Sub(openapi.FunctionURI(m.functionARN(serves.Function))))
	m.method(full, "ANY", serves, cfn.MapNode().
		With("RestApiId", cfn.Ref(m.ref)).With("ResourceId", resourceID).
		WithText("HttpMethod", "ANY").WithText("AuthorizationType", authorization).
		With("Integration", call))
	options := cfn.MapNode().
		With("RestApiId", cfn.Ref(m.ref)).With("ResourceId", resourceID).
		WithText("HttpMethod", "OPTIONS").WithText("AuthorizationType", "NONE")
	if m.api.CORS.Handler {
		options.With("Integration", call)
	} else {
		declared := cfn.MapNode()
		for _, h := range m.api.CORS.Preflight("") {
			declared.WithBool("method.response.header."+h.Name, true)
		}
		options.With("Integration", preflight(&m.api.CORS)).
			With("MethodResponses", cfn.ListNode(cfn.MapNode().
				WithText("StatusCode", "200").With("ResponseParameters", declared)))
	}
	m.method(full, "OPTIONS", serves, options)
}

func (m *apiMaker) method(full, method string, serves *access.Path, properties *cfn.Node) {
	id := m.name(camelCase(method[:1])+lower(method[1:]), full)
	m.define(resource{
		id: id, kind: "AWS::ApiGateway::Method", of: m.ofPath(serves), is: m.words(method + " " + full),
		properties: properties,
	})
	m.methods = append(m.methods, id)
}

func lower(text string) string {
	b := []byte(text)
	for i := range b {
		b[i] |= 0x20
	}
	return string(b)
}

// preflight is the integration of OPTIONS, which calls no function, see
// https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-cors.html
func preflight(c *access.CORS) *cfn.Node {
	return cfn.MapNode().
		WithText("Type", "MOCK").
		With("RequestTemplates", cfn.MapNode().WithText("application/json", `{"statusCode": 200}`)).
		With("IntegrationResponses", cfn.ListNode(cfn.MapNode().
			WithText("StatusCode", "200").
			With("ResponseParameters", openapi.Mapped("method.response.header.", c.Preflight(""))).
			With("ResponseTemplates", cfn.MapNode().WithText("application/json", openapi.Echo(c)))))
}

// errors makes the answers that the gateway gives itself, with headers that let pages of other origins read them, see
// https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
func (m *apiMaker) errors() {
	for _, kind := range []string{"4XX", "5XX"} {
		id := logicalID("Errors"+kind, m.api.Label)
		m.define(resource{
			id: id, kind: "AWS::ApiGateway::GatewayResponse", of: m.ofAPI(), is: m.words("the answer " + kind),
			properties: cfn.MapNode().
				With("RestApiId", cfn.Ref(m.ref)).WithText("ResponseType", "DEFAULT_"+kind).
				With("ResponseParameters", openapi.Mapped("gatewayresponse.header.", m.api.CORS.Answer(""))),
		})
		m.methods = append(m.methods, id)
	}
}
