package userpool_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
)

func TestAnInvitationGoesToThePhoneUnlessAnEmailIsAskedFor(t *testing.T) {
	t.Parallel()
	const phone, email = "phone_number=+41791234567", "email=ada@example.com"
	for _, row := range []struct {
		attributes, mediums []string
		medium, to          string
	}{
		{[]string{phone, email}, nil, "SMS", "+41791234567"},
		{[]string{phone, email}, []string{"EMAIL"}, "EMAIL", "ada@example.com"},
		{[]string{phone, email}, []string{"SMS"}, "SMS", "+41791234567"},
		{[]string{email}, []string{"SMS"}, "EMAIL", "ada@example.com"},
		{nil, nil, "EMAIL", ""},
	} {
		w := newFixture(t, nil)
		invite := object{"Username": "ada", "UserAttributes": list(row.attributes...), "DesiredDeliveryMediums": row.mediums, "TemporaryPassword": password}
		w.do("AdminCreateUser", invite)
		want := userpool.Message{
			Environment: "dev", UserPoolID: poolID, User: "ada", Purpose: userpool.PurposeTemporary, Medium: row.medium, To: row.to, Code: password, Undeliverable: row.to == "",
		}
		ignored := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".attributes" }, cmp.Ignore())
		if diff := cmp.Diff(want, w.message(), ignored); diff != "" {
			t.Errorf("%v %v (-want +got):\n%s", row.attributes, row.mediums, diff)
		}
		// A new invitation has a new password, and another week.
		w.wait(6 * 24 * time.Hour)
		invite["MessageAction"], invite["TemporaryPassword"] = "RESEND", ""
		w.do("AdminCreateUser", invite)
		again := w.message()
		if want.Code = again.Code; want.Code == password {
			t.Error("the password is the same")
		}
		if diff := cmp.Diff(want, again, ignored); diff != "" {
			t.Errorf("again %v %v (-want +got):\n%s", row.attributes, row.mediums, diff)
		}
		w.wait(6 * 24 * time.Hour)
		if out := w.do("InitiateAuth", byPassword("ada", again.Code)); out["ChallengeName"] != "NEW_PASSWORD_REQUIRED" {
			t.Errorf("the sign-in leads to %v", out)
		}
		invite["MessageAction"] = "SUPPRESS"
		invite["Username"] = "mary"
		w.do("AdminCreateUser", invite)
		if sent := w.messages(); len(sent) != 0 {
			t.Errorf("messages in spite of SUPPRESS: %+v", sent)
		}
	}
}

func TestAnAdministratorMovesAnAddressByForce(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, &model.Auth{UsernameAttributes: []string{"username", "email"}}, nil, model.PreSignUp)
	w.addConfirmed("ada", "email=shared@example.com")
	w.seen()
	bob := object{"Username": "bob", "UserAttributes": list("email=shared@example.com", "email_verified=true")}
	w.wantRefused("AdminCreateUser", bob, "UsernameExistsException", "An account with the given email already exists.")
	w.wantRefused("AdminCreateUser", object{"Username": "Ada"}, "UsernameExistsException", "User account already exists")
	w.wantSeen("") // no function is asked about a name that is taken
	bob["ForceAliasCreation"] = true
	w.do("AdminCreateUser", bob)
	w.wantSeen("PreSignUp_AdminCreateUser")
	if user, err := w.pools.User(poolID, "shared@example.com"); err != nil || user.Name != "bob" {
		t.Errorf("the address means %v (%v)", user, err)
	}
	if _, values := w.adminView("ada"); values["email_verified"] != "false" || values["email"] != "shared@example.com" {
		t.Errorf("ada has %v", values)
	}
}

func TestWhoIsDisabledOrNotConfirmedIsNeitherResetNorConfirmed(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, nil, nil, model.DefineAuthChallenge)
	w.addSignedUp("ada", "email=ada@example.com")
	code := w.message().Code
	custom := object{"AuthFlow": "CUSTOM_AUTH", "AuthParameters": object{"USERNAME": "ada"}}
	w.wantRefused("AdminResetUserPassword", object{"Username": "ada"}, "NotAuthorizedException", "User password cannot be reset in the current state.")
	w.wantRefused("InitiateAuth", custom, "UserNotConfirmedException", "User is not confirmed.")
	w.do("AdminDisableUser", object{"Username": "ada"})
	confirm := object{"Username": "ada", "ConfirmationCode": code}
	w.wantRefused("ConfirmSignUp", confirm, "NotAuthorizedException", "User is disabled.")
	w.wantRefused("AdminResetUserPassword", object{"Username": "ada"}, "NotAuthorizedException", "User is disabled.")
	w.wantRefused("InitiateAuth", custom, "NotAuthorizedException", "User is disabled.")
	w.do("AdminEnableUser", object{"Username": "ada"})
	w.do("ConfirmSignUp", confirm)
	w.wantRefused("ConfirmSignUp", confirm, "NotAuthorizedException", "User cannot be confirmed. Current status is CONFIRMED")
	w.wantRefused("AdminConfirmSignUp", object{"Username": "ada"}, "NotAuthorizedException", "User cannot be confirmed. Current status is CONFIRMED")
	w.wantRefused("ResendConfirmationCode", object{"Username": "ada"}, "InvalidParameterException", "User is already confirmed.")
	w.do("AdminResetUserPassword", object{"Username": "ada"})
	w.wantRefused("InitiateAuth", custom, "PasswordResetRequiredException", "Password reset required for the user")
	w.wantSeen("")
	w.changePool(func(p *pool.Pool) { p.Triggers = nil })
	w.wantRefused("InitiateAuth", custom, "InvalidParameterException", "Custom auth lambda trigger is not configured for the user pool.")
}

func TestWhoForgotAPasswordIsMigratedAndSetsANewOne(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, &model.Auth{UsernameAttributes: []string{"username", "email"}}, nil, model.UserMigration)
	w.addConfirmed("old", "email=ada@example.com")
	w.seen()
	force := false
	var asked object
	w.reply = func(_ string, event object) (any, error) {
		asked = event["request"].(object)
		return object{
			"userAttributes": object{"email": "ada@example.com", "email_verified": "true"}, "finalUserStatus": "CONFIRMED", "forceAliasCreation": force,
		}, nil
	}
	forgot := object{"Username": "ada", "ClientMetadata": object{"a": "b"}}
	w.wantRefused("ForgotPassword", forgot, "UsernameExistsException", "An account with the given email already exists.")
	force = true
	w.do("ForgotPassword", forgot)
	if diff := cmp.Diff(object{"userAttributes": nil, "validationData": object{"a": "b"}, "clientMetadata": object{"a": "b"}}, asked); diff != "" {
		t.Errorf("the function is asked (-want +got):\n%s", diff)
	}
	w.wantSeen("UserMigration_ForgotPassword UserMigration_ForgotPassword")
	// Only a password that was right would confirm the user.
	if status, _ := w.adminView("ada"); status != "RESET_REQUIRED" {
		t.Errorf("the status is %s", status)
	}
	if _, values := w.adminView("old"); values["email_verified"] != "false" {
		t.Errorf("the other user has %v", values)
	}
	w.do("ConfirmForgotPassword", object{"Username": "ada", "ConfirmationCode": w.message().Code, "Password": password})
	w.signIn("ada@example.com")
	w.wantSeen("")
}

func TestATextMessageOfAFunctionIsShort(t *testing.T) {
	t.Parallel()
	full := "{####}" + strings.Repeat("é", 140-len("{####}"))
	for _, row := range []struct {
		response   object
		text, note string
	}{
		{object{"smsMessage": full, "emailSubject": "Hi", "emailMessage": "{####} by mail"}, full, ""},
		{object{"smsMessage": full + "é"}, "", "the function's message is too long, so the cloud would send its own"},
		{object{"smsMessage": "no code"}, "", "the function's message lacks {####}, so the cloud would send its own"},
		{object{"emailMessage": "{####}", "emailSubject": "Hi"}, "", ""},
	} {
		w := newTriggered(t, &model.Auth{UserVerificationTypes: []string{"phone_number"}}, nil, model.CustomMessage)
		w.reply = func(string, object) (any, error) { return row.response, nil }
		w.addSignedUp("ada", "phone_number=+41791234567")
		m := w.message()
		if want := strings.Replace(row.text, "{####}", m.Code, 1); m.Text != want || m.Subject != "" || m.Note != row.note {
			t.Errorf("%v gives %q, subject %q, note %q", row.response, m.Text, m.Subject, m.Note)
		}
	}
	subject := strings.Repeat("é", 140)
	w := newTriggered(t, nil, nil, model.CustomMessage)
	for _, row := range []struct{ name, subject, note string }{{"ada", subject, ""}, {"bob", subject + "é", "the function's message is too long, so the cloud would send its own"}} {
		w.reply = func(string, object) (any, error) { return object{"emailSubject": row.subject}, nil }
		w.addSignedUp(row.name, "email="+row.name+"@example.com")
		if m := w.message(); m.Note != row.note || m.Text != "" || (m.Subject == subject) != (row.note == "") {
			t.Errorf("%s: %+v", row.name, m)
		}
	}
}

func TestARefreshTokenBelongsToItsClient(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	other := w.pool
	other.Environment, other.ClientID = "qa", "zyxwvutsrq9876543210zyxwvu"
	w.pools.Apply([]pool.Pool{allowing(w.pool), allowing(other)})
	w.addConfirmed("ada", "email=ada@example.com")
	given := w.signIn("ada")
	refresh := func(client string) object { return object{"ClientId": client, "RefreshToken": given.refresh} }
	w.wantRefused("GetTokensFromRefreshToken", refresh(other.ClientID), "NotAuthorizedException", "Invalid Refresh Token")
	w.wantRefused("RevokeToken", object{"ClientId": other.ClientID, "Token": given.refresh}, "UnauthorizedException", "The token belongs to another client.")
	w.wantRefused("RevokeToken", object{"Token": given.access}, "UnsupportedTokenTypeException", "Only refresh tokens can be revoked.")
	w.do("GetTokensFromRefreshToken", refresh(clientID))
	w.do("RevokeToken", object{"Token": given.refresh})
	w.do("RevokeToken", object{"Token": given.refresh})
	w.wantRefused("GetTokensFromRefreshToken", refresh(clientID), "NotAuthorizedException", "Refresh Token has been revoked")
}

func TestAnAuthenticatorIsVerifiedOnceItIsAssociated(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("OPTIONAL", "TOTP"))
	w.addConfirmed("ada", "email=ada@example.com")
	access := w.signIn("ada").access
	verify := func(code string) object { return object{"AccessToken": access, "UserCode": code} }
	w.wantRefused("VerifySoftwareToken", verify("123456"), "InvalidParameterException", "The software token has not been associated: ask for AssociateSoftwareToken first")
	secret := w.do("AssociateSoftwareToken", object{"AccessToken": access})["SecretCode"].(string)
	right := w.authenticator(secret)
	wrong := string('0'+(right[0]-'0'+1)%10) + right[1:]
	w.wantRefused("VerifySoftwareToken", verify(wrong), "EnableSoftwareTokenMFAException", "Code mismatch and fail enable Software Token MFA")
	w.do("VerifySoftwareToken", verify(right))
	w.wantRefused("VerifySoftwareToken", verify(right), "InvalidParameterException", "")
	// It is verified, and not yet wanted.
	w.signIn("ada")
	both := wants("SoftwareTokenMfaSettings", true)
	both["AccessToken"] = access
	w.do("SetUserMFAPreference", both)
	want := object{"Username": "ada", "PreferredMfaSetting": "SOFTWARE_TOKEN_MFA", "UserMFASettingList": []any{"SOFTWARE_TOKEN_MFA"}, "ConfiguredUserAuthFactors": []any{"PASSWORD"}}
	if diff := cmp.Diff(want, w.do("GetUserAuthFactors", object{"AccessToken": access})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatAnAdministratorSeesOfAUserIsWhole(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("OPTIONAL"))
	w.changePool(func(p *pool.Pool) { p.Unknown = true })
	w.addConfirmed("ada", "email=ada@example.com", "phone_number=+41791234567", "custom:team=blue")
	access := w.signIn("ada").access
	w.enrollTOTP(access)
	w.do("AdminSetUserMFAPreference", object{
		"Username": "ada", "SMSMfaSettings": object{"Enabled": true}, "SoftwareTokenMfaSettings": object{"Enabled": true, "PreferredMfa": true},
	})
	changed := float64(w.now().Unix())
	w.wait(time.Hour)
	user, err := w.pools.User(poolID, "ada")
	if err != nil {
		t.Fatal(err)
	}
	attributes := []any{object{"Name": "sub", "Value": user.Sub}}
	for _, each := range [][2]string{
		{"custom:team", "blue"}, {"email", "ada@example.com"}, {"email_verified", "true"}, {"phone_number", "+41791234567"}, {"phone_number_verified", "false"},
	} {
		attributes = append(attributes, object{"Name": each[0], "Value": each[1]})
	}
	options := []any{object{"DeliveryMedium": "SMS", "AttributeName": "phone_number"}}
	factors := []any{"SMS_MFA", "SOFTWARE_TOKEN_MFA"}
	listed := object{
		"Username": "ada", "Attributes": attributes, "UserCreateDate": float64(start.Unix()), "UserLastModifiedDate": changed, "Enabled": true,
		"UserStatus": "CONFIRMED", "MFAOptions": options,
	}
	seen := object{
		"Username": "ada", "UserAttributes": attributes, "UserCreateDate": float64(start.Unix()), "UserLastModifiedDate": changed, "Enabled": true,
		"UserStatus": "CONFIRMED", "MFAOptions": options, "PreferredMfaSetting": "SOFTWARE_TOKEN_MFA", "UserMFASettingList": factors,
	}
	own := object{"Username": "ada", "UserAttributes": attributes, "MFAOptions": options, "PreferredMfaSetting": "SOFTWARE_TOKEN_MFA", "UserMFASettingList": factors}
	only := object{}
	for name, value := range listed {
		only[name] = value
	}
	only["Attributes"] = []any{object{"Name": "email", "Value": "ada@example.com"}}
	// Tokens live for an hour.
	access = w.issued("ada")
	for _, row := range []struct {
		operation string
		in, want  object
	}{
		{"AdminGetUser", object{"Username": "ada"}, seen},
		{"ListUsers", nil, object{"Users": []any{listed}}},
		{"ListUsers", object{"AttributesToGet": []string{"email"}}, object{"Users": []any{only}}},
		{"GetUser", object{"AccessToken": access}, own},
	} {
		if diff := cmp.Diff(row.want, w.do(row.operation, row.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.operation, diff)
		}
	}
}

// issued is an access token without a sign-in.
func (w *fixture) issued(name string) string {
	w.t.Helper()
	given, err := w.pools.Issue(poolID, name)
	if err != nil {
		w.t.Fatal(err)
	}
	return given.Access
}
