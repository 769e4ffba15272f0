package openapi

import (
	"strings"

	"gatewright/internal/cfn"
)

// Integration is what the cloud's gateway does with the requests of an operation, see
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-integration.html
type Integration struct {
	// Type is in small letters, such as aws_proxy or mock.
	Type string
	// URI is where requests go, as the document has it: a text, or JSON with functions of
	// CloudFormation. It is "" for a mock.
	URI string
	// Function is the name of the function in the address; "" if it has none, or one that
	// only a deployment knows.
	Function string
}

func readIntegration(n *cfn.Node) *Integration {
	if n == nil || n.Kind != cfn.Map {
		return nil
	}
	i := &Integration{Type: strings.ToLower(TextOf(n.Get("type"))), URI: TextOf(n.Get("uri"))}
	if uri := n.Get("uri"); uri != nil && i.URI == "" {
		i.URI = string(uri.Minified())
	}
	i.Function = functionIn(i.URI)
	return i
}

// functionIn returns the name of the function in an address such as
// arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/arn:aws:lambda:eu-west-1:123456789012:function:books/invocations
// or .../functions/${Books.Arn}/invocations.
func functionIn(uri string) string {
	_, rest, ok := strings.Cut(uri, "/functions/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/invocations")
	if _, after, ok := strings.Cut(name, ":function:"); ok {
		name, _, _ = strings.Cut(after, ":")
	} else if inner, ok := strings.CutPrefix(name, "${"); ok {
		name, ok = strings.CutSuffix(inner, ".Arn}")
		if !ok {
			return ""
		}
	}
	if strings.ContainsAny(name, "${}\":/.,") {
		return ""
	}
	return name
}
