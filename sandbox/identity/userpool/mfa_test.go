package userpool_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
)

func withMFA(configuration string, methods ...string) *model.Auth {
	return &model.Auth{MFAConfiguration: configuration, MFAMethods: methods}
}

// authenticator is the code that an authenticator app shows (RFC 6238).
func (w *fixture) authenticator(secret string) string {
	key, err := base32.StdEncoding.DecodeString(secret)
	if err != nil {
		w.t.Fatal(err)
	}
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, w.now().Unix()/30)
	sum := mac.Sum(nil)
	at := sum[19] & 15
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[at:])&0x7fffffff%1_000_000)
}

// enrollTOTP sets up an authenticator for a signed-in user, and returns its secret.
func (w *fixture) enrollTOTP(access string) string {
	w.t.Helper()
	secret := w.do("AssociateSoftwareToken", object{"AccessToken": access})["SecretCode"].(string)
	out := w.do("VerifySoftwareToken", object{"AccessToken": access, "UserCode": w.authenticator(secret)})
	if out["Status"] != "SUCCESS" {
		w.t.Fatalf("verifying answers %v", out)
	}
	w.wait(30 * time.Second)
	return secret
}

func wants(factor string, preferred bool) object {
	return object{factor: object{"Enabled": true, "PreferredMfa": preferred}}
}

func TestWithoutMFANoSecondFactorIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, definition := range []*model.Auth{nil, {}, withMFA("NONE"), withMFA("NONE", "SMS", "TOTP"), withMFA("OPTIONAL")} {
		w := newFixture(t, definition)
		w.addConfirmed("ada", "phone_number=+41791234567")
		w.signIn("ada")
	}
}

func TestARequiredSecondFactorIsSetUpAtTheFirstSignIn(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("REQUIRED", "TOTP"))
	w.addConfirmed("ada", "phone_number=+41791234567")
	first := w.do("InitiateAuth", byPassword("ada", password))
	if first["ChallengeName"] != "MFA_SETUP" || first["ChallengeParameters"].(object)["MFAS_CAN_SETUP"] != `["SOFTWARE_TOKEN_MFA"]` || first["AuthenticationResult"] != nil {
		t.Fatalf("the sign-in leads to %v", first)
	}
	w.wantRefused("RespondToAuthChallenge", respond(first, "ada", object{}), "InvalidParameterException", "")
	associated := w.do("AssociateSoftwareToken", object{"Session": first["Session"]})
	w.wantRefused("AssociateSoftwareToken", object{"Session": first["Session"]}, "NotAuthorizedException", "Invalid session for the user.")
	secret := associated["SecretCode"].(string)
	if len(secret) != 32 {
		t.Errorf("the secret is %q", secret)
	}
	verify := object{"Session": associated["Session"], "UserCode": other(w.authenticator(secret))}
	w.wantRefused("VerifySoftwareToken", verify, "EnableSoftwareTokenMFAException", "Code mismatch and fail enable Software Token MFA")
	w.wantRefused("RespondToAuthChallenge", respond(object{"ChallengeName": "MFA_SETUP", "Session": associated["Session"]}, "ada", object{}), "InvalidParameterException", "No MFA has been set up with this session: associate a software token and verify it")
	verify["UserCode"] = w.authenticator(secret)
	w.restart()
	verified := w.do("VerifySoftwareToken", verify)
	if verified["Status"] != "SUCCESS" {
		t.Errorf("verifying answers %v", verified)
	}
	tokensOf(t, w.do("RespondToAuthChallenge", respond(object{"ChallengeName": "MFA_SETUP", "Session": verified["Session"]}, "ada", object{})))

	again := w.do("InitiateAuth", byPassword("ada", password))
	if again["ChallengeName"] != "SOFTWARE_TOKEN_MFA" {
		t.Fatalf("the second sign-in leads to %v", again)
	}
	w.wantRefused("AssociateSoftwareToken", object{"Session": again["Session"]}, "NotAuthorizedException", "Invalid session for the user.")
	w.wait(30 * time.Second)
	tokensOf(t, w.do("RespondToAuthChallenge", respond(again, "ada", object{"SOFTWARE_TOKEN_MFA_CODE": w.authenticator(secret)})))
}

func TestARequiredSecondFactorIsAskedForInEveryWayToSignIn(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("REQUIRED"))
	w.do("AdminCreateUser", object{"Username": "ada", "TemporaryPassword": "Temporary 1", "MessageAction": "SUPPRESS"})
	forced := w.do("RespondToAuthChallenge", respond(w.do("InitiateAuth", byPassword("ada", "Temporary 1")), "ada", object{"NEW_PASSWORD": password}))
	c := newSRPClient(t)
	for name, out := range map[string]object{
		"a new password": forced,
		"SRP":            w.do("RespondToAuthChallenge", c.answer(w.do("InitiateAuth", c.begin("ada")), password)),
		"administrator":  w.do("AdminInitiateAuth", object{"AuthFlow": "ADMIN_NO_SRP_AUTH", "AuthParameters": object{"USERNAME": "ada", "PASSWORD": password}}),
		"a choice":       w.do("InitiateAuth", object{"AuthFlow": "USER_AUTH", "AuthParameters": object{"USERNAME": "ada", "PASSWORD": password, "PREFERRED_CHALLENGE": "PASSWORD"}}),
	} {
		if out["ChallengeName"] != "MFA_SETUP" || out["AuthenticationResult"] != nil {
			t.Errorf("%s leads to %v", name, out)
		}
	}
}

func TestATextMessageIsASecondFactor(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("REQUIRED", "SMS"))
	w.addConfirmed("ada", "phone_number=+41791234567")
	begin := func() (object, string) {
		out := w.do("InitiateAuth", byPassword("ada", password))
		m := w.message()
		if m.Purpose != "sign-in" || m.Medium != "SMS" || m.To != "+41791234567" || len(m.Code) != 6 {
			t.Errorf("the message is %+v", m)
		}
		return out, m.Code
	}
	out, code := begin()
	parameters := out["ChallengeParameters"].(object)
	if out["ChallengeName"] != "SMS_MFA" || parameters["CODE_DELIVERY_DELIVERY_MEDIUM"] != "SMS" || parameters["CODE_DELIVERY_DESTINATION"] != "+*******4567" {
		t.Errorf("the challenge is %v", out)
	}
	w.wantRefused("RespondToAuthChallenge", respond(out, "ada", object{"SMS_MFA_CODE": other(code)}), "CodeMismatchException", "Invalid code received for user")
	w.wantRefused("RespondToAuthChallenge", respond(out, "ada", object{}), "InvalidParameterException", "Missing required parameter SMS_MFA_CODE")
	answer := respond(out, "ada", object{"SMS_MFA_CODE": code})
	tokensOf(t, w.do("RespondToAuthChallenge", answer))
	w.wantRefused("RespondToAuthChallenge", answer, "NotAuthorizedException", "Invalid session for the user.")

	first, codeOfFirst := begin()
	second, codeOfSecond := begin()
	if codeOfFirst != codeOfSecond {
		w.wantRefused("RespondToAuthChallenge", respond(second, "ada", object{"SMS_MFA_CODE": codeOfFirst}), "CodeMismatchException", "")
	}
	w.wait(3 * time.Minute)
	w.wantRefused("RespondToAuthChallenge", respond(first, "ada", object{"SMS_MFA_CODE": codeOfFirst}), "NotAuthorizedException", "Invalid session for the user, session is expired.")

	w.addConfirmed("bob")
	if out := w.do("InitiateAuth", byPassword("bob", password)); out["ChallengeName"] != "MFA_SETUP" || out["ChallengeParameters"].(object)["MFAS_CAN_SETUP"] != `["SMS_MFA"]` {
		t.Errorf("without a telephone it leads to %v", out)
	}
}

func TestSecondFactorsAreCountedAsPasswordsAre(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("REQUIRED", "SMS"))
	w.addConfirmed("ada", "phone_number=+41791234567")
	out := w.do("InitiateAuth", byPassword("ada", password))
	code := w.message().Code
	for range 4 {
		w.wantRefused("RespondToAuthChallenge", respond(out, "ada", object{"SMS_MFA_CODE": other(code)}), "CodeMismatchException", "")
	}
	// The password alone does not clear the failures.
	out = w.do("InitiateAuth", byPassword("ada", password))
	code = w.message().Code
	w.wantRefused("RespondToAuthChallenge", respond(out, "ada", object{"SMS_MFA_CODE": other(code)}), "CodeMismatchException", "")
	w.wantRefused("RespondToAuthChallenge", respond(out, "ada", object{"SMS_MFA_CODE": code}), "NotAuthorizedException", "Password attempts exceeded")
	w.wantRefused("InitiateAuth", byPassword("ada", password), "NotAuthorizedException", "Password attempts exceeded")
	w.wait(time.Second)
	tokensOf(t, w.do("RespondToAuthChallenge", respond(out, "ada", object{"SMS_MFA_CODE": code})))
}

func TestASignInEndsAfterFiveWrongCodes(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("REQUIRED", "SMS"))
	w.addConfirmed("ada", "phone_number=+41791234567")
	out := w.do("InitiateAuth", byPassword("ada", password))
	code := w.message().Code
	for range 5 {
		w.wantRefused("RespondToAuthChallenge", respond(out, "ada", object{"SMS_MFA_CODE": other(code)}), "CodeMismatchException", "")
	}
	w.wait(time.Second)
	w.wantRefused("RespondToAuthChallenge", respond(out, "ada", object{"SMS_MFA_CODE": code}), "NotAuthorizedException", "Invalid session for the user.")
}

func TestAuthenticatorCodeIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("OPTIONAL", "TOTP"))
	w.addConfirmed("ada")
	given := w.signIn("ada")
	secret := w.enrollTOTP(given.access)
	w.signIn("ada") // Not before the user enables it.
	in := wants("SoftwareTokenMfaSettings", true)
	in["AccessToken"] = given.access
	w.do("SetUserMFAPreference", in)
	w.restart()
	begin := func() object { return w.do("InitiateAuth", byPassword("ada", password)) }
	code := w.authenticator(secret)
	tokensOf(t, w.do("RespondToAuthChallenge", respond(begin(), "ada", object{"SOFTWARE_TOKEN_MFA_CODE": code})))
	w.wantRefused("RespondToAuthChallenge", respond(begin(), "ada", object{"SOFTWARE_TOKEN_MFA_CODE": code}), "ExpiredCodeException", "Your software token has already been used once.")
	w.wantRefused("RespondToAuthChallenge", respond(begin(), "ada", object{"SOFTWARE_TOKEN_MFA_CODE": other(code)}), "CodeMismatchException", "Invalid code received for user")
	w.wait(30 * time.Second)
	tokensOf(t, w.do("RespondToAuthChallenge", respond(begin(), "ada", object{"SOFTWARE_TOKEN_MFA_CODE": w.authenticator(secret)})))
}

func TestUserWithTwoFactorsChoosesUnlessOneIsPreferred(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("OPTIONAL"))
	w.addConfirmed("ada", "phone_number=+41791234567")
	given := w.signIn("ada")
	secret := w.enrollTOTP(given.access)
	prefer := func(sms, totp bool) {
		w.do("SetUserMFAPreference", object{
			"AccessToken": given.access, "SMSMfaSettings": object{"Enabled": true, "PreferredMfa": sms}, "SoftwareTokenMfaSettings": object{"Enabled": true, "PreferredMfa": totp},
		})
	}
	w.wantRefused("SetUserMFAPreference", object{
		"AccessToken": given.access, "SMSMfaSettings": object{"Enabled": true, "PreferredMfa": true}, "SoftwareTokenMfaSettings": object{"Enabled": true, "PreferredMfa": true},
	}, "InvalidParameterException", "Only one MFA method can be preferred")
	prefer(false, false)
	begin := func() object { return w.do("InitiateAuth", byPassword("ada", password)) }
	choice := begin()
	if choice["ChallengeName"] != "SELECT_MFA_TYPE" || choice["ChallengeParameters"].(object)["MFAS_CAN_CHOOSE"] != `["SMS_MFA","SOFTWARE_TOKEN_MFA"]` {
		t.Fatalf("the sign-in leads to %v", choice)
	}
	w.wantRefused("RespondToAuthChallenge", respond(choice, "ada", object{"ANSWER": "EMAIL_OTP"}), "InvalidParameterException", "")
	bySMS := w.do("RespondToAuthChallenge", respond(choice, "ada", object{"ANSWER": "SMS_MFA"}))
	tokensOf(t, w.do("RespondToAuthChallenge", respond(bySMS, "ada", object{"SMS_MFA_CODE": w.message().Code})))
	byApp := w.do("RespondToAuthChallenge", respond(begin(), "ada", object{"ANSWER": "SOFTWARE_TOKEN_MFA"}))
	tokensOf(t, w.do("RespondToAuthChallenge", respond(byApp, "ada", object{"SOFTWARE_TOKEN_MFA_CODE": w.authenticator(secret)})))

	prefer(true, false)
	if out := begin(); out["ChallengeName"] != "SMS_MFA" {
		t.Errorf("the preferred text message is not asked for: %v", out)
	}
	prefer(false, true)
	if out := begin(); out["ChallengeName"] != "SOFTWARE_TOKEN_MFA" {
		t.Errorf("the preferred authenticator is not asked for: %v", out)
	}
	user := w.do("GetUser", object{"AccessToken": given.access})
	if user["PreferredMfaSetting"] != "SOFTWARE_TOKEN_MFA" || fmt.Sprint(user["UserMFASettingList"]) != "[SMS_MFA SOFTWARE_TOKEN_MFA]" {
		t.Errorf("the user is %v", user)
	}
	// A pool with text messages only does not offer an authenticator.
	w.changePool(func(p *pool.Pool) { p.Definition = withMFA("OPTIONAL", "SMS") })
	if out := begin(); out["ChallengeName"] != "SMS_MFA" {
		t.Errorf("a pool without authenticators asks for %v", out)
	}
	w.do("AdminSetUserMFAPreference", object{"Username": "ada", "SMSMfaSettings": object{"Enabled": false}, "SoftwareTokenMfaSettings": object{"Enabled": false}})
	w.signIn("ada")
}

func TestDisabledFactorCountsIfOneIsRequired(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("OPTIONAL"))
	w.addConfirmed("ada")
	given := w.signIn("ada")
	w.enrollTOTP(given.access)
	w.changePool(func(p *pool.Pool) { p.Definition = withMFA("REQUIRED") })
	w.do("SetUserMFAPreference", object{"AccessToken": given.access, "SoftwareTokenMfaSettings": object{"Enabled": false}})
	if out := w.do("InitiateAuth", byPassword("ada", password)); out["ChallengeName"] != "SOFTWARE_TOKEN_MFA" {
		t.Errorf("the sign-in leads to %v", out)
	}
}

func TestInvalidMFAPreferencesAreRefused(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("OPTIONAL"))
	w.addConfirmed("ada", "phone_number=+41791234567")
	w.addConfirmed("bob")
	ada, bob := w.signIn("ada").access, w.signIn("bob").access
	try := func(access string, in object, message string) {
		t.Helper()
		in["AccessToken"] = access
		w.wantRefused("SetUserMFAPreference", in, "InvalidParameterException", message)
	}
	const noDelivery = "User does not have delivery config set to turn on "
	try(bob, wants("SMSMfaSettings", false), noDelivery+"SMS_MFA")
	try(ada, wants("SoftwareTokenMfaSettings", true), noDelivery+"SOFTWARE_TOKEN_MFA")
	try(ada, wants("EmailMfaSettings", true), noDelivery+"EMAIL_OTP")
	w.enrollTOTP(ada)
	both := wants("SoftwareTokenMfaSettings", true)
	both["SMSMfaSettings"] = object{"Enabled": true, "PreferredMfa": true}
	try(ada, both, "")
	w.changePool(func(p *pool.Pool) { p.Definition = withMFA("OPTIONAL", "SMS") })
	w.wantRefused("AssociateSoftwareToken", object{"AccessToken": ada}, "SoftwareTokenMFANotFoundException", "Software Token MFA has not been enabled by the userPool")
	w.wantRefused("VerifySoftwareToken", object{"AccessToken": ada, "UserCode": "123456"}, "SoftwareTokenMFANotFoundException", "")
	w.wantRefused("VerifySoftwareToken", object{"AccessToken": ada, "UserCode": "12345x"}, "InvalidParameterException", "")
}

func TestDeletedPhoneNumberIsNotASecondFactor(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("OPTIONAL", "SMS"))
	w.addConfirmed("ada", "phone_number=+41791234567")
	given := w.signIn("ada")
	in := wants("SMSMfaSettings", true)
	in["AccessToken"] = given.access
	w.do("SetUserMFAPreference", in)
	if out := w.do("InitiateAuth", byPassword("ada", password)); out["ChallengeName"] != "SMS_MFA" {
		t.Errorf("the sign-in leads to %v", out)
	}
	w.do("DeleteUserAttributes", object{"AccessToken": given.access, "UserAttributeNames": []string{"phone_number"}})
	w.signIn("ada")
}
