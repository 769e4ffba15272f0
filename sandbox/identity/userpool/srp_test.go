package userpool_test

import (
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/identity/srp/srptest"
)

// srpClient signs in with SRP.
type srpClient struct {
	*srptest.Client
	t *testing.T
}

func newSRPClient(t *testing.T) srpClient {
	return srpClient{srptest.New(strings.Split(poolID, "_")[1], "", ""), t}
}

func (c srpClient) begin(name string) object {
	return object{"AuthFlow": "USER_SRP_AUTH", "AuthParameters": object{"USERNAME": name, "SRP_A": c.A()}}
}

// answer proves a password for a challenge.
func (c srpClient) answer(challenge object, password string) object {
	const timestamp = "Sat Nov 21 04:05:06 UTC 2026"
	given := func(name string) string { return challenge["ChallengeParameters"].(object)[name].(string) }
	c.User, c.Password = given("USER_ID_FOR_SRP"), password
	return object{"ChallengeName": "PASSWORD_VERIFIER", "ChallengeResponses": object{
		"USERNAME": c.User, "PASSWORD_CLAIM_SECRET_BLOCK": given("SECRET_BLOCK"), "TIMESTAMP": timestamp,
		"PASSWORD_CLAIM_SIGNATURE": c.Sign(c.t, given("SALT"), given("SRP_B"), given("SECRET_BLOCK"), timestamp),
	}}
}

func TestSRPSignsInWithoutSendingThePassword(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("Ada", "email=ada@example.com")
	for _, name := range []string{"Ada", "ada", "ADA"} {
		c := newSRPClient(t)
		challenge := w.do("InitiateAuth", c.begin(name))
		if challenge["ChallengeName"] != "PASSWORD_VERIFIER" || challenge["Session"] != nil {
			t.Fatalf("the challenge is %v", challenge)
		}
		out := w.do("RespondToAuthChallenge", c.answer(challenge, password))
		if got := tokensOf(t, out); got.refresh == "" {
			t.Error("there is no refresh token")
		}
	}
}

func TestSRPProofIsValidOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	c := newSRPClient(t)
	answer := c.answer(w.do("InitiateAuth", c.begin("ada")), password)
	w.do("RespondToAuthChallenge", answer)
	w.wantRefused("RespondToAuthChallenge", answer, "NotAuthorizedException", "Incorrect username or password.")

	late := c.answer(w.do("InitiateAuth", c.begin("ada")), password)
	w.wait(3 * time.Minute)
	w.wantRefused("RespondToAuthChallenge", late, "NotAuthorizedException", "Invalid session for the user, session is expired.")

	wrong := c.answer(w.do("InitiateAuth", c.begin("ada")), "Another-horse 7")
	w.wantRefused("RespondToAuthChallenge", wrong, "NotAuthorizedException", "Incorrect username or password.")

	changed := c.answer(w.do("InitiateAuth", c.begin("ada")), password)
	w.do("AdminSetUserPassword", object{"Username": "ada", "Password": "Another-horse 7", "Permanent": true})
	w.wantRefused("RespondToAuthChallenge", changed, "NotAuthorizedException", "Incorrect username or password.")

	other := c.answer(w.do("InitiateAuth", c.begin("ada")), "Another-horse 7")
	w.addConfirmed("bob")
	other["ChallengeResponses"].(object)["USERNAME"] = "bob"
	w.wantRefused("RespondToAuthChallenge", other, "NotAuthorizedException", "Incorrect username or password.")
}

func TestSignInContinuesAfterARestart(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	c := newSRPClient(t)
	challenge := w.do("InitiateAuth", c.begin("ada"))
	w.restart()
	given := tokensOf(t, w.do("RespondToAuthChallenge", c.answer(challenge, password)))
	w.restart()
	if _, err := w.pools.Check(poolID, "access", given.access); err != nil {
		t.Errorf("the token is refused after a restart: %v", err)
	}
}

func TestUnknownNameLooksLikeAWrongPassword(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	c := newSRPClient(t)
	first, again := w.do("InitiateAuth", c.begin("nobody")), w.do("InitiateAuth", c.begin("Nobody"))
	parameters, second := first["ChallengeParameters"].(object), again["ChallengeParameters"].(object)
	if parameters["SALT"] != second["SALT"] || len(parameters["SALT"].(string)) != 32 {
		t.Errorf("the salts of an unknown user are %v and %v", parameters["SALT"], second["SALT"])
	}
	if parameters["USER_ID_FOR_SRP"] != second["USER_ID_FOR_SRP"] {
		t.Errorf("the names are %v and %v: case shows that the user is unknown", parameters["USER_ID_FOR_SRP"], second["USER_ID_FOR_SRP"])
	}
	if parameters["SRP_B"] == second["SRP_B"] || parameters["SECRET_BLOCK"] == second["SECRET_BLOCK"] {
		t.Error("two sign-ins of an unknown user are the same")
	}
	w.addConfirmed("ada@example.com")
	for _, name := range []string{"ada@example.com", "nobody@example.com"} {
		if out := w.do("InitiateAuth", c.begin(name))["ChallengeParameters"].(object); out["USER_ID_FOR_SRP"] != name {
			t.Errorf("where names may have the form of addresses, %s is %v", name, out["USER_ID_FOR_SRP"])
		}
	}
	if other := w.do("InitiateAuth", c.begin("nobody2"))["ChallengeParameters"].(object); other["SALT"] == parameters["SALT"] {
		t.Error("all unknown users have the same salt")
	}
	w.wantRefused("RespondToAuthChallenge", c.answer(first, password), "NotAuthorizedException", "Incorrect username or password.")
	w.wantRefused("InitiateAuth", byPassword("nobody", password), "NotAuthorizedException", "Incorrect username or password.")
}

func TestMalformedSRPIsRefused(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	for name, a := range map[string]string{"zero": "0", "not hexadecimal": "xyz", "the prime": srptest.Modulus.Text(16)} {
		_, err := w.try("InitiateAuth", object{"AuthFlow": "USER_SRP_AUTH", "AuthParameters": object{"USERNAME": "ada", "SRP_A": a}})
		wantRefusal(t, name, err, "InvalidParameterException", "Invalid SRP_A")
	}
	w.wantRefused("InitiateAuth", object{"AuthFlow": "USER_SRP_AUTH", "AuthParameters": object{"USERNAME": "ada"}}, "InvalidParameterException", "Missing required parameter SRP_A")
	w.wantRefused("RespondToAuthChallenge", object{"ChallengeName": "PASSWORD_VERIFIER", "ChallengeResponses": object{
		"USERNAME": "ada", "PASSWORD_CLAIM_SECRET_BLOCK": "AAAA", "TIMESTAMP": "now", "PASSWORD_CLAIM_SIGNATURE": "AAAA",
	}}, "NotAuthorizedException", "Incorrect username or password.")
}
