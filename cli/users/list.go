package users

import (
	"slices"
)

// Attribute is an attribute of a user on the wire.
type Attribute struct{ Name, Value string }

// Unconfirmed is the status of a user who has not been confirmed.
const Unconfirmed = "UNCONFIRMED"

// User is a user as the pool lists it. Times are in seconds since 1970.
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

// Values are the attributes by name.
func (u User) Values() map[string]string {
	values := make(map[string]string)
	for _, a := range slices.Concat(u.Attributes, u.UserAttributes) {
		values[a.Name] = a.Value
	}
	return values
}

// ShownName is the name that people know a user by: an address where the name is
// nothing but the sub.
func ShownName(name string, attributes map[string]string) string {
	if attributes["sub"] != name {
		return name
	}
	for _, alias := range []string{"email", "phone_number"} {
		if value := attributes[alias]; value != "" {
			return value
		}
	}
	return name
}

// MostAtOnce is the most that the pool lists at once.
const MostAtOnce = 60

// pages asks for a list page by page until use says that it is enough. The pool
// calls the way to the next page by the name of token.
func (x *Session) pages(operation, token string, input map[string]any, use func([]User) (more bool)) error {
	input["Limit"] = MostAtOnce
	for {
		var page struct {
			Users                      []User
			PaginationToken, NextToken string
		}
		if err := x.ask(operation, input, &page); err != nil {
			return err
		}
		next := page.PaginationToken + page.NextToken
		if !use(page.Users) || next == "" {
			return nil
		}
		input[token] = next
	}
}

// All lists users page by page: everybody, or with a group its members.
func (x *Session) All(group string, use func([]User) bool) error {
	if group != "" {
		return x.pages("ListUsersInGroup", "NextToken", map[string]any{"GroupName": group}, use)
	}
	return x.pages("ListUsers", "PaginationToken", map[string]any{}, use)
}

// names are what a user may be looked for by, with what each is found by: name or
// address. They are of so many users as a name is compared with.
func (x *Session) names() (map[string]string, error) {
	const most = 480
	names := make(map[string]string)
	count := 0
	err := x.All("", func(page []User) bool {
		for _, u := range page {
			attributes := u.Values()
			shown := ShownName(u.Username, attributes)
			names[shown] = shown
			if email := attributes["email"]; email != "" && names[email] == "" {
				names[email] = shown
			}
		}
		count += len(page)
		return count < most
	})
	return names, err
}
