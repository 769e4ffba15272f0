package userpool_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
)

func TestUserReadsAndDeletesTheirAccount(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada", "email=ada@example.com", "name=Ada")
	given := w.signIn("ada")
	out := w.do("GetUser", object{"AccessToken": given.access})
	values := valuesOf(t, out["UserAttributes"])
	if out["Username"] != "ada" || values["name"] != "Ada" || values["email_verified"] != "true" || len(values["sub"]) != 36 || out["PreferredMfaSetting"] != nil {
		t.Errorf("the user is %v", out)
	}
	factors := w.do("GetUserAuthFactors", object{"AccessToken": given.access})
	if factors["Username"] != "ada" || fmt.Sprint(factors["ConfiguredUserAuthFactors"]) != "[PASSWORD]" {
		t.Errorf("the factors are %v", factors)
	}
	w.do("DeleteUser", object{"AccessToken": given.access})
	w.restart()
	w.wantRefused("AdminGetUser", object{"Username": "ada"}, "UserNotFoundException", "User does not exist.")
	w.wantRefused("InitiateAuth", byPassword("ada", password), "NotAuthorizedException", "Incorrect username or password.")
	w.wantRefused("GetUser", object{"AccessToken": given.access}, "NotAuthorizedException", "User does not exist.")
	w.addSignedUp("ada")
}

func TestSelfServiceNeedsAValidAccessToken(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("OPTIONAL"))
	w.addConfirmed("ada", "email=ada@example.com")
	given := w.signIn("ada")
	w.do("RevokeToken", object{"Token": given.refresh})
	for operation, in := range map[string]object{
		"GetUser": {}, "DeleteUser": {}, "GlobalSignOut": {}, "GetUserAuthFactors": {}, "ListDevices": {}, "AssociateSoftwareToken": {}, "SetUserMFAPreference": {},
		"UpdateUserAttributes": {"UserAttributes": list("name=Eve")}, "DeleteUserAttributes": {"UserAttributeNames": []string{"email"}},
		"GetUserAttributeVerificationCode": {"AttributeName": "email"}, "VerifyUserAttribute": {"AttributeName": "email", "Code": "123456"},
		"ChangePassword": {"PreviousPassword": password, "ProposedPassword": "Another-horse 7"}, "VerifySoftwareToken": {"UserCode": "123456"},
		"ConfirmDevice": {"DeviceKey": "x"}, "ForgetDevice": {"DeviceKey": "x"}, "GetDevice": {"DeviceKey": "x"}, "UpdateDeviceStatus": {"DeviceKey": "x"},
	} {
		in["AccessToken"] = given.access
		w.wantRefused(operation, in, "NotAuthorizedException", "Access Token has been revoked")
		in["AccessToken"] = given.id
		w.wantRefused(operation, in, "NotAuthorizedException", "Invalid Access Token")
	}
	if _, values := w.adminView("ada"); values["email"] == "" || values["name"] != "" {
		t.Errorf("a refused change was made: %v", values)
	}
}

func TestANewAddressIsVerifiedAgain(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{UserVerificationTypes: []string{"email"}})
	w.addConfirmed("ada", "email=ada@example.com")
	access := w.signIn("ada").access
	update := func(attributes ...string) object {
		return w.do("UpdateUserAttributes", object{"AccessToken": access, "UserAttributes": list(attributes...)})
	}
	if out := update("name=Ada", "email=ada@example.com", "phone_number=+41791234567"); len(out["CodeDeliveryDetailsList"].([]any)) != 0 || len(w.messages()) != 0 {
		t.Errorf("no verified address changed, and the answer is %v", out)
	}
	out := update("email=lovelace@example.com")
	m := w.message()
	if details := out["CodeDeliveryDetailsList"].([]any); len(details) != 1 || m.Purpose != "attribute" || m.To != "lovelace@example.com" {
		t.Errorf("the answer is %v, the message %+v", out, m)
	}
	if _, values := w.adminView("ada"); values["email_verified"] != "false" {
		t.Errorf("the new address is verified: %v", values)
	}
	verify := func(name, code string) object {
		return object{"AccessToken": access, "AttributeName": name, "Code": code}
	}
	w.wantRefused("VerifyUserAttribute", verify("email", other(m.Code)), "CodeMismatchException", "Invalid verification code provided, please try again.")
	w.wantRefused("VerifyUserAttribute", verify("phone_number", m.Code), "ExpiredCodeException", "Invalid code provided, please request a code again.")
	w.wantRefused("VerifyUserAttribute", verify("name", m.Code), "InvalidParameterException", "Only email and phone_number can be verified")
	w.do("VerifyUserAttribute", verify("email", m.Code))
	if _, values := w.adminView("ada"); values["email_verified"] != "true" {
		t.Errorf("the address is not verified: %v", values)
	}
	out = w.do("GetUserAttributeVerificationCode", object{"AccessToken": access, "AttributeName": "phone_number"})
	if details := out["CodeDeliveryDetails"].(object); details["DeliveryMedium"] != "SMS" || details["Destination"] != "+*******4567" || details["AttributeName"] != "phone_number" {
		t.Errorf("the answer is %v", out)
	}
	w.do("VerifyUserAttribute", verify("phone_number", w.message().Code))

	// A code for a former address is invalid.
	w.do("GetUserAttributeVerificationCode", object{"AccessToken": access, "AttributeName": "email"})
	code := w.message().Code
	update("email=third@example.com")
	w.messages()
	update("email=lovelace@example.com")
	if again := w.message().Code; again != code {
		w.wantRefused("VerifyUserAttribute", verify("email", code), "CodeMismatchException", "")
	}
	w.do("DeleteUserAttributes", object{"AccessToken": access, "UserAttributeNames": []string{"email"}})
	w.wantRefused("GetUserAttributeVerificationCode", object{"AccessToken": access, "AttributeName": "email"}, "InvalidParameterException", "")
	w.wantRefused("GetUserAttributeVerificationCode", object{"AccessToken": access, "AttributeName": "name"}, "InvalidParameterException", "Only email and phone_number can be verified")
}

func TestAddressToSignInWith(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{UsernameAttributes: []string{"email"}})
	w.addConfirmed("ada@example.com")
	w.addConfirmed("bob@example.com")
	access := w.signIn("ada@example.com").access
	update := func(value string) object {
		return object{"AccessToken": access, "UserAttributes": list("email=" + value)}
	}
	w.wantRefused("UpdateUserAttributes", update("Bob@example.com"), "AliasExistsException", "An account with the given email already exists.")
	w.wantRefused("DeleteUserAttributes", object{"AccessToken": access, "UserAttributeNames": []string{"email"}}, "InvalidParameterException", "")
	w.do("UpdateUserAttributes", update("lovelace@example.com"))
	w.restart()
	w.signIn("lovelace@example.com")
	w.wantRefused("InitiateAuth", byPassword("ada@example.com", password), "NotAuthorizedException", "Incorrect username or password.")
	w.addSignedUp("ada@example.com")
}

func TestWhatAUserMayWrite(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{StandardRequiredAttributes: []string{"name"}})
	w.addConfirmed("ada", "name=Ada")
	access := w.signIn("ada").access
	// What the pool of another tool has is not known.
	w.changePool(func(p *pool.Pool) { p.Unknown = true })
	const schema, unauthorized = "user.", "A client attempted to write unauthorized attribute"
	for attribute, want := range map[string]string{
		"nickname=Countess": "", "custom:team=blue": "", "birthdate=1815-12-10": "", "updated_at=1700000000": "", "website=": "",
		"email_verified=true":                      "NotAuthorizedException: " + unauthorized,
		"phone_number_verified=true":               "NotAuthorizedException: " + unauthorized,
		"dev:role=x":                               "NotAuthorizedException: " + unauthorized,
		"sub=00000000-0000-4000-8000-000000000000": "InvalidParameterException: Cannot modify the non-mutable attribute sub",
		"cognito:groups=Admins":                    "InvalidParameterException: " + schema + "cognito:groups: Attribute does not exist in the schema.\n",
		"cognito:preferred_role=x":                 "InvalidParameterException: " + schema + "cognito:preferred_role: Attribute does not exist in the schema.\n",
		"iss=x":                                    "InvalidParameterException: " + schema + "iss: Attribute does not exist in the schema.\n",
		"custom:=x":                                "InvalidParameterException: " + schema + "custom:: Attribute does not exist in the schema.\n",
		"custom:\x1b[0m=x":                         "InvalidParameterException: " + schema + "custom:[0m: Attribute does not exist in the schema.\n",
		"custom:" + strings.Repeat("x", 21) + "=x": "InvalidParameterException: " + schema + "custom:" + strings.Repeat("x", 21) + ": Attribute does not exist in the schema.\n",
		"custom:" + strings.Repeat("x", 26) + "=x": "InvalidParameterException: 1 validation error detected: Value at 'userAttributes.1.member.name' failed to satisfy constraint: Member must have length less than or equal to 32",
		"nickname=" + strings.Repeat("é", 2049):    "InvalidParameterException: 1 validation error detected: Value at 'userAttributes.1.member.value' failed to satisfy constraint: Member must have length less than or equal to 2048",
		"=x":                                       "InvalidParameterException: 1 validation error detected: Value at 'userAttributes.1.member.name' failed to satisfy constraint: Member must not be null",
		"email=nobody":                             "InvalidParameterException: Invalid email address format.",
		"phone_number=0791234567":                  "InvalidParameterException: Invalid phone number format.",
		"updated_at=now":                           "InvalidParameterException: " + schema + "updated_at: Value must be a number\n",
		"birthdate=yesterday":                      "InvalidParameterException: " + schema + "birthdate: Value must have 10 characters, such as 1970-12-31\n",
		"name=":                                    "InvalidParameterException: Attributes did not conform to the schema: name: The attribute is required\n",
	} {
		_, err := w.try("UpdateUserAttributes", object{"AccessToken": access, "UserAttributes": list(attribute)})
		if got := fmt.Sprint(err); err == nil && want != "" || err != nil && got != want {
			t.Errorf("%q: %v, want %s", attribute, err, want)
		}
	}
	for name, code := range map[string]string{"email_verified": "NotAuthorizedException", "sub": "InvalidParameterException", "name": "InvalidParameterException", "nope": "InvalidParameterException"} {
		w.wantRefused("DeleteUserAttributes", object{"AccessToken": access, "UserAttributeNames": []string{name}}, code, "")
	}
	var many []string
	for i := range 51 {
		many = append(many, fmt.Sprintf("custom:a%d=x", i))
	}
	w.wantRefused("UpdateUserAttributes", object{"AccessToken": access, "UserAttributes": list(many...)}, "InvalidParameterException", "A user has at most 50 custom attributes")
	w.wantRefused("UpdateUserAttributes", object{"AccessToken": access, "UserAttributes": list(append(many, many...)...)}, "InvalidParameterException", "")
	w.do("UpdateUserAttributes", object{"AccessToken": access, "UserAttributes": list(many[:49]...)})
	for _, attribute := range []string{"email_verified=true", "sub=x", "cognito:groups=Admins"} {
		if _, err := w.try("SignUp", object{"Username": "eve", "Password": password, "UserAttributes": list("name=Eve", attribute)}); err == nil {
			t.Errorf("%s can be signed up with", attribute)
		}
	}
}

func TestAPoolRemembersNoDevices(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	access := w.signIn("ada").access
	if out := w.do("ListDevices", object{"AccessToken": access}); len(out["Devices"].([]any)) != 0 {
		t.Errorf("the devices are %v", out)
	}
	for _, operation := range []string{"ConfirmDevice", "ForgetDevice", "GetDevice", "UpdateDeviceStatus"} {
		w.wantRefused(operation, object{"AccessToken": access, "DeviceKey": "eu-west-1_1"}, "ResourceNotFoundException", "Device does not exist.")
	}
}
