package template_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/render/template"
)

// cloud is what CloudFormation has of an environment: resources that live, and the snapshots
// that deployments of APIs are. It knows its order alone: first all that is new is made and all
// that changes is changed, then all that is gone is removed.
type cloud struct {
	t         failer
	now       template.Deployed
	live      map[string]thing
	snapshots map[string]string
}

// thing is a resource that lives. Two versions of it that only a replacement tells apart are
// two things.
type thing struct {
	*scope
	id, kind   string
	properties *cfn.Node
}

// scope is a stack with its template; a nested one is in an outer one, which gives it parameters.
type scope struct {
	stack     string
	in, given *cfn.Node
	outer     *scope
	nested    map[string]*scope
	resources map[string]*cfn.Node
}

// identity has, by type, the properties whose change makes a new resource.
var identity = map[string][]string{
	"AWS::ApiGateway::Resource":        {"RestApiId", "ParentId", "PathPart"},
	"AWS::ApiGateway::Method":          {"RestApiId", "ResourceId", "HttpMethod"},
	"AWS::ApiGateway::Stage":           {"RestApiId", "StageName"},
	"AWS::ApiGateway::GatewayResponse": {"RestApiId", "ResponseType"},
	"AWS::Lambda::Function":            {"FunctionName"},
	"AWS::Logs::LogGroup":              {"LogGroupName"},
	"AWS::Events::Rule":                {"Name"},
	"AWS::DynamoDB::Table":             {"TableName", "KeySchema"},
	"AWS::Cognito::UserPool":           {"UsernameAttributes", "AliasAttributes", "UsernameConfiguration"},
	"AWS::Cognito::UserPoolGroup":      {"UserPoolId", "GroupName"},
	"AWS::Cognito::UserPoolDomain":     {"UserPoolId", "Domain"},
}

func minified(n *cfn.Node) string {
	if n == nil {
		return ""
	}
	return string(n.Minified())
}

func (x thing) property(name string) string {
	n, at := x.resolved(x.properties.Get(name))
	return minified(n) + "@" + at.stack
}

// resolved gives a reference to a parameter, or to an output of a nested stack, its value, and the
// stack that has it.
func (s *scope) resolved(n *cfn.Node) (*cfn.Node, *scope) {
	if ref := n.Get("Ref"); ref != nil && s.given.Get(ref.Text) != nil {
		return s.outer.resolved(s.given.Get(ref.Text))
	}
	if of := n.Get("Fn::GetAtt"); of != nil && strings.HasPrefix(of.Items[1].Text, "Outputs.") {
		in := s.nested[of.Items[0].Text]
		return in.resolved(in.in.Get("Outputs", strings.TrimPrefix(of.Items[1].Text, "Outputs."), "Value"))
	}
	return n, s
}

func (x thing) key() string {
	key := x.stack + "/" + x.id
	for _, name := range identity[x.kind] {
		key += " " + x.property(name)
	}
	if x.kind == "AWS::DynamoDB::Table" {
		for _, k := range x.properties.Get("KeySchema").Items {
			key += " " + attributeTypes(x.properties)[k.Get("AttributeName").Text]
		}
	}
	if x.kind == "AWS::Cognito::UserPoolDomain" {
		key += poolKey(x.in)
	}
	return key
}

// poolKey tells whether a stack's user pool is another one.
func poolKey(root *cfn.Node) string {
	key := ""
	for _, name := range identity["AWS::Cognito::UserPool"] {
		key += " " + minified(root.Get("Resources", "UserPool", "Properties", name))
	}
	return key
}

func attributeTypes(properties *cfn.Node) map[string]string {
	types := make(map[string]string)
	for _, d := range properties.Get("AttributeDefinitions").Items {
		types[d.Get("AttributeName").Text] = d.Get("AttributeType").Text
	}
	return types
}

func livingIn(d template.Deployed) map[string]thing {
	all := make(map[string]thing)
	for _, s := range scopeOf("", d.Root, nil, nil, d).all() {
		for _, m := range s.in.Get("Resources").Members {
			x := thing{scope: s, id: m.Name, kind: m.Value.Get("Type").Text, properties: m.Value.Get("Properties")}
			all[x.key()] = x
		}
	}
	return all
}

func scopeOf(stack string, in, given *cfn.Node, outer *scope, d template.Deployed) *scope {
	s := &scope{stack: stack, in: in, given: given, outer: outer, nested: make(map[string]*scope), resources: make(map[string]*cfn.Node)}
	for _, m := range in.Get("Resources").Members {
		s.resources[m.Name] = m.Value
	}
	for _, e := range ofType(in, "AWS::CloudFormation::Stack") {
		s.nested[e.id] = scopeOf(e.id, d.Nested[e.id], e.node.Get("Properties", "Parameters"), s, d)
	}
	return s
}

func (s *scope) all() []*scope {
	all := []*scope{s}
	for _, n := range s.nested {
		all = append(all, n.all()...)
	}
	return all
}

// newCloud has an environment deployed.
func newCloud(t failer, d template.Deployed) *cloud {
	c := &cloud{t: t, snapshots: make(map[string]string)}
	c.update(d)
	return c
}

// update updates the environment.
func (c *cloud) update(next template.Deployed) {
	was, is := c.live, livingIn(next)
	both := maps.Clone(is)
	for key, x := range was {
		// What stays has its new properties.
		if _, stays := is[key]; !stays {
			both[key] = x
		}
	}
	c.claims(both)
	if c.now.Root != nil {
		c.tables(next)
	}
	for key, x := range is {
		if _, old := was[key]; x.kind == "AWS::ApiGateway::Deployment" && !old {
			c.snapshots[x.property("RestApiId")+x.id] = routesIn(both, x.property("RestApiId"))
		}
	}
	c.live, c.now = is, next
}

// path is the path of an API's resource.
func (s *scope) path(id *cfn.Node) string {
	n, at := s.resolved(id)
	if n.Get("Fn::GetAtt") != nil {
		return ""
	}
	p := at.resources[n.Get("Ref").Text].Get("Properties")
	return at.path(p.Get("ParentId")) + "/" + p.Get("PathPart").Text
}

func routesIn(all map[string]thing, api string) string {
	var routes []string
	for _, x := range all {
		if x.kind == "AWS::ApiGateway::Method" && x.property("RestApiId") == api {
			routes = append(routes, x.properties.Get("HttpMethod").Text+" "+x.path(x.properties.Get("ResourceId")))
		}
	}
	slices.Sort(routes)
	return strings.Join(routes, "\n")
}

// claims checks that no two things that live at one time have a name that is unique.
func (c *cloud) claims(all map[string]thing) {
	taken := make(map[string]string)
	inline, managed := make(map[string]int), make(map[string]int)
	for key, x := range all {
		text := func(name string) string { return textOf(x.properties.Get(name)) }
		claim := ""
		switch x.kind {
		case "AWS::ApiGateway::Resource":
			part := text("PathPart")
			if strings.HasPrefix(part, "{") {
				part = "{}"
			}
			claim = x.property("RestApiId") + x.path(x.properties.Get("ParentId")) + "/" + part
		case "AWS::ApiGateway::Method":
			claim = x.property("RestApiId") + text("HttpMethod") + x.path(x.properties.Get("ResourceId"))
		case "AWS::ApiGateway::Stage":
			claim = x.property("RestApiId") + text("StageName")
		case "AWS::ApiGateway::GatewayResponse":
			claim = x.property("RestApiId") + text("ResponseType")
		case "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy":
			given, _ := x.resolved(x.properties.Get("Roles").Items[0])
			role := minified(given)
			if x.kind == "AWS::IAM::ManagedPolicy" {
				managed[role]++
				continue
			}
			claim = role + text("PolicyName")
			inline[role] += charactersOf(x.properties.Get("PolicyDocument"))
		case "AWS::Lambda::Function":
			claim = text("FunctionName")
		case "AWS::Logs::LogGroup":
			claim = text("LogGroupName")
		case "AWS::Events::Rule":
			claim = text("Name")
		case "AWS::DynamoDB::Table":
			claim = text("TableName")
		case "AWS::Cognito::UserPoolDomain":
			claim = "the pool's domain"
		}
		if claim == "" {
			continue
		}
		claim = x.kind + " " + claim
		if other, there := taken[claim]; there {
			c.t.Errorf("%s and %s have one name at one time: %s", key, other, claim)
		}
		taken[claim] = key
	}
	for role, n := range inline {
		if n > 10_240 {
			c.t.Errorf("the role %s has policies of %d characters at one time", role, n)
		}
	}
	for role, n := range managed {
		if n > 10 {
			c.t.Errorf("the role %s has %d managed policies at one time", role, n)
		}
	}
}

// charactersOf is about how long a document is with values in the place of references.
func charactersOf(document *cfn.Node) int {
	text := strings.NewReplacer(`{"Fn::Sub":`, "", `"}`, `"`, "${AWS::Partition}", "aws", "${AWS::Region}", "eu-central-1", "${AWS::AccountId}", "123456789012").
		Replace(minified(document))
	return len(substitutes.ReplaceAllString(text, "abcdefghij"))
}

// tables checks what happens to the indexes of tables: one of each table in an update, and the
// attributes of those that stay have their types.
func (c *cloud) tables(next template.Deployed) {
	for _, e := range ofType(next.Root, "AWS::DynamoDB::Table") {
		was, is := c.now.Root.Get("Resources", e.id, "Properties"), e.node.Get("Properties")
		used := make(map[string]bool)
		for _, k := range is.Get("KeySchema").Items {
			used[k.Get("AttributeName").Text] = true
		}
		now := indexForms(is, used)
		if types := attributeTypes(is); len(types) != len(used) || len(is.Get("AttributeDefinitions").Items) != len(used) {
			c.t.Errorf("%s defines %v and uses %v", e.id, types, used)
		}
		if was == nil {
			continue
		}
		before := indexForms(was, make(map[string]bool))
		different := 0
		for name, form := range now {
			switch {
			case before[name] == "":
				different++
			case before[name] != form:
				c.t.Errorf("the index %s of %s changes: %s to %s", name, e.id, before[name], form)
			}
		}
		for name := range before {
			if now[name] == "" {
				different++
			}
		}
		if different > 1 {
			c.t.Errorf("%d indexes of %s change in one update: %v to %v", different, e.id, slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(now)))
		}
	}
}

// indexForms are the indexes of a table by name, with the types of their attributes.
func indexForms(properties *cfn.Node, used map[string]bool) map[string]string {
	forms := make(map[string]string)
	list := properties.Get("GlobalSecondaryIndexes")
	if list == nil {
		return forms
	}
	for _, index := range list.Items {
		form := minified(index)
		for _, k := range index.Get("KeySchema").Items {
			name := k.Get("AttributeName").Text
			used[name] = true
			form += fmt.Sprint(name, attributeTypes(properties)[name])
		}
		forms[index.Get("IndexName").Text] = form
	}
	return forms
}

// served are the routes that each API answers, by the snapshot of its stage.
func (c *cloud) served() map[string]string {
	served := make(map[string]string)
	for _, x := range c.live {
		if x.kind == "AWS::ApiGateway::Stage" {
			api := x.property("RestApiId")
			served[api] = c.snapshots[api+x.properties.Get("DeploymentId", "Ref").Text]
		}
	}
	return served
}
