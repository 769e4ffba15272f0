package identitypool_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/model/access"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
)

func TestUserAlwaysHasTheSameIdentity(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev(), qa())
	ada, bob := w.addUser(dev(), "ada"), w.addUser(dev(), "bob")
	first := w.member(dev(), w.signIn(dev(), "ada").ID)
	w.restart()
	w.clock.pass(30 * 24 * time.Hour)
	again, other := w.member(dev(), w.signIn(dev(), "ada").ID), w.member(dev(), w.signIn(dev(), "bob").ID)
	if first.IdentityID != again.IdentityID || first.IdentityID == other.IdentityID {
		t.Errorf("the identities are %s, %s and %s", first.IdentityID, again.IdentityID, other.IdentityID)
	}
	if first.Credentials.AccessKeyID == again.Credentials.AccessKeyID || first.Credentials.SecretKey == again.Credentials.SecretKey {
		t.Error("credentials are given twice")
	}
	s, err := w.session("dev", again)
	w.must(err)
	if !s.SignedIn || s.User.Sub != ada.Sub || s.User.Name != "ada" || s.User.Sub == bob.Sub || s.Principal.Kind != access.Authenticated || len(s.Groups) != 0 {
		t.Errorf("the session is %+v", s)
	}
	const from = "cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI"
	if got, want := s.Provider(), from+","+from+":CognitoSignIn:"+ada.Sub; got != want {
		t.Errorf("the provider is %s, want %s", got, want)
	}
	if s.Role() != "eu-west-1_AbCdEfGhI-authRole" {
		t.Errorf("the role is %s", s.Role())
	}
}

func TestLoginsMustBeIDTokensOfTheUserPool(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev(), qa())
	w.addUser(dev(), "ada")
	w.addUser(qa(), "ada")
	tokens, foreign := w.signIn(dev(), "ada"), w.signIn(qa(), "ada")
	key := "cognito-idp.eu-west-1.amazonaws.com/" + dev().UserPoolID
	old := tokens.ID
	w.clock.pass(time.Hour)
	tokens = w.signIn(dev(), "ada")
	for name, try := range map[string]struct {
		logins map[string]any
		code   string
		says   string
		is     error
	}{
		"another provider":        {map[string]any{"graph.facebook.com": tokens.ID}, "NotAuthorizedException", "not from a supported provider", nil},
		"another pool":            {logins(qa(), foreign.ID), "NotAuthorizedException", "not from a supported provider", nil},
		"the pool's id alone":     {map[string]any{dev().UserPoolID: tokens.ID}, "NotAuthorizedException", "not from a supported provider", nil},
		"a long name":             {map[string]any{strings.Repeat("a", 200) + "/" + dev().UserPoolID: tokens.ID}, "NotAuthorizedException", "not from a supported provider", nil},
		"another pool's token":    {map[string]any{key: foreign.ID}, "NotAuthorizedException", "Invalid login token.", nil},
		"an access token":         {map[string]any{key: tokens.Access}, "NotAuthorizedException", "Invalid login token.", nil},
		"a refresh token":         {map[string]any{key: tokens.Refresh}, "NotAuthorizedException", "Invalid login token.", nil},
		"a token that was":        {map[string]any{key: old}, "NotAuthorizedException", "Invalid login token. Token expired", token.ErrExpired},
		"nothing":                 {map[string]any{key: ""}, "NotAuthorizedException", "Invalid login token.", nil},
		"a token that is changed": {map[string]any{key: changeLastDigit(tokens.ID)}, "NotAuthorizedException", "Invalid login token.", nil},
		"two":                     {map[string]any{key: tokens.ID, "graph.facebook.com": "x"}, "InvalidParameterException", "one entry of Logins", nil},
		"a number":                {map[string]any{key: 1}, "SerializationException", "", nil},
	} {
		guest := w.guest(dev()).IdentityID
		for operation, in := range map[string]map[string]any{
			"GetId": {"IdentityPoolId": dev().IdentityPoolID}, "GetCredentialsForIdentity": {"IdentityId": guest}, "GetOpenIdToken": {"IdentityId": guest},
		} {
			in["Logins"] = try.logins
			_, err := w.ask(operation, in)
			if got := refused(t, err, try.code); !strings.Contains(got, try.says) || try.is != nil && !errors.Is(err, try.is) {
				t.Errorf("%s, %s: %q", name, operation, got)
			}
			if err != nil && (strings.Contains(err.Error(), tokens.ID) || strings.Contains(err.Error(), foreign.ID)) {
				t.Errorf("%s: the refusal shows the token", name)
			}
		}
	}
	w.give("GetId", map[string]any{"IdentityPoolId": dev().IdentityPoolID, "Logins": map[string]any{key: tokens.ID}})
}

func TestRoleIsTheFirstGroupsInOrderOfPrecedence(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	for name, try := range map[string]struct {
		groups []string
		acts   access.Principal
		role   string
	}{
		"none":    {nil, access.Principal{Kind: access.Authenticated}, "eu-west-1_AbCdEfGhI-authRole"},
		"editor":  {[]string{"Editors"}, access.Principal{Kind: access.Group, Group: "Editors"}, "eu-west-1_AbCdEfGhI-EditorsGroupRole"},
		"of both": {[]string{"Editors", "Admins"}, access.Principal{Kind: access.Group, Group: "Admins"}, "eu-west-1_AbCdEfGhI-AdminsGroupRole"},
	} {
		user := strings.ReplaceAll(name, " ", "-")
		w.addUser(dev(), user, try.groups...)
		idToken := w.signIn(dev(), user).ID
		s, err := w.session("dev", w.member(dev(), idToken))
		w.must(err)
		shown, err := w.identities.Bearer("dev", idToken)
		w.must(err)
		for _, each := range []identitypool.Session{s, shown} {
			if each.Principal != try.acts || each.Role() != try.role || len(each.Groups) != len(try.groups) || each.Pool.Principal(each.Groups) != try.acts {
				t.Errorf("%s acts as %v with the role %s, groups %v", name, each.Principal, each.Role(), each.Groups)
			}
		}
	}
}

func TestGroupsComeFromTheTokenAndRolesFromThePool(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	w.addUser(dev(), "ada", "Editors")
	a := w.member(dev(), w.signIn(dev(), "ada").ID)
	w.admin("AdminAddUserToGroup", map[string]any{"UserPoolId": dev().UserPoolID, "Username": "ada", "GroupName": "Admins"})
	s, err := w.session("dev", a)
	w.must(err)
	if s.Principal.Group != "Editors" || !slices.Equal(s.Groups, []string{"Editors"}) {
		t.Errorf("old credentials act as %v of %v", s.Principal, s.Groups)
	}
	if s, err = w.session("dev", w.member(dev(), w.signIn(dev(), "ada").ID)); err != nil || s.Principal.Group != "Admins" {
		t.Errorf("new credentials act as %v: %v", s.Principal, err)
	}
	fewer := dev()
	fewer.Groups = []string{"Admins"}
	w.apply(fewer)
	if s, err = w.session("dev", a); err != nil || s.Principal.Kind != access.Authenticated {
		t.Errorf("a member of a deleted group acts as %v: %v", s.Principal, err)
	}
}

func TestRoleOfAGroupCanBeRequestedByARN(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	w.addUser(dev(), "ada", "Admins", "Editors")
	w.addUser(dev(), "bob", "Editors")
	role := func(group string) string { return dev().RoleARN(access.Principal{Kind: access.Group, Group: group}) }
	ask := func(user, arn string) (answer, error) {
		idToken := w.signIn(dev(), user).ID
		return w.ask("GetCredentialsForIdentity", map[string]any{
			"IdentityId": w.member(dev(), idToken).IdentityID, "Logins": logins(dev(), idToken), "CustomRoleArn": arn,
		})
	}
	a, err := ask("ada", role("Editors"))
	w.must(err)
	s, err := w.session("dev", a)
	w.must(err)
	if s.Principal.Group != "Editors" || !slices.Equal(s.Groups, []string{"Editors"}) {
		t.Errorf("the session acts as %v of %v", s.Principal, s.Groups)
	}
	for name, arn := range map[string]string{
		"a group of others": role("Admins"), "a group that is not there": role("Owners"), "any signed-in user": dev().RoleARN(access.Principal{Kind: access.Authenticated}),
		"another account": strings.Replace(role("Editors"), "123456789012", "210987654321", 1), "no ARN": "Editors", "a very long one": strings.Repeat(role("Editors"), 100),
	} {
		_, err := ask("bob", arn)
		if got := refused(t, err, "NotAuthorizedException"); got != "The role belongs to none of the groups in the token." {
			t.Errorf("%s: %q", name, got)
		}
	}
	_, err = w.ask("GetCredentialsForIdentity", map[string]any{"IdentityId": w.guest(dev()).IdentityID, "CustomRoleArn": role("Editors")})
	refused(t, err, "NotAuthorizedException")
}

func TestOpenIDTokenSaysHowTheUserSignedIn(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	ada := w.addUser(dev(), "ada")
	idToken := w.signIn(dev(), "ada").ID
	member, guest := w.member(dev(), idToken).IdentityID, w.guest(dev()).IdentityID
	const from = "cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI"
	for id, try := range map[string]struct {
		in  map[string]any
		amr []any
	}{
		guest:  {map[string]any{"IdentityId": guest}, []any{"unauthenticated"}},
		member: {map[string]any{"IdentityId": member, "Logins": logins(dev(), idToken)}, []any{"authenticated", from, from + ":CognitoSignIn:" + ada.Sub}},
	} {
		a := w.give("GetOpenIdToken", try.in)
		claims, err := w.keys.Verify(dev().IdentityPoolID, a.Token)
		w.must(err)
		if a.IdentityID != id || claims["sub"] != id || claims["aud"] != dev().IdentityPoolID || !slices.Equal(claims["amr"].([]any), try.amr) {
			t.Errorf("the token of %s says %v", id, claims)
		}
		begun, ends := claims["iat"].(float64), claims["exp"].(float64)
		if claims["iss"] != "https://cognito-identity.amazonaws.com" || ends-begun != 600 {
			t.Errorf("the token of %s is from %v, %v to %v", id, claims["iss"], begun, ends)
		}
		if _, err := w.users.Check(dev().UserPoolID, "id", a.Token); err == nil {
			t.Error("the user pool accepts it as a user's id token")
		}
		if _, err := w.identities.Bearer("dev", a.Token); err == nil {
			t.Error("the identity pool accepts it as a user's id token")
		}
	}
	if _, err := w.ask("GetOpenIdToken", map[string]any{"IdentityId": member}); err == nil {
		t.Error("a user's identity gives a token without Logins")
	}
}

func TestEnvironmentsWithTheSamePoolShareIt(t *testing.T) {
	t.Parallel()
	staging := dev()
	staging.Environment, staging.Groups = "staging", []string{"Editors", "Admins"}
	w := newFixture(t, dev(), staging)
	w.addUser(dev(), "ada", "Admins", "Editors")
	a := w.member(dev(), w.signIn(dev(), "ada").ID)
	for environment, group := range map[string]string{"dev": "Admins", "staging": "Editors"} {
		s, err := w.session(environment, a)
		if err != nil || s.Principal.Group != group || s.IdentityID != a.IdentityID || s.Pool.Environment != environment {
			t.Errorf("in %s the session is %+v: %v", environment, s, err)
		}
	}
	// Two user pools with one identity pool: users of one are unknown to the other.
	other := staging
	other.UserPoolID, other.ClientID = qa().UserPoolID, qa().ClientID
	w.apply(dev(), other)
	if _, err := w.session("staging", a); err == nil {
		t.Error("a user of another user pool is accepted")
	}
	w.addUser(other, "ada")
	b := w.give("GetId", map[string]any{"IdentityPoolId": other.IdentityPoolID, "Logins": logins(pool.Pool{UserPoolID: other.UserPoolID}, w.signIn(other, "ada").ID)})
	if b.IdentityID == a.IdentityID || b.IdentityID == "" {
		t.Errorf("two users have the identity %s", b.IdentityID)
	}
}
