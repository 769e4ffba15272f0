package people

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gatewright/deploy"
	"gatewright/sandbox"
)

// groupsOf lists the groups of a pool in order of precedence: that of the lowest number first, and
// those without one last
// (https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-user-groups.html#assigning-precedence-values-to-groups).
func groupsOf(ctx context.Context, of deploy.UserPool) ([]string, error) {
	type group struct {
		GroupName  string
		Precedence *int
	}
	var all []group
	for input := map[string]any{"Limit": deploy.ListLimit}; ; {
		var page struct {
			Groups    []group
			NextToken string
		}
		if err := sandbox.Ask(ctx, of, "ListGroups", input, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Groups...)
		if input["NextToken"] = page.NextToken; page.NextToken == "" {
			break
		}
	}
	place := func(g group) int {
		if g.Precedence == nil {
			return math.MaxInt
		}
		return *g.Precedence
	}
	slices.SortStableFunc(all, func(a, b group) int { return cmp.Compare(place(a), place(b)) })
	var names []string
	for _, g := range all {
		names = append(names, g.GroupName)
	}
	return names, nil
}
