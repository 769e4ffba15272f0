package prove

import (
	"fmt"
	"slices"

	"gatewright/internal/text/phrase"
)

// mostPairs is how many pairs of groups a report names.
const mostPairs = 10

// precedence compares what members of two groups act as, because the identity pool gives one role: that of
// the group with the lowest precedence, and that of signed-in users if the two are equal. See
// https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-user-groups.html
func (c *comparison) precedence() {
	order, left := c.b.RoleOrder(), mostPairs
	for i, first := range order {
		one := c.group(first)
		if one == nil {
			if len(c.d.Groups) > 0 {
				c.report.Notices = append(c.report.Notices,
					fmt.Sprintf("%s has no group %s: its members act as signed-in users", c.theirs(), phrase.Quote(first)))
			}
			continue
		}
		for _, second := range order[i+1:] {
			other := c.group(second)
			if other == nil || one.Role == other.Role || one.rank() < other.rank() || one.unordered || other.unordered {
				continue
			}
			if left--; left < 0 {
				return
			}
			as := phrase.Quote(second)
			if one.rank() == other.rank() {
				as = "signed-in users"
			}
			c.report.Undecided = append(c.report.Undecided,
				fmt.Sprintf("members of both %s and %s act as %s in %s and as %s in %s: give the groups the precedence of %s",
					phrase.Quote(first), phrase.Quote(second), as, c.theirs(), phrase.Quote(first), c.mine(), c.mine()))
		}
	}
}

func (c *comparison) group(name string) *Group {
	i := slices.IndexFunc(c.d.Groups, func(g Group) bool { return g.Name == name })
	if i < 0 {
		return nil
	}
	return &c.d.Groups[i]
}
