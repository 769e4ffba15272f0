package userpool_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
)

func TestSignedOperationsAreTheClouds(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{
		"SignUp", "ConfirmSignUp", "ResendConfirmationCode", "InitiateAuth", "RespondToAuthChallenge", "ForgotPassword", "ConfirmForgotPassword",
		"GetTokensFromRefreshToken", "RevokeToken", "GetUser", "UpdateUserAttributes", "DeleteUserAttributes", "GetUserAttributeVerificationCode",
		"VerifyUserAttribute", "ChangePassword", "DeleteUser", "GlobalSignOut", "AssociateSoftwareToken", "VerifySoftwareToken", "SetUserMFAPreference",
		"GetUserAuthFactors", "ConfirmDevice", "ForgetDevice", "GetDevice", "ListDevices", "UpdateDeviceStatus", "StartWebAuthnRegistration", "SetUserSettings",
	} {
		if !userpool.IsPublic(operation) {
			t.Errorf("%s is not public", operation)
		}
	}
	for _, operation := range []string{
		"AdminCreateUser", "AdminGetUser", "AdminInitiateAuth", "AdminSetUserPassword", "ListUsers", "ListGroups", "CreateGroup", "DescribeUserPool",
		"ListUserPools", "CreateUserPool", "DeleteUserPool", "", "signup", "Nonsense",
	} {
		if userpool.IsPublic(operation) {
			t.Errorf("%s is public", operation)
		}
	}
}

func TestUnservedOperationsAreRefused(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	for _, operation := range []string{"CreateUserPool", "StartWebAuthnRegistration", "UpdateUserPoolClient", "AdminLinkProviderForUser", "ALaterOne"} {
		_, err := w.try(operation, nil)
		wantRefusal(t, operation, err, "UnsupportedOperationException", "")
		if err == nil || !strings.Contains(err.Error(), "The sandbox does not serve "+operation) {
			t.Errorf("%s says %v", operation, err)
		}
	}
	for _, operation := range []string{"", "signUp", "\x1b[31m"} {
		w.wantRefused(operation, nil, "UnknownOperationException", "User pools have no such operation")
	}
}

func TestNoInputMakesAnOperationFail(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil, "Admins")
	w.addConfirmed("ada")
	operations := []string{"SignUp", "InitiateAuth", "RespondToAuthChallenge", "GetUser", "ListUsers", "AdminCreateUser", "VerifySoftwareToken", "ListUserPools"}
	for name, text := range map[string]string{
		"nothing": "", "no JSON": "{", "a list": "[]", "a number": "1", "a wrong kind": `{"ClientId":1,"AccessToken":1,"UserPoolId":1,"MaxResults":"x","Session":1}`,
		"twice":    `{"ClientId":"a","ClientId":"b","UserPoolId":"a","UserPoolId":"b","AccessToken":"","AccessToken":"","MaxResults":1,"MaxResults":1}`,
		"no UTF-8": "{\"ClientId\":\"\xff\",\"UserPoolId\":\"\xff\",\"AccessToken\":\"\xff\",\"NextToken\":\"\xff\"}", "deep": strings.Repeat("[", 20_000),
		"long": `{"ClientId":"` + strings.Repeat("x", 300<<10) + `"}`, "empty": "{}", "null": "null",
	} {
		for _, operation := range operations {
			_, err := w.pools.Do(context.Background(), operation, []byte(text))
			var refused *wire.Error
			if !errors.As(err, &refused) || refused.Code != "SerializationException" && refused.Code != "InvalidParameterException" {
				t.Errorf("%s with %s: %v", operation, name, err)
				continue
			}
			if refused.Code == "SerializationException" && refused.Message != "The input is not the JSON that this operation takes" || name == "long" && refused.Message != "The input is larger than 256 KB" {
				t.Errorf("%s with %s says %q", operation, name, refused.Message)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.pools.Do(ctx, "ListUsers", []byte(`{"UserPoolId":"`+poolID+`"}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("the deleted user gets an answer: %v", err)
	}
}

func TestUnknownFieldsAreIgnored(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.do("SignUp", object{
		"Username": "ada", "Password": password, "ClientMetadata": object{"a": "b"}, "UserContextData": object{"EncodedData": "x"},
		"AnalyticsMetadata": object{"AnalyticsEndpointId": "x"}, "ValidationData": list("a=b"), "SecretHash": "x",
	})
	w.do("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": w.message().Code, "ClientMetadata": object{"a": "b"}})
	in := byPassword("ada", password)
	in["ClientMetadata"], in["UserContextData"] = object{"a": "b"}, object{"EncodedData": "x"}
	tokensOf(t, w.do("InitiateAuth", in))
}

func TestNothingSecretIsOnTheDisk(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("OPTIONAL", "SMS"))
	secrets := []string{password}
	w.addSignedUp("ada", "email=ada@example.com", "phone_number=+41791234567")
	secrets = append(secrets, `"`+w.messages()[0].Code+`"`)
	w.do("AdminConfirmSignUp", object{"Username": "ada"})
	given := w.signIn("ada")
	w.do("AdminCreateUser", object{"Username": "bob", "TemporaryPassword": "Temporary-horse 1"})
	challenge := w.do("InitiateAuth", byPassword("bob", "Temporary-horse 1"))
	secrets = append(secrets, given.refresh, given.access, given.id, challenge["Session"].(string), "Temporary-horse 1")
	w.stop()
	text, err := os.ReadFile(filepath.Join(w.folder, "users.db"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte("ada@example.com")) {
		t.Fatal("the file has no users in it")
	}
	for _, secret := range secrets {
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("the file has %s in it", secret[:8])
		}
	}
}

func FuzzDo(f *testing.F) {
	for _, operation := range []string{"SignUp", "InitiateAuth", "RespondToAuthChallenge", "ListUsers", "AdminCreateUser", "AdminUpdateUserAttributes", "GetUser"} {
		f.Add(operation, `{"UserPoolId":"`+poolID+`","ClientId":"`+clientID+`","Username":"ada","Password":"Correct-horse 7","AuthFlow":"USER_PASSWORD_AUTH",`+
			`"AuthParameters":{"USERNAME":"ada","PASSWORD":"x"},"UserAttributes":[{"Name":"email","Value":"a@b"}],"Filter":"email = \"a\"","AccessToken":"a.b.c"}`)
	}
	w := newFixture(f, nil, "Admins")
	f.Fuzz(func(t *testing.T, operation, text string) {
		_, err := w.pools.Do(context.Background(), operation, []byte(text))
		var refused *wire.Error
		if err != nil && !errors.As(err, &refused) {
			t.Errorf("%s fails with %v", operation, err)
		}
	})
}
