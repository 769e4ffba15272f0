package template

import (
	"cmp"
	"fmt"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/render/policy"
)

// Options are what a template needs next to the definition.
type Options struct {
	// StackName is the name of the stack, for the description; "" leaves it out.
	StackName string
	// Archives are the keys of the functions' archives in the bucket of assets, by resource
	// name. A function without one has ArchiveKey.
	Archives map[string]string
	// Layers are the keys of the archives of layers that are folders of the project, by the
	// folder as the definition names it. A layer without one has LayerKey.
	Layers map[string]string
	// SourceMaps are the functions whose archive has a source map, by resource name. Node.js reads it only if an
	// option says so (https://docs.aws.amazon.com/lambda/latest/dg/typescript-package.html).
	SourceMaps map[string]bool
	// Sources are the hashes of the files of the functions' sources, by function and file.
	// They are kept with the definition, so that any machine can say which files changed.
	Sources map[string]map[string]string
	// Deployed is what the stack has; it may be empty. Routes that it has stay in the stack that they
	// are in, where the template of the definition alone may have others.
	Deployed Deployed
}

// SourceMapOption is the value of NODE_OPTIONS that a function with a source map gets.
const SourceMapOption = "--enable-source-maps"

// Template is what deploys an environment: a stack, for a large one a nested stack for each API,
// and for a large API nested stacks with parts of its routes.
type Template struct {
	Root *cfn.Node
	// Body is Root minified, as it is uploaded, and Key its key in the bucket of assets.
	Body   []byte
	Key    string
	Nested []Nested
	// Resources counts the resources of Root.
	Resources int
	// Secrets are the parameters of Root, which are all secret.
	Secrets []Secret
	// Endpoints name the outputs of the APIs.
	Endpoints []Endpoint
	// Refusals are what AWS will refuse although the definition allows it, by the label of the API.
	Refusals map[string][]policy.Refusal
	// Words name the resources of Root for people, by logical id, such as "ANY /books/{isbn} of the API shop".
	Words map[string]string
	// Of are the parts of the backend that the resources of Root belong to, by logical id:
	// a path, a function, a table, the user pool, and so on.
	Of map[string]model.Ref
}

// Nested is the template of a nested stack.
type Nested struct {
	// Name is a file name for it.
	Name string
	// ID is the logical id of the nested stack, which no other stack has, API its API.
	ID, API string
	Node    *cfn.Node
	// Body is Node minified. It is uploaded under Key, to which the stack around it refers.
	Body      []byte
	Key       string
	Resources int
	// Words and Of are those of Node, as in Template.
	Words map[string]string
	Of    map[string]model.Ref
}

// Secret is a parameter with a secret value. A value that is not given at an update stays.
type Secret struct {
	// Name is the name of the secret in the definition, Parameter that of the parameter.
	Name, Parameter string
}

// Endpoint names the outputs of an API with its id and its URL.
type Endpoint struct{ API, ID, URL string }

// The outputs for the client configuration file. Those about users are there if the environment makes a user pool.
const (
	RegionOutput         = "Region"
	UserPoolOutput       = "UserPoolId"
	UserPoolClientOutput = "UserPoolClientId"
	NativeClientOutput   = "UserPoolNativeClientId"
	IdentityPoolOutput   = "IdentityPoolId"
)

// Bucket is the name of the bucket of assets, for Fn::Sub.
const Bucket = "gatewright-assets-${AWS::AccountId}-${AWS::Region}"

// Refused is the error of Render: why the environment cannot be deployed.
type Refused []*model.Problem

// Error gives the first problem as one line.
func (r Refused) Error() string {
	if len(r) > 1 {
		return fmt.Sprintf("%s (and %d more)", r[0].Error(), len(r)-1)
	}
	return r[0].Error()
}

// Unwrap returns the problems.
func (r Refused) Unwrap() []error {
	all := make([]error, len(r))
	for i, p := range r {
		all[i] = p
	}
	return all
}

// Render makes the template of an environment of a backend that check.Backend has no error
// about. The error is Refused.
func Render(b *model.Backend, env *model.Environment, options Options) (*Template, error) {
	p, problems := planOf(b, env)
	if len(problems) == 0 {
		problems = p.decide(options.Deployed)
	}
	if len(problems) > 0 {
		return nil, Refused(problems)
	}
	r := &renderer{plan: p, options: options, secrets: make(map[string]string)}
	r.values = r.concrete()
	t, problems := r.render()
	if len(problems) > 0 {
		return nil, Refused(problems)
	}
	return t, nil
}

// Check finds why an environment could not be deployed, as Render would say it.
func Check(b *model.Backend, env *model.Environment) []*model.Problem {
	_, err := Render(b, env, Options{})
	refused, _ := err.(Refused)
	return refused
}

// renderer makes one template.
type renderer struct {
	*plan
	options Options
	root    *stack
	// secrets are the parameters of secrets, by the secret's name.
	secrets map[string]string
	values  *concrete
	// problems are found while the template is made.
	problems []*model.Problem
	template Template
}

func (r *renderer) render() (*Template, []*model.Problem) {
	r.root = newStack(r.description())
	r.tables()
	if r.pool {
		r.userPool()
	}
	r.functions()
	r.makeAPIs()
	r.outputs()
	r.definition()
	t := &r.template
	t.Refusals = r.refusals
	t.Root, t.Words, t.Of, t.Resources = r.root.node(), r.root.words, r.root.of, len(r.root.resources.Members)
	t.Body = t.Root.Minified()
	t.Key = templateKey(t.Body)
	r.tooLarge()
	r.dynamicReferences()
	return t, r.problems
}

func (r *renderer) description() string {
	text := "The environment " + r.env.Name + " of " + r.projectName() + ", made by gatewright."
	if r.options.StackName != "" {
		text += " The stack is " + r.options.StackName + "."
	}
	return text
}

func (r *renderer) projectName() string { return cmp.Or(r.b.Project.Name, "gatewright") }

// suffixed returns a name with the environment, as deployed things have it.
func (p *plan) suffixed(name string) string { return name + "-" + p.env.Name }

// tags are the tags of a resource that costs or has data. The stack's own tags reach every
// resource only when a push sets them.
func (r *renderer) tags() *cfn.Node {
	return cfn.ListNode(
		cfn.MapNode().WithText("Key", "gatewright:application").WithText("Value", r.application()),
		cfn.MapNode().WithText("Key", "gatewright:environment").WithText("Value", r.env.Name),
	)
}

func (r *renderer) application() string {
	return cmp.Or(r.b.Project.ApplicationID, r.projectName())
}
