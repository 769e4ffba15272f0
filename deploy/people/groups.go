package people

import (
	"cmp"
	"context"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"gatewright/sandbox"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
)

// groupsOf lists the groups of a pool in order of precedence: that of the lowest number first, and
// those without one last
// (https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-user-groups.html#assigning-precedence-values-to-groups).
func groupsOf(ctx context.Context, of UserPool) ([]string, error) {
	type group struct {
		GroupName  string
		Precedence *int
	}
	var all []group
	for input := map[string]any{"Limit": ListLimit}; ; {
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

// groupsOfUser are the groups of a user in the pool's order.
func groupsOfUser(ctx context.Context, of UserPool, p *pool.Pool, username string) ([]string, error) {
	var member []string
	for input := map[string]any{"Username": username, "Limit": ListLimit}; ; {
		var page struct {
			Groups    []struct{ GroupName string }
			NextToken string
		}
		if err := sandbox.Ask(ctx, of, "AdminListGroupsForUser", input, &page); err != nil {
			return nil, err
		}
		for _, g := range page.Groups {
			member = append(member, g.GroupName)
		}
		if input["NextToken"] = page.NextToken; page.NextToken == "" {
			return p.GroupsOf(member), nil
		}
	}
}

// atOnce is how many users are asked about at a time.
const atOnce = 6

// Page returns the users of a page with their groups, and where the next page begins; "" for none.
// The first one is from "". It serves those who must not read all users of a large pool.
func (u *Users) Page(ctx context.Context, from string) (users []userpool.User, next string, err error) {
	input := map[string]any{"Limit": ListLimit}
	if from != "" {
		input["PaginationToken"] = from
	}
	var page struct {
		Users           []User
		PaginationToken string
	}
	if err := u.Ask(ctx, "ListUsers", input, &page); err != nil {
		return nil, "", err
	}
	found := make([]*userpool.User, len(page.Users))
	all, within := errgroup.WithContext(ctx)
	all.SetLimit(atOnce)
	for i, one := range page.Users {
		user := userOf(one, nil)
		found[i] = &user
		if len(u.Groups) == 0 {
			continue
		}
		all.Go(func() (err error) {
			if user.Groups, err = groupsOfUser(within, u.held, u.Pool, one.Username); IsUnknown(err) {
				// Somebody removed the user since the page was read.
				found[i] = nil
				return nil
			}
			return u.Explain(ctx, one.Username, err)
		})
	}
	if err := all.Wait(); err != nil {
		return nil, "", err
	}
	for _, user := range found {
		if user != nil {
			users = append(users, *user)
		}
	}
	return users, page.PaginationToken, nil
}
