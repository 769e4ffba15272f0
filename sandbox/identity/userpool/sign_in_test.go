package userpool_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gatewright/model"
)

func TestEveryAuthFlowEndsWithTokens(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	with := object{"USERNAME": "ada", "PASSWORD": password}
	for operation, flows := range map[string][]string{
		"InitiateAuth":      {"USER_PASSWORD_AUTH"},
		"AdminInitiateAuth": {"ADMIN_NO_SRP_AUTH", "ADMIN_USER_PASSWORD_AUTH"},
	} {
		for _, flow := range flows {
			tokensOf(t, w.do(operation, object{"AuthFlow": flow, "AuthParameters": with}))
		}
	}
	chosen := object{"USERNAME": "ada", "PASSWORD": password, "PREFERRED_CHALLENGE": "PASSWORD"}
	tokensOf(t, w.do("InitiateAuth", object{"AuthFlow": "USER_AUTH", "AuthParameters": chosen}))

	c := newSRPClient(t)
	chosen = object{"USERNAME": "ada", "SRP_A": c.A(), "PREFERRED_CHALLENGE": "PASSWORD_SRP"}
	tokensOf(t, w.do("RespondToAuthChallenge", c.answer(w.do("InitiateAuth", object{"AuthFlow": "USER_AUTH", "AuthParameters": chosen}), password)))
	tokensOf(t, w.do("AdminRespondToAuthChallenge", c.answer(w.do("AdminInitiateAuth", c.begin("ada")), password)))
}

func TestFirstFactorCanBeChosen(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	w.addConfirmed("bob")
	begin := func() object {
		return w.do("InitiateAuth", object{"AuthFlow": "USER_AUTH", "AuthParameters": object{"USERNAME": "ada"}})
	}
	out := begin()
	if out["ChallengeName"] != "SELECT_CHALLENGE" || fmt.Sprint(out["AvailableChallenges"]) != "[PASSWORD_SRP PASSWORD]" {
		t.Fatalf("the choice is %v", out)
	}
	answer := respond(out, "ada", object{"ANSWER": "PASSWORD", "PASSWORD": password})
	tokensOf(t, w.do("RespondToAuthChallenge", answer))
	w.wantRefused("RespondToAuthChallenge", answer, "NotAuthorizedException", "Invalid session for the user.")

	c := newSRPClient(t)
	challenge := w.do("RespondToAuthChallenge", respond(begin(), "ada", object{"ANSWER": "PASSWORD_SRP", "SRP_A": c.A()}))
	tokensOf(t, w.do("RespondToAuthChallenge", c.answer(challenge, password)))

	w.wantRefused("RespondToAuthChallenge", respond(begin(), "bob", object{"ANSWER": "PASSWORD", "PASSWORD": password}), "NotAuthorizedException", "Invalid session for the user.")
	w.wantRefused("RespondToAuthChallenge", respond(begin(), "ada", object{"ANSWER": "PASSWORD", "PASSWORD": "Wrong-horse 7"}), "NotAuthorizedException", "Incorrect username or password.")
	w.wantRefused("RespondToAuthChallenge", respond(begin(), "ada", object{"ANSWER": "WEB_AUTHN"}), "InvalidParameterException", "")
}

func TestUnsupportedAuthFlowsAreRefused(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	with := object{"USERNAME": "ada", "PASSWORD": password}
	for _, flow := range []string{"ADMIN_NO_SRP_AUTH", "ADMIN_USER_PASSWORD_AUTH"} {
		w.wantRefused("InitiateAuth", object{"AuthFlow": flow, "AuthParameters": with}, "InvalidParameterException", "Initiate Auth method not supported.")
	}
	w.wantRefused("AdminInitiateAuth", object{"AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": with}, "InvalidParameterException", "Initiate Auth method not supported.")
	w.wantRefused("InitiateAuth", object{"AuthFlow": "CUSTOM_AUTH", "AuthParameters": with}, "InvalidParameterException", "")
	w.wantRefused("InitiateAuth", object{"AuthFlow": "MAGIC", "AuthParameters": with}, "InvalidParameterException", "")
	w.wantRefused("InitiateAuth", object{"AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": object{"USERNAME": "ada"}}, "InvalidParameterException", "Missing required parameter PASSWORD")
	w.wantRefused("InitiateAuth", object{"AuthFlow": "USER_PASSWORD_AUTH"}, "InvalidParameterException", "Missing required parameter USERNAME")
	w.wantRefused("AdminInitiateAuth", object{"AuthFlow": "ADMIN_NO_SRP_AUTH", "AuthParameters": with, "ClientId": "other"}, "ResourceNotFoundException", "User pool client other does not exist.")
	w.wantRefused("AdminInitiateAuth", object{"AuthFlow": "ADMIN_NO_SRP_AUTH", "AuthParameters": with, "UserPoolId": "eu-west-1_other"}, "ResourceNotFoundException", "User pool eu-west-1_other does not exist.")
	for _, name := range []string{"PASSWORD_VERIFIER", "NEW_PASSWORD_REQUIRED", "SMS_MFA", "SOFTWARE_TOKEN_MFA", "MFA_SETUP", "SELECT_MFA_TYPE", "SELECT_CHALLENGE"} {
		w.wantRefused("RespondToAuthChallenge", object{"ChallengeName": name, "Session": strings.Repeat("x", 40)}, "InvalidParameterException", "Missing required parameter USERNAME")
	}
	w.wantRefused("RespondToAuthChallenge", object{"ChallengeName": "DEVICE_SRP_AUTH"}, "InvalidParameterException", "")
}

func TestWrongPasswordsIncreaseTheDelay(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada", "email=ada@example.com")
	for _, name := range []string{"ada", "nobody"} {
		wrong := byPassword(name, "Wrong-horse 7")
		for range 5 {
			w.wantRefused("InitiateAuth", wrong, "NotAuthorizedException", "Incorrect username or password.")
		}
		for wait := time.Second; ; wait *= 2 {
			wait = min(wait, 15*time.Minute)
			w.wantRefused("InitiateAuth", wrong, "NotAuthorizedException", "Password attempts exceeded")
			w.wantRefused("InitiateAuth", newSRPClient(t).begin(name), "NotAuthorizedException", "Password attempts exceeded")
			w.restart()
			w.wait(wait - time.Millisecond)
			w.wantRefused("InitiateAuth", byPassword(name, password), "NotAuthorizedException", "Password attempts exceeded")
			w.wait(time.Millisecond)
			w.wantRefused("InitiateAuth", wrong, "NotAuthorizedException", "Incorrect username or password.")
			if wait == 15*time.Minute {
				break
			}
		}
	}
	w.wait(15 * time.Minute)
	w.signIn("ada")
	// The right password clears the failures.
	w.wantRefused("InitiateAuth", byPassword("ada", "Wrong-horse 7"), "NotAuthorizedException", "Incorrect username or password.")
	w.signIn("ada")
}

func TestProofsAndPasswordsAreCountedTogether(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	var prepared []object
	for range 8 {
		c := newSRPClient(t)
		prepared = append(prepared, c.answer(w.do("InitiateAuth", c.begin("ada")), "Wrong-horse 7"))
	}
	for i, answer := range prepared {
		message := "Incorrect username or password."
		if i >= 5 {
			message = "Password attempts exceeded"
		}
		w.wantRefused("RespondToAuthChallenge", answer, "NotAuthorizedException", message)
	}
	w.wantRefused("InitiateAuth", byPassword("ada", password), "NotAuthorizedException", "Password attempts exceeded")
}

func TestTenThousandWrongPasswordsAreCheap(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	incorrect := 0
	for i := range 10_000 {
		_, err := w.try("InitiateAuth", byPassword("ada", fmt.Sprintf("Wrong-horse %d", i)))
		if err == nil {
			t.Fatal("a wrong password signs in")
		}
		if strings.Contains(err.Error(), "Incorrect") {
			incorrect++
		}
	}
	// Only these passwords were computed.
	if incorrect != 5 {
		t.Errorf("%d passwords were checked", incorrect)
	}
	w.wait(time.Second)
	w.signIn("ada")
}

func TestATemporaryPasswordHasToBeReplaced(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{StandardRequiredAttributes: []string{"email", "name"}})
	w.do("AdminCreateUser", object{"Username": "ada", "TemporaryPassword": "Temporary 1", "MessageAction": "SUPPRESS", "UserAttributes": list("email=ada@example.com")})
	begin := func() object { return w.do("InitiateAuth", byPassword("ada", "Temporary 1")) }
	challenge := begin()
	parameters := challenge["ChallengeParameters"].(object)
	if challenge["ChallengeName"] != "NEW_PASSWORD_REQUIRED" || parameters["requiredAttributes"] != `["userAttributes.name"]` || parameters["USER_ID_FOR_SRP"] != "ada" ||
		parameters["userAttributes"] != `{"email":"ada@example.com","email_verified":"false"}` {
		t.Fatalf("the challenge is %v", challenge)
	}
	c := newSRPClient(t)
	if bySRP := w.do("RespondToAuthChallenge", c.answer(w.do("InitiateAuth", c.begin("ada")), "Temporary 1")); bySRP["ChallengeName"] != "NEW_PASSWORD_REQUIRED" {
		t.Errorf("SRP leads to %v", bySRP)
	}
	try := func(responses object) object { return respond(challenge, "ada", responses) }
	w.wantRefused("RespondToAuthChallenge", try(object{}), "InvalidParameterException", "Missing required parameter NEW_PASSWORD")
	w.wantRefused("RespondToAuthChallenge", try(object{"NEW_PASSWORD": "short"}), "InvalidPasswordException", "Password did not conform with policy: Password not long enough")
	w.wantRefused("RespondToAuthChallenge", try(object{"NEW_PASSWORD": password}), "InvalidParameterException", "Invalid attributes given, name is missing")
	w.wantRefused("RespondToAuthChallenge", try(object{"NEW_PASSWORD": password, "userAttributes.name": "Ada", "userAttributes.email": "eve@example.com"}),
		"NotAuthorizedException", "Cannot modify an already provided email")
	w.wantRefused("RespondToAuthChallenge", try(object{"NEW_PASSWORD": password, "userAttributes.email_verified": "true"}), "NotAuthorizedException", "A client attempted to write unauthorized attribute")
	w.restart()
	tokensOf(t, w.do("RespondToAuthChallenge", try(object{"NEW_PASSWORD": password, "userAttributes.name": "Ada"})))
	w.wantRefused("RespondToAuthChallenge", try(object{"NEW_PASSWORD": password, "userAttributes.name": "Ada"}), "NotAuthorizedException", "Invalid session for the user.")
	w.wantRefused("InitiateAuth", byPassword("ada", "Temporary 1"), "NotAuthorizedException", "Incorrect username or password.")
	if status, values := w.adminView("ada"); status != "CONFIRMED" || values["name"] != "Ada" {
		t.Errorf("the user is %s with %v", status, values)
	}
	w.signIn("ada")
}

func TestTemporaryPasswordExpiresAfterAWeek(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.do("AdminCreateUser", object{"Username": "ada", "TemporaryPassword": "Temporary 1"})
	w.wait(7 * 24 * time.Hour)
	w.wantRefused("InitiateAuth", byPassword("ada", "Temporary 1"), "NotAuthorizedException", "Temporary password has expired and must be reset by an administrator.")
	w.messages()
	w.do("AdminCreateUser", object{"Username": "ada", "MessageAction": "RESEND"})
	again := w.message().Code
	if challenge := w.do("InitiateAuth", byPassword("ada", again)); challenge["ChallengeName"] != "NEW_PASSWORD_REQUIRED" {
		t.Errorf("the new one leads to %v", challenge)
	}
}

func TestChallengeSessionIsValidForOneUserStepPoolAndTime(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	for _, name := range []string{"ada", "bob"} {
		w.do("AdminCreateUser", object{"Username": name, "TemporaryPassword": "Temporary 1", "MessageAction": "SUPPRESS"})
	}
	challenge := w.do("InitiateAuth", byPassword("ada", "Temporary 1"))
	session := challenge["Session"].(string)
	in := func(name, session, user string) object {
		return object{"ChallengeName": name, "Session": session, "ChallengeResponses": object{
			"USERNAME": user, "NEW_PASSWORD": password, "SMS_MFA_CODE": "123456", "SOFTWARE_TOKEN_MFA_CODE": "123456", "ANSWER": "SMS_MFA",
		}}
	}
	const refused = "Invalid session for the user."
	w.wantRefused("RespondToAuthChallenge", in("NEW_PASSWORD_REQUIRED", session, "bob"), "NotAuthorizedException", refused)
	for _, other := range []string{"SMS_MFA", "SOFTWARE_TOKEN_MFA", "MFA_SETUP", "SELECT_MFA_TYPE"} {
		w.wantRefused("RespondToAuthChallenge", in(other, session, "ada"), "NotAuthorizedException", refused)
	}
	for _, bad := range []string{"", session[1:], session + "A", strings.ToLower(session), "x"} {
		w.wantRefused("RespondToAuthChallenge", in("NEW_PASSWORD_REQUIRED", bad, "ada"), "NotAuthorizedException", refused)
	}
	w.wantRefused("RespondToAuthChallenge", in("NEW_PASSWORD_REQUIRED", strings.Repeat("x", 2049), "ada"), "InvalidParameterException", "")
	w.wait(3*time.Minute - time.Second)
	w.do("AdminDisableUser", object{"Username": "ada"})
	w.wantRefused("RespondToAuthChallenge", in("NEW_PASSWORD_REQUIRED", session, "ada"), "NotAuthorizedException", "User is disabled.")
	w.do("AdminEnableUser", object{"Username": "ada"})
	w.wait(time.Second)
	w.wantRefused("RespondToAuthChallenge", in("NEW_PASSWORD_REQUIRED", session, "ada"), "NotAuthorizedException", "Invalid session for the user, session is expired.")
}

func TestDisabledUserIsRevealedOnlyWithTheRightPassword(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	w.do("AdminDisableUser", object{"Username": "ada"})
	w.wantRefused("InitiateAuth", byPassword("ada", "Wrong-horse 7"), "NotAuthorizedException", "Incorrect username or password.")
	w.wantRefused("InitiateAuth", byPassword("ada", password), "NotAuthorizedException", "User is disabled.")
	c := newSRPClient(t)
	answer := c.answer(w.do("InitiateAuth", c.begin("ada")), password)
	w.wantRefused("RespondToAuthChallenge", answer, "NotAuthorizedException", "User is disabled.")
	w.do("AdminEnableUser", object{"Username": "ada"})
	// A refused answer still uses up the session.
	w.wantRefused("RespondToAuthChallenge", answer, "NotAuthorizedException", "Incorrect username or password.")
	w.signIn("ada")
}
