package review

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// openedUsers adds what makes it easier to become or to seem a user of the user pool, if there was one before.
func (r *Review) openedUsers(add adder, at places, base, head *project.Project) {
	if !r.base.UsesUserPool() || !r.head.UsesUserPool() {
		return
	}
	pool := func(pointer, text string, args ...any) {
		place := at.locate(false, model.Ref{Kind: model.KindAuth}, pointer)
		if head.Amplify != nil && pointer != "/triggers" {
			place = Place{File: head.Amplify.AuthFile()}
		}
		add(OpensUsers, place, text, args...)
	}
	for _, check := range []struct {
		at   model.Moment
		what string
	}{{model.PreSignUp, "signs up"}, {model.PreAuthentication, "signs in"}} {
		if gone := r.base.TriggerAt(check.at); gone != "" && r.head.TriggerAt(check.at) == "" {
			pool("/triggers", "the user pool no longer asks a function before somebody %s: the trigger %s was %s", check.what,
				check.at, phrase.Quote(gone))
		}
	}
	for _, t := range r.head.Triggers {
		if what := newTriggers[t.At]; what != "" && r.base.TriggerAt(t.At) == "" {
			pool("/triggers", "function %s may now %s, as the trigger %s", phrase.Quote(t.Function), what, t.At)
		}
	}
	if was, now := factors(r.base.Auth), factors(r.head.Auth); was > now {
		pool("/mfa_configuration", "the second factor at sign-in is now %s, and was %s", factorWords[now], factorWords[was])
	}
	if less := weaker(passwords(r.base.Auth), passwords(r.head.Auth)); less != "" {
		pool("/password_policy", "passwords may now be weaker: %s", less)
	}
	if r.base.Terms().NoGuests && !r.head.Terms().NoGuests {
		add(OpensUsers, at.guests(), "guests now get an identity, and had none before")
	}
	was, now := signInPages(base), signInPages(head)
	for _, provider := range now.IdentityProviders {
		if !slices.Contains(was.IdentityProviders, provider) {
			pool("/oauth/identity_providers", "people may now sign in with an identity of %s", phrase.Quote(provider))
		}
	}
	for _, side := range []struct {
		field, what string
		had, has    []string
	}{
		{"redirect_sign_in_uri", "signed in", was.RedirectSignInURI, now.RedirectSignInURI},
		{"redirect_sign_out_uri", "signed out", was.RedirectSignOutURI, now.RedirectSignOutURI},
	} {
		for _, address := range newOrigins(side.had, side.has) {
			pool("/oauth/"+side.field, "users who have %s may now be sent to %s", side.what, address)
		}
	}
	if hasImplicit(now) && !hasImplicit(was) {
		pool("/oauth/response_type", "sign-in pages may now put tokens into a URL (the implicit grant)")
	}
}

// newTriggers are triggers whose functions may let somebody in, or give more.
var newTriggers = map[model.Moment]string{
	model.PreTokenGeneration: "put users into groups", model.PreTokenGenerationV2: "put users into groups",
	model.DefineAuthChallenge: "let users in without a password",
	model.UserMigration:       "let in users that the pool does not know",
}

// factors is how strictly a second factor is asked for.
func factors(a *model.Auth) int {
	if a == nil {
		return 0
	}
	switch strings.ToUpper(a.MFAConfiguration) {
	case "REQUIRED", "ON":
		return 2
	case "OPTIONAL":
		return 1
	}
	return 0
}

var factorWords = []string{"not asked for", "optional", "required"}

func passwords(a *model.Auth) model.PasswordPolicy {
	if a == nil || a.PasswordPolicy == nil {
		return model.PasswordPolicy{}.Whole()
	}
	return a.PasswordPolicy.Whole()
}

// weaker says what a password may lack now; "" if nothing.
func weaker(was, now model.PasswordPolicy) string {
	var parts []string
	if *now.MinLength < *was.MinLength {
		parts = append(parts, strconv.Itoa(*now.MinLength)+" characters are enough, and were "+strconv.Itoa(*was.MinLength))
	}
	for _, rule := range []struct {
		was, now *bool
		what     string
	}{
		{was.RequireNumbers, now.RequireNumbers, "a number"},
		{was.RequireLowercase, now.RequireLowercase, "a small letter"},
		{was.RequireUppercase, now.RequireUppercase, "a capital letter"},
		{was.RequireSymbols, now.RequireSymbols, "a symbol"},
	} {
		if *rule.was && !*rule.now {
			parts = append(parts, rule.what+" is no longer required")
		}
	}
	return strings.Join(parts, ", ")
}

// signInPages returns what a state says of pages to sign in; it is never nil.
func signInPages(p *project.Project) *model.OAuth {
	var pages *model.OAuth
	switch {
	case p == nil:
	case p.Amplify != nil:
		pages = p.Amplify.SignInPages()
	case p.Backend.Auth != nil:
		pages = p.Backend.Auth.OAuth
	}
	if pages == nil {
		return &model.OAuth{}
	}
	return pages
}

func hasImplicit(pages *model.OAuth) bool {
	return slices.Contains(strings.Fields(pages.ResponseType), "token")
}

// newOrigins lists addresses, one of each host, to which nothing led before: their host is new, or
// what is sent there is not encrypted any more.
func newOrigins(had, has []string) []string {
	origin := func(address string) (scheme, host string) {
		u, err := url.Parse(address)
		if err != nil {
			return "", address
		}
		scheme = strings.ToLower(u.Scheme)
		return scheme, strings.TrimSuffix(strings.ToLower(u.Host), map[string]string{"http": ":80", "https": ":443"}[scheme])
	}
	known := make(map[string]bool)
	note := func(address string) bool {
		scheme, host := origin(address)
		seen := known[scheme+"://"+host]
		known[scheme+"://"+host] = true
		if scheme == "http" {
			// Where plain text may go, encrypted text may go.
			known["https://"+host] = true
		}
		return seen
	}
	for _, address := range had {
		note(address)
	}
	var all []string
	for _, address := range has {
		if note(address) {
			continue
		}
		text := phrase.Quote(address)
		if scheme, _ := origin(address); scheme == "http" {
			text += ", unencrypted"
		}
		all = append(all, text)
	}
	return all
}
