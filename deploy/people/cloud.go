package people

import (
	"context"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"gatewright/deploy/aws"
	"gatewright/deploy/remote"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
)

// OfCloud finds the pool that an environment has in AWS, as it was pushed, and asks nothing there.
func OfCloud(r *aws.Reached) (*Users, error) {
	p, operations, err := remote.UserPoolOf(r)
	if err != nil {
		return nil, err
	}
	return &Users{
		Pool: p, Groups: p.Groups, Flags: " --env " + model.ShellWord(p.Environment),
		held: &cloudUsers{operations, p},
	}, nil
}

// InCloud opens the users of an environment in AWS. Close closes nothing there.
func InCloud(ctx context.Context, r *aws.Reached) (*Users, error) {
	u, err := OfCloud(r)
	if err != nil {
		return nil, err
	}
	if err := u.asServed(ctx); err != nil {
		return nil, u.Explain(ctx, u.Pool.UserPoolID, err)
	}
	u.held = &cloudUsers{u.held, u.Pool}
	return u, nil
}

// InAWS reports whether the users are those of a pool in AWS.
func (u *Users) InAWS() bool {
	_, yes := u.held.(*cloudUsers)
	return yes
}

// cloudUsers are the users of a pool in AWS.
type cloudUsers struct {
	UserPool
	pool *pool.Pool
}

// Running reports that somebody can be signed in.
func (c *cloudUsers) Running() bool { return true }

// Close closes nothing.
func (c *cloudUsers) Close() error { return nil }

// Tokens gives none: Cognito signs in nobody without a password.
func (c *cloudUsers) Tokens(_ context.Context, name string) (userpool.Tokens, error) {
	return userpool.Tokens{}, NoTokens(c.pool.Environment, name)
}

// NoTokens says why nobody gets the tokens of a user of an environment in AWS, and what to do.
func NoTokens(environment, name string) error {
	return &model.Problem{
		Of: Ref(name), Text: "AWS gives tokens only to users who sign in; a sandbox gives them without a password",
		Fix: "send a request as the user with: gatewright call GET /PATH --as " + model.ShellWord(name) + " --env " +
			model.ShellWord(environment),
	}
}

// User finds a user by name or alias, which the pool itself does, or by an address or the sub.
func (c *cloudUsers) User(ctx context.Context, name string) (userpool.User, error) {
	// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminGetUser.html
	const longest = 128
	if CheckName(name) != nil || len([]rune(name)) > longest {
		return userpool.User{}, wire.Refuse(notFoundCode, "User does not exist.")
	}
	var found User
	err := sandbox.Ask(ctx, c, "AdminGetUser", map[string]any{"Username": name}, &found)
	if codeOf(err) == notFoundCode {
		var others []User
		if others, err = c.search(ctx, name); err != nil {
			return userpool.User{}, err
		}
		if len(others) == 0 {
			return userpool.User{}, wire.Refuse(notFoundCode, "User does not exist.")
		}
		err = sandbox.Ask(ctx, c, "AdminGetUser", map[string]any{"Username": others[0].Username}, &found)
	}
	if err != nil {
		return userpool.User{}, err
	}
	groups, err := c.groups(ctx, found.Username)
	return userOf(found, groups), err
}

// uuid matches a sub.
var uuid = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`) })

// search finds the user that has an address or a sub. The error says that several have the
// address.
func (c *cloudUsers) search(ctx context.Context, name string) ([]User, error) {
	attribute := ""
	switch {
	case strings.Contains(name, "@"):
		attribute = "email"
	case strings.HasPrefix(name, "+"):
		attribute = "phone_number"
	case uuid().MatchString(name):
		attribute = "sub"
	default:
		return nil, nil
	}
	// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUsers.html#CognitoUserPools-ListUsers-request-Filter
	filter := attribute + ` = "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
	var page struct{ Users []User }
	if err := sandbox.Ask(ctx, c, "ListUsers", map[string]any{"Filter": filter, "Limit": ListLimit}, &page); err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(page.Users, func(u User) bool { return !strings.EqualFold(u.Values()[attribute], name) })
	if len(found) > 1 {
		var names []string
		for _, u := range found {
			names = append(names, u.Username)
		}
		return nil, &model.Problem{
			Of: Ref(name), Text: fmt.Sprintf("%d users have this address: %s", len(found), phrase.QuoteList(names)),
			Fix: "give the name of one of them",
		}
	}
	return found, nil
}

// groups are the groups of a user in the pool's order.
func (c *cloudUsers) groups(ctx context.Context, username string) ([]string, error) {
	return groupsOfUser(ctx, c, c.pool, username)
}

// Roster reads all users, and the members of each group.
func (c *cloudUsers) Roster(ctx context.Context) (userpool.Roster, error) {
	all := userpool.Roster{Groups: c.pool.Groups}
	groups, err := membersOf(ctx, c, c.pool.Groups)
	if err != nil {
		return all, err
	}
	err = ListUsers(ctx, c, "", func(page []User) bool {
		for _, u := range page {
			all.Users = append(all.Users, userOf(u, groups[u.Username]))
		}
		return true
	})
	return all, err
}

// membersOf returns the groups of each user by username, in the order of the groups.
func membersOf(ctx context.Context, of UserPool, groups []string) (map[string][]string, error) {
	members := make(map[string][]string)
	for _, group := range groups {
		err := ListUsers(ctx, of, group, func(page []User) bool {
			for _, u := range page {
				members[u.Username] = append(members[u.Username], group)
			}
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	return members, nil
}

// userOf is a user of AWS's answers.
func userOf(u User, groups []string) userpool.User {
	attributes := u.Values()
	return userpool.User{
		Sub: attributes["sub"], Name: u.Username, Groups: groups, Enabled: u.Enabled, Status: u.UserStatus,
		Attributes: maps.Clone(attributes),
		Created:    timeOf(u.UserCreateDate), Modified: timeOf(u.UserLastModifiedDate), Factors: u.UserMFASettingList,
		PreferredFactor: u.PreferredMfaSetting,
	}
}

// timeOf is a time in Cognito's JSON, in seconds since 1970.
func timeOf(seconds float64) time.Time {
	whole, part := math.Modf(seconds)
	return time.Unix(int64(whole), int64(part*float64(time.Second))).UTC()
}
