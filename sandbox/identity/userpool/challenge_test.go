package userpool_test

import (
	"testing"
	"time"
)

// answerSetup sets up an authenticator with the session of a sign-in.
func (w *fixture) answerSetup(session any) (object, error) {
	associated, err := w.try("AssociateSoftwareToken", object{"Session": session})
	if err != nil {
		return nil, err
	}
	code := w.authenticator(associated["SecretCode"].(string))
	return w.try("VerifySoftwareToken", object{"Session": associated["Session"], "UserCode": code})
}

func TestSignInEndsWhenThePasswordChanges(t *testing.T) {
	t.Parallel()
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
			w.addConfirmed("ada", "email=ada@example.com", "phone_number=+41791234567")
			challenge := w.do("InitiateAuth", byPassword("ada", password))
			code := w.message().Code
			replace(w)
			w.wantRefused("RespondToAuthChallenge", respond(challenge, "ada", object{"SMS_MFA_CODE": code}), "NotAuthorizedException", "Invalid session for the user.")
		})
		t.Run(name+", while an authenticator is set up", func(t *testing.T) {
			w := newFixture(t, withMFA("REQUIRED", "TOTP"))
			w.addConfirmed("ada", "email=ada@example.com")
			challenge := w.do("InitiateAuth", byPassword("ada", password))
			replace(w)
			_, err := w.answerSetup(challenge["Session"])
			wantRefusal(t, "AssociateSoftwareToken", err, "NotAuthorizedException", "Invalid session for the user.")
		})
	}
}

func TestReplacedTemporaryPasswordIsInvalid(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.do("AdminCreateUser", object{"Username": "ada", "TemporaryPassword": "Temporary 1", "MessageAction": "SUPPRESS"})
	challenge := w.do("InitiateAuth", byPassword("ada", "Temporary 1"))
	w.do("AdminSetUserPassword", object{"Username": "ada", "Password": password, "Permanent": true})
	w.wantRefused("RespondToAuthChallenge", respond(challenge, "ada", object{"NEW_PASSWORD": "Another-horse 7"}), "NotAuthorizedException", "Invalid session for the user.")
	w.signIn("ada")
}

func TestAuthenticatorIsNotReplacedWithThePasswordAlone(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("REQUIRED", "TOTP"))
	w.addConfirmed("ada")
	early := w.do("InitiateAuth", byPassword("ada", password))
	held := w.do("AssociateSoftwareToken", object{"Session": early["Session"]})
	own := w.do("InitiateAuth", byPassword("ada", password))
	if _, err := w.answerSetup(own["Session"]); err != nil {
		t.Fatal(err)
	}
	w.wait(time.Minute)
	_, err := w.answerSetup(held["Session"])
	wantRefusal(t, "AssociateSoftwareToken", err, "NotAuthorizedException", "Invalid session for the user.")
	code := w.authenticator(held["SecretCode"].(string))
	w.wantRefused("VerifySoftwareToken", object{"Session": held["Session"], "UserCode": code}, "NotAuthorizedException", "Invalid session for the user.")
}
