package prove

import "gatewright/internal/cfn"

// resourcePolicy reads the resource policy of an API. A statement about some callers only is
// doubtful, since these are named by what a deployment makes of roles. See
// https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies.html
func (s *stack) resourcePolicy(of *cfn.Resource, node *cfn.Node, document cfn.Value) []cfn.Statement {
	all, _ := document.Get("Statement")
	if all.Kind != cfn.List {
		all.List = []cfn.Value{all}
	}
	statements := []cfn.Statement{}
	if document.Kind != cfn.Map && !document.Known() {
		statements = unknown()
	}
	for _, one := range all.List {
		read := cfn.Statements(cfn.Value{
			Kind: cfn.Map, Members: []cfn.NamedValue{{Name: "Statement", Value: one}},
			Unknown: one.Unknown,
		})
		if !everybody(one) {
			read = partly(read)
		}
		statements = append(statements, read...)
	}
	return s.doubt(of, node, statements)
}

// restrict adds to an API's resource policy. One without statements is a policy too: it
// allows nothing.
func (a *API) restrict(statements []cfn.Statement) {
	a.policy = append(append([]cfn.Statement{}, a.policy...), statements...)
}

// everybody reports whether a statement is about all callers.
func everybody(statement cfn.Value) bool {
	principal, _ := statement.Get("Principal")
	if of, ok := principal.Get("AWS"); ok {
		principal = of
	}
	if len(principal.List) == 1 {
		principal = principal.List[0]
	}
	text, ok := principal.String()
	return ok && text == "*"
}

// guard adds an API's resource policy to what roles may do. An API without one serves everybody where a
// method asks for nothing, and every user where it asks for a token; one with a policy serves them as that
// says. See https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html
func (s *search) guard(statements []cfn.Statement, of arn, most bool) (unsure bool) {
	if statements == nil {
		return false
	}
	s.guarded = true
	s.policies[tokens].allow = []clause{everything()}
	for _, r := range rules(statements, of) {
		unsure = unsure || r.doubtful
		to := []*policies{&s.policies[theirs], &s.policies[public]}
		if r.deny {
			to = append(to, &s.policies[tokens])
		}
		for _, p := range to {
			p.add(r, most)
		}
	}
	return unsure
}

// add adds a rule: one that is doubtful counts only if it allows and most is set, or refuses
// and most is not set.
func (p *policies) add(r rule, most bool) {
	switch {
	case r.deny && !(r.doubtful && most):
		p.deny = append(p.deny, r.clause)
	case !r.deny && (!r.doubtful || most):
		p.allow = append(p.allow, r.clause)
	}
}
