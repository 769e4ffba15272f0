package template

import (
	"maps"
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// Deployed is the template of an environment that is deployed, of any version of this program.
type Deployed struct {
	Root *cfn.Node
	// Nested are the templates of the stacks nested in it, of all levels, by logical id.
	Nested map[string]*cfn.Node
}

// Step is an update on the way from a deployed template to another one.
type Step struct {
	// Why says what it is for, for people.
	Why string
	// Interrupts are the labels of the APIs that do not answer until the last step is done.
	Interrupts []string
	// Grows says that it has the parameters of the template, and Later what comes only after it.
	Grows bool
	Later []string
	Body  []byte
	Key   string
	// Nested are the templates of nested stacks that differ from the deployed ones.
	Nested []Nested
}

// Steps are the updates that have to come before the one to a template; mostly there are none.
//
// A service makes what is new first and changes what stays, and removes the rest last. So a deployment of an API,
// which is a snapshot, would still have the routes that go away
// (https://github.com/serverless/serverless/issues/7542, https://github.com/aws/aws-cdk/issues/14660), a new route
// with another variable would meet the old one next to it, and what is made anew would meet the old one of its name.
// The step is the deployed template without all that: the deployments of APIs stay, so that they go on answering as
// they did.
//
// A table gets or loses one index in an update (https://github.com/aws/aws-cdk/issues/14920), so each further one is
// a step. What is too much for an update is divided; old may be empty.
func Steps(old Deployed, next *Template) []Step {
	now := old
	var steps []Step
	add := func(why string, to Deployed, interrupts []string) {
		steps = append(steps, stepTo(why, old, &to, interrupts))
		now = to
	}
	r := make(removal)
	interrupts, moves := r.routes(now, next)
	why := "removes resources that block new ones"
	switch {
	case moves:
		why = "removes routes that are deleted, renamed or moved to another stack"
	case len(r) > 0:
		why = "removes routes that are deleted or renamed"
	}
	r.policies(now, next)
	r.names(now, next)
	if len(r) > 0 {
		for _, to := range r.inUpdates(now) {
			add(why, to, interrupts)
		}
	}
	for {
		to, changed := withOneIndexMore(now, next)
		if !changed {
			break
		}
		add("changes an index of a table", to, nil)
	}
	last := next.deployed()
	for _, to := range growth(now, last) {
		add("creates a part of the new resources", to, nil)
		s, later := &steps[len(steps)-1], last.whereIs()
		for id := range to.whereIs() {
			delete(later, id)
		}
		s.Grows, s.Later = true, slices.Sorted(maps.Keys(later))
	}
	return steps
}

// stepTo makes a step of a template, whose nested stacks may differ from the old ones.
func stepTo(why string, old Deployed, to *Deployed, interrupts []string) Step {
	s := Step{Why: why, Interrupts: interrupts}
	at := to.whereIs()
	// A stack comes before the one around it, which has its key.
	for _, id := range slices.Backward(to.inOrder()) {
		n := to.Nested[id]
		if old.Nested[id] == n {
			continue
		}
		body := n.Minified()
		one := Nested{ID: id, Node: n, Body: body, Key: templateKey(body)}
		s.Nested = append(s.Nested, one)
		if in := at[id]; in == "" {
			to.Root = withURL(to.Root, id, one.Key)
		} else {
			to.Nested[in] = withURL(to.Nested[in], id, one.Key)
		}
	}
	s.Body = to.Root.Minified()
	s.Key = templateKey(s.Body)
	return s
}

// whereIs are the stacks of the resources of what is deployed, by logical id; "" is the root.
func (d Deployed) whereIs() map[string]string {
	at := make(map[string]string)
	for _, stack := range append(d.inOrder(), "") {
		for _, m := range members(d.in(stack).Get("Resources")) {
			at[m.Name] = stack
		}
	}
	return at
}

// inOrder are the nested stacks, each after the one around it and those that give it ids.
func (d Deployed) inOrder() []string {
	var ids []string
	var walk func(template *cfn.Node)
	walk = func(template *cfn.Node) {
		for _, m := range members(template.Get("Resources")) {
			if n := d.Nested[m.Name]; n != nil && typeOf(m.Value) == stackType {
				ids = append(ids, m.Name)
				walk(n)
			}
		}
	}
	walk(d.Root)
	return ids
}

// in is the template of a stack; "" is the root.
func (d Deployed) in(stack string) *cfn.Node {
	if stack == "" {
		return d.Root
	}
	return d.Nested[stack]
}

// deployed is the template as it will be deployed.
func (t *Template) deployed() Deployed {
	d := Deployed{Root: t.Root, Nested: make(map[string]*cfn.Node, len(t.Nested))}
	for _, n := range t.Nested {
		d.Nested[n.ID] = n.Node
	}
	return d
}

// withURL returns a root whose nested stack has its template under another key.
func withURL(root *cfn.Node, id, key string) *cfn.Node {
	url := root.Get("Resources", id, "Properties", "TemplateURL", "Fn::Sub")
	if url == nil {
		return root
	}
	place, _, _ := strings.Cut(url.Text, "/"+Bucket+"/")
	return replaced(root, cfn.Sub(place+"/"+Bucket+"/"+key), "Resources", id, "Properties", "TemplateURL")
}

// replaced returns a copy of a node with another value at a place; nil takes it away. The rest is shared.
func replaced(n *cfn.Node, value *cfn.Node, place ...string) *cfn.Node {
	next := *n
	next.Members = slices.Clone(n.Members)
	for i, m := range next.Members {
		if m.Name != place[0] {
			continue
		}
		switch {
		case len(place) > 1:
			next.Members[i].Value = replaced(m.Value, value, place[1:]...)
		case value == nil:
			next.Members = slices.Delete(next.Members, i, i+1)
		default:
			next.Members[i].Value = value
		}
		return &next
	}
	if value != nil && len(place) == 1 {
		next.Members = append(next.Members, cfn.Member{Name: place[0], Value: value})
	}
	return &next
}

const (
	restAPIType    = "AWS::ApiGateway::RestApi"
	resourceType   = "AWS::ApiGateway::Resource"
	methodType     = "AWS::ApiGateway::Method"
	stackType      = "AWS::CloudFormation::Stack"
	stageType      = "AWS::ApiGateway::Stage"
	tableType      = "AWS::DynamoDB::Table"
	deploymentType = "AWS::ApiGateway::Deployment"
)

func typeOf(resource *cfn.Node) string {
	if n := resource.Get("Type"); n != nil {
		return n.Text
	}
	return ""
}

func members(n *cfn.Node) []cfn.Member {
	if n == nil {
		return nil
	}
	return n.Members
}
