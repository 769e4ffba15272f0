package awstest

import (
	"encoding/json"
	"slices"
	"strings"
)

// HandMade is an API that no stack has, with one route.
type HandMade struct {
	ID, Name string
	// Protocol is HTTP or WEBSOCKET; "" for a REST API. Route is its route, such as "GET /x", Asks
	// what that asks for, and Function the name of the function that it calls.
	Protocol, Route, Asks, Function string
}

func (h HandMade) uri() string {
	return "arn:aws:apigateway:eu-central-1:lambda:path/2015-03-31/functions/" + functionARN(h.Function) + "/invocations"
}

func functionARN(name string) string {
	return "arn:aws:lambda:eu-central-1:123456789012:function:" + name
}

// functionPolicy is the policy of a function: the permissions of the stacks, and those by hand.
func (s *Server) functionPolicy(f *InForce, r Request, name string) (any, error) {
	statements := slices.Clone(f.Permissions[name])
	s.each(r, "AWS::Lambda::Permission", func(x *resource, p map[string]any) {
		if of, _ := p["FunctionName"].(string); of == name || strings.HasSuffix(of, ":function:"+name) {
			text, _ := json.Marshal(map[string]any{
				"Sid": x.physical, "Effect": "Allow", "Action": p["Action"],
				"Principal": map[string]any{"Service": p["Principal"]},
				"Condition": map[string]any{"ArnLike": map[string]any{"AWS:SourceArn": p["SourceArn"]}},
			})
			statements = append(statements, string(text))
		}
	})
	if len(statements) == 0 {
		return nil, &Refusal{"ResourceNotFoundException", "The resource you requested does not exist."}
	}
	return map[string]any{"Policy": `{"Version":"2012-10-17","Statement":[` + strings.Join(statements, ",") + `]}`}, nil
}

// handMade answers about APIs of the account that no stack has; nil for others.
func (s *Server) handMade(f *InForce, r Request, parts []string) any {
	list := []any{}
	if len(parts) == 1 {
		s.each(r, "AWS::ApiGateway::RestApi", func(x *resource, p map[string]any) {
			list = append(list, map[string]any{"id": x.physical, "name": p["Name"]})
		})
	}
	for _, h := range f.APIs {
		method, path, _ := strings.Cut(h.Route, " ")
		switch second := parts[0] == "v2"; {
		case second != (h.Protocol != ""):
		case len(parts) == 1:
			list = append(list, map[string]any{"id": h.ID, "name": h.Name})
		case second && len(parts) == 2:
			list = append(list, map[string]any{"apiId": h.ID, "name": h.Name, "protocolType": h.Protocol})
		case !second && parts[1] == h.ID && parts[2] == "resources":
			asks := map[string]any{"authorizationType": h.Asks, "methodIntegration": map[string]any{"uri": h.uri()}}
			methods := map[string]any{method: asks}
			return map[string]any{"item": []any{map[string]any{"path": path, "resourceMethods": methods}}}
		case second && len(parts) == 4 && parts[2] == h.ID && parts[3] == "routes":
			list = append(list, map[string]any{"routeKey": h.Route, "authorizationType": h.Asks, "target": "integrations/i1"})
		case second && len(parts) == 4 && parts[2] == h.ID:
			list = append(list, map[string]any{"integrationId": "i1", "integrationUri": h.uri()})
		}
	}
	if parts[0] == "v2" {
		return map[string]any{"items": list}
	}
	if len(parts) == 1 {
		return map[string]any{"item": list}
	}
	return nil
}
