package userpool_test

import (
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
)

// What happens between the password and the setup of a second factor ends the setup.
func TestASetupOfASecondFactorEndsWithWhatItRestsOn(t *testing.T) {
	t.Parallel()
	const life = 3 * time.Minute
	for name, row := range map[string]struct {
		meanwhile     func(w *fixture, session any)
		code, message string
	}{
		"nothing":             {func(*fixture, any) {}, "", ""},
		"almost its time":     {func(w *fixture, _ any) { w.wait(life - time.Millisecond) }, "", ""},
		"its time":            {func(w *fixture, _ any) { w.wait(life) }, "NotAuthorizedException", "Invalid session for the user, session is expired."},
		"the user is deleted": {func(w *fixture, _ any) { w.do("AdminDeleteUser", object{"Username": "ada"}) }, "NotAuthorizedException", "Invalid session for the user."},
		"the user is disabled": {
			func(w *fixture, _ any) { w.do("AdminDisableUser", object{"Username": "ada"}) }, "NotAuthorizedException", "User is disabled.",
		},
		"another password": {
			func(w *fixture, _ any) {
				w.do("AdminSetUserPassword", object{"Username": "ada", "Password": "Another 1!", "Permanent": true})
			}, "NotAuthorizedException", "Invalid session for the user.",
		},
		"no authenticators any more": {
			func(w *fixture, _ any) {
				w.changePool(func(p *pool.Pool) { p.Definition = withMFA("REQUIRED", "SMS") })
			}, "SoftwareTokenMFANotFoundException", "Software Token MFA has not been enabled by the userPool",
		},
		"an authenticator in another session": {
			func(w *fixture, _ any) {
				first := w.do("InitiateAuth", byPassword("ada", password))
				associated := w.do("AssociateSoftwareToken", object{"Session": first["Session"]})
				verified := w.do("VerifySoftwareToken", object{"Session": associated["Session"], "UserCode": w.authenticator(associated["SecretCode"].(string))})
				tokensOf(w.t, w.do("RespondToAuthChallenge", respond(object{"ChallengeName": "MFA_SETUP", "Session": verified["Session"]}, "ada", object{})))
			}, "NotAuthorizedException", "Invalid session for the user.",
		},
		"another session of none": {
			func(w *fixture, session any) { w.do("AssociateSoftwareToken", object{"Session": session}) }, "NotAuthorizedException", "Invalid session for the user.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t, withMFA("REQUIRED", "TOTP"))
			w.addConfirmed("ada", "phone_number=+41791234567")
			session := w.do("InitiateAuth", byPassword("ada", password))["Session"]
			row.meanwhile(w, session)
			if row.code != "" {
				w.wantRefused("AssociateSoftwareToken", object{"Session": session}, row.code, row.message)
			} else if out := w.do("AssociateSoftwareToken", object{"Session": session}); out["SecretCode"] == "" || out["Session"] == session {
				t.Errorf("it answers %v", out)
			}
		})
	}
}

func TestAPoolSaysHowItUsesASecondFactor(t *testing.T) {
	t.Parallel()
	for want, definition := range map[string]*model.Auth{
		"OFF": nil, "ON": withMFA("REQUIRED", "TOTP"), "OPTIONAL": withMFA("OPTIONAL", "SMS"),
	} {
		w := newFixture(t, definition)
		if got := w.do("DescribeUserPool", object{})["UserPool"].(object)["MfaConfiguration"]; got != want {
			t.Errorf("it is %v, want %s", got, want)
		}
	}
}

// The code that shows that an authenticator is set up was seen by whoever looked on.
func TestTheCodeThatSetsAnAuthenticatorUpIsNoneToSignInWith(t *testing.T) {
	t.Parallel()
	signsIn := func(t *testing.T, w *fixture, secret, used string) {
		t.Helper()
		asked := w.do("InitiateAuth", byPassword("ada", password))
		if asked["ChallengeName"] != "SOFTWARE_TOKEN_MFA" {
			t.Fatalf("the sign-in leads to %v", asked)
		}
		w.wantRefused("RespondToAuthChallenge", respond(asked, "ada", object{"SOFTWARE_TOKEN_MFA_CODE": used}), "ExpiredCodeException", "")
		w.wait(30 * time.Second)
		tokensOf(t, w.do("RespondToAuthChallenge", respond(asked, "ada", object{"SOFTWARE_TOKEN_MFA_CODE": w.authenticator(secret)})))
	}
	t.Run("signed in", func(t *testing.T) {
		t.Parallel()
		w := newFixture(t, withMFA("OPTIONAL", "TOTP"))
		w.addConfirmed("ada")
		access := w.signIn("ada").access
		secret := w.do("AssociateSoftwareToken", object{"AccessToken": access})["SecretCode"].(string)
		code := w.authenticator(secret)
		w.do("VerifySoftwareToken", object{"AccessToken": access, "UserCode": code})
		w.do("SetUserMFAPreference", object{"AccessToken": access, "SoftwareTokenMfaSettings": object{"Enabled": true, "PreferredMfa": true}})
		signsIn(t, w, secret, code)
	})
	t.Run("while signing in", func(t *testing.T) {
		t.Parallel()
		w := newFixture(t, withMFA("REQUIRED", "TOTP"))
		w.addConfirmed("ada")
		associated := w.do("AssociateSoftwareToken", object{"Session": w.do("InitiateAuth", byPassword("ada", password))["Session"]})
		secret := associated["SecretCode"].(string)
		code := w.authenticator(secret)
		verified := w.do("VerifySoftwareToken", object{"Session": associated["Session"], "UserCode": code})
		tokensOf(t, w.do("RespondToAuthChallenge", respond(object{"ChallengeName": "MFA_SETUP", "Session": verified["Session"]}, "ada", object{})))
		signsIn(t, w, secret, code)
	})
}
