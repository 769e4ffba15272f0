package template

import (
	"fmt"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/policy"
)

// share is what an API lets one role do.
type share struct {
	api *apiPlan
	who access.Principal
	// documents are the policies, one each.
	documents []document
	// managed says that they are managed policies, not inline ones.
	managed bool
}

// document is a policy document: patterns METHOD/path.
type document struct{ allow, deny []string }

// policyVersion is the version of the language of policies
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_version.html).
const policyVersion = "2012-10-17"

// share divides the policies of the APIs among the roles: inline while they fit together,
// else as managed policies.
func (p *plan) share(policies []*policy.Policies) ([]share, []*model.Problem) {
	shares := []share{}
	inline := make(map[access.Principal]int)
	for i, a := range p.apis {
		for _, role := range policies[i].Roles {
			if len(role.Allow) == 0 {
				continue
			}
			d := document{role.Allow, role.Deny}
			shares = append(shares, share{api: a, who: role.Who, documents: []document{d}})
			inline[role.Who] += p.characters(d)
		}
	}
	attached := make(map[access.Principal]int)
	for i := range shares {
		s := &shares[i]
		if inline[s.who] <= mostInline {
			continue
		}
		s.managed = true
		s.documents = p.divided(s.documents[0])
		attached[s.who] += len(s.documents)
	}
	var problems []*model.Problem
	told := make(map[access.Principal]bool)
	for _, s := range shares {
		if n := attached[s.who]; n > mostAttached && !told[s.who] {
			told[s.who] = true
			problems = append(problems, &model.Problem{
				Of: model.Ref{Kind: model.KindAPI, Name: s.api.api.Label},
				Text: fmt.Sprintf("the access of %s would need %d managed policies of %d characters, but a role may have at most "+
					"%d",
					s.who, n, mostManaged, mostAttached),
				Fix: "grant the same actions on more of the paths, or split the project",
			})
		}
	}
	return shares, problems
}

// sharesOf are the shares of an API.
func (p *plan) sharesOf(a *apiPlan) []share {
	var own []share
	for _, s := range p.shares {
		if s.api == a {
			own = append(own, s)
		}
	}
	return own
}

// characters is how long a document is for the limits of IAM: with values in the place of
// functions, without white space.
func (p *plan) characters(d document) int {
	n := len(`{"Version":"` + policyVersion + `","Statement":[]}`)
	for _, patterns := range [][]string{d.allow, d.deny} {
		if len(patterns) == 0 {
			continue
		}
		n += statementCharacters
		for _, pattern := range patterns {
			n += p.patternCharacters(pattern)
		}
	}
	return n
}

// statementCharacters is how long a statement is without its resources, with a comma.
const statementCharacters = len(`{"Effect":"Allow","Action":"execute-api:Invoke","Resource":[]},`)

func (p *plan) patternCharacters(pattern string) int {
	region := p.b.Region(p.env)
	prefix := len("arn:"+partitionOf(region)+":execute-api:"+region+":"+accountDigits+":"+apiIDDigits+"/"+p.env.Name+"/") +
		len(`"",`)
	return prefix + len(pattern)
}

// divided divides a document into as many as managed policies need.
func (p *plan) divided(whole document) []document {
	var all []document
	var d document
	size := p.characters(d)
	add := func(pattern string, deny bool) {
		list := func() *[]string {
			if deny {
				return &d.deny
			}
			return &d.allow
		}
		cost := func() int {
			if n := p.patternCharacters(pattern); len(*list()) > 0 {
				return n
			}
			return p.patternCharacters(pattern) + statementCharacters
		}
		if size+cost() > mostManaged {
			all, d = append(all, d), document{}
			size = p.characters(d)
		}
		size += cost()
		*list() = append(*list(), pattern)
	}
	for _, pattern := range whole.allow {
		add(pattern, false)
	}
	for _, pattern := range whole.deny {
		add(pattern, true)
	}
	return append(all, d)
}

// policies makes the policies of the roles for the API.
func (m *apiMaker) policies() {
	for _, s := range m.sharesOf(m.apiPlan) {
		// In a nested stack, the name of the role is a parameter of this name.
		role := cfn.ListNode(cfn.Ref(roleID(s.who)))
		for i, d := range s.documents {
			is := "what " + s.who.String() + " may do with the API " + m.api.Label
			if s.managed {
				m.to.add(resource{
					id: logicalID("Policy", m.api.Label, principalName(s.who), fmt.Sprint(i+1)), kind: "AWS::IAM::ManagedPolicy",
					of: m.ofAPI(), is: is,
					properties: cfn.MapNode().With("Roles", role).With("PolicyDocument", m.document(d)),
				})
				continue
			}
			m.to.add(resource{
				id: logicalID("Policy", m.api.Label, principalName(s.who)), kind: "AWS::IAM::Policy", of: m.ofAPI(), is: is,
				properties: cfn.MapNode().WithText("PolicyName", m.api.Label).With("Roles", role).With("PolicyDocument",
					m.document(d)),
			})
		}
	}
}

func (m *apiMaker) document(d document) *cfn.Node {
	var statements []*cfn.Node
	for _, part := range []struct {
		effect   string
		patterns []string
	}{{"Allow", d.allow}, {"Deny", d.deny}} {
		if len(part.patterns) == 0 {
			continue
		}
		var arns []*cfn.Node
		for _, pattern := range part.patterns {
			arns = append(arns, cfn.Sub(m.arn("/"+m.env.Name+"/"+pattern)))
		}
		statements = append(statements, statement(part.effect, []string{"execute-api:Invoke"}, arns...))
	}
	return policyDocument(statements...)
}

// policyDocument makes a policy document.
func policyDocument(statements ...*cfn.Node) *cfn.Node {
	return cfn.MapNode().WithText("Version", policyVersion).With("Statement", cfn.ListNode(statements...))
}

// statement makes a statement of a policy.
func statement(effect string, actions []string, resources ...*cfn.Node) *cfn.Node {
	s := cfn.MapNode().WithText("Effect", effect)
	if len(actions) == 1 {
		s.WithText("Action", actions[0])
	} else {
		s.WithTexts("Action", actions...)
	}
	if len(resources) == 1 {
		return s.With("Resource", resources[0])
	}
	return s.With("Resource", cfn.ListNode(resources...))
}
