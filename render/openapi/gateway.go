package openapi

import (
	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/model/access"
)

// FunctionARN is the ARN of a deployed function for Fn::Sub: pseudo parameters of CloudFormation
// stand for what only an account knows.
func FunctionARN(deployed string) string {
	return "arn:${AWS::Partition}:lambda:${AWS::Region}:${AWS::AccountId}:function:" + deployed
}

// FunctionURI is what an integration of API Gateway calls to invoke a function, see
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-integration.html
func FunctionURI(arn string) string {
	return "arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/" + arn + "/invocations"
}

// gatewayDocument writes Gateway, with the resources, methods and answers of the gateway
// that a push makes (package template).
func (w *writer) gatewayDocument(root *access.Resource) *cfn.Node {
	paths := cfn.MapNode()
	for _, i := range Items(root, nil) {
		id := w.ids.Of(i)
		paths.With(i.Name("{proxy+}"), later(func() *cfn.Node { return w.gatewayItem(i, id) }))
	}
	document := w.begin("3.0").
		With("info", cfn.MapNode().WithText("title", w.api.Label+"-"+w.Environment).WithText("version", "1")).
		With("paths", paths)
	if w.signed {
		document.With("components", cfn.MapNode().With("securitySchemes", w.securitySchemes()))
	}
	if len(w.api.BinaryMediaTypes) > 0 {
		document.WithTexts(openapi.ExtensionBinaryMediaTypes, w.api.BinaryMediaTypes...)
	}
	return document.With("x-amazon-apigateway-gateway-responses", gatewayResponses())
}

// gatewayItem has the method ANY, which calls the function, and OPTIONS, which answers
// preflights
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-any-method.html).
// Parameters are declared by each method, as API Gateway exports them.
func (w *writer) gatewayItem(i Item, id string) *cfn.Node {
	item := cfn.MapNode()
	w.extend(item, i)
	integration := cfn.MapNode().
		WithText("type", "aws_proxy").WithText("httpMethod", "POST").
		WithText("uri", FunctionURI(FunctionARN(w.deployed(i.Serves.Function)))).
		WithText("passthroughBehavior", "when_no_match")
	item.With(openapi.ExtensionAnyMethod, cfn.MapNode().
		With("parameters", i.parameters(false)).
		With("responses", cfn.MapNode()).
		With("security", w.securityOf(i)).
		With(openapi.ExtensionIntegration, integration))
	return item.With("options", cfn.MapNode().
		WithText("summary", "Answer the CORS preflight").
		WithText("operationId", "options"+id).
		With("parameters", i.parameters(false)).
		With("responses", cfn.MapNode().With("200", cfn.MapNode().
			WithText("description", "Pages of every origin may call").
			With("headers", headersNode(corsAnswer)))).
		With("security", cfn.ListNode()).
		With(openapi.ExtensionIntegration, preflightNode()))
}

// deployed is the name of a function in the environment.
func (w *writer) deployed(function string) string {
	if f := w.functions[function]; f != nil {
		function = f.DeployedName()
	}
	return function + "-" + w.Environment
}

// corsHeader is a header of an answer with its value.
type corsHeader struct{ name, value string }

// corsAnswer are the headers of the answer to a preflight, corsRefusal those of the gateway's
// own answers.
var (
	corsAnswer = []corsHeader{
		{"Access-Control-Allow-Origin", "*"},
		{"Access-Control-Allow-Headers", access.CORSPreflight},
		{"Access-Control-Allow-Methods", access.CORSMethods},
	}
	corsRefusal = []corsHeader{
		{"Access-Control-Allow-Origin", "*"},
		{"Access-Control-Allow-Headers", access.CORSHeaders},
		{"Access-Control-Allow-Methods", access.CORSMethods},
		{"Access-Control-Expose-Headers", access.CORSExposed},
	}
)

func headersNode(headers []corsHeader) *cfn.Node {
	n := cfn.MapNode()
	for _, h := range headers {
		n.With(h.name, cfn.MapNode().With("schema", textSchema()))
	}
	return n
}

// mapped gives headers of an answer their values, as texts of API Gateway's mappings.
func mapped(prefix string, headers []corsHeader) *cfn.Node {
	n := cfn.MapNode()
	for _, h := range headers {
		n.WithText(prefix+h.name, "'"+h.value+"'")
	}
	return n
}

// preflightNode is the integration of OPTIONS, which calls no function.
func preflightNode() *cfn.Node {
	return cfn.MapNode().
		WithText("type", "mock").
		With("requestTemplates", cfn.MapNode().WithText("application/json", `{"statusCode": 200}`)).
		With("responses", cfn.MapNode().With("default", cfn.MapNode().
			WithText("statusCode", "200").
			With("responseParameters", mapped("method.response.header.", corsAnswer)).
			With("responseTemplates", cfn.MapNode().WithText("application/json", ""))))
}

// gatewayResponses let pages of other origins read the answers that the gateway gives itself
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-gateway-responses.html).
func gatewayResponses() *cfn.Node {
	n := cfn.MapNode()
	for _, kind := range []string{"DEFAULT_4XX", "DEFAULT_5XX"} {
		n.With(kind, cfn.MapNode().With("responseParameters", mapped("gatewayresponse.header.", corsRefusal)))
	}
	return n
}
