package people

import (
	"cmp"
	"context"
	"slices"

	"gatewright/sandbox"
)

// Attribute is an attribute of a user, in Cognito's JSON.
type Attribute struct{ Name, Value string }

// User is a user in the answers of Cognito's ListUsers, which fills Attributes, and
// AdminGetUser, which fills UserAttributes. Times are in seconds since 1970.
type User struct {
	Username             string
	Attributes           []Attribute
	UserAttributes       []Attribute
	UserCreateDate       float64
	UserLastModifiedDate float64
	Enabled              bool
	UserStatus           string
	UserMFASettingList   []string
	PreferredMfaSetting  string
}

// The statuses of users that commands and screens tell apart.
const (
	UserConfirmed   = "CONFIRMED"
	UserUnconfirmed = "UNCONFIRMED"
)

// Values returns the attributes by name.
func (u User) Values() map[string]string {
	values := make(map[string]string)
	for _, a := range slices.Concat(u.Attributes, u.UserAttributes) {
		values[a.Name] = a.Value
	}
	return values
}

// ShownName returns the name to show for a user. If users sign in with an address, their
// username is the sub, and the address is shown.
func ShownName(username string, attributes map[string]string) string {
	if attributes["sub"] != username {
		return username
	}
	return cmp.Or(attributes["email"], attributes["phone_number"], username)
}

// ListLimit is the most entries of a page of Cognito's lists.
const ListLimit = 60

// UserPool carries out operations of Cognito's user pools, with input and output as JSON.
type UserPool interface {
	Do(ctx context.Context, operation string, input []byte) (output []byte, err error)
}

// ListUsers calls use for each page of users until use returns false: of all users, or of the members of a group.
func ListUsers(ctx context.Context, held UserPool, group string, use func([]User) (more bool)) error {
	// The two operations name their page token differently.
	operation, token, input := "ListUsers", "PaginationToken", map[string]any{"Limit": ListLimit}
	if group != "" {
		operation, token, input["GroupName"] = "ListUsersInGroup", "NextToken", group
	}
	for {
		var page struct {
			Users                      []User
			PaginationToken, NextToken string
		}
		if err := sandbox.Ask(ctx, held, operation, input, &page); err != nil {
			return err
		}
		next := page.PaginationToken + page.NextToken
		if !use(page.Users) || next == "" {
			return nil
		}
		input[token] = next
	}
}
