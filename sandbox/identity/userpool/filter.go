package userpool

import (
	"slices"
	"strings"

	"gatewright/sandbox/identity/userpool/record"
)

// searchable are the attributes that a filter may name, besides those in folded. The cloud
// does not search custom attributes either.
var searchable = []string{"email", "phone_number", "name", "given_name", "family_name", "preferred_username", "sub"}

// folded are compared without regard to case.
var folded = []string{"username", "email", "preferred_username", "cognito:user_status", "status"}

var errFilter = invalid("Error while parsing filter.")

// parseFilter reads a filter of ListUsers: an attribute, = or ^= (prefix), and a value in
// quotation marks, with a backslash before quotation marks inside. An empty filter matches
// every user.
func parseFilter(text string) (func(*record.User) bool, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return func(*record.User) bool { return true }, nil
	}
	name, rest, found := strings.Cut(text, "=")
	name, begins := strings.CutSuffix(strings.TrimSpace(name), "^")
	name = strings.Trim(strings.TrimSpace(name), `"`)
	value, whole := quotedValue(strings.TrimSpace(rest))
	if !found || !whole || name == "" {
		return nil, errFilter
	}
	if !slices.Contains(searchable, name) && !slices.Contains(folded, name) {
		return nil, invalid("Invalid search attribute: %s", printable(name))
	}
	insensitive := slices.Contains(folded, name)
	if insensitive {
		value = record.Fold(value)
	}
	return func(u *record.User) bool {
		has, known := searched(u, name)
		if insensitive {
			has = record.Fold(has)
		}
		if begins {
			return known && strings.HasPrefix(has, value)
		}
		return known && has == value
	}, nil
}

// quotedValue reads a text that is one value in quotation marks.
func quotedValue(text string) (value string, whole bool) {
	if len(text) < 2 || text[0] != '"' {
		return "", false
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return b.String(), i == len(text)-1
		case text[i] == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(text[i])
		}
	}
	return "", false
}

// searched is a user's value of an attribute in a filter.
func searched(u *record.User, name string) (value string, known bool) {
	switch name {
	case "username":
		return u.Name, true
	case "sub":
		return u.Sub, true
	case "cognito:user_status":
		return u.Status, true
	case "status":
		if u.Disabled {
			return "Disabled", true
		}
		return "Enabled", true
	}
	value, known = u.Attributes[name]
	return value, known
}
