package userpool_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/identity/userpool"
)

func TestTheSecondVersionChangesBothTokensAndTheirScopes(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, nil, []string{"Admins", "Editors"}, model.PreTokenGenerationV2)
	w.addConfirmed("ada", "email=ada@example.com")
	w.do("AdminAddUserToGroup", object{"Username": "ada", "GroupName": "Editors"})
	claims := func(raw, use string) map[string]any {
		t.Helper()
		checked, err := w.pools.Check(poolID, use, raw)
		if err != nil {
			t.Fatal(err)
		}
		return checked.Claims
	}
	var asked object
	var details any
	w.reply = func(_ string, event object) (any, error) {
		asked = event
		return object{"claimsAndScopeOverrideDetails": details}, nil
	}
	plain := w.signIn("ada")
	const own = "aws.cognito.signin.user.admin"
	if diff := cmp.Diff(own, claims(plain.access, "access")["scope"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{"2", []any{own}}, []any{asked["version"], asked["request"].(object)["scopes"]}); diff != "" {
		t.Errorf("the event (-want +got):\n%s", diff)
	}
	details = object{
		"idTokenGeneration": object{"claimsToAddOrOverride": object{"tenant": object{"name": "blue"}, "aud": "x", "none": nil}, "claimsToSuppress": []string{"email", "sub"}},
		"accessTokenGeneration": object{
			"claimsToAddOrOverride": object{"level": 3, "token_use": "id"}, "claimsToSuppress": []string{"username"},
			"scopesToAdd": []string{"b/read", "a b", "", "b/read", "c/write"}, "scopesToSuppress": []string{own, "c/write"},
		},
		"groupOverrideDetails": object{"groupsToOverride": []string{"Admins"}},
	}
	got := w.signIn("ada")
	id, access := claims(got.id, "id"), claims(got.access, "access")
	want := []any{object{"name": "blue"}, nil, nil, true, []any{"Admins"}, "b/read", float64(3), "access", "ada", nil, []any{"Admins"}}
	if diff := cmp.Diff(want, []any{
		id["tenant"], id["none"], id["email"], id["sub"] == access["sub"] && id["aud"] != "x", id["cognito:groups"],
		access["scope"], access["level"], access["token_use"], access["username"], access["tenant"], access["cognito:groups"],
	}); diff != "" {
		t.Errorf("the claims (-want +got):\n%s", diff)
	}
	details = object{"groupOverrideDetails": []int{1}}
	w.wantRefused("InitiateAuth", byPassword("ada", password), "InvalidLambdaResponseException", "Unrecognizable lambda output")
}

func TestAFunctionConfirmsAndVerifiesWhomItWants(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		response, want object
		status         string
	}{
		{object{}, object{"email": "false", "phone": "false"}, "UNCONFIRMED"},
		{object{"autoConfirmUser": true}, object{"email": "false", "phone": "false"}, "CONFIRMED"},
		{object{"autoConfirmUser": true, "autoVerifyEmail": true}, object{"email": "true", "phone": "false"}, "CONFIRMED"},
		{object{"autoVerifyPhone": true}, object{"email": "false", "phone": "true"}, "UNCONFIRMED"},
	} {
		w := newTriggered(t, nil, nil, model.PreSignUp, model.PostConfirmation)
		var asked any
		w.reply = func(source string, event object) (any, error) {
			if source != "PreSignUp_SignUp" {
				return object{}, nil
			}
			asked = event["request"]
			return row.response, nil
		}
		out := w.do("SignUp", object{
			"Username": "ada", "Password": password, "UserAttributes": list("email=ada@example.com", "phone_number=+15550100"), "ValidationData": list("plan=free"), "ClientMetadata": object{"a": "b"},
		})
		wantAsked := object{
			"userAttributes": object{"email": "ada@example.com", "phone_number": "+15550100"}, "validationData": object{"plan": "free"}, "clientMetadata": object{"a": "b"},
		}
		if diff := cmp.Diff(wantAsked, asked); diff != "" {
			t.Errorf("the function is asked (-want +got):\n%s", diff)
		}
		confirmed := row.status == "CONFIRMED"
		status, attributes := w.adminView("ada")
		verified := func(name string) string {
			if attributes[name+"_verified"] == "true" {
				return "true"
			}
			return "false"
		}
		if diff := cmp.Diff(row.want, object{"email": verified("email"), "phone": verified("phone_number")}); diff != "" || status != row.status || out["UserConfirmed"] != confirmed {
			t.Errorf("%v: the user is %s, the answer is %v %s", row.response, status, out, diff)
		}
		if want := strings.TrimSpace("PreSignUp_SignUp " + map[bool]string{true: "PostConfirmation_ConfirmSignUp"}[confirmed]); w.seen() != want {
			t.Errorf("%v: other functions are called", row.response)
		}
		if confirmed {
			w.signIn("ada")
		}
	}
}

func TestAMigratedUserSignsInAtOnceIfTheFunctionConfirms(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, nil, nil, model.UserMigration)
	var asked any
	w.reply = func(_ string, event object) (any, error) {
		asked = event["request"]
		return object{"userAttributes": object{"email": "ada@example.com", "sub": "x", "cognito:user_status": "ARCHIVED", "username": "ada"}, "finalUserStatus": "CONFIRMED"}, nil
	}
	w.signIn("ada")
	if diff := cmp.Diff(object{"password": password, "userAttributes": nil, "validationData": object{}}, asked); diff != "" {
		t.Errorf("the function is asked (-want +got):\n%s", diff)
	}
	status, attributes := w.adminView("ada")
	if status != "CONFIRMED" || attributes["email"] != "ada@example.com" || attributes["sub"] == "x" || attributes["username"] != "" {
		t.Errorf("the user is %s %v", status, attributes)
	}
	w.wantSeen("UserMigration_Authentication")
	w.signIn("ada")
	w.wantRefused("InitiateAuth", byPassword("ada", "Wrong-password 1"), "NotAuthorizedException", "")
	w.wantSeen("")
}

func TestTheRosterHasEverybodyWithTheirGroups(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil, "Admins", "Editors")
	for _, name := range []string{"ada", "emma"} {
		w.addConfirmed(name, "email="+name+"@example.com")
	}
	for _, group := range []string{"Editors", "Admins"} {
		w.do("AdminAddUserToGroup", object{"Username": "emma", "GroupName": group})
	}
	w.do("AdminDisableUser", object{"Username": "ada"})
	roster, err := w.pools.Roster(poolID)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(roster.Users, func(a, b userpool.User) int { return strings.Compare(a.Name, b.Name) })
	var want []userpool.User
	for _, name := range []string{"ada", "emma"} {
		u, err := w.pools.User(poolID, name)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, u)
	}
	if diff := cmp.Diff(userpool.Roster{Users: want, Groups: []string{"Admins", "Editors"}}, roster); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(want[0].Groups) > 0 || want[0].Enabled || !want[1].Enabled || !slices.Equal(want[1].Groups, []string{"Admins", "Editors"}) {
		t.Errorf("the users are %+v", want)
	}
	if _, err := w.pools.Roster("eu-west-1_none"); err == nil {
		t.Error("a pool that is not there has users")
	}
}

func TestNobodySignsInOrStaysSignedInWhoIsDisabled(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada", "email=ada@example.com")
	signed := w.signIn("ada")
	refresh := object{"AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": object{"REFRESH_TOKEN": signed.refresh}}
	w.do("InitiateAuth", refresh)
	w.do("AdminDisableUser", object{"Username": "ada"})
	w.wantRefused("InitiateAuth", refresh, "NotAuthorizedException", "")
	w.wantRefused("InitiateAuth", byPassword("ada", password), "NotAuthorizedException", "User is disabled.")
	w.wantRefused("GetUser", object{"AccessToken": signed.access}, "NotAuthorizedException", "")
	w.do("AdminEnableUser", object{"Username": "ada"})
	w.signIn("ada")
}

// The names are those of the cloud's list, so that one that is missing here is seen.
func TestNoFunctionChangesTheClaimsThatTokensRestOn(t *testing.T) {
	t.Parallel()
	names := strings.Fields("acr amr at_hash aud auth_time azp client_id cognito:groups cognito:preferred_role cognito:roles cognito:username device_key event_id exp iat " +
		"identities iss jti nbf nonce origin_jti scope sub token_use username version dev: dev:role")
	w := newTriggered(t, nil, []string{"Admins"}, model.PreTokenGenerationV2)
	var details any
	w.reply = func(string, object) (any, error) { return object{"claimsAndScopeOverrideDetails": details}, nil }
	w.addConfirmed("ada")
	w.do("AdminAddUserToGroup", object{"Username": "ada", "GroupName": "Admins"})
	claims := func() (all []map[string]any) {
		t.Helper()
		given := w.signIn("ada")
		for use, raw := range map[string]string{"access": given.access, "id": given.id} {
			checked, err := w.pools.Check(poolID, use, raw)
			if err != nil {
				t.Fatal(err)
			}
			checked.Claims["use"] = use
			all = append(all, checked.Claims)
		}
		slices.SortFunc(all, func(a, b map[string]any) int { return strings.Compare(a["use"].(string), b["use"].(string)) })
		return all
	}
	plain := claims()
	add := object{"own": "changed", "nothing": nil}
	for _, name := range names {
		add[name] = "changed"
	}
	change := object{"claimsToAddOrOverride": add, "claimsToSuppress": names}
	details = object{"idTokenGeneration": change, "accessTokenGeneration": change}
	for i, now := range claims() {
		for _, name := range names {
			_, was := plain[i][name]
			if value, is := now[name]; is != was || value == "changed" {
				t.Errorf("in the %s token %s is %v, %t before", now["use"], name, value, was)
			}
		}
		if _, is := now["nothing"]; is || now["own"] != "changed" {
			t.Errorf("in the %s token are %v", now["use"], now)
		}
	}
}
