package amplifycli

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// Rule is what a statement of a function's policies says of the operations of one service.
type Rule struct {
	// Operations and Resources are the patterns of the statement.
	Operations, Resources []string
	// Denied says that it certainly denies them, Assumed that a part of it is unknown, so that
	// it may allow less.
	Denied, Assumed bool
}

// Rules returns the rules of a function's policies for a service, such as dynamodb. said reports
// whether they allow anything of it. What a statement denies under a condition, or allows by
// naming what it does not, is in no rule.
func (f *Function) Rules(service string) (rules []Rule, said bool) {
	for _, s := range f.Statements {
		denied := s.Effect == "Deny" && !s.Partly && !s.Conditional
		if s.Effect != "Allow" && !denied || s.NotAction || s.NotResource {
			continue
		}
		operations := slices.DeleteFunc(slices.Clone(s.Actions), func(action string) bool {
			of, _, _ := strings.Cut(action, ":")
			return !cfn.MatchAction(of, service)
		})
		if len(operations) == 0 {
			continue
		}
		said = said || !denied
		rules = append(rules,
			Rule{Operations: operations, Resources: s.Resources, Denied: denied, Assumed: s.Partly && !denied})
	}
	return rules, said
}
