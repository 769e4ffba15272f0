package people

import (
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/identity/pool"
)

// The statuses of users that have words here, next to those of user.go.
const (
	// UserForced has a temporary password, and has to choose another one at the first sign-in.
	UserForced = "FORCE_CHANGE_PASSWORD"
	// UserReset cannot sign in before the password is reset with a code.
	UserReset = "RESET_REQUIRED"
)

// StateWords says in words in which state a user is.
func StateWords(status string, enabled bool) string {
	words := map[string]string{
		UserConfirmed: "confirmed", UserUnconfirmed: "not confirmed", UserForced: "temporary password",
		UserReset: "must reset password",
	}[status]
	if words == "" {
		words = phrase.Quote(status)
	}
	if !enabled {
		words += ", disabled"
	}
	return words
}

// MembershipWords are the groups of a user, in the pool's order, as text, with the principal that the member acts as.
func MembershipWords(p *pool.Pool, groups []string) string {
	principal := p.Principal(groups)
	switch len(groups) {
	case 0:
		return "none; acts as " + principal.String()
	case 1:
		return phrase.QuoteList(groups) + "; acts as " + principal.String()
	}
	return phrase.QuoteList(groups) + "; acts as " + principal.String() + ", the first of them"
}
