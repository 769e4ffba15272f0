package openapi

import (
	"strings"

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

// gatewayDocument writes Gateway, with the resources, methods and gateway responses that a push
// makes (package template).
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
	return document.With("x-amazon-apigateway-gateway-responses", gatewayResponses(&w.api.CORS))
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
	options := cfn.MapNode().
		WithText("summary", "Answer the CORS preflight").
		WithText("operationId", "options"+id).
		With("parameters", i.parameters(false))
	if w.api.CORS.Handler {
		return item.With("options", options.With("responses", cfn.MapNode()).With("security", cfn.ListNode()).
			With(openapi.ExtensionIntegration, integration))
	}
	description := "Pages of every origin may call"
	if len(w.api.CORS.Origins) > 0 {
		description = "Pages of some origins may call"
	}
	return item.With("options", options.
		With("responses", cfn.MapNode().With("200", cfn.MapNode().
			WithText("description", description).
			With("headers", headersNode(w.api.CORS.Preflight(""))))).
		With("security", cfn.ListNode()).
		With(openapi.ExtensionIntegration, preflightNode(&w.api.CORS)))
}

// deployed is the name of a function in the environment.
func (w *writer) deployed(function string) string {
	if f := w.functions[function]; f != nil {
		function = f.DeployedName()
	}
	return function + "-" + w.Environment
}

func headersNode(headers []access.Header) *cfn.Node {
	n := cfn.MapNode()
	for _, h := range headers {
		n.With(h.Name, cfn.MapNode().With("schema", textSchema()))
	}
	return n
}

// Mapped gives headers of an answer their values, as texts of API Gateway's mappings.
func Mapped(prefix string, headers []access.Header) *cfn.Node {
	n := cfn.MapNode()
	for _, h := range headers {
		n.WithText(prefix+h.Name, "'"+h.Value+"'")
	}
	return n
}

// Echo is the mapping template of the answer to preflights: of several origins it names the one that asks.
// The answer stays empty. That a header can be replaced so is in
// https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-override-request-response-parameters.html,
// and that HTTP/2 has its name in lower case in https://www.rfc-editor.org/rfc/rfc9113#section-8.2.
func Echo(c *access.CORS) string {
	if len(c.Origins) < 2 {
		return ""
	}
	var is []string
	for _, origin := range c.Origins[1:] {
		is = append(is, `$origin == "`+origin+`"`)
	}
	return `#set($origin = $input.params().header.get("Origin"))` +
		`#if(!$origin)#set($origin = $input.params().header.get("origin"))#end` +
		`#if(` + strings.Join(is, " || ") + `)#set($context.responseOverride.header.Access-Control-Allow-Origin = $origin)#end`
}

// preflightNode is the integration of OPTIONS, which calls no function.
func preflightNode(c *access.CORS) *cfn.Node {
	return cfn.MapNode().
		WithText("type", "mock").
		With("requestTemplates", cfn.MapNode().WithText("application/json", `{"statusCode": 200}`)).
		With("responses", cfn.MapNode().With("default", cfn.MapNode().
			WithText("statusCode", "200").
			With("responseParameters", Mapped("method.response.header.", c.Preflight(""))).
			With("responseTemplates", cfn.MapNode().WithText("application/json", Echo(c)))))
}

// gatewayResponses let pages of other origins read the answers that the gateway gives itself
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-gateway-responses.html).
func gatewayResponses(c *access.CORS) *cfn.Node {
	n := cfn.MapNode()
	for _, kind := range []string{"DEFAULT_4XX", "DEFAULT_5XX"} {
		n.With(kind, cfn.MapNode().With("responseParameters", Mapped("gatewayresponse.header.", c.Answer(""))))
	}
	return n
}
