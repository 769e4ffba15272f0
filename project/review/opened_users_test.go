package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/project"
)

// authWith is the definition of a user pool with guests, strict passwords, a second factor and pages to
// sign in, with texts in place of others.
func authWith(replacements ...string) string {
	return strings.NewReplacer(replacements...).Replace(`{"version": 1, "groups": ["Editors"], "unauthenticated_identities_enabled": false,
		"mfa_configuration": "REQUIRED", "mfa_methods": ["TOTP"],
		"password_policy": {"min_length": 12, "require_numbers": true, "require_symbols": true},
		"oauth": {"identity_providers": [], "domain": "d", "scopes": [], "response_type": "code",
			"redirect_sign_in_uri": ["https://shop.example/in"], "redirect_sign_out_uri": ["https://shop.example/out"]}}`)
}

func TestWhatMakesItEasierToBeAUserIsWidenedAndTheWayBackIsNot(t *testing.T) {
	t.Parallel()
	const in = `"https://shop.example/in"`
	for name, tt := range map[string]struct {
		replacements []string
		want         string
	}{
		"a shorter password":            {[]string{"12", "6"}, "passwords may now be weaker: 6 characters are enough, and were 12"},
		"the default length":            {[]string{`"min_length": 12, `, ""}, "passwords may now be weaker: 8 characters are enough, and were 12"},
		"no numbers, no symbols":        {[]string{`, "require_numbers": true`, "", `"require_symbols": true`, `"require_symbols": false`}, "passwords may now be weaker: a number is no longer required, a symbol is no longer required"},
		"an optional second factor":     {[]string{"REQUIRED", "OPTIONAL"}, "the second factor at sign-in is now optional, and was required"},
		"no second factor":              {[]string{"REQUIRED", "NONE"}, "the second factor at sign-in is now not asked for, and was required"},
		"guests":                        {[]string{"false", "true"}, "guests now get an identity, and had none before"},
		"guests, by the default":        {[]string{`"unauthenticated_identities_enabled": false,`, ""}, "guests now get an identity, and had none before"},
		"a redirect to a new host":      {[]string{in, in + `, "https://evil.example/in"`}, "users who have signed in may now be sent to https://evil.example/in"},
		"a redirect to another port":    {[]string{in, `"https://shop.example:8443/in"`}, "users who have signed in may now be sent to https://shop.example:8443/in"},
		"a redirect without encryption": {[]string{in, `"http://shop.example/in"`}, "users who have signed in may now be sent to http://shop.example/in, unencrypted"},
		"one after a sign-out":          {[]string{`"https://shop.example/out"`, `"https://SHOP.example/out", "shop://out"`}, "users who have signed out may now be sent to shop://out"},
		"the implicit grant":            {[]string{`"code"`, `"token"`}, "sign-in pages may now put tokens into a URL (the implicit grant)"},
		"another provider":              {[]string{`"identity_providers": []`, `"identity_providers": ["GOOGLE"]`}, "people may now sign in with an identity of GOOGLE"},
		"groups by a trigger":           {[]string{`"version": 1,`, `"version": 1, "triggers": {"preTokenGeneration": "books"},`}, "function books may now put users into groups, as the trigger preTokenGeneration"},
		"sign-in by a trigger":          {[]string{`"version": 1,`, `"version": 1, "triggers": {"userMigration": "books", "defineAuthChallenge": "books"},`}, "function books may now let users in without a password, as the trigger defineAuthChallenge\nfunction books may now let in users that the pool does not know, as the trigger userMigration"},
		"a redirect on the same host":   {[]string{in, `"https://shop.example:443/elsewhere"`}, ""},
		"a longer password":             {[]string{"12", "20"}, ""},
	} {
		base := state(t, project.Native, map[string]string{"project.json": shop["project.json"], "auth.json": authWith()})
		head := state(t, project.Native, map[string]string{"project.json": shop["project.json"], "auth.json": authWith(tt.replacements...)})
		r := of(t, base, head, "")
		var got []string
		for _, one := range r.Opened {
			got = append(got, one.Text)
			if one.Kind != "users" || one.Place.File != "backend/auth.json" || one.Place.Line == 0 {
				t.Errorf("%s: %+v", name, one)
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" || r.Widened() != (tt.want != "") {
			t.Errorf("%s: widened %v\n%s", name, r.Widened(), diff)
		}
		if back := of(t, head, base, ""); tt.want != "" && back.Widened() && !strings.Contains(name, "a redirect to another port") {
			t.Errorf("%s: the way back opens %q", name, openings(back))
		}
	}
}

func TestPagesToSignInOfTheAmplifyCLIAreCompared(t *testing.T) {
	t.Parallel()
	pool := func(metadata string) map[string]string {
		return map[string]string{
			"backend-config.json":       `{"auth": {"pool": {"service": "Cognito"}}}`,
			"auth/pool/cli-inputs.json": `{"cognitoConfig": {"passwordPolicyMinLength": 8, "hostedUI": true, "oAuthMetadata": "` + strings.ReplaceAll(metadata, `"`, `\"`) + `"}}`,
		}
	}
	was := pool(`{"AllowedOAuthFlows": ["code"], "CallbackURLs": ["https://a.example/"], "LogoutURLs": ["https://a.example/"]}`)
	now := pool(`{"AllowedOAuthFlows": ["code", "implicit"], "CallbackURLs": ["https://a.example/", "http://localhost:3000/"], "LogoutURLs": ["https://a.example/x"]}`)
	want := []string{
		"users: users who have signed in may now be sent to http://localhost:3000/, unencrypted at amplify/backend/auth/pool/cli-inputs.json",
		"users: sign-in pages may now put tokens into a URL (the implicit grant) at amplify/backend/auth/pool/cli-inputs.json",
	}
	if diff := cmp.Diff(want, openings(of(t, state(t, project.Amplify, was), state(t, project.Amplify, now), ""))); diff != "" {
		t.Error(diff)
	}
	if r := of(t, state(t, project.Amplify, now), state(t, project.Amplify, was), ""); r.Widened() {
		t.Errorf("the way back opens %q", openings(r))
	}
}

func TestAGuardThatIsTakenOffAnEnvironmentIsWidened(t *testing.T) {
	t.Parallel()
	environment := func(guarded string) map[string]string {
		return with(shop, "environments/dev.json", `{"version": 1, "provider": "local"`+guarded+`}`)
	}
	was, now := state(t, project.Native, environment(`, "guarded": true`)), state(t, project.Native, environment(""))
	for _, env := range []string{"", "dev"} {
		r := of(t, was, now, env)
		if got := openings(r); len(got) != 1 || !strings.HasPrefix(got[0], "environment: environment dev is no longer guarded: ") || !r.Widened() {
			t.Errorf("%q: the openings are %q", env, got)
		}
		if back := of(t, now, was, env); back.Widened() {
			t.Errorf("%q: the way back opens %q", env, openings(back))
		}
	}
}
