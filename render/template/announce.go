package template

import (
	"maps"
	"slices"

	"gatewright/model"
	"gatewright/render/policy"
)

// Announcements are warnings about what AWS will refuse although the definition allows it,
// by the order of APIs. Requests with an empty segment are left out.
func (t *Template) Announcements(b *model.Backend) []*model.Problem {
	var problems []*model.Problem
	for _, label := range slices.Sorted(maps.Keys(t.Refusals)) {
		problems = append(problems, policy.Problems(label, t.Refusals[label])...)
	}
	return problems
}
