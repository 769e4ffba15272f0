package userpool_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
)

// triggered is a fixture whose pool calls functions: reply is given each event and answers
// with the response of the function, or an error.
type triggered struct {
	*fixture
	mu     sync.Mutex
	events []object
	reply  func(source string, event object) (response any, err error)
}

func newTriggered(t *testing.T, definition *model.Auth, groups []string, moments ...model.Moment) *triggered {
	t.Helper()
	w := &triggered{fixture: newFixture(t, definition, groups...)}
	w.reply = func(string, object) (any, error) { return object{}, nil }
	w.stop()
	options := w.options()
	options.Call = w.call
	var err error
	if w.pools, err = userpool.New(options); err != nil {
		t.Fatal(err)
	}
	w.changePool(func(p *pool.Pool) {
		p.Triggers = make(map[model.Moment]string)
		for _, at := range moments {
			p.Triggers[at] = string(at) + "Function"
		}
	})
	return w
}

func (w *triggered) call(c userpool.TriggerCall) ([]byte, error) {
	var event object
	if err := json.Unmarshal(c.Event, &event); err != nil {
		return nil, err
	}
	if c.Environment != "dev" || c.Function != string(c.At)+"Function" {
		w.t.Errorf("the function %s of %s is called at %s", c.Function, c.Environment, c.At)
	}
	w.mu.Lock()
	w.events = append(w.events, event)
	w.mu.Unlock()
	response, err := w.reply(event["triggerSource"].(string), event)
	if err != nil {
		return nil, err
	}
	event["response"] = response
	return json.Marshal(event)
}

// seen are the sources of the events since the last call.
func (w *triggered) seen() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var sources []string
	for _, e := range w.events {
		sources = append(sources, e["triggerSource"].(string))
	}
	w.events = nil
	return strings.Join(sources, " ")
}

func (w *triggered) wantSeen(want string) {
	w.t.Helper()
	if got := w.seen(); got != want {
		w.t.Errorf("the functions got %q, want %q", got, want)
	}
}

// TestATriggerThatFailsIsToldAsInTheCloud: the codes are those of
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_SignUp.html
func TestATriggerThatFailsIsToldAsInTheCloud(t *testing.T) {
	t.Parallel()
	secret := errors.New("/home/somebody/project is not a folder")
	for _, row := range []struct {
		name           string
		response       any
		err            error
		code, message  string
		neverToClients string
	}{
		{name: "throws", err: &userpool.FunctionError{Message: "no thanks"}, code: "UserLambdaValidationException", message: "PreSignUp failed with error no thanks."},
		{name: "hangs", err: userpool.ErrNoAnswer, code: "UnexpectedLambdaException", message: "PreSignUp invocation failed due to error Socket timeout while invoking Lambda function."},
		{name: "is missing", err: userpool.ErrNoFunction, code: "UnexpectedLambdaException", message: "PreSignUp invocation failed due to error ResourceNotFoundException."},
		{name: "cannot start", err: secret, code: "UnexpectedLambdaException", message: "PreSignUp invocation failed due to configuration."},
		{name: "answers null", response: nil, code: "InvalidLambdaResponseException", message: "Unrecognizable lambda output"},
		{name: "answers a list", response: []int{1}, code: "InvalidLambdaResponseException", message: "Unrecognizable lambda output"},
		{name: "answers the wrong type", response: object{"autoConfirmUser": object{}}, code: "InvalidLambdaResponseException", message: "Unrecognizable lambda output"},
		{name: "verifies what is not there", response: object{"autoVerifyPhone": true}, code: "InvalidLambdaResponseException", message: "The phone_number cannot be verified automatically: the user has none"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newTriggered(t, nil, nil, model.PreSignUp, model.PostConfirmation)
			w.reply = func(string, object) (any, error) { return row.response, row.err }
			in := object{"Username": "ada", "Password": password, "UserAttributes": list("email=ada@example.com")}
			w.wantRefused("SignUp", in, row.code, row.message)
			w.wantRefused("AdminGetUser", object{"Username": "ada"}, "UserNotFoundException", "")
			w.reply = func(string, object) (any, error) { return object{}, nil }
			w.do("SignUp", in)
		})
	}
}

func TestAConfirmationStaysIfTheFunctionAfterItFails(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, nil, nil, model.PostConfirmation)
	w.addSignedUp("ada", "email=ada@example.com")
	w.reply = func(string, object) (any, error) { return nil, &userpool.FunctionError{Message: "the table is full"} }
	w.wantRefused("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": w.message().Code}, "UserLambdaValidationException", "PostConfirmation failed with error the table is full.")
	if status, _ := w.adminView("ada"); status != "CONFIRMED" {
		t.Errorf("the user is %s", status)
	}
	w.wantSeen("PostConfirmation_ConfirmSignUp")
}

func TestASignInThatAFunctionRefusesLeavesNoSession(t *testing.T) {
	t.Parallel()
	for _, at := range []model.Moment{model.PreAuthentication, model.PostAuthentication, model.PreTokenGeneration} {
		w := newTriggered(t, nil, nil, at)
		w.addConfirmed("ada", "email=ada@example.com")
		w.reply = func(string, object) (any, error) { return nil, &userpool.FunctionError{Message: "no"} }
		w.wantRefused("InitiateAuth", byPassword("ada", password), "UserLambdaValidationException", at.Title()+" failed with error no.")
		w.reply = func(string, object) (any, error) { return object{}, nil }
		w.signIn("ada")
	}
}

func TestTheFirstVersionChangesTheIDTokenAndGroups(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, nil, []string{"Admins", "Editors"}, model.PreTokenGeneration)
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
	var request object
	details := object{"claimsToAddOrOverride": object{"tenant": "blue", "level": 3, "iss": "elsewhere", "sub": "somebody else"}, "claimsToSuppress": []string{"email", "exp"}}
	w.reply = func(_ string, event object) (any, error) {
		request = event["request"].(object)
		return object{"claimsOverrideDetails": details}, nil
	}
	got := w.signIn("ada")
	configuration := object{
		"groupsToOverride": []any{"Editors"}, "iamRolesToOverride": []any{"arn:aws:iam::123456789012:role/" + poolID + "-EditorsGroupRole"},
		"preferredRole": "arn:aws:iam::123456789012:role/" + poolID + "-EditorsGroupRole",
	}
	if diff := cmp.Diff(configuration, request["groupConfiguration"]); diff != "" {
		t.Error(diff)
	}
	id, access := claims(got.id, "id"), claims(got.access, "access")
	if id["tenant"] != "blue" || id["level"] != "3" || id["email"] != nil || id["sub"] == "somebody else" || id["exp"] == nil || access["tenant"] != nil {
		t.Errorf("the claims are %v and %v", id, access)
	}
	if diff := cmp.Diff([]any{"Editors"}, id["cognito:groups"]); diff != "" {
		t.Error(diff)
	}
	details["groupOverrideDetails"] = object{"groupsToOverride": []string{"Admins"}, "preferredRole": "arn:aws:iam::1:role/other"}
	got = w.signIn("ada")
	id, access = claims(got.id, "id"), claims(got.access, "access")
	if diff := cmp.Diff([]any{[]any{"Admins"}, []any{"Admins"}, nil, "arn:aws:iam::1:role/other"}, []any{id["cognito:groups"], access["cognito:groups"], id["cognito:roles"], id["cognito:preferred_role"]}); diff != "" {
		t.Error(diff)
	}
	details["groupOverrideDetails"] = object{}
	if id = claims(w.signIn("ada").id, "id"); id["cognito:groups"] != nil || id["cognito:roles"] != nil {
		t.Errorf("the claims of groups stay: %v", id)
	}
	details["claimsToAddOrOverride"] = object{"roles": []string{"reader"}}
	w.wantRefused("InitiateAuth", byPassword("ada", password), "InvalidLambdaResponseException", "Unrecognizable lambda output")
	w.seen()
	if _, err := w.pools.Issue(poolID, "ada"); err == nil {
		t.Error("tokens of the command line are made without the function")
	}
	w.wantSeen("TokenGeneration_Authentication")
}

func TestAMessageOfAFunctionNeedsItsPlaceholder(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		response   object
		text, note string
	}{
		{object{"emailMessage": "Code: {####}", "emailSubject": "Hi"}, "Code: CODE", ""},
		{object{"emailMessage": "no code"}, "", "lacks {####}"},
		{object{"emailMessage": "{####}" + strings.Repeat("x", 20_000)}, "", "too long"},
		{object{"smsMessage": "{####}"}, "", ""},
		{object{"emailMessage": nil}, "", ""},
	} {
		w := newTriggered(t, nil, nil, model.CustomMessage)
		w.reply = func(string, object) (any, error) { return row.response, nil }
		w.addSignedUp("ada", "email=ada@example.com")
		m := w.message()
		if want := strings.Replace(row.text, "CODE", m.Code, 1); m.Text != want || !strings.Contains(m.Note, row.note) || row.note == "" && m.Note != "" {
			t.Errorf("%v gives the message %q with the note %q", row.response, m.Text, m.Note)
		}
	}
}

func TestNoMessageIsWrittenThatNobodyGets(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, nil, nil, model.CustomMessage)
	w.addSignedUp("ada")
	w.wantSeen("")
}

func TestEveryMessageNamesWhatItIsFor(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, nil, nil, model.CustomMessage)
	w.addSignedUp("ada", "email=ada@example.com")
	w.do("ResendConfirmationCode", object{"Username": "ada"})
	w.do("AdminConfirmSignUp", object{"Username": "ada"})
	w.do("AdminUpdateUserAttributes", object{"Username": "ada", "UserAttributes": list("email_verified=true")})
	w.do("ForgotPassword", object{"Username": "ada"})
	access := w.signIn("ada").access
	w.do("UpdateUserAttributes", object{"AccessToken": access, "UserAttributes": list("email=ada@example.org")})
	w.do("GetUserAttributeVerificationCode", object{"AccessToken": access, "AttributeName": "email"})
	w.do("AdminCreateUser", object{"Username": "mary", "UserAttributes": list("email=mary@example.com")})
	w.do("AdminCreateUser", object{"Username": "mary", "MessageAction": "RESEND"})
	w.wantSeen("CustomMessage_SignUp CustomMessage_ResendCode CustomMessage_ForgotPassword CustomMessage_UpdateUserAttribute CustomMessage_VerifyUserAttribute " +
		"CustomMessage_AdminCreateUser CustomMessage_AdminCreateUser")
}

func TestASignInWithItsOwnChallengesNeedsTheirFunctions(t *testing.T) {
	t.Parallel()
	begin := object{"AuthFlow": "CUSTOM_AUTH", "AuthParameters": object{"USERNAME": "ada"}}
	const none = "Custom auth lambda trigger is not configured for the user pool."
	w := newTriggered(t, nil, nil)
	w.addConfirmed("ada", "email=ada@example.com")
	w.wantRefused("InitiateAuth", begin, "InvalidParameterException", none)
	w.changePool(func(p *pool.Pool) {
		p.Triggers = map[model.Moment]string{model.DefineAuthChallenge: "defineAuthChallengeFunction"}
	})
	w.reply = func(string, object) (any, error) { return object{"challengeName": "CUSTOM_CHALLENGE"}, nil }
	w.wantRefused("InitiateAuth", begin, "InvalidParameterException", none)
	for _, response := range []object{{}, {"challengeName": "PASSWORD_VERIFIER"}, {"challengeName": "OTHER"}, {"issueTokens": "yes"}} {
		w.reply = func(string, object) (any, error) { return response, nil }
		w.wantRefused("InitiateAuth", begin, "InvalidLambdaResponseException", "Unrecognizable lambda output")
	}
	w.reply = func(string, object) (any, error) { return object{"issueTokens": true}, nil }
	tokensOf(t, w.do("InitiateAuth", begin))
	w.do("AdminDisableUser", object{"Username": "ada"})
	w.wantRefused("InitiateAuth", begin, "NotAuthorizedException", "User is disabled.")
	// Whoever has no user gets no tokens, whatever the function says.
	w.wantRefused("InitiateAuth", object{"AuthFlow": "CUSTOM_AUTH", "AuthParameters": object{"USERNAME": "nobody"}}, "NotAuthorizedException", "Incorrect username or password.")
}

func TestOfTwoAnswersToAChallengeTheFirstCounts(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, nil, nil, model.DefineAuthChallenge, model.CreateAuthChallenge, model.VerifyAuthChallengeResponse)
	w.addConfirmed("ada", "email=ada@example.com")
	w.reply = func(source string, event object) (any, error) {
		rounds, _ := event["request"].(object)["session"].([]any)
		switch source {
		case "DefineAuthChallenge_Authentication":
			if len(rounds) > 0 {
				return object{"issueTokens": true}, nil
			}
			return object{"challengeName": "CUSTOM_CHALLENGE"}, nil
		case "CreateAuthChallenge_Authentication":
			return object{"privateChallengeParameters": object{"answer": "1"}}, nil
		}
		return object{"answerCorrect": true}, nil
	}
	asked := w.do("InitiateAuth", object{"AuthFlow": "CUSTOM_AUTH", "AuthParameters": object{"USERNAME": "ada"}})
	w.wantRefused("RespondToAuthChallenge", respond(asked, "somebody", object{"ANSWER": "1"}), "NotAuthorizedException", "Invalid session for the user.")
	var granted, refused int
	var all sync.WaitGroup
	var mu sync.Mutex
	for range 8 {
		all.Go(func() {
			_, err := w.try("RespondToAuthChallenge", respond(asked, "ada", object{"ANSWER": "1"}))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				granted++
			} else {
				refused++
			}
		})
	}
	all.Wait()
	if granted != 1 || refused != 7 {
		t.Errorf("%d answers are granted and %d refused", granted, refused)
	}
}

func TestAMigratedUserIsKeptWithTheStatusOfTheFunction(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, nil, nil, model.UserMigration)
	w.reply = func(string, object) (any, error) {
		return object{"userAttributes": object{"email": "ada@example.com", "email_verified": "true"}}, nil
	}
	w.wantRefused("InitiateAuth", byPassword("ada", password), "PasswordResetRequiredException", "")
	if status, attributes := w.adminView("ada"); status != "RESET_REQUIRED" || attributes["email_verified"] != "true" {
		t.Errorf("the user is %s %v", status, attributes)
	}
	w.reply = func(string, object) (any, error) { return object{"userAttributes": object{"colour": "blue"}}, nil }
	w.wantRefused("InitiateAuth", byPassword("emma", password), "InvalidLambdaResponseException", "Unrecognizable lambda output")
	w.reply = func(string, object) (any, error) { return object{"userAttributes": nil}, nil }
	w.wantRefused("InitiateAuth", byPassword("emma", password), "NotAuthorizedException", "Incorrect username or password.")
	w.wantSeen("UserMigration_Authentication UserMigration_Authentication UserMigration_Authentication")
}

func TestTheClientOfAPoolWithChallengesListsTheirFlow(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, nil, nil, model.DefineAuthChallenge)
	out := w.do("DescribeUserPoolClient", object{})
	flows, _ := out["UserPoolClient"].(object)["ExplicitAuthFlows"].([]any)
	if !strings.Contains(jsonText(flows), `"ALLOW_CUSTOM_AUTH"`) {
		t.Errorf("the flows are %v", flows)
	}
}

func jsonText(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

func TestTheRoleFollowsTheClaimsOfAFunction(t *testing.T) {
	t.Parallel()
	role := func(group string) string {
		return "arn:aws:iam::123456789012:role/" + poolID + "-" + group + "GroupRole"
	}
	for _, row := range []struct {
		name   string
		groups any
		want   []string
	}{
		{"those of the user", nil, []string{"Admins", "Editors"}},
		{"a preferred role", object{"groupsToOverride": []string{"Admins", "Editors"}, "iamRolesToOverride": []string{role("Admins"), role("Editors")}, "preferredRole": role("Editors")}, []string{"Editors"}},
		{"one role", object{"iamRolesToOverride": []string{role("Editors")}}, []string{"Editors"}},
		{"several roles and none preferred", object{"iamRolesToOverride": []string{role("Admins"), role("Editors")}}, nil},
		{"groups without roles", object{"groupsToOverride": []string{"Admins"}}, nil},
		{"a role of somebody else", object{"preferredRole": "arn:aws:iam::1:role/other"}, nil},
	} {
		w := newTriggered(t, nil, []string{"Admins", "Editors"}, model.PreTokenGeneration)
		w.addConfirmed("ada", "email=ada@example.com")
		for _, group := range []string{"Editors", "Admins"} {
			w.do("AdminAddUserToGroup", object{"Username": "ada", "GroupName": group})
		}
		w.reply = func(string, object) (any, error) {
			details := object{}
			if row.groups != nil {
				details["groupOverrideDetails"] = row.groups
			}
			return object{"claimsOverrideDetails": details}, nil
		}
		checked, err := w.pools.Check(poolID, "id", w.signIn("ada").id)
		if diff := cmp.Diff(row.want, checked.RoleGroups); err != nil || diff != "" {
			t.Errorf("%s: %v %s", row.name, err, diff)
		}
	}
}

func TestASecondFactorIsAskedForAfterThePasswordOfACustomSignIn(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, &model.Auth{MFAConfiguration: "OPTIONAL", MFAMethods: []string{"SMS"}}, nil, model.DefineAuthChallenge)
	w.addConfirmed("ada", "phone_number=+4912345678")
	w.do("AdminSetUserMFAPreference", object{"Username": "ada", "SMSMfaSettings": object{"Enabled": true, "PreferredMfa": true}})
	var rounds []any
	w.reply = func(_ string, event object) (any, error) {
		rounds, _ = event["request"].(object)["session"].([]any)
		if len(rounds) == 1 {
			return object{"challengeName": "PASSWORD_VERIFIER"}, nil
		}
		return object{"issueTokens": true}, nil
	}
	client := newSRPClient(t)
	begun := w.do("InitiateAuth", object{"AuthFlow": "CUSTOM_AUTH", "AuthParameters": object{"USERNAME": "ada", "CHALLENGE_NAME": "SRP_A", "SRP_A": client.A()}})
	asked := w.do("RespondToAuthChallenge", client.answer(begun, password))
	if asked["ChallengeName"] != "SMS_MFA" || len(rounds) != 1 {
		t.Fatalf("after the password comes %v, and the function has seen %v", asked, rounds)
	}
	tokensOf(t, w.do("RespondToAuthChallenge", respond(asked, "ada", object{"SMS_MFA_CODE": w.message().Code})))
	var names []string
	for _, r := range rounds {
		names = append(names, r.(object)["challengeName"].(string))
	}
	if got := strings.Join(names, " "); got != "SRP_A PASSWORD_VERIFIER SMS_MFA" {
		t.Errorf("the rounds are %s", got)
	}
}

func TestTheEventOfAUserHasTheAddressesThatAreNames(t *testing.T) {
	t.Parallel()
	w := newTriggered(t, &model.Auth{UsernameAttributes: []string{"email", "phone_number"}}, nil, model.PreAuthentication)
	w.addConfirmed("ada@example.com")
	w.addConfirmed("+4912345678")
	var seen object
	w.reply = func(_ string, event object) (any, error) {
		seen = event["request"].(object)["userAttributes"].(object)
		return object{}, nil
	}
	for name, attribute := range map[string]string{"ada@example.com": "cognito:email_alias", "+4912345678": "cognito:phone_number_alias"} {
		w.signIn(name)
		if seen[attribute] != name {
			t.Errorf("the attributes of %s are %v", name, seen)
		}
	}
}

func TestTheEventsOfASignInHaveTheNameOfTheUserAndNotWhatWasTyped(t *testing.T) {
	t.Parallel()
	moments := []model.Moment{model.PreAuthentication, model.PostAuthentication, model.PreTokenGeneration}
	w := newTriggered(t, &model.Auth{UsernameAttributes: []string{"email"}}, nil, moments...)
	w.addConfirmed("ada@example.com")
	name := w.do("AdminGetUser", object{"Username": "ada@example.com"})["Username"]
	w.seen()
	in := byPassword("ada@example.com", password)
	in["ClientMetadata"] = object{"from": "a test"}
	w.do("InitiateAuth", in)
	if name == "ada@example.com" || len(w.events) != len(moments) {
		t.Fatalf("the user %v has %d events", name, len(w.events))
	}
	for i, e := range w.events {
		request := e["request"].(object)
		attributes := request["userAttributes"].(object)
		if e["userName"] != name || e["userPoolId"] != poolID || attributes["email"] != "ada@example.com" || attributes["sub"] == nil {
			t.Errorf("%s gets %v", moments[i], e)
		}
		delete(request, "userAttributes")
		delete(request, "groupConfiguration")
	}
	w.reply = func(string, object) (any, error) { return object{}, nil }
	w.wantRefused("InitiateAuth", byPassword("bob@example.com", password), "NotAuthorizedException", "Incorrect username or password.")
	unknown := w.events[len(w.events)-1]
	if unknown["userName"] != "bob@example.com" {
		t.Errorf("for a name that no user has it is %v", unknown["userName"])
	}
	// Only what is called before a sign-in gets the data of the client.
	want := []object{
		{"validationData": object{"from": "a test"}, "userNotFound": false},
		{"newDeviceUsed": false},
		{},
		{"userAttributes": object{}, "validationData": object{}, "userNotFound": true},
	}
	var got []object
	for _, e := range w.events {
		got = append(got, e["request"].(object))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the requests are others (-want +got)\n%s", diff)
	}
}
