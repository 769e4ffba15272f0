package userpool_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
)

// TestOnlyTheWaysToSignInThatAreAllowedWork tries each flow with each one that a definition may allow, and with
// none, for the words of the cloud.
func TestOnlyTheWaysToSignInThatAreAllowedWork(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada", "email=ada@example.com")
	refresh := w.signIn("ada").refresh
	tries := []struct{ operation, flow, word, refused string }{
		{"InitiateAuth", "USER_PASSWORD_AUTH", "password", "USER_PASSWORD_AUTH flow not enabled for this client"},
		{"InitiateAuth", "USER_SRP_AUTH", "srp", "USER_SRP_AUTH is not enabled for the client."},
		{"InitiateAuth", "USER_AUTH", "choice", "USER_AUTH is not enabled for the client."},
		{"InitiateAuth", "CUSTOM_AUTH", "custom", "CUSTOM_AUTH is not enabled for the client."},
		{"AdminInitiateAuth", "ADMIN_USER_PASSWORD_AUTH", "admin_password", "Auth flow not enabled for this client"},
		{"AdminInitiateAuth", "ADMIN_NO_SRP_AUTH", "admin_password", "Auth flow not enabled for this client"},
	}
	settings := map[string][]string{"": nil}
	for word := range model.AuthFlows {
		settings[word] = []string{word}
	}
	for setting, flows := range settings {
		for _, unknown := range []bool{false, true} {
			w.pool.Definition, w.pool.Unknown = &model.Auth{AuthFlows: flows}, unknown && flows == nil
			w.pools.Apply([]pool.Pool{w.pool})
			allowed := setting
			if setting == "" {
				allowed = "srp"
			}
			for _, each := range tries {
				_, err := w.try(each.operation, object{"AuthFlow": each.flow, "AuthParameters": object{"USERNAME": "ada", "PASSWORD": password, "SRP_A": newSRPClient(t).A()}})
				want := ""
				if each.word != allowed && !w.pool.Unknown {
					want = "InvalidParameterException: " + each.refused
				}
				if each.word == "custom" && want == "" {
					want = "InvalidParameterException: Custom auth lambda trigger is not configured for the user pool."
				}
				if got := fmt.Sprint(err); err == nil && want != "" || err != nil && got != want {
					t.Errorf("allowed %q, unknown %v: %s: %v, want %q", setting, w.pool.Unknown, each.flow, err, want)
				}
			}
			w.do("InitiateAuth", object{"AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": object{"REFRESH_TOKEN": refresh}})
		}
	}
}

func TestCustomAttributesAreThoseOfTheDefinition(t *testing.T) {
	t.Parallel()
	one, three, no := 1, 3, false
	w := newFixture(t, &model.Auth{CustomAttributes: map[string]model.CustomAttribute{
		"plan": {Type: "string", Min: &one, Max: &three}, "tier": {Type: "number", Max: &three}, "vip": {Type: "boolean"},
		"origin": {Type: "string", Mutable: &no}, "since": {Type: "dateTime"},
	}})
	w.addConfirmed("ada", "email=ada@example.com", "custom:plan=pro", "custom:origin=web", "custom:tier=2.5")
	given := w.signIn("ada")
	checked, err := w.pools.Check(poolID, "id", given.id)
	if err != nil || checked.Claims["custom:plan"] != "pro" || checked.Claims["custom:tier"] != "2.5" {
		t.Errorf("the id token has %v: %v", checked.Claims, err)
	}
	for attribute, text := range map[string]string{
		"custom:plan=free": "custom:plan: The length must be at most 3", "custom:tier=4": "custom:tier: The value must be at most 3",
		"custom:tier=Inf": "custom:tier: Value must be a number", "custom:tier=0x1": "custom:tier: Value must be a number", "custom:vip=1": "custom:vip: Value must be true or false",
		"custom:Plan=pro": "custom:Plan: Attribute does not exist in the schema.", "custom:since=2026-11-30": "", "custom:plan=bé": "", "custom:tier=-7": "",
	} {
		_, updated := w.try("UpdateUserAttributes", object{"AccessToken": given.access, "UserAttributes": list(attribute)})
		_, administered := w.try("AdminUpdateUserAttributes", object{"Username": "ada", "UserAttributes": list(attribute)})
		_, added := w.try("AdminCreateUser", object{"Username": "bob", "UserAttributes": list(attribute)})
		_, _ = w.try("AdminDeleteUser", object{"Username": "bob"})
		for i, got := range []error{updated, administered, added} {
			want := "InvalidParameterException: " + []string{"user.", "user.", "Attributes did not conform to the schema: "}[i] + text + "\n"
			if text == "" && got != nil || text != "" && fmt.Sprint(got) != want {
				t.Errorf("%s, %d: %v, want %q", attribute, i, got, want)
			}
		}
	}
	for _, operation := range []string{"UpdateUserAttributes", "AdminUpdateUserAttributes"} {
		in := object{"AccessToken": given.access, "Username": "ada", "UserAttributes": list("custom:origin=app")}
		w.wantRefused(operation, in, "InvalidParameterException", "user.custom:origin: Attribute cannot be updated.\n")
	}
	w.wantRefused("DeleteUserAttributes", object{"AccessToken": given.access, "UserAttributeNames": []string{"custom:origin"}}, "InvalidParameterException", "user.custom:origin: Attribute cannot be updated.\n")
	w.wantRefused("SignUp", object{"Username": "eve", "Password": password, "UserAttributes": list("custom:team=x")}, "InvalidParameterException", "Attributes did not conform to the schema: custom:team: Attribute does not exist in the schema.\n")
	// A definition that loses an attribute keeps the values of users.
	w.changePool(func(p *pool.Pool) { p.Definition = nil })
	if got := fmt.Sprint(w.do("AdminGetUser", object{"Username": "ada"})); !strings.Contains(got, "custom:origin") {
		t.Errorf("the user has %s", got)
	}
	described := fmt.Sprint(newFixture(t, &model.Auth{CustomAttributes: map[string]model.CustomAttribute{"plan": {Type: "string", Max: &three}}}).do("DescribeUserPool", object{}))
	if !strings.Contains(described, "StringAttributeConstraints:map[MaxLength:3]") || !strings.Contains(described, "Name:custom:plan") {
		t.Errorf("the pool is described as %s", described)
	}
}

func TestTokensAreValidAsLongAsTheDefinitionSays(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{TokenLifetimes: map[string]string{"access": "5m", "id": "2h", "refresh": "3h"}})
	w.addConfirmed("ada", "email=ada@example.com")
	given := w.do("InitiateAuth", byPassword("ada", password))["AuthenticationResult"].(object)
	access, id := given["AccessToken"].(string), given["IdToken"].(string)
	check := func(use, raw string, valid bool) {
		t.Helper()
		if _, err := w.pools.Check(poolID, use, raw); (err == nil) != valid {
			t.Errorf("%s token after %s: %v", use, w.now().Sub(start), err)
		}
	}
	refreshes := object{"AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": object{"REFRESH_TOKEN": given["RefreshToken"]}}
	w.wait(4 * time.Minute)
	check("access", access, true)
	w.wait(2 * time.Minute)
	check("access", access, false)
	check("id", id, true)
	w.wait(2 * time.Hour)
	check("id", id, false)
	w.do("InitiateAuth", refreshes)
	w.wait(time.Hour)
	w.wantRefused("InitiateAuth", refreshes, "NotAuthorizedException", "")
	got := w.do("DescribeUserPoolClient", object{})["UserPoolClient"].(object)
	if got["AccessTokenValidity"] != 5.0 || fmt.Sprint(got["TokenValidityUnits"]) != "map[AccessToken:minutes IdToken:hours RefreshToken:hours]" {
		t.Errorf("the client is described as %v", got)
	}
}

func TestMessagesHaveTheTextsOfTheDefinition(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{Messages: map[string]string{
		"email_subject": "Hello", "email_message": "Your code: {####}", "invitation_email_message": "{username}, {####}", "invitation_sms_message": "sms {username} {####}",
	}})
	w.do("SignUp", object{"Username": "ada", "Password": password, "UserAttributes": list("email=ada@example.com")})
	w.do("AdminCreateUser", object{"Username": "bob", "UserAttributes": list("email=bob@example.com")})
	w.do("AdminCreateUser", object{"Username": "eve", "UserAttributes": list("phone_number=+41791234567")})
	var got []string
	for _, m := range w.sent {
		got = append(got, m.Subject+"|"+strings.ReplaceAll(m.Text, m.Code, "CODE"))
	}
	if want := []string{"Hello|Your code: CODE", "|bob, CODE", "|sms eve CODE"}; !slices.Equal(got, want) {
		t.Errorf("the messages are %q, want %q", got, want)
	}
}

// TestNativeAppsHaveAClientOfTheirOwn signs in with both clients: each gets tokens that name it, which the pool takes,
// and refreshes its own alone.
func TestNativeAppsHaveAClientOfTheirOwn(t *testing.T) {
	t.Parallel()
	const native = "nativeclient00000000000000"
	w := newFixture(t, nil)
	w.addConfirmed("ada", "email=ada@example.com")
	sign := byPassword("ada", password)
	sign["ClientId"] = native
	w.wantRefused("InitiateAuth", sign, "ResourceNotFoundException", "")
	w.changePool(func(p *pool.Pool) { p.NativeClientID = native })
	given := w.do("InitiateAuth", sign)["AuthenticationResult"].(object)
	checked, err := w.pools.Check(poolID, "id", given["IdToken"].(string))
	if err != nil || checked.Claims["aud"] != native {
		t.Errorf("the id token is for %v: %v", checked.Claims["aud"], err)
	}
	refresh := object{"AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": object{"REFRESH_TOKEN": given["RefreshToken"]}}
	w.wantRefused("InitiateAuth", refresh, "NotAuthorizedException", "Invalid Refresh Token")
	refresh["ClientId"] = native
	w.do("InitiateAuth", refresh)
	if got := fmt.Sprint(w.do("ListUserPoolClients", object{"MaxResults": 60})); strings.Count(got, "ClientId:") != 2 || !strings.Contains(got, "ClientName:dev-native") {
		t.Errorf("the clients are %s", got)
	}
	if got := w.do("DescribeUserPoolClient", object{"ClientId": native})["UserPoolClient"].(object); got["ClientId"] != native {
		t.Errorf("the client is described as %v", got)
	}
}
