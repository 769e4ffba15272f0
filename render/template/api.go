package template

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/openapi"
)

// The parameters of a nested stack.
const (
	apiParameter  = "Api"
	rootParameter = "RootResource"
)

// apiMaker makes the resources of one API.
type apiMaker struct {
	*renderer
	*apiPlan
	// to is the stack that they belong to.
	to *stack
	// ref is the logical id or the parameter that is the API's id there, top its root resource.
	ref string
	top *cfn.Node
	// home makes the stack with the deployment. Only its methods, defined and parts are used.
	home *apiMaker
	// methods are the logical ids of what a deployment takes up.
	methods []string
	// defined are the definitions that a deployment is a snapshot of, in any order.
	defined []string
	parts   map[int]*apiMaker
	// number is that of a part, given what it gets, functions what it calls.
	number    int
	given     *cfn.Node
	functions []string
}

// APIName returns the name of the API that a push makes for an API of an environment. The metrics
// of API Gateway know it by this name, and not by its id.
func APIName(label, environment string) string { return label + "-" + environment }

func (r *renderer) makeAPIs() {
	for _, a := range r.apis {
		properties := cfn.MapNode().WithText("Name", APIName(a.api.Label, r.env.Name))
		if types := binaryMediaTypes(a.api); len(types) > 0 {
			properties.WithTexts("BinaryMediaTypes", types...)
		}
		r.root.add(resource{
			id: a.id, kind: "AWS::ApiGateway::RestApi", of: model.Ref{Kind: model.KindAPI, Name: a.api.Label},
			is: "the API " + a.api.Label,
			properties: properties.
				With("EndpointConfiguration", cfn.MapNode().WithTexts("Types", "REGIONAL")).
				With("Tags", r.tags()),
		})
		m := &apiMaker{
			renderer: r, apiPlan: a, to: r.root, ref: a.id, top: cfn.GetAtt(a.id, "RootResourceId"),
			parts: make(map[int]*apiMaker),
		}
		m.home = m
		if a.nested {
			m.makeNested()
			continue
		}
		m.make()
	}
}

// binaryMediaTypes are the binary media types of an API as a template has them, with escaped slashes
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-restapi.html).
func binaryMediaTypes(api *access.API) []string {
	types := make([]string, len(api.BinaryMediaTypes))
	for i, text := range api.BinaryMediaTypes {
		types[i] = strings.ReplaceAll(text, "/", "~1")
	}
	return types
}

// make makes everything but the RestApi. A RestApi stays in the root stack, so that the address of an API does not
// change when the environment outgrows one stack, and functions can have it in their variables.
func (m *apiMaker) make() {
	m.resources(m.tree, "")
	m.errors()
	m.addParts()
	m.deployment()
	m.permissions()
	m.policies()
}

// words name a part of the API for people.
func (m *apiMaker) words(what string) string { return what + " of the API " + m.api.Label }

func (m *apiMaker) ofAPI() model.Ref { return model.Ref{Kind: model.KindAPI, Name: m.api.Label} }

// ofPath is the path that a resource serves, or is a part of.
func (m *apiMaker) ofPath(p *access.Path) model.Ref {
	if p == nil {
		return m.ofAPI()
	}
	return model.Ref{Kind: model.KindPath, API: m.api.Label, Name: p.Name}
}

func (a *apiPlan) name(kind, full string) string {
	if full == "/" {
		full = "root"
	}
	return logicalID(kind, a.api.Label, full)
}

// resources makes the methods of a resource, and the resources and methods below it. at is the
// logical id of the resource, "" for the root.
func (m *apiMaker) resources(n *access.Resource, at string) {
	if n.Main != nil {
		m.methodsOf(n.Full, n.Main, m.idOf(at, m))
	}
	if n.Below != nil {
		full := access.ProxyOf(n.Full)
		in, id := m.resource(full, "{proxy+}", at, n.Below)
		in.methodsOf(full, n.Below, cfn.Ref(id))
	}
	for _, c := range n.Children {
		in, id := m.resource(c.Full, c.Text, at, c.Path())
		in.resources(c, id)
	}
}

// resource makes a resource below one that m has made, and returns the maker of its stack.
func (m *apiMaker) resource(full, text, parent string, serves *access.Path) (in *apiMaker, id string) {
	id = m.name("Resource", full)
	in = m.home.part(m.at[id])
	in.define(resource{
		id: id, kind: resourceType, of: m.ofPath(serves), is: m.words("the resource " + full),
		properties: cfn.MapNode().With("RestApiId", cfn.Ref(in.ref)).With("ParentId", in.idOf(parent, m)).
			WithText("PathPart", text),
	})
	return in, id
}

// define adds what a deployment takes up.
func (m *apiMaker) define(r resource) {
	n := m.to.add(r)
	m.home.defined = append(m.home.defined, r.id+string(n.Minified()))
}

// deployment makes the deployment and the stage. A deployment is a snapshot of the methods when it is made, so that
// it waits for all of them, and a change of any of them needs a new one, under another logical id
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-deployment.html).
func (m *apiMaker) deployment() {
	for _, name := range m.api.Functions() {
		m.defined = append(m.defined, m.deployed(name))
	}
	// A change of them reaches the stage with a new deployment alone
	// (https://docs.aws.amazon.com/apigateway/latest/developerguide/updating-api.html).
	m.defined = append(m.defined, binaryMediaTypes(m.api)...)
	slices.Sort(m.defined)
	sum := sha256.Sum256([]byte(strings.Join(m.defined, "\n")))
	id := camelCase(m.api.Label) + "Deployment" + hex.EncodeToString(sum[:])[:deploymentHash]
	slices.Sort(m.methods)
	m.to.add(resource{
		id: id, kind: deploymentType, of: m.ofAPI(), is: m.words("the deployment"), dependsOn: m.methods,
		properties: cfn.MapNode().With("RestApiId", cfn.Ref(m.ref)),
	})
	m.to.add(resource{
		id: logicalID("Stage", m.api.Label), kind: "AWS::ApiGateway::Stage", of: m.ofAPI(),
		is: m.words("the stage " + m.env.Name),
		properties: cfn.MapNode().
			With("RestApiId", cfn.Ref(m.ref)).With("DeploymentId", cfn.Ref(id)).WithText("StageName", m.env.Name),
	})
}

// deploymentHash is how many hexadecimal digits tell the deployments of an API apart.
const deploymentHash = 10

// permissions let the API call its functions, from each stage and from the console's test.
func (m *apiMaker) permissions() {
	for _, name := range m.api.Functions() {
		m.to.add(resource{
			id: logicalID("Permission", m.api.Label, name), kind: "AWS::Lambda::Permission", of: m.ofAPI(),
			is: m.words("the permission to call the function " + name),
			properties: cfn.MapNode().
				WithText("Action", "lambda:InvokeFunction").
				With("FunctionName", m.functionRef(name)).
				WithText("Principal", "apigateway.amazonaws.com").
				With("SourceArn", cfn.Sub(m.arn("/*"))),
		})
	}
}

// arn is the ARN of the API with what follows its id, for Fn::Sub.
func (m *apiMaker) arn(rest string) string { return executeARN(m.ref) + rest }

// executeARN is the ARN of an API for Fn::Sub, see
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-control-access-using-iam-policies-to-invoke-api.html
func executeARN(ref string) string {
	return "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${" + ref + "}"
}

// functionRef is the name of a function in the API's stack.
func (m *apiMaker) functionRef(name string) *cfn.Node {
	if m.to != m.root {
		return cfn.TextNode(m.deployed(name))
	}
	return cfn.Ref(m.functionID(name))
}

// functionARN is the ARN of a function for Fn::Sub in the API's stack. A nested stack waits
// for the functions, whose names are known, and needs no parameter for each.
func (m *apiMaker) functionARN(name string) string {
	if m.to != m.root {
		return openapi.FunctionARN(m.deployed(name))
	}
	return "${" + m.functionID(name) + ".Arn}"
}

// makeNested makes the API's own stack.
func (m *apiMaker) makeNested() {
	m.to = newStack("The API " + m.api.Label + " of the environment " + m.env.Name + " of " + m.projectName() +
		", made by gatewright.")
	m.to.parameter(apiParameter, "The id of the API", false)
	m.to.parameter(rootParameter, "The id of the API's root resource", false)
	given := cfn.MapNode().With(apiParameter, cfn.Ref(m.id)).With(rootParameter, m.top)
	for _, s := range m.sharesOf(m.apiPlan) {
		m.to.parameter(roleID(s.who), "The name of the role of "+s.who.String(), false)
		given.With(roleID(s.who), cfn.Ref(roleID(s.who)))
	}
	m.ref, m.top = apiParameter, cfn.Ref(rootParameter)
	m.make()

	var functions []string
	for _, name := range m.api.Functions() {
		functions = append(functions, m.functionID(name))
	}
	m.nest(m.root, logicalID("Stack", m.api.Label), m.api.Label+".json", m.words("the nested stack"), given, functions)
}

// nest adds the stack of m to another one, which gives it parameters after it has made what it depends on.
func (m *apiMaker) nest(in *stack, id, name, is string, given *cfn.Node, dependsOn []string) {
	n := Nested{
		Name: name, ID: id, API: m.api.Label, Node: m.to.node(),
		Resources: len(m.to.resources.Members), Words: m.to.words, Of: m.to.of,
	}
	n.Body = n.Node.Minified()
	n.Key = templateKey(n.Body)
	slices.Sort(dependsOn)
	in.add(resource{
		id: n.ID, kind: stackType, of: m.ofAPI(), is: is, dependsOn: slices.Compact(dependsOn),
		properties: cfn.MapNode().
			With("TemplateURL", cfn.Sub("https://s3.${AWS::Region}.${AWS::URLSuffix}/"+Bucket+"/"+n.Key)).
			With("Parameters", given),
	})
	m.template.Nested = append(m.template.Nested, n)
}
