package userpool_test

import (
	"errors"
	"strings"
	"testing"

	"gatewright/sandbox/pages"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"

	"gatewright/sandbox/identity/wire"
)

func TestActiveUser(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	w.addConfirmed("bob")
	ada, err := w.pools.Check(poolID, "id", w.signIn("ada").id)
	if err != nil {
		t.Fatal(err)
	}
	bob, err := w.pools.Check(poolID, "id", w.signIn("bob").id)
	if err != nil {
		t.Fatal(err)
	}
	for _, origin := range []string{"", ada.Origin} {
		if err := w.checkActive(poolID, ada.User.Sub, origin); err != nil {
			t.Errorf("alive with %q: %v", origin, err)
		}
	}
	wantRefusal(t, "another's session", w.checkActive(poolID, ada.User.Sub, bob.Origin), "NotAuthorizedException", "")
	wantRefusal(t, "no such session", w.checkActive(poolID, ada.User.Sub, "x"), "NotAuthorizedException", "Access Token has been revoked")
	wantRefusal(t, "no such user", w.checkActive(poolID, "x", ""), "NotAuthorizedException", "User does not exist.")
	wantRefusal(t, "no such pool", w.checkActive("eu-west-1_other", ada.User.Sub, ""), "NotAuthorizedException", "")
	w.do("AdminDisableUser", object{"Username": "ada"})
	wantRefusal(t, "disabled", w.checkActive(poolID, ada.User.Sub, ""), "NotAuthorizedException", "User is disabled.")
}

func TestForeignTokensAreRefused(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	given := w.signIn("ada")
	good, err := w.pools.Check(poolID, "access", given.access)
	if err != nil {
		t.Fatal(err)
	}
	const otherPool = "eu-west-1_other"
	signed := func(pool string, change func(claims object)) string {
		claims := object{}
		for name, value := range good.Claims {
			claims[name] = value
		}
		change(claims)
		raw, err := w.keys.Sign(pool, claims)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	parts := strings.Split(given.access, ".")
	if _, err := w.pools.Check(poolID, "access", signed(poolID, func(object) {})); err != nil {
		t.Fatalf("the forger's own token is refused: %v", err)
	}
	for name, row := range map[string]struct{ raw, why string }{
		"nothing":                {"", "the token is not three base64url parts with dots between them"},
		"no token":               {"a.b.c", "the token is not three base64url parts with dots between them"},
		"an id token":            {given.id, "the token's token_use is wrong"},
		"a refresh token":        {given.refresh, "the token is not three base64url parts with dots between them"},
		"a token without proof":  {parts[0] + "." + parts[1] + ".", "the token's signature is wrong"},
		"the key of another":     {signed(otherPool, func(object) {}), "the token is not signed with a key of this pool"},
		"another issuer":         {signed(poolID, func(c object) { c["iss"] = "http://127.0.0.1:4280/" + otherPool }), "the token's iss is not this pool"},
		"an issuer that ends so": {signed(poolID, func(c object) { c["iss"] = "http://127.0.0.1:4280/x" + poolID }), "the token's iss is not this pool"},
		"another use":            {signed(poolID, func(c object) { c["token_use"] = "id" }), "the token's token_use is wrong"},
		"no use":                 {signed(poolID, func(c object) { delete(c, "token_use") }), "the token's token_use is wrong"},
		"another client":         {signed(poolID, func(c object) { c["client_id"] = "other" }), "the token's client is not an app client of this pool"},
		"no client":              {signed(poolID, func(c object) { delete(c, "client_id") }), "the token's client is not an app client of this pool"},
		"no session":             {signed(poolID, func(c object) { delete(c, "origin_jti") }), "the token's origin_jti is not a session of its user"},
		"a session of nobody":    {signed(poolID, func(c object) { c["origin_jti"] = "x" }), "Access Token has been revoked"},
		"another user":           {signed(poolID, func(c object) { c["sub"] = "x" }), "User does not exist."},
		"a user who is a list":   {signed(poolID, func(c object) { c["sub"] = []string{"x"} }), "User does not exist."},
		"a token that is over":   {signed(poolID, func(c object) { c["exp"] = start.Unix() }), "the token has expired"},
	} {
		_, err := w.pools.Check(poolID, "access", row.raw)
		wantRefusal(t, name, err, "NotAuthorizedException", "")
		// The log tells why: the reason, or without one the message for the client.
		why, refused := "", (*wire.Error)(nil)
		if errors.As(err, &refused) {
			if why = refused.Message; refused.Unwrap() != nil {
				why = refused.Unwrap().Error()
			}
		}
		if why != row.why {
			t.Errorf("%s is refused because %s, want %s", name, why, row.why)
		}
		if _, err := w.try("GetUser", object{"AccessToken": row.raw}); err == nil {
			t.Errorf("%s: GetUser answers", name)
		}
	}
	_, err = w.pools.Check(poolID, "refresh", given.access)
	wantRefusal(t, "an unknown use", err, "NotAuthorizedException", "")
	_, err = w.pools.Check(otherPool, "access", given.access)
	wantRefusal(t, "an unknown pool", err, "NotAuthorizedException", "")
	if _, err := w.pools.Check(poolID, "access", given.access); err != nil {
		t.Errorf("the good one is refused: %v", err)
	}
}

func TestPortOfTheIssuerMayChange(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	good, err := w.pools.Check(poolID, "access", w.signIn("ada").access)
	if err != nil {
		t.Fatal(err)
	}
	good.Claims["iss"] = "http://localhost:9999/" + poolID
	raw, err := w.keys.Sign(poolID, good.Claims)
	if err != nil {
		t.Fatal(err)
	}
	w.do("GetUser", object{"AccessToken": raw})
}

func TestEnvironmentsShareUsersOnlyWithTheSamePool(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	dev, qa, shared := w.pool, w.pool, w.pool
	qa.Environment, qa.UserPoolID, qa.ClientID = "qa", "eu-west-1_Qa", "qaclient"
	shared.Environment, shared.ClientID = "shared", "sharedclient"
	w.pools.Apply([]pool.Pool{allowing(dev), allowing(qa), allowing(shared)})
	w.addConfirmed("ada")
	given := w.signIn("ada")
	for id, want := range map[string]string{clientID: "dev", "qaclient": "qa", "sharedclient": "shared"} {
		if cfg, found := w.pools.PoolOfClient(id); !found || cfg.Environment != want {
			t.Errorf("%s is a client of %v", id, cfg)
		}
	}
	in := byPassword("ada", password)
	in["ClientId"] = "qaclient"
	w.wantRefused("InitiateAuth", in, "NotAuthorizedException", "Incorrect username or password.")
	if _, err := w.pools.Check(qa.UserPoolID, "access", given.access); err == nil {
		t.Error("a token of dev is good in qa")
	}
	in["ClientId"] = "sharedclient"
	other := tokensOf(t, w.do("InitiateAuth", in))
	w.do("GetUser", object{"AccessToken": other.access})
	w.wantRefused("GetTokensFromRefreshToken", object{"RefreshToken": other.refresh}, "NotAuthorizedException", "Invalid Refresh Token")
	if !w.pools.Has(qa.UserPoolID) || w.pools.Has("eu-west-1_other") {
		t.Error("Has does not know which pools there are")
	}

	w.pools.Apply([]pool.Pool{allowing(qa)})
	w.wantRefused("GetUser", object{"AccessToken": given.access}, "NotAuthorizedException", "Invalid Access Token")
	w.pools.Apply([]pool.Pool{allowing(dev)})
	w.do("GetUser", object{"AccessToken": given.access})
}

func TestAFileOfAnotherVersionIsNotTouched(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{})
	w.addConfirmed("ada")
	w.stop()
	o := w.options()
	if err := o.DB.Update(func(tx *pages.Tx) error {
		return tx.Bucket([]byte("user pools")).Put([]byte("version"), []byte("999"))
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := userpool.New(o); err == nil || !strings.Contains(err.Error(), "format") {
		t.Errorf("the file is opened: %v", err)
	}
}
