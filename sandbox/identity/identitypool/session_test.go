package identitypool_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/model/access"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/token"
)

func TestCredentialsOutliveTheProcessAndEndAfterAnHour(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	w.addUser(dev(), "ada", "Admins")
	guest, member := w.guest(dev()), w.member(dev(), w.signIn(dev(), "ada").ID)
	w.restart()
	for _, a := range []answer{guest, member} {
		s, err := w.session("dev", a)
		if err != nil || s.Secret != a.Credentials.SecretKey || s.IdentityID != a.IdentityID {
			t.Errorf("after the restart: %v", err)
		}
	}
	w.clock.pass(time.Hour - time.Second)
	if _, err := w.session("dev", guest); err != nil {
		t.Errorf("a second before their end: %v", err)
	}
	w.clock.pass(time.Second)
	for _, a := range []answer{guest, member} {
		_, err := w.session("dev", a)
		if got := refused(t, err, "ExpiredTokenException"); got != "The security token included in the request is expired" {
			t.Errorf("it says %q", got)
		}
	}
}

func TestCredentialsOfADeletedUserAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	user := func(name string) map[string]any {
		return map[string]any{"UserPoolId": dev().UserPoolID, "Username": name}
	}
	for name, end := range map[string]func(name string, access string){
		"deleted":      func(name, _ string) { w.admin("AdminDeleteUser", user(name)) },
		"disabled":     func(name, _ string) { w.admin("AdminDisableUser", user(name)) },
		"signed-out":   func(_, access string) { w.admin("GlobalSignOut", map[string]any{"AccessToken": access}) },
		"driven-out":   func(name, _ string) { w.admin("AdminUserGlobalSignOut", user(name)) },
		"is-another":   func(name, _ string) { w.admin("AdminDeleteUser", user(name)); w.addUser(dev(), name) },
		"pool-is-gone": func(string, string) { w.apply(qa()) },
	} {
		w.apply(dev(), qa())
		w.addUser(dev(), name)
		tokens := w.signIn(dev(), name)
		a := w.member(dev(), tokens.ID)
		if _, err := w.session("dev", a); err != nil {
			t.Fatalf("%s: before it: %v", name, err)
		}
		end(name, tokens.Access)
		_, err := w.session("dev", a)
		if got := refused(t, err, "UnrecognizedClientException"); got != "The security token included in the request is invalid." {
			t.Errorf("%s: it says %q", name, got)
		}
		if errors.Unwrap(err) == nil {
			t.Errorf("%s: the reason is missing", name)
		}
		if _, err := w.identities.Bearer("dev", tokens.ID); err == nil {
			t.Errorf("%s: the id token is taken", name)
		}
	}
}

func TestASignOutEndsItsOwnSignIn(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	w.addUser(dev(), "ada")
	one, other := w.signIn(dev(), "ada"), w.signIn(dev(), "ada")
	ended, kept := w.member(dev(), one.ID), w.member(dev(), other.ID)
	w.admin("RevokeToken", map[string]any{"ClientId": dev().ClientID, "Token": one.Refresh})
	if _, err := w.session("dev", ended); err == nil {
		t.Error("the credentials of an ended sign-in are accepted")
	}
	if _, err := w.session("dev", kept); err != nil {
		t.Errorf("another sign-in of the user is over: %v", err)
	}
}

func TestCredentialsAreValidInOneEnvironment(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev(), qa())
	w.addUser(dev(), "ada")
	w.addUser(qa(), "ada")
	foreign := newFixture(t, dev())
	foreign.addUser(dev(), "ada")
	for name, a := range map[string]answer{
		"guest": w.guest(qa()), "user": w.member(qa(), w.signIn(qa(), "ada").ID),
		"guest of another machine": foreign.guest(dev()), "user of another machine": foreign.member(dev(), foreign.signIn(dev(), "ada").ID),
	} {
		_, err := w.session("dev", a)
		refused(t, err, "UnrecognizedClientException")
		want := "another environment"
		if strings.Contains(name, "machine") {
			want = "access key"
		}
		if reason := errors.Unwrap(err); reason == nil || !strings.Contains(reason.Error(), want) {
			t.Errorf("%s: the reason is %v", name, reason)
		}
	}
	_, err := w.session("prod", w.guest(dev()))
	refused(t, err, "UnrecognizedClientException")
	for _, id := range []string{w.guest(qa()).IdentityID, w.member(qa(), w.signIn(qa(), "ada").ID).IdentityID} {
		_, err := w.ask("GetCredentialsForIdentity", map[string]any{"IdentityId": id, "Logins": logins(dev(), w.signIn(dev(), "ada").ID)})
		refused(t, err, "NotAuthorizedException")
	}
}

func TestNothingInCredentialsCanBeChanged(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	w.addUser(dev(), "ada")
	guest, other, member := w.guest(dev()), w.guest(dev()), w.member(dev(), w.signIn(dev(), "ada").ID)
	for name, try := range map[string][2]string{
		"a user's token with a guest's key":  {guest.Credentials.AccessKeyID, member.Credentials.SessionToken},
		"a guest's token with another one's": {guest.Credentials.AccessKeyID, other.Credentials.SessionToken},
		"no token":                           {guest.Credentials.AccessKeyID, ""},
		"no key":                             {"", guest.Credentials.SessionToken},
		"nothing":                            {"", ""},
		"a lasting key":                      {"AKIAIOSFODNN7EXAMPLE", ""},
		"a key in small letters":             {strings.ToLower(guest.Credentials.AccessKeyID), guest.Credentials.SessionToken},
		"a key and more":                     {guest.Credentials.AccessKeyID + "A", guest.Credentials.SessionToken},
		"a line break":                       {guest.Credentials.AccessKeyID, guest.Credentials.SessionToken + "\n"},
		"no base64":                          {guest.Credentials.AccessKeyID, "%%%"},
		"a short token":                      {guest.Credentials.AccessKeyID, "AAAA"},
		"a long token":                       {guest.Credentials.AccessKeyID, strings.Repeat("A", 1<<20)},
	} {
		s, err := w.identities.Session("dev", try[0], try[1])
		if refused(t, err, "UnrecognizedClientException"); s.Secret != "" || s.SignedIn {
			t.Errorf("%s: %+v", name, s)
		}
		if reason := errors.Unwrap(err); reason == nil || len(reason.Error()) > 200 {
			t.Errorf("%s: the reason is %v", name, reason)
		}
	}
	sealed, err := base64.StdEncoding.DecodeString(member.Credentials.SessionToken)
	w.must(err)
	if strings.Contains(string(sealed), member.IdentityID) {
		t.Error("a session token shows its content")
	}
	rapid.Check(t, func(rt *rapid.T) {
		changed := append([]byte(nil), sealed...)
		changed[rapid.IntRange(0, len(sealed)-1).Draw(rt, "at")] ^= byte(rapid.IntRange(1, 255).Draw(rt, "bits"))
		cut := changed[:rapid.IntRange(0, len(sealed)).Draw(rt, "length")]
		for _, each := range [][]byte{changed, cut} {
			if _, err := w.identities.Session("dev", member.Credentials.AccessKeyID, base64.StdEncoding.EncodeToString(each)); err == nil {
				rt.Fatal("a changed session token is accepted")
			}
		}
	})
}

func TestIDTokenReplacesASignature(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev(), qa())
	ada := w.addUser(dev(), "ada", "Admins")
	tokens := w.signIn(dev(), "ada")
	first, err := w.identities.Bearer("dev", tokens.ID)
	w.must(err)
	if !first.SignedIn || first.User.Sub != ada.Sub || first.Principal.Group != "Admins" || first.AccessKeyID != "" || first.Secret != "" {
		t.Errorf("the session is %+v", first)
	}
	if signed := w.member(dev(), tokens.ID); signed.IdentityID != first.IdentityID {
		t.Errorf("the user is %s with a signature and %s without one", signed.IdentityID, first.IdentityID)
	}
	for name, try := range map[string][2]string{
		"another environment": {"qa", tokens.ID}, "no environment": {"prod", tokens.ID}, "an access token": {"dev", tokens.Access},
		"nothing": {"dev", ""}, "a changed one": {"dev", changeLastDigit(tokens.ID)},
	} {
		if s, err := w.identities.Bearer(try[0], try[1]); err == nil || s.SignedIn {
			t.Errorf("%s: %+v", name, s)
		}
	}
	w.clock.pass(time.Hour)
	if _, err := w.identities.Bearer("dev", tokens.ID); !errors.Is(err, token.ErrExpired) {
		t.Errorf("after an hour: %v", err)
	}
}

func TestCredentialsAreMintedForEachKindOfCaller(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev(), qa())
	ada := w.addUser(dev(), "ada", "Admins")
	mint := func(signer identitypool.Signer) identitypool.Session {
		t.Helper()
		c, err := w.identities.Mint("dev", signer)
		w.must(err)
		if c.Expiration.Sub(w.clock.Now()) != time.Hour {
			t.Errorf("%+v: good until %v", signer, c.Expiration)
		}
		s, err := w.identities.Session("dev", c.AccessKeyID, c.SessionToken)
		w.must(err)
		if s.Secret != c.SecretKey || s.AccessKeyID != c.AccessKeyID {
			t.Errorf("%+v: the secret is another one", signer)
		}
		if _, err := w.identities.Session("qa", c.AccessKeyID, c.SessionToken); err == nil {
			t.Errorf("%+v: good in another environment", signer)
		}
		return s
	}
	guest, user, member := mint(identitypool.Signer{Guest: true}), mint(identitypool.Signer{User: "ada"}), mint(identitypool.Signer{Group: "Editors"})
	if anonymous, err := w.identities.Anonymous("dev"); err != nil || guest.SignedIn || guest.IdentityID != anonymous.IdentityID {
		t.Errorf("the guest is %+v, without credentials %+v", guest, anonymous)
	}
	if signedIn := w.member(dev(), w.signIn(dev(), "ada").ID); user.User.Sub != ada.Sub || user.Principal.Group != "Admins" || user.IdentityID != signedIn.IdentityID {
		t.Errorf("the user is %+v, signed in %s", user, signedIn.IdentityID)
	}
	if !member.SignedIn || member.Principal != (access.Principal{Kind: access.Group, Group: "Editors"}) || member.User.Sub == "" || member.User.Name != "" {
		t.Errorf("the member is %+v", member)
	}
	if again := mint(identitypool.Signer{Group: "Editors"}); again.IdentityID != member.IdentityID || again.Provider() != member.Provider() || again.User.Sub == ada.Sub {
		t.Errorf("the member is another one: %+v", again)
	}
	if anybody := mint(identitypool.Signer{AnyUser: true}); !anybody.SignedIn || anybody.Principal != (access.Principal{Kind: access.Authenticated}) || anybody.User.Name != "" || anybody.IdentityID == member.IdentityID {
		t.Errorf("somebody who is signed in is %+v", anybody)
	}
	if other := mint(identitypool.Signer{Group: "Admins"}); other.IdentityID == member.IdentityID {
		t.Error("members of two groups have the same sub")
	}
}

func TestMintRefusesOtherSigners(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	w.addUser(dev(), "disabled")
	w.admin("AdminDisableUser", map[string]any{"UserPoolId": dev().UserPoolID, "Username": "disabled"})
	w.admin("AdminCreateUser", map[string]any{"UserPoolId": dev().UserPoolID, "Username": "new", "MessageAction": "SUPPRESS"})
	for name, try := range map[string]struct {
		environment string
		who         identitypool.Signer
		code        string
	}{
		"nobody there":   {"dev", identitypool.Signer{User: "eve"}, "UserNotFoundException"},
		"disabled":       {"dev", identitypool.Signer{User: "disabled"}, "NotAuthorizedException"},
		"new":            {"dev", identitypool.Signer{User: "new"}, "UserNotConfirmedException"},
		"no group":       {"dev", identitypool.Signer{Group: "Ow\x1bners"}, "ResourceNotFoundException"},
		"no environment": {"pr\x1bod", identitypool.Signer{Guest: true}, "ResourceNotFoundException"},
	} {
		c, err := w.identities.Mint(try.environment, try.who)
		if got := refused(t, err, try.code); name == "no group" && got != `Group not found: "Ow\x1bners"` {
			t.Errorf("%s: %s", name, got)
		}
		if c.AccessKeyID != "" || err != nil && strings.ContainsRune(err.Error(), 0x1b) {
			t.Errorf("%s: %+v %q", name, c, err)
		}
	}
	for _, signer := range []identitypool.Signer{{}, {Guest: true, User: "ada"}, {User: "ada", Group: "Admins"}, {Guest: true, Group: "Admins"}, {AnyUser: true, Guest: true}, {AnyUser: true, User: "ada"}, {AnyUser: true, Group: "Admins"}} {
		if c, err := w.identities.Mint("dev", signer); err == nil || c.AccessKeyID != "" {
			t.Errorf("%+v has credentials", signer)
		}
	}
}

func TestSubOfAUserCannotBeAUserName(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	ada := w.addUser(dev(), "ada")
	a := w.member(dev(), w.signIn(dev(), "ada").ID)
	// Sessions find their user by sub, in the same lookup as names.
	for _, name := range []string{ada.Sub, strings.ToUpper(ada.Sub)} {
		for operation, in := range map[string]map[string]any{
			"AdminCreateUser": {"UserPoolId": dev().UserPoolID, "Username": name, "MessageAction": "SUPPRESS"},
			"SignUp":          {"ClientId": dev().ClientID, "Username": name, "Password": "Pass-word-1"},
		} {
			text, err := json.Marshal(in)
			w.must(err)
			if _, err := w.users.Do(context.Background(), operation, text); err == nil {
				t.Errorf("%s: %s is a name", operation, name)
			}
		}
	}
	if s, err := w.session("dev", a); err != nil || s.User.Name != "ada" {
		t.Errorf("ada is %+v: %v", s, err)
	}
}
