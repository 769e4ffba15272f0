package prove

import (
	"fmt"
	"maps"
	"strings"

	"gatewright/internal/cfn"
)

// What stands for values that only a deployment knows. They are the same in all stacks, so
// that two names for one thing are equal.
const (
	region    = "{aws region}"
	account   = "{aws account}"
	partition = "aws"
)

// Open returns the template of a nested stack: what its TemplateURL says, the logical ID,
// and the file that the CDK names in the Metadata. An error says that there is none.
type Open func(url, id, asset string) (*cfn.Template, error)

// stack is a template with the values that it is deployed with.
type stack struct {
	// path tells the stack from others, such as "Api/".
	path     string
	template *cfn.Template
	// resources are those of the template, as SAM completes them.
	resources []cfn.Resource
	resolver  *cfn.Resolver
	nested    map[string]*stack
	// conditions are what those of the template wait for.
	conditions map[string]string
	open       Open
	depth      int
	unread     *[]string
	// place is where the template is deployed; nil if that is not known.
	place *Place
}

// mostDepth is how deep stacks may be nested.
const mostDepth = 10

func newStack(
	path string, t *cfn.Template, parameters map[string]cfn.Value, open Open, depth int, unread *[]string, place *Place,
) *stack {
	s := &stack{
		path: path, template: t, resources: resourcesOf(t), nested: make(map[string]*stack),
		conditions: make(map[string]string), open: open, depth: depth, unread: unread, place: place,
	}
	given := cfn.Given{
		Parameters: parameters,
		Pseudo: map[string]string{
			"AWS::Region": region, "AWS::AccountId": account, "AWS::Partition": partition, "AWS::URLSuffix": "amazonaws.com",
			"AWS::StackName": "{aws stack}", "AWS::StackId": "{aws stack id}",
		},
		Reference: s.reference,
		Attribute: s.attribute,
		Generated: s.generated,
		Import:    func(name string) (string, bool) { return "{" + name + "}", true },
	}
	if place != nil {
		given.Pseudo["AWS::Region"], given.Pseudo["AWS::AccountId"], given.Pseudo["AWS::Partition"] = place.Region,
			place.Account, place.Partition
	}
	s.resolver = t.With(given)
	return s
}

// withNames gives the parameters without a value their own names as values. A template that
// is read without the one around it is full of them.
func withNames(t *cfn.Template, given map[string]cfn.Value) map[string]cfn.Value {
	all := make(map[string]cfn.Value)
	for _, p := range t.Parameters() {
		if p.Default == nil || p.Default.Text == "" || p.Name == "env" {
			all[p.Name] = cfn.Text("{" + p.Name + "}")
		}
	}
	maps.Copy(all, given)
	return all
}

func (s *stack) name(r *cfn.Resource) string { return s.path + r.ID }

// reference is what Ref gives: a name that no other resource has. An IAM role's is its name,
// a managed policy's its ARN.
func (s *stack) reference(r *cfn.Resource) (string, bool) {
	if s.place != nil && s.place.IDs[r.ID] != "" {
		return s.place.IDs[r.ID], true
	}
	switch r.Type {
	case "AWS::ApiGateway::Stage":
		return s.text(r.Properties.Get("StageName"))
	case "AWS::IAM::Role", "AWS::IAM::User", "AWS::IAM::Group":
		kind := strings.TrimPrefix(r.Type, "AWS::IAM::")
		if name, ok := s.text(r.Properties.Get(kind + "Name")); ok && name != "" {
			return name, true
		}
	case "AWS::IAM::ManagedPolicy":
		return policyARN + s.name(r), true
	}
	return "{" + s.name(r) + "}", true
}

const (
	rolePrefix = "arn:" + partition + ":iam::" + account + ":role/"
	userARN    = "arn:" + partition + ":iam::" + account + ":user/"
	policyARN  = "arn:" + partition + ":iam::" + account + ":policy/"
)

func (s *stack) attribute(r *cfn.Resource, attribute string) (string, bool) {
	switch {
	case r.Type == serverlessAPI && attribute == "Stage":
		return s.textOr(r.Properties.Get("StageName"), unnamedStage), true
	case r.Type == "AWS::IAM::ManagedPolicy" && attribute == "PolicyArn":
		return s.reference(r)
	case r.Type == "AWS::IAM::Role" && attribute == "Arn":
		name, _ := s.reference(r)
		return rolePrefix + name, true
	case r.Type == "AWS::IAM::User" && attribute == "Arn":
		name, _ := s.reference(r)
		return userARN + name, true
	case r.Type == "AWS::CloudFormation::Stack" && strings.HasPrefix(attribute, "Outputs."):
		if n := s.child(r); n != nil {
			for _, o := range n.template.Outputs() {
				if o.Name == strings.TrimPrefix(attribute, "Outputs.") {
					return n.text(o.Value)
				}
			}
		}
	}
	return "{" + s.name(r) + "." + attribute + "}", true
}

// child returns a nested stack; nil if its template is not there.
func (s *stack) child(r *cfn.Resource) *stack {
	if n, known := s.nested[r.ID]; known {
		return n
	}
	s.nested[r.ID] = nil
	if s.depth == mostDepth || s.open == nil {
		*s.unread = append(*s.unread, "the nested stack "+s.name(r)+" is not read")
		return nil
	}
	url := s.resolver.Resolve(r.Properties.Get("TemplateURL")).Pattern()
	t, err := s.open(url, r.ID, s.resolver.Resolve(r.Node.Get("Metadata", "aws:asset:path")).Text)
	if err != nil {
		*s.unread = append(*s.unread, fmt.Sprintf("the nested stack %s is not read: %v", s.name(r), err))
		return nil
	}
	parameters := make(map[string]cfn.Value)
	for _, m := range s.resolver.Resolve(r.Properties.Get("Parameters")).Members {
		parameters[m.Name] = m.Value
	}
	n := newStack(s.name(r)+"/", t, withNames(t, parameters), s.open, s.depth+1, s.unread, s.place)
	s.nested[r.ID] = n
	return n
}

// all lists the stack and those nested in it.
func (s *stack) all() []*stack {
	list := []*stack{s}
	for _, r := range s.resources {
		if r.Type == "AWS::CloudFormation::Stack" && s.made(&r) {
			if n := s.child(&r); n != nil {
				list = append(list, n.all()...)
			}
		}
	}
	return list
}

func (s *stack) text(n *cfn.Node) (string, bool) {
	if n == nil {
		return "", false
	}
	return s.resolver.Resolve(n).String()
}

// textOr returns a text, or another one where there is none.
func (s *stack) textOr(n *cfn.Node, otherwise string) string {
	if text, ok := s.text(n); ok {
		return text
	}
	return otherwise
}
