package userpool_test

import (
	"testing"
	"time"
)

// setUp goes with the session of a sign-in as far as an authenticator of whoever has it.
func (w *fixture) setUp(session any) (object, error) {
	associated, err := w.try("AssociateSoftwareToken", object{"Session": session})
	if err != nil {
		return nil, err
	}
	code := w.authenticator(associated["SecretCode"].(string))
	return w.try("VerifySoftwareToken", object{"Session": associated["Session"], "UserCode": code})
}

func TestASignInEndsWhereThePasswordIsReplaced(t *testing.T) {
	const next = "Another-horse 7"
	byAdministrator := func(w *fixture) {
		w.do("AdminSetUserPassword", object{"Username": "ada", "Password": next, "Permanent": true})
	}
	byUser := func(w *fixture) {
		tokens, err := w.pools.Issue(poolID, "ada")
		if err != nil {
			w.t.Fatal(err)
		}
		w.do("ChangePassword", object{"AccessToken": tokens.Access, "PreviousPassword": password, "ProposedPassword": next})
	}
	reset := func(w *fixture) { w.do("AdminResetUserPassword", object{"Username": "ada"}) }
	for name, replace := range map[string]func(*fixture){"by an administrator": byAdministrator, "by the user": byUser, "at the next sign-in": reset} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, withMFA("REQUIRED", "SMS", "TOTP"))
			w.confirmed("ada", "email=ada@example.com", "phone_number=+41791234567")
			challenge := w.do("InitiateAuth", byPassword("ada", password))
			code := w.message().Code
			replace(w)
			w.refused("RespondToAuthChallenge", respond(challenge, "ada", object{"SMS_MFA_CODE": code}), "NotAuthorizedException", "Invalid session for the user.")
		})
		t.Run(name+", while an authenticator is set up", func(t *testing.T) {
			w := newFixture(t, withMFA("REQUIRED", "TOTP"))
			w.confirmed("ada", "email=ada@example.com")
			challenge := w.do("InitiateAuth", byPassword("ada", password))
			replace(w)
			_, err := w.setUp(challenge["Session"])
			wantRefusal(t, "AssociateSoftwareToken", err, "NotAuthorizedException", "Invalid session for the user.")
		})
	}
}

func TestATemporaryPasswordIsGoodForNothingOnceItIsReplaced(t *testing.T) {
	w := newFixture(t, nil)
	w.do("AdminCreateUser", object{"Username": "ada", "TemporaryPassword": "Temporary 1", "MessageAction": "SUPPRESS"})
	challenge := w.do("InitiateAuth", byPassword("ada", "Temporary 1"))
	w.do("AdminSetUserPassword", object{"Username": "ada", "Password": password, "Permanent": true})
	w.refused("RespondToAuthChallenge", respond(challenge, "ada", object{"NEW_PASSWORD": "Another-horse 7"}), "NotAuthorizedException", "Invalid session for the user.")
	w.signIn("ada")
}

func TestAnAuthenticatorIsNotReplacedByWhoKnowsThePasswordOnly(t *testing.T) {
	w := newFixture(t, withMFA("REQUIRED", "TOTP"))
	w.confirmed("ada")
	early := w.do("InitiateAuth", byPassword("ada", password))
	held := w.do("AssociateSoftwareToken", object{"Session": early["Session"]})
	own := w.do("InitiateAuth", byPassword("ada", password))
	if _, err := w.setUp(own["Session"]); err != nil {
		t.Fatal(err)
	}
	w.wait(time.Minute)
	_, err := w.setUp(held["Session"])
	wantRefusal(t, "AssociateSoftwareToken", err, "NotAuthorizedException", "Invalid session for the user.")
	code := w.authenticator(held["SecretCode"].(string))
	w.refused("VerifySoftwareToken", object{"Session": held["Session"], "UserCode": code}, "NotAuthorizedException", "Invalid session for the user.")
}
