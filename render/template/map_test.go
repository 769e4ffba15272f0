package template_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/graph"
	"gatewright/project/read"
	"gatewright/render/template"
	"gatewright/test/depth"
)

// deployedEdges reads what reaches what from a template, as AWS would, with nothing of what the map is made of.
type deployedEdges struct {
	root *cfn.Node
	of   map[string]*cfn.Node
}

// The region and the account that the template is read for.
const (
	inRegion  = "eu-central-1"
	inAccount = "000000000000"
)

// text is what a value of the template is once it is deployed.
func (d deployedEdges) text(n *cfn.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Get("Ref") != nil:
		return d.named(n.Get("Ref").Text)
	case n.Get("Fn::GetAtt") != nil:
		at := n.Get("Fn::GetAtt").Items
		return d.named(at[0].Text + "." + at[1].Text)
	case n.Get("Fn::Sub") != nil:
		return regexp.MustCompile(`\$\{[^}]*\}`).ReplaceAllStringFunc(n.Get("Fn::Sub").Text, func(ref string) string {
			return d.named(strings.Trim(ref, "${}"))
		})
	}
	return n.Text
}

func (d deployedEdges) named(name string) string {
	id, attribute, _ := strings.Cut(name, ".")
	properties := d.of[id].Get("Properties")
	arn := func(service, what string) string {
		return "arn:aws:" + service + ":" + inRegion + ":" + inAccount + ":" + what
	}
	switch kind := textOf(d.of[id].Get("Type")); {
	case name == "AWS::Region":
		return inRegion
	case name == "AWS::AccountId":
		return inAccount
	case name == "AWS::Partition":
		return "aws"
	case kind == "AWS::DynamoDB::Table" && attribute == "Arn":
		return arn("dynamodb", "table/"+properties.Get("TableName").Text)
	case kind == "AWS::DynamoDB::Table" && attribute == "StreamArn":
		return arn("dynamodb", "table/"+properties.Get("TableName").Text+"/stream/1")
	case kind == "AWS::Lambda::Function" && attribute == "Arn":
		return arn("lambda", "function:"+properties.Get("FunctionName").Text)
	case kind == "AWS::Cognito::UserPool" && attribute == "Arn":
		return arn("cognito-idp", "userpool/"+id)
	}
	return id
}

// grant is a statement of a role with the values that it has once it is deployed.
type grant struct {
	deny, conditional  bool
	actions, resources []string
}

func texts(n *cfn.Node, text func(*cfn.Node) string) (all []string) {
	if n != nil && n.Kind == cfn.List {
		for _, item := range n.Items {
			all = append(all, text(item))
		}
		return all
	}
	return []string{text(n)}
}

// grants are the statements of a role: its own and those of policies that are attached to it.
func (d deployedEdges) grants(role string) (all []grant) {
	read := func(document *cfn.Node) {
		for _, s := range document.Get("Statement").Items {
			all = append(all, grant{
				s.Get("Effect").Text == "Deny", s.Get("Condition") != nil,
				texts(s.Get("Action"), d.text), texts(s.Get("Resource"), d.text),
			})
		}
	}
	if own := d.of[role].Get("Properties", "Policies"); own != nil {
		for _, p := range own.Items {
			read(p.Get("PolicyDocument"))
		}
	}
	for _, kind := range []string{"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"} {
		for _, e := range ofType(d.root, kind) {
			if slices.Contains(texts(e.node.Get("Properties", "Roles"), d.text), role) {
				read(e.node.Get("Properties", "PolicyDocument"))
			}
		}
	}
	return all
}

// like reports whether a pattern of IAM, with * and ?, is about a text.
func like(pattern, text string) bool {
	switch {
	case pattern == "":
		return text == ""
	case pattern[0] == '*':
		return like(pattern[1:], text) || text != "" && like(pattern, text[1:])
	}
	return text != "" && (pattern[0] == '?' || pattern[0] == text[0]) && like(pattern[1:], text[1:])
}

// may says whether IAM lets a role do something: "no", "yes", or "perhaps" if a condition decides it.
func may(all []grant, action, arn string) string {
	allowed, perhaps, doubt := false, false, false
	for _, g := range all {
		if !slices.ContainsFunc(g.actions, func(p string) bool { return like(strings.ToLower(p), strings.ToLower(action)) }) ||
			!slices.ContainsFunc(g.resources, func(p string) bool { return like(p, arn) }) {
			continue
		}
		switch {
		case g.deny && !g.conditional:
			return "no"
		case g.deny:
			doubt = true
		case g.conditional:
			perhaps = true
		default:
			allowed = true
		}
	}
	switch {
	case allowed && !doubt:
		return "yes"
	case allowed || perhaps:
		return "perhaps"
	}
	return "no"
}

// operationsOf are what the letters of the map stand for with each kind of resource.
var operationsOf = map[string]map[access.Action]string{
	"table": {
		access.Create: "dynamodb:PutItem dynamodb:BatchWriteItem dynamodb:PartiQLInsert",
		access.Read:   "dynamodb:GetItem dynamodb:BatchGetItem dynamodb:Query dynamodb:Scan dynamodb:DescribeTable dynamodb:ConditionCheckItem dynamodb:PartiQLSelect",
		access.Update: "dynamodb:UpdateItem dynamodb:PartiQLUpdate",
		access.Delete: "dynamodb:DeleteItem dynamodb:PartiQLDelete",
	},
	"function": {access.Read: "lambda:InvokeFunction"},
	"storage":  {access.Create: "s3:PutObject", access.Read: "s3:GetObject", access.Update: "s3:PutObject", access.Delete: "s3:DeleteObject"},
	"mail":     {access.Create: "ses:SendEmail ses:SendRawEmail"},
	"pool":     {access.Create: "cognito-idp:AdminCreateUser", access.Delete: "cognito-idp:AdminDeleteUser"},
}

// all lists the edges of the template as lines.
func (d deployedEdges) all(b *model.Backend, env string) map[string]bool {
	edges := make(map[string]bool)
	nameOf := make(map[string]string) // of a function by its deployed name
	for _, f := range b.Functions {
		nameOf[f.DeployedName()+"-"+env] = f.Name
	}
	function := func(arn string) string { return nameOf[arn[strings.LastIndex(arn, ":")+1:]] }
	resources := map[string][]string{"mail": {"*"}, "storage/files": nil, "pool": nil}
	for _, t := range b.Tables {
		arn := "arn:aws:dynamodb:" + inRegion + ":" + inAccount + ":table/" + t.DeployedName(env)
		resources["table/"+t.Name] = []string{arn, arn + "/index/by_0"}
	}
	for _, e := range ofType(d.root, "AWS::Lambda::Function") {
		arn := d.named(e.id + ".Arn")
		resources["function/"+function(arn)] = []string{arn, arn + ":$LATEST"}
	}
	if b.Storage != nil {
		resources["storage/files"] = []string{"arn:aws:s3:::" + b.Storage.BucketName + "/some/file"}
	}
	for _, e := range ofType(d.root, "AWS::Cognito::UserPool") {
		resources["pool"] = []string{d.named(e.id + ".Arn")}
	}
	for _, e := range ofType(d.root, "AWS::Lambda::Function") {
		role := strings.TrimSuffix(d.text(e.node.Get("Properties", "Role")), ".Arn")
		grants := d.grants(role)
		for name, arns := range resources {
			kind, _, _ := strings.Cut(name, "/")
			letters, certain := access.Actions(0), true
			for action, operations := range operationsOf[kind] {
				sure := false
				for _, operation := range strings.Fields(operations) {
					for i, arn := range arns {
						if i > 0 && kind == "table" && !strings.Contains("dynamodb:Query dynamodb:Scan", operation) {
							continue // of an index, these are all
						}
						switch may(grants, operation, arn) {
						case "yes":
							sure, letters = true, letters|access.ActionSet(action)
						case "perhaps":
							letters |= access.ActionSet(action)
						}
					}
				}
				certain = certain && (sure || !letters.Has(action))
			}
			if letters != 0 {
				edges[fmt.Sprintf("%s uses %s %s %v", function(d.named(e.id+".Arn")), name, letters.Letters(), certain)] = true
			}
		}
	}
	for _, e := range ofType(d.root, "AWS::Lambda::EventSourceMapping") {
		source := strings.Split(d.text(e.node.Get("Properties", "EventSourceArn")), "/")
		table := slices.IndexFunc(b.Tables, func(t *model.Table) bool { return t.DeployedName(env) == source[1] })
		edges["changes of "+b.Tables[table].Name+" call "+d.byID(nameOf, e.node.Get("Properties", "FunctionName"))] = true
	}
	for _, e := range ofType(d.root, "AWS::Events::Rule") {
		for _, target := range e.node.Get("Properties", "Targets").Items {
			edges[e.node.Get("Properties", "ScheduleExpression").Text+" call "+function(d.text(target.Get("Arn")))] = true
		}
	}
	for _, e := range ofType(d.root, "AWS::Cognito::UserPool") {
		calls := e.node.Get("Properties", "LambdaConfig")
		if calls == nil {
			continue
		}
		for _, m := range calls.Members {
			arn := m.Value
			if arn.Get("LambdaArn") != nil {
				m.Name, arn = "PreTokenGenerationV2", arn.Get("LambdaArn")
			}
			edges[strings.ToLower(m.Name[:1])+m.Name[1:]+" call "+function(d.text(arn))] = true
		}
	}
	return edges
}

func (d deployedEdges) byID(nameOf map[string]string, n *cfn.Node) string {
	return nameOf[d.of[d.text(n)].Get("Properties", "FunctionName").Text]
}

// paths adds the paths of an API that is in one stack: their functions, and who may send what there.
func (d deployedEdges) paths(edges map[string]bool, b *model.Backend, env string) {
	functions := make(map[string]string)
	for _, f := range b.Functions {
		functions[f.DeployedName()+"-"+env] = f.Name
	}
	callers := make(map[string]string) // roles
	for _, e := range ofType(d.root, "AWS::Cognito::IdentityPoolRoleAttachment") {
		roles := e.node.Get("Properties", "Roles")
		callers["signed-in"] = d.text(roles.Get("authenticated"))
		callers["guests"] = d.text(roles.Get("unauthenticated"))
	}
	for _, e := range ofType(d.root, "AWS::Cognito::UserPoolGroup") {
		callers["group "+e.node.Get("Properties", "GroupName").Text] = d.text(e.node.Get("Properties", "RoleArn"))
	}
	parts := make(map[string]*cfn.Node)
	for _, e := range ofType(d.root, "AWS::ApiGateway::Resource") {
		parts[e.id] = e.node.Get("Properties")
	}
	var pathOf func(id string) string
	pathOf = func(id string) string {
		if parts[id] == nil {
			return ""
		}
		return pathOf(d.text(parts[id].Get("ParentId"))) + "/" + parts[id].Get("PathPart").Text
	}
	for _, e := range ofType(d.root, "AWS::ApiGateway::Method") {
		p := e.node.Get("Properties")
		if p.Get("HttpMethod").Text != "ANY" {
			continue
		}
		api := d.text(p.Get("RestApiId"))
		label := strings.TrimSuffix(d.of[api].Get("Properties", "Name").Text, "-"+env)
		path := pathOf(d.text(p.Get("ResourceId")))
		uri := d.text(p.Get("Integration", "Uri"))
		uri = strings.TrimSuffix(uri[strings.LastIndex(uri, ":")+1:], "/invocations")
		edges[fmt.Sprintf("%s %s calls %s", label, path, functions[uri])] = true
		sent := regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(strings.TrimPrefix(path, "/"), "zz9")
		for who, role := range callers {
			letters, grants := access.Actions(0), d.grants(role)
			for method, action := range map[string]access.Action{"POST": access.Create, "GET": access.Read, "PUT": access.Update, "DELETE": access.Delete} {
				arn := "arn:aws:execute-api:" + inRegion + ":" + inAccount + ":" + api + "/" + env + "/" + method + "/" + sent
				if p.Get("AuthorizationType").Text == "NONE" || may(grants, "execute-api:Invoke", arn) == "yes" {
					letters |= access.ActionSet(action)
				}
			}
			edges[fmt.Sprintf("%s may %s at %s %s", who, letters.Letters(), label, path)] = true
		}
	}
}

// drawnEdges are those of the map, but for paths.
func drawnEdges(g *graph.Graph) map[string]bool {
	edges := make(map[string]bool)
	for _, u := range g.Uses {
		kind, _, _ := strings.Cut(u.Resource, "/")
		if operationsOf[kind] == nil {
			continue
		}
		if kind == "pool" {
			u.Actions &= access.ActionSet(access.Create, access.Delete)
		}
		if u.Actions != 0 {
			edges[fmt.Sprintf("%s uses %s %s %v", u.Function, u.Resource, u.Actions.Letters(), u.Certain)] = true
		}
	}
	for _, c := range g.Called {
		edges[c.Cause.Name+" call "+c.Function] = true
	}
	return edges
}

// samePaths holds what the map says of paths against the template.
func samePaths(t failer, g *graph.Graph, deployed map[string]bool) {
	for _, api := range g.APIs {
		for _, p := range api.Paths {
			at := strings.TrimSuffix(p.Name, "/")
			if want := fmt.Sprintf("%s %s calls %s", api.Label, at, p.Function); !deployed[want] {
				t.Errorf("the map says %q, the template does not", want)
			}
			for i, caller := range g.Callers {
				who := graph.NameOf(caller)
				if caller.Kind == access.Group {
					who = "group " + who
				}
				want := fmt.Sprintf("%s may %s at %s %s", who, p.Allowed[i].Letters(), api.Label, at)
				for line := range deployed {
					if strings.HasPrefix(line, who+" may ") && strings.HasSuffix(line, " at "+api.Label+" "+at) && line != want {
						t.Errorf("the map says %q, the template %q", want, line)
					}
				}
			}
		}
	}
}

// sameEdges holds the map of a backend against its template.
func sameEdges(t failer, b *model.Backend, env *model.Environment) {
	made, err := template.Render(b, env, template.Options{})
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	d := deployedEdges{made.Root, make(map[string]*cfn.Node)}
	for _, m := range made.Root.Get("Resources").Members {
		d.of[m.Name] = m.Value
	}
	g, deployed := graph.Of(b, env), d.all(b.For(env), env.Name)
	drawn := drawnEdges(g)
	for _, line := range slices.Sorted(maps.Keys(deployed)) {
		if !drawn[line] {
			t.Errorf("the template says %q, the map does not", line)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(drawn)) {
		if !deployed[line] {
			t.Errorf("the map says %q, the template does not", line)
		}
	}
	if len(made.Nested) == 0 && len(made.Refusals) == 0 {
		d.paths(deployed, b.For(env), env.Name)
		samePaths(t, g, deployed)
	}
}

func drawPolicies(t *rapid.T, b *model.Backend) {
	for _, f := range b.Functions {
		for range rapid.IntRange(0, 2).Draw(t, "statements") {
			s := model.Statement{
				Effect: rapid.SampledFrom([]string{model.Allow, model.Allow, model.Deny}).Draw(t, "effect"),
				Action: rapid.SliceOfN(rapid.SampledFrom([]string{
					"dynamodb:*", "dynamodb:Get*", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:?eleteItem", "lambda:Invoke*", "s3:*Object", "ses:Send*", "cognito-idp:*", "*",
				}), 1, 3).Draw(t, "operations"),
				Resource: rapid.SliceOfN(rapid.SampledFrom([]string{
					"*", "${table/table.0}", "${table/table.0}/index/*", "arn:aws:dynamodb:*:*:table/table*", "arn:aws:dynamodb:eu-central-1:*:table/*", "arn:aws:dynamodb:us-east-1:*:table/*",
					"${function/f0}", "${function/f0}:*", "arn:${AWS::Partition}:lambda:${AWS::Region}:${AWS::AccountId}:function:f1-${ENV}", "${storage}/*", "${pool}",
				}), 1, 2).Draw(t, "resources"),
			}
			if rapid.IntRange(0, 3).Draw(t, "conditional") == 0 {
				s.Condition = `{"Bool":{"aws:SecureTransport":"true"}}`
			}
			if s.Effect == model.Deny { // with all that is part of it
				s.Resource = rapid.SliceOfN(rapid.SampledFrom([]string{"*", "arn:aws:*:*:*:*/table*", "arn:aws:lambda:*:*:function:f*", "${storage}*", "${pool}*"}), 1, 2).Draw(t, "denied")
			}
			f.Policies = append(f.Policies, s)
		}
	}
}

// TestTheMapHasTheEdgesOfTheTemplate of random backends with everything that makes an edge.
func TestTheMapHasTheEdgesOfTheTemplate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := drawBackend(t)
		for _, api := range b.APIs { // only files of the Amplify CLI have it
			api.Paths = slices.DeleteFunc(api.Paths, func(p *access.Path) bool { return len(api.Paths) > 1 && p.Name == access.ProxyPath })
		}
		if len(b.Tables) == 0 {
			b.Tables = append(b.Tables, drawTable(t, "table.0"))
		}
		for _, name := range []string{"f0", "f1"} {
			if b.Function(name) == nil {
				b.Functions = append(b.Functions, function(name))
			}
		}
		if b.Storage = nil; rapid.Bool().Draw(t, "bucket") {
			b.Storage = &model.Storage{Region: inRegion, BucketName: "files"}
		}
		for _, f := range b.Functions {
			f.Access = slices.DeleteFunc(f.Access, func(a model.ResourceAccess) bool { return b.Storage == nil && a.Resource == "storage/files" })
		}
		drawPolicies(t, b)
		sameEdges(t, b, b.Environment(rapid.SampledFrom([]string{"dev", "prod"}).Draw(t, "environment")))
	})
}

// TestTheMapHasTheEdgesOfTheTemplatesOfRealProjects reads what public projects committed.
func TestTheMapHasTheEdgesOfTheTemplatesOfRealProjects(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("../../../shared/real/cli-inputs/*.json")
	older, errOlder := filepath.Glob("../../../shared/real/api-params/*.json")
	if err != nil || errOlder != nil {
		t.Fatal(err, errOlder)
	}
	files := slices.Concat(inputs, older)
	if files == nil {
		t.Skip("not tested: ../shared/real is not here")
	}
	held := 0
	for i, file := range files {
		if i%depth.Rounds(6, 1, 1) > 0 {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := read.Parse("cli-inputs.json", data)
		if err != nil {
			t.Fatal(err)
		}
		var problems []*read.Problem
		r := &read.Reader{File: f, Problems: &problems}
		made := r.API("real")
		if i >= len(inputs) {
			made = r.LegacyAPI("real")
		}
		b := backend(made)
		for _, p := range made.Paths {
			for _, group := range p.Access.Groups() {
				if !slices.Contains(b.Groups, group) {
					b.Groups = append(b.Groups, group)
				}
			}
		}
		t.Run(filepath.Base(file), func(t *testing.T) { sameEdges(t, b, b.Environments[0]) })
		held++
	}
	if held < depth.Rounds(5, 20, 20) {
		t.Errorf("only %d projects were held", held)
	}
}
