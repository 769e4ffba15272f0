package userpool_test

import (
	"testing"

	"gatewright/model"
)

func TestAForgottenPasswordIsReplacedByACode(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada", "email=ada@example.com")
	before := w.signIn("ada")
	out := w.do("ForgotPassword", object{"Username": "Ada"})
	if details := out["CodeDeliveryDetails"].(object); details["Destination"] != "a***@e***" {
		t.Errorf("the delivery details are %v", details)
	}
	m := w.message()
	if m.Purpose != "password reset" || m.To != "ada@example.com" || m.Undeliverable {
		t.Errorf("the message is %+v", m)
	}
	w.signIn("ada") // Until then the old password is valid.
	in := object{"Username": "ada", "ConfirmationCode": other(m.Code), "Password": "Another-horse 7"}
	w.wantRefused("ConfirmForgotPassword", in, "CodeMismatchException", "Invalid verification code provided, please try again.")
	in["ConfirmationCode"] = m.Code
	w.restart()
	w.do("ConfirmForgotPassword", in)
	w.wantRefused("ConfirmForgotPassword", in, "ExpiredCodeException", "Invalid code provided, please request a code again.")
	w.wantRefused("InitiateAuth", byPassword("ada", password), "NotAuthorizedException", "Incorrect username or password.")
	tokensOf(t, w.do("InitiateAuth", byPassword("ada", "Another-horse 7")))
	w.wantRefused("GetUser", object{"AccessToken": before.access}, "NotAuthorizedException", "Access Token has been revoked")
}

func TestForgotPasswordWithoutVerifiedAddressLooksLikeAnUnknownUser(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	forget := func(name, destination string) {
		t.Helper()
		details, _ := w.do("ForgotPassword", object{"Username": name})["CodeDeliveryDetails"].(object)
		if shown, _ := details["Destination"].(string); len(shown) != len("a***@e***") || shown == destination {
			t.Errorf("the delivery details of %s are %v", name, details)
		}
	}
	forget("ada", "")
	m := w.message()
	if !m.Undeliverable {
		t.Errorf("the message is %+v", m)
	}
	// A developer reads the code among the sandbox's messages.
	w.do("ConfirmForgotPassword", object{"Username": "ada", "ConfirmationCode": m.Code, "Password": "Another-horse 7"})
	tokensOf(t, w.do("InitiateAuth", byPassword("ada", "Another-horse 7")))

	w.addSignedUp("bob", "email=bob@example.com")
	w.messages()
	forget("bob", "b***@e***")
	w.do("ConfirmForgotPassword", object{"Username": "bob", "ConfirmationCode": w.message().Code, "Password": "Another-horse 7"})
	w.wantRefused("InitiateAuth", byPassword("bob", "Another-horse 7"), "UserNotConfirmedException", "User is not confirmed.")

	w.do("AdminCreateUser", object{"Username": "cleo", "MessageAction": "SUPPRESS"})
	w.wantRefused("ForgotPassword", object{"Username": "cleo"}, "NotAuthorizedException", "User password cannot be reset in the current state.")
}

func TestVerifiedAddressGetsTheResetCode(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{UserVerificationTypes: []string{"email", "phone_number"}})
	w.do("AdminCreateUser", object{
		"Username": "ada", "TemporaryPassword": "Temporary 1", "MessageAction": "SUPPRESS",
		"UserAttributes": list("email=ada@example.com", "email_verified=True", "phone_number=+41791234567"),
	})
	w.do("AdminSetUserPassword", object{"Username": "ada", "Password": password, "Permanent": true})
	w.do("ForgotPassword", object{"Username": "ada"})
	if m := w.message(); m.To != "ada@example.com" || m.Undeliverable {
		t.Errorf("the message is %+v", m)
	}
}

func TestAUserChangesThePassword(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	given := w.signIn("ada")
	change := func(from, to string) object {
		return object{"AccessToken": given.access, "PreviousPassword": from, "ProposedPassword": to}
	}
	w.wantRefused("ChangePassword", change("Wrong-horse 7", "Another-horse 7"), "NotAuthorizedException", "Incorrect username or password.")
	w.wantRefused("ChangePassword", change("", "Another-horse 7"), "InvalidParameterException", "")
	w.do("ChangePassword", change(password, "Another-horse 7"))
	w.restart()
	w.do("GetUser", object{"AccessToken": given.access})
	w.wantRefused("InitiateAuth", byPassword("ada", password), "NotAuthorizedException", "Incorrect username or password.")
	tokensOf(t, w.do("InitiateAuth", byPassword("ada", "Another-horse 7")))
	for range 5 {
		w.wantRefused("ChangePassword", change("Wrong-horse 7", password), "NotAuthorizedException", "Incorrect username or password.")
	}
	w.wantRefused("ChangePassword", change("Another-horse 7", password), "LimitExceededException", "Attempt limit exceeded, please try after some time.")
}

func TestAnAdministratorResetsAPassword(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada", "email=ada@example.com")
	given := w.signIn("ada")
	w.do("AdminResetUserPassword", object{"Username": "ada"})
	code := w.message().Code
	if status, _ := w.adminView("ada"); status != "RESET_REQUIRED" {
		t.Errorf("the user is %s", status)
	}
	w.wantRefused("GetUser", object{"AccessToken": given.access}, "NotAuthorizedException", "Access Token has been revoked")
	w.wantRefused("InitiateAuth", byPassword("ada", password), "PasswordResetRequiredException", "Password reset required for the user")
	w.wantRefused("InitiateAuth", byPassword("ada", "Wrong-horse 7"), "PasswordResetRequiredException", "Password reset required for the user")
	w.wantRefused("InitiateAuth", newSRPClient(t).begin("ada"), "PasswordResetRequiredException", "Password reset required for the user")
	w.do("ConfirmForgotPassword", object{"Username": "ada", "ConfirmationCode": code, "Password": "Another-horse 7"})
	tokensOf(t, w.do("InitiateAuth", byPassword("ada", "Another-horse 7")))
	// Whoever tries passwords is held up as ever.
	w.do("AdminResetUserPassword", object{"Username": "ada"})
	for range 5 {
		w.wantRefused("InitiateAuth", byPassword("ada", "Wrong-horse 7"), "PasswordResetRequiredException", "Password reset required for the user")
	}
	w.wantRefused("InitiateAuth", byPassword("ada", "Wrong-horse 7"), "NotAuthorizedException", "Password attempts exceeded")
	w.addSignedUp("bob")
	w.wantRefused("AdminResetUserPassword", object{"Username": "bob"}, "NotAuthorizedException", "User password cannot be reset in the current state.")
}
