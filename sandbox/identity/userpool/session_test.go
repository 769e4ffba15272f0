package userpool_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
)

func TestTokensHaveTheUsersClaims(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{CustomAttributes: map[string]model.CustomAttribute{"team": {Type: "string"}}}, "Admins", "Editors", "Readers")
	w.addConfirmed("Ada", "email=ada@example.com", "name=Ada L.", "address=1 Road", "updated_at=1700000000", "custom:team=blue", "phone_number=+41791234567")
	for _, group := range []string{"Readers", "Admins"} {
		w.do("AdminAddUserToGroup", object{"Username": "ada", "GroupName": group})
	}
	given := w.signIn("ada")
	user, err := w.pools.User(poolID, "ada")
	if err != nil {
		t.Fatal(err)
	}
	now := float64(start.Unix())
	role := "arn:aws:iam::123456789012:role/" + poolID + "-"
	want := map[string]object{
		"id": {
			"sub": user.Sub, "aud": clientID, "cognito:username": "Ada", "cognito:groups": []any{"Admins", "Readers"},
			"cognito:roles": []any{role + "AdminsGroupRole", role + "ReadersGroupRole"}, "cognito:preferred_role": role + "AdminsGroupRole",
			"email": "ada@example.com", "email_verified": true, "phone_number": "+41791234567", "phone_number_verified": false, "name": "Ada L.",
			"address": object{"formatted": "1 Road"}, "updated_at": 1.7e9, "custom:team": "blue",
		},
		"access": {
			"sub": user.Sub, "client_id": clientID, "username": "Ada", "cognito:groups": []any{"Admins", "Readers"}, "scope": "aws.cognito.signin.user.admin",
		},
	}
	var origins []any
	for use, raw := range map[string]string{"id": given.id, "access": given.access} {
		session, err := w.pools.Check(poolID, use, raw)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(session.Groups, []string{"Admins", "Readers"}) || session.User.Sub != user.Sub || session.Origin != session.Claims["origin_jti"] {
			t.Errorf("the session is %+v", session)
		}
		claims := session.Claims
		origins = append(origins, claims["origin_jti"])
		for _, name := range []string{"event_id", "jti", "origin_jti"} {
			if id, _ := claims[name].(string); len(id) != 36 {
				t.Errorf("%s of %s is %v", name, use, claims[name])
			}
			delete(claims, name)
		}
		want[use]["iss"], want[use]["token_use"] = "http://127.0.0.1:4280/"+poolID, use
		want[use]["auth_time"], want[use]["iat"], want[use]["exp"] = now, now, now+3600
		if !reflect.DeepEqual(claims, want[use]) {
			t.Errorf("the %s token says\n %v, want\n %v", use, claims, want[use])
		}
	}
	if origins[0] != origins[1] {
		t.Error("the tokens of one sign-in are of two sessions")
	}
}

func TestUserWithManyAttributesAndGroupsSignsIn(t *testing.T) {
	t.Parallel()
	var groups []string
	for i := range 100 {
		groups = append(groups, fmt.Sprintf("%0100d", i))
	}
	w := newFixture(t, nil, groups...)
	w.addConfirmed("ada")
	for _, group := range groups {
		w.do("AdminAddUserToGroup", object{"Username": "ada", "GroupName": group})
	}
	given := w.signIn("ada")
	if checked, err := w.pools.Check(poolID, "id", given.id); err != nil || len(checked.Groups) != len(groups) {
		t.Errorf("the token has %d groups: %v", len(checked.Groups), err)
	}
	w.changePool(func(p *pool.Pool) { p.Unknown = true })
	var attributes []string
	for i := range 50 {
		attributes = append(attributes, fmt.Sprintf("custom:a%d=%s", i, strings.Repeat("x", 2048)))
	}
	w.do("AdminUpdateUserAttributes", object{"Username": "ada", "UserAttributes": list(attributes...)})
	w.wantRefused("InitiateAuth", byPassword("ada", password), "InvalidParameterException", "The attributes and groups of this user make a token larger than 64 KB: an administrator has to remove some")
}

func TestTokensWithoutGroupsHaveNoGroupClaims(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil, "Gone")
	w.addConfirmed("ada")
	w.do("AdminAddUserToGroup", object{"Username": "ada", "GroupName": "Gone"})
	w.changePool(func(p *pool.Pool) { p.Groups = nil })
	session, err := w.pools.Check(poolID, "id", w.signIn("ada").id)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cognito:groups", "cognito:roles", "cognito:preferred_role"} {
		if value, found := session.Claims[name]; found {
			t.Errorf("%s is %v", name, value)
		}
	}
	if len(session.Groups)+len(session.User.Groups) != 0 {
		t.Errorf("the session is %+v", session)
	}
}

func TestTokensAreRefreshed(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil, "Admins")
	w.addConfirmed("ada")
	given := w.signIn("ada")
	w.do("AdminAddUserToGroup", object{"Username": "ada", "GroupName": "Admins"})
	w.wait(time.Hour)
	if _, err := w.pools.Check(poolID, "access", given.access); !errors.Is(err, token.ErrExpired) {
		t.Errorf("after an hour: %v", err)
	}
	w.wantRefused("GetUser", object{"AccessToken": given.access}, "NotAuthorizedException", "Access Token has expired")
	w.restart()
	byFlow := object{"AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": object{"REFRESH_TOKEN": given.refresh}}
	otherFlow := object{"AuthFlow": "REFRESH_TOKEN", "AuthParameters": object{"REFRESH_TOKEN": given.refresh, "DEVICE_KEY": "x"}}
	for _, out := range []object{
		w.do("GetTokensFromRefreshToken", object{"RefreshToken": given.refresh}), w.do("InitiateAuth", byFlow), w.do("InitiateAuth", otherFlow), w.do("AdminInitiateAuth", byFlow),
	} {
		next := tokensOf(t, out)
		session, err := w.pools.Check(poolID, "id", next.id)
		if err != nil {
			t.Fatal(err)
		}
		if next.refresh != "" || session.Claims["auth_time"] != float64(start.Unix()) || session.Claims["iat"] != float64(start.Add(time.Hour).Unix()) || len(session.Groups) != 1 {
			t.Errorf("the refreshed token says %v", session.Claims)
		}
	}
	for _, bad := range []string{"nobody", given.refresh + "A", given.id} {
		w.wantRefused("GetTokensFromRefreshToken", object{"RefreshToken": bad}, "NotAuthorizedException", "Invalid Refresh Token")
	}
	w.wantRefused("GetTokensFromRefreshToken", object{"RefreshToken": "sp ace"}, "InvalidParameterException", "")
	w.wait(30*24*time.Hour - time.Hour)
	w.wantRefused("GetTokensFromRefreshToken", object{"RefreshToken": given.refresh}, "NotAuthorizedException", "Refresh Token has expired")
}

func TestRevocationEndsOneSession(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	one, two := w.signIn("ada"), w.signIn("ada")
	w.do("RevokeToken", object{"Token": one.refresh})
	w.restart()
	for use, raw := range map[string]string{"id": one.id, "access": one.access} {
		_, err := w.pools.Check(poolID, use, raw)
		wantRefusal(t, use, err, "NotAuthorizedException", "Access Token has been revoked")
	}
	w.wantRefused("GetTokensFromRefreshToken", object{"RefreshToken": one.refresh}, "NotAuthorizedException", "Refresh Token has been revoked")
	w.do("GetUser", object{"AccessToken": two.access})
	w.do("RevokeToken", object{"Token": one.refresh})
	w.do("RevokeToken", object{"Token": "unknown"})
	w.wantRefused("RevokeToken", object{"Token": two.access}, "UnsupportedTokenTypeException", "")
	w.wantRefused("RevokeToken", object{"Token": two.refresh, "ClientId": "unknown"}, "ResourceNotFoundException", "")
}

func TestChangesThatEndAllSessions(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *fixture, access string){
		"GlobalSignOut":          func(w *fixture, access string) { w.do("GlobalSignOut", object{"AccessToken": access}) },
		"AdminUserGlobalSignOut": func(w *fixture, _ string) { w.do("AdminUserGlobalSignOut", object{"Username": "ada"}) },
		"AdminSetUserPassword": func(w *fixture, _ string) {
			w.do("AdminSetUserPassword", object{"Username": "ada", "Password": password})
		},
		"AdminResetUserPassword": func(w *fixture, _ string) { w.do("AdminResetUserPassword", object{"Username": "ada"}) },
		"AdminDisableUser":       func(w *fixture, _ string) { w.do("AdminDisableUser", object{"Username": "ada"}) },
		"disabled, then enabled": func(w *fixture, _ string) {
			w.do("AdminDisableUser", object{"Username": "ada"})
			w.do("AdminEnableUser", object{"Username": "ada"})
		},
		"DeleteUser":               func(w *fixture, access string) { w.do("DeleteUser", object{"AccessToken": access}) },
		"AdminDeleteUser":          func(w *fixture, _ string) { w.do("AdminDeleteUser", object{"Username": "ada"}) },
		"deleted, then made again": func(w *fixture, _ string) { w.do("AdminDeleteUser", object{"Username": "ada"}); w.addConfirmed("ada") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, nil)
			w.addConfirmed("ada")
			one, two := w.signIn("ada"), w.signIn("ada")
			before, err := w.pools.Check(poolID, "id", one.id)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.checkActive(poolID, before.User.Sub, before.Origin); err != nil {
				t.Fatal(err)
			}
			w.addConfirmed("bob")
			bob := w.signIn("bob")
			end(w, one.access)
			for _, given := range []tokens{one, two} {
				for use, raw := range map[string]string{"id": given.id, "access": given.access} {
					_, err := w.pools.Check(poolID, use, raw)
					wantRefusal(t, use, err, "NotAuthorizedException", "")
				}
				w.wantRefused("GetTokensFromRefreshToken", object{"RefreshToken": given.refresh}, "NotAuthorizedException", "")
				w.wantRefused("GetUser", object{"AccessToken": given.access}, "NotAuthorizedException", "")
				w.wantRefused("GlobalSignOut", object{"AccessToken": given.access}, "NotAuthorizedException", "")
			}
			wantRefusal(t, "Alive", w.checkActive(poolID, before.User.Sub, before.Origin), "NotAuthorizedException", "")
			w.do("GetUser", object{"AccessToken": bob.access})
		})
	}
}

func TestIssueGivesTokensWithoutAPassword(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("REQUIRED"), "Admins")
	w.addConfirmed("ada", "email=ada@example.com")
	w.do("AdminAddUserToGroup", object{"Username": "ada", "GroupName": "Admins"})
	given, err := w.pools.Issue(poolID, "ADA")
	if err != nil {
		t.Fatal(err)
	}
	session, err := w.pools.Check(poolID, "id", given.ID)
	if err != nil || session.User.Name != "ada" || len(session.Groups) != 1 || given.ExpiresIn != 3600 {
		t.Errorf("the session is %+v (%v)", session, err)
	}
	tokensOf(t, w.do("GetTokensFromRefreshToken", object{"RefreshToken": given.Refresh}))
	w.do("GetUser", object{"AccessToken": given.Access})

	w.addSignedUp("bob")
	w.do("AdminCreateUser", object{"Username": "cleo"})
	w.do("AdminDisableUser", object{"Username": "ada"})
	for name, code := range map[string]string{
		"ada": "NotAuthorizedException", "bob": "UserNotConfirmedException", "cleo": "NotAuthorizedException", "nobody": "UserNotFoundException",
	} {
		_, err := w.pools.Issue(poolID, name)
		wantRefusal(t, name, err, code, "")
	}
	_, err = w.pools.Issue("eu-west-1_other", "ada")
	wantRefusal(t, "no such pool", err, "ResourceNotFoundException", "")
}
