package awstest

import (
	"encoding/json"
	"fmt"

	"gatewright/internal/cfn"
)

// policyStatement is a statement of a stack policy. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/protect-stack-resources.html
type policyStatement struct {
	Effect           string
	Action, Resource oneOrMore
	Condition        map[string]map[string]oneOrMore
}

type oneOrMore []string

// UnmarshalJSON reads a text or a list of texts.
func (o *oneOrMore) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*o = oneOrMore{one}
		return nil
	}
	var more []string
	err := json.Unmarshal(b, &more)
	*o = more
	return err
}

func parsePolicy(text string) ([]policyStatement, bool) {
	var policy struct{ Statement []policyStatement }
	if json.Unmarshal([]byte(text), &policy) != nil || len(policy.Statement) == 0 {
		return nil, false
	}
	return policy.Statement, true
}

func (o oneOrMore) match(text string) bool {
	for _, pattern := range o {
		if cfn.MatchResource(pattern, text) {
			return true
		}
	}
	return false
}

func (p policyStatement) covers(action, id, kind string) bool {
	if !p.Action.match(action) || !p.Resource.match("LogicalResourceId/"+id) {
		return false
	}
	for _, test := range p.Condition {
		if kinds, ok := test["ResourceType"]; ok && !kinds.match(kind) {
			return false
		}
	}
	return true
}

// denied says why a stack policy refuses an action on a resource; "" if it allows it. What no
// statement allows is refused.
func denied(policy []policyStatement, action, id, kind string) string {
	allowed := false
	for i, p := range policy {
		if !p.covers(action, id, kind) {
			continue
		}
		if p.Effect == "Deny" {
			return fmt.Sprintf("Action denied by stack policy: Statement [#%d] does not allow [%s] for resource "+
				"[LogicalResourceId/%s];", i+1, action, id)
		}
		allowed = true
	}
	if allowed {
		return ""
	}
	return fmt.Sprintf("Action not allowed by stack policy: no statement allows [%s] for resource [LogicalResourceId/%s];",
		action, id)
}

// enforcePolicy lets an update that has just begun fail at the first resource that the stack policy protects.
func (s *Server) enforcePolicy(st *stack) {
	policy, ok := parsePolicy(st.policy)
	if !ok {
		return
	}
	for _, c := range s.compare(st, st.running.to) {
		action := "Update:Modify"
		switch {
		case c.action == "Remove":
			action = "Update:Delete"
		case c.action != "Modify":
			continue
		case c.replacement == "True":
			action = "Update:Replace"
		}
		if why := denied(policy, action, c.id, c.kind); why != "" {
			r := st.resource(c.id)
			s.mark(st, r, "UPDATE_FAILED", why)
			s.rollBackUpdate(st, "The following resource(s) failed to update: ["+c.id+"]. ")
			return
		}
	}
}
