package prove

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/lazyregexp"
	"gatewright/model/access"
)

// The implicit APIs that SAM makes, by the type of the events that name none. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-specification-generated-resources.html
var implicit = map[string]cfn.Resource{
	"Api":     {ID: implicitAPI, Type: serverlessAPI},
	"HttpApi": {ID: "ServerlessHttpApi", Type: "AWS::Serverless::HttpApi"},
}

// resourcesOf are the resources of a template as SAM has them before its transform: with what
// Globals says of all of a type, and with the APIs of events that name none. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-specification-template-anatomy-globals.html
func resourcesOf(t *cfn.Template) []cfn.Resource {
	all := t.Resources()
	made := make(map[string]bool)
	for _, of := range all {
		if of.Type != "AWS::Serverless::Function" || of.Properties.Get("Events") == nil {
			continue
		}
		for _, event := range of.Properties.Get("Events").Members {
			kind, properties := event.Value.Get("Type"), event.Value.Get("Properties")
			if kind == nil || properties.Get("RestApiId") != nil || properties.Get("ApiId") != nil {
				continue
			}
			if api, is := implicit[kind.Text]; is && !made[api.ID] && t.Resource(api.ID) == nil {
				made[api.ID] = true
				all = append(all, api)
			}
		}
	}
	for i, of := range all {
		if kind, is := strings.CutPrefix(of.Type, "AWS::Serverless::"); is {
			all[i].Properties = merged(t.Root.Get("Globals", kind), of.Properties)
		}
	}
	return all
}

// resource returns a resource of the stack; an empty one if there is none.
func (s *stack) resource(id string) *cfn.Resource {
	if i := slices.IndexFunc(s.resources, func(of cfn.Resource) bool { return of.ID == id }); i >= 0 {
		return &s.resources[i]
	}
	return new(cfn.Resource)
}

// merged lays what a resource says over what is said of all: maps are merged, lists put together.
func merged(all, own *cfn.Node) *cfn.Node {
	switch {
	case own == nil:
		return all
	case all == nil || all.Kind != own.Kind || isCall(all) || isCall(own):
		return own
	}
	both := *own
	both.Items, both.Members = slices.Concat(all.Items, own.Items), nil
	for _, m := range all.Members {
		both.With(m.Name, merged(m.Value, own.Get(m.Name)))
	}
	for _, m := range own.Members {
		if all.Get(m.Name) == nil {
			both.With(m.Name, m.Value)
		}
	}
	return &both
}

// isCall reports whether a node is a function of CloudFormation.
func isCall(n *cfn.Node) bool {
	return n != nil && len(n.Members) == 1 && (n.Members[0].Name == "Ref" || strings.HasPrefix(n.Members[0].Name, "Fn::"))
}

// parameter is one of a path.
var parameter = lazyregexp.New(`\{[^{}]*\}`)

// below are the resources that SAM names in a policy for a path.
func below(stage, path string) (all []string) {
	path = strings.TrimRight(parameter().ReplaceAllString(path, "*"), "/")
	for _, method := range access.Methods {
		all = append(all, "execute-api:/"+stage+"/"+method+path)
	}
	return all
}

// serverlessPolicy reads the resource policy that SAM makes: lists of addresses and networks let
// everybody in and refuse by a condition. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-api-resourcepolicystatement.html
func (s *stack) serverlessPolicy(of *cfn.Resource, policy *cfn.Node, resources ...string) []cfn.Statement {
	if isCall(policy) {
		return unknown()
	}
	list := cfn.ListNode()
	add := func(effect string, principal, condition *cfn.Node) {
		list.Items = append(list.Items, cfn.MapNode().WithText("Effect", effect).With("Principal", principal).
			WithText("Action", "execute-api:Invoke").WithTexts("Resource", resources...).With("Condition", condition))
	}
	for _, m := range policy.Members {
		switch everybody := cfn.TextNode("*"); {
		case m.Name == "CustomStatements" && m.Value.Kind == cfn.List:
			list.Items = append(list.Items, m.Value.Items...)
		case m.Name == "CustomStatements":
			list.Items = append(list.Items, m.Value)
		case m.Name == "AwsAccountWhitelist":
			add("Allow", cfn.MapNode().With("AWS", m.Value), nil)
		case m.Name == "AwsAccountBlacklist":
			add("Deny", cfn.MapNode().With("AWS", m.Value), nil)
		default:
			add("Allow", everybody, nil)
			add("Deny", everybody, cfn.MapNode().With(m.Name, m.Value))
		}
	}
	return s.resourcePolicy(of, policy, s.resolver.Resolve(cfn.MapNode().With("Statement", list)))
}
