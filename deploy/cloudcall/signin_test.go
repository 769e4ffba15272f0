package cloudcall_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/outputs"
	"gatewright/deploy/signin"
	"gatewright/deploy/signin/signintest"
	"gatewright/flow/request/requesttest"
	"gatewright/model"
	"gatewright/sandbox"
)

// public is an account without credentials, whose calls go where variables say.
func public(t *testing.T, in string, variables map[string]string) *account.Account {
	t.Helper()
	getenv := func(name string) string {
		if name == "AWS_CONFIG_FILE" || name == "AWS_SHARED_CREDENTIALS_FILE" {
			return os.DevNull
		}
		return variables[name]
	}
	a, err := account.Public(t.Context(), account.Options{Environment: "prod", Region: in, Retry: account.Retry{Attempts: 2, Backoff: time.Nanosecond}, Getenv: getenv})
	must(t, err)
	return a
}

// answers answers questions in their order, and keeps them.
type answers struct {
	give  []string
	asked []signin.Question
}

func (a *answers) ask(_ context.Context, q signin.Question) (string, error) {
	a.asked = append(a.asked, q)
	if len(a.asked) > len(a.give) {
		return "", errors.New("nobody answers")
	}
	return a.give[len(a.asked)-1], nil
}

// TestAUserSignsInToTheSandboxsPool speaks to pools that were written for the public client
// library.
func TestAUserSignsInToTheSandboxsPool(t *testing.T) {
	t.Parallel()
	dir := requesttest.WriteProject(t, requesttest.Shop(t))
	deploytest.Serve(t, dir)
	requesttest.AddUser(t, dir, "emma", "Editors")
	held := requesttest.OpenUsers(t, dir)
	must(t, sandbox.Ask(t.Context(), held, "AdminCreateUser", map[string]any{"Username": "tim", "MessageAction": "SUPPRESS", "TemporaryPassword": "Temp0rary-horse"}, nil))
	must(t, held.Close())
	text, err := os.ReadFile(filepath.Join(dir, "client_config.json"))
	must(t, err)
	var values model.Outputs
	must(t, json.Unmarshal(text, &values))
	auth := values["auth"].(map[string]any)
	users, identities := outputs.PoolEndpointsIn(values)
	a := public(t, auth["cloud_region"].(string), map[string]string{"AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER": users, "AWS_ENDPOINT_URL_COGNITO_IDENTITY": identities})
	pools := signin.Pools{Environment: "dev", UserPool: auth["user_pool_id"].(string), Client: auth["user_pool_client_id"].(string), Identities: auth["identity_pool_id"].(string)}

	emma := &answers{give: []string{"Correct-horse-7"}}
	user, err := signin.SignIn(t.Context(), a, pools, "emma", emma.ask)
	must(t, err)
	if !slices.Equal(user.Groups, []string{"Editors"}) || !emma.asked[0].Hidden() || emma.asked[0].Text != "password of emma" {
		t.Errorf("signed in: %+v, asked %+v", user.Groups, emma.asked)
	}
	for _, who := range []*signin.User{user, nil} {
		keys, err := signin.Get(t.Context(), a, pools, who)
		if err != nil || keys.AccessKeyID == "" || keys.SecretKey == "" || keys.SessionToken == "" || time.Until(keys.Expires) < 10*time.Minute {
			t.Errorf("credentials until %v, %v", keys.Expires, err)
		}
	}
	for name, password := range map[string]string{"emma": "Correct-horse-8", "nobody": "Correct-horse-7"} {
		if _, err := signin.SignIn(t.Context(), a, pools, name, (&answers{give: []string{password}}).ask); !errors.Is(err, signin.ErrRefused) ||
			!strings.Contains(err.Error(), "does not let "+name+` in: "Incorrect username or password"; check`) || strings.Contains(err.Error(), password) {
			t.Errorf("%s: %v", name, err)
		}
	}
	tim := &answers{give: []string{"Temp0rary-horse", "Fresh-horse-9", "Fresh-horse-9"}}
	if _, err := signin.SignIn(t.Context(), a, pools, "tim", tim.ask); err != nil || tim.asked[1].Kind != signin.NewPassword || !tim.asked[2].Hidden() {
		t.Errorf("a new password: %v, asked %+v", err, tim.asked)
	}
	if _, err := signin.SignIn(t.Context(), a, pools, "tim", (&answers{give: []string{"Fresh-horse-9"}}).ask); err != nil {
		t.Errorf("with the new password: %v", err)
	}
}

func newPool(t *testing.T) (*signintest.Pool, *awstest.Server, *account.Account, signin.Pools) {
	t.Helper()
	fake := awstest.New(t, awstest.Options{})
	p := &signintest.Pool{User: "emma@example.com", Groups: []string{"Editors", "Admins"}}
	fake.Serve("cognito-idp", p.Serve)
	return p, fake, public(t, region, map[string]string{"AWS_ENDPOINT_URL": fake.URL}), signin.Pools{Environment: "prod", UserPool: region + "_" + signintest.ID, Client: "client", Identities: region + ":pool"}
}

func challenge(name string, parameters map[string]string) map[string]any {
	return map[string]any{"ChallengeName": name, "ChallengeParameters": parameters}
}

func TestWhatThePoolAsksAfterThePasswordIsAnswered(t *testing.T) {
	t.Parallel()
	p, _, a, pools := newPool(t)
	p.Challenges = []map[string]any{
		challenge("NEW_PASSWORD_REQUIRED", map[string]string{"requiredAttributes": `["userAttributes.given_name"]`}),
		challenge("SELECT_MFA_TYPE", map[string]string{"MFAS_CAN_CHOOSE": `["SMS_MFA","SOFTWARE_TOKEN_MFA"]`}),
		challenge("SOFTWARE_TOKEN_MFA", map[string]string{}),
		challenge("SMS_MFA", map[string]string{"CODE_DELIVERY_DESTINATION": "+*******11"}),
	}
	person := &answers{give: []string{signintest.Password, "New-horse-1", "New-horse-1", "Emma", "software_token_mfa", " 123456 ", "654321"}}
	user, err := signin.SignIn(t.Context(), a, pools, "emma@example.com", person.ask)
	must(t, err)
	if !slices.Equal(user.Groups, []string{"Editors", "Admins"}) {
		t.Errorf("the groups are %v", user.Groups)
	}
	for i, want := range []map[string]string{
		{"NEW_PASSWORD": "New-horse-1", "userAttributes.given_name": "Emma"}, {"ANSWER": "SOFTWARE_TOKEN_MFA"}, {"SOFTWARE_TOKEN_MFA_CODE": "123456"}, {"SMS_MFA_CODE": "654321"},
	} {
		want["USERNAME"] = "sub-of-the-user"
		if !maps.Equal(p.Told[i], want) {
			t.Errorf("response %d is %v, and should be %v", i, p.Told[i], want)
		}
	}
	want := []signin.Question{
		{Kind: signin.Password, Text: "password of emma@example.com"},
		{Kind: signin.NewPassword, Text: "new password of emma@example.com, who has a temporary one"},
		{Kind: signin.NewPassword, Text: "the same password again"},
		{Kind: signin.Attribute, Text: "given_name of emma@example.com"},
		{Kind: signin.Code, Text: "second factor of emma@example.com", Options: []string{"SMS_MFA", "SOFTWARE_TOKEN_MFA"}},
		{Kind: signin.Code, Text: "the code that the app of emma@example.com shows"},
		{Kind: signin.Code, Text: "the code in the message to +*******11"},
	}
	for i := range want {
		want[i].User = "emma@example.com"
	}
	if !reflect.DeepEqual(person.asked, want) {
		t.Errorf("asked\n%+v, want\n%+v", person.asked, want)
	}
}

func TestAMistypedCodeIsAskedForAgain(t *testing.T) {
	t.Parallel()
	p, _, a, pools := newPool(t)
	wrong := &awstest.Refusal{Code: "CodeMismatchException", Message: "Invalid code received for user"}
	p.Challenges, p.Fail = []map[string]any{challenge("SOFTWARE_TOKEN_MFA", nil)}, []*awstest.Refusal{wrong}
	person := &answers{give: []string{signintest.Password, "111111", "222222"}}
	if _, err := signin.SignIn(t.Context(), a, pools, "emma@example.com", person.ask); err != nil || !strings.HasSuffix(person.asked[2].Text, "the last one was not right") {
		t.Errorf("%v, asked %+v", err, person.asked)
	}
	p.Challenges, p.Fail = []map[string]any{challenge("SOFTWARE_TOKEN_MFA", nil)}, []*awstest.Refusal{wrong, wrong, wrong, wrong}
	person = &answers{give: []string{signintest.Password, "1", "2", "3", "4"}}
	if _, err := signin.SignIn(t.Context(), a, pools, "emma@example.com", person.ask); err == nil || len(person.asked) != 4 || !strings.Contains(err.Error(), "refuses the code") {
		t.Errorf("after three codes: %v, asked %d times", err, len(person.asked))
	}
}

func TestASignInThatCannotGoOnSaysWhatToDo(t *testing.T) {
	t.Parallel()
	p, fake, a, pools := newPool(t)
	for name, tt := range map[string]struct {
		challenge, code string
		want            string
	}{
		"only the app": {"MFA_SETUP", "", `asks emma@example.com for MFA_SETUP, which only the app can respond to; sign in there first`},
		"unconfirmed":  {"", "UserNotConfirmedException", "is not confirmed; confirm with: gatewright user confirm emma@example.com --env prod"},
		"reset":        {"", "PasswordResetRequiredException", "must have another password; set one with: gatewright user passwd emma@example.com --env prod"},
		"a lost pool":  {"", "ResourceNotFoundException", "gatewright status --env prod"},
	} {
		p.Challenges = nil
		if tt.challenge != "" {
			p.Challenges = []map[string]any{challenge(tt.challenge, nil)}
		} else {
			fake.Fail("InitiateAuth", tt.code, "no", 1)
		}
		_, err := signin.SignIn(t.Context(), a, pools, "emma@example.com", (&answers{give: []string{signintest.Password}}).ask)
		if err == nil || !strings.HasPrefix(err.Error(), "environment prod: ") || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	none := pools
	none.UserPool = ""
	if _, err := signin.SignIn(t.Context(), a, none, "emma", (&answers{}).ask); err == nil || !strings.Contains(err.Error(), "without a user pool") {
		t.Errorf("without a pool: %v", err)
	}
}

func TestTheTimeOfASignInIsThatOfThePool(t *testing.T) {
	t.Parallel()
	p, fake, a, pools := newPool(t)
	const off = 3 * time.Hour
	fake.Skew(off)
	p.Now = func() time.Time { return time.Now().Add(off) }
	if _, err := signin.SignIn(t.Context(), a, pools, "emma@example.com", (&answers{give: []string{signintest.Password}}).ask); err != nil {
		t.Errorf("with a wrong clock: %v", err)
	}
}

func TestGuestsThatAreOffAreTold(t *testing.T) {
	t.Parallel()
	_, fake, a, pools := newPool(t)
	fake.Serve("cognito-identity", func(awstest.Request) (any, error) {
		return nil, &awstest.Refusal{Code: "NotAuthorizedException", Message: "Unauthenticated access is not supported for this identity pool."}
	})
	if _, err := signin.Get(t.Context(), a, pools, nil); err == nil || !strings.Contains(err.Error(), "guests get no credentials: ") || !strings.Contains(err.Error(), "--unauthenticated-identities-enabled") {
		t.Errorf("got %v", err)
	}
}

func TestAPoolOfAnotherRegionIsNamedWithItsRegion(t *testing.T) {
	t.Parallel()
	p, fake, a, pools := newPool(t)
	pools.UserPool = "eu-west-1_" + signintest.ID
	user, err := signin.SignIn(t.Context(), a, pools, p.User, (&answers{give: []string{signintest.Password}}).ask)
	must(t, err)
	asked := 0
	fake.Serve("cognito-identity", func(q awstest.Request) (any, error) {
		var in struct{ Logins map[string]string }
		must(t, q.Read(&in))
		if _, named := in.Logins["cognito-idp.eu-west-1.amazonaws.com/"+pools.UserPool]; !named || len(in.Logins) != 1 {
			t.Errorf("%s is about a user of %v", q.Action, slices.Collect(maps.Keys(in.Logins)))
		}
		asked++
		return map[string]any{"IdentityId": "eu-central-1:one", "Credentials": map[string]any{"AccessKeyId": "a", "SecretKey": "s", "SessionToken": "t", "Expiration": 1e10 + .5}}, nil
	})
	keys, err := signin.Get(t.Context(), a, pools, user)
	want := signin.Credentials{AccessKeyID: "a", SecretKey: "s", SessionToken: "t", Expires: time.Unix(1e10, 5e8)}
	if err != nil || asked != 2 || keys != want {
		t.Errorf("asked %d times, got %+v, %v", asked, keys, err)
	}
}

// TestEachEndOfASignInIsOneLine has what the pool asks or refuses, what the user gives, and the whole error.
func TestEachEndOfASignInIsOneLine(t *testing.T) {
	t.Parallel()
	const env = "environment prod: "
	fresh := challenge("NEW_PASSWORD_REQUIRED", nil)
	code := func(kind string) map[string]any {
		return challenge(kind, map[string]string{"CODE_DELIVERY_DESTINATION": "e***@x"})
	}
	refuse := func(code, message string) []*awstest.Refusal {
		return []*awstest.Refusal{{Code: code, Message: message}}
	}
	endless := make([]map[string]any, 9)
	for i := range endless {
		endless[i] = code("EMAIL_OTP")
	}
	for name, tt := range map[string]struct {
		challenges []map[string]any
		fail       []*awstest.Refusal
		give       []string
		want       string
	}{
		"two new passwords":      {[]map[string]any{fresh}, nil, []string{"a", "b"}, "the two passwords differ; nothing was changed"},
		"no new password":        {[]map[string]any{fresh}, nil, []string{"", ""}, "no password given; nothing was changed"},
		"a new password alone":   {[]map[string]any{fresh}, nil, []string{"a"}, "nobody answers"},
		"a password that is bad": {[]map[string]any{fresh}, refuse("InvalidPasswordException", "Too short."), []string{"a", "a"}, env + `its user pool refuses the new password: "Too short"; choose another one`},
		"no second factor": {
			[]map[string]any{challenge("SELECT_MFA_TYPE", map[string]string{"MFAS_CAN_CHOOSE": "[]"})},
			nil, nil,
			env + "its user pool offers emma@example.com no second factor; set one up in the app",
		},
		"a factor that is none": {
			[]map[string]any{challenge("SELECT_MFA_TYPE", map[string]string{"MFAS_CAN_CHOOSE": `["SMS_MFA","EMAIL_OTP"]`})},
			nil,
			[]string{" sms "},
			env + "SMS is no second factor of emma@example.com; choose one of SMS_MFA, EMAIL_OTP",
		},
		"an old code":     {[]map[string]any{code("SMS_MFA")}, refuse("ExpiredCodeException", "It expired."), []string{"1"}, env + `its user pool refuses the code: "It expired"; sign in again with a new code`},
		"no user":         {[]map[string]any{code("SMS_MFA")}, refuse("UserNotFoundException", "Gone"), []string{"1"}, env + "its user pool does not let emma@example.com in: Gone; check the name and the password; the users are listed by: gatewright user list --env prod"},
		"no client":       {[]map[string]any{code("SMS_MFA")}, refuse("ResourceNotFoundException", "Gone"), []string{"1"}, env + "its user pool, or the pool's client, no longer exists; see what is deployed with: gatewright status --env prod"},
		"without an end":  {endless, nil, strings.Split("12345678", ""), env + "its user pool keeps asking for more; sign in with the app"},
		"just in time":    {endless[:7], nil, strings.Split("1234567", ""), ""},
		"a code by email": {[]map[string]any{code("EMAIL_OTP")}, nil, nil, "nobody answers"},
	} {
		p, _, a, pools := newPool(t)
		p.Fail = tt.fail
		for _, one := range tt.challenges {
			p.Challenges = append(p.Challenges, maps.Clone(one))
		}
		person := &answers{give: append([]string{signintest.Password}, tt.give...)}
		_, err := signin.SignIn(t.Context(), a, pools, "emma@example.com", person.ask)
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want || err != nil && strings.HasPrefix(tt.want, env) && !errors.Is(err, signin.ErrRefused) {
			t.Errorf("%s: %v\nwant %s", name, err, tt.want)
		}
		if name == "a code by email" && person.asked[1].Text != "the code in the email to e***@x" {
			t.Errorf("asked for %q", person.asked[1].Text)
		}
	}
	q := signin.Question{Text: "which", Options: []string{"A", "b c"}}
	if got := q.String(); got != `which (A, "b c")` {
		t.Errorf("a choice is asked as %s", got)
	}
	if got := (signin.Question{Kind: signin.Code, Text: "code"}); got.String() != "code" || got.Hidden() {
		t.Errorf("a code is asked as %s, hidden %v", got, got.Hidden())
	}
}

// TestAPoolThatIsNoneIsNotTrusted has answers to the first request, and to the proof of the password, which may be cut.
func TestAPoolThatIsNoneIsNotTrusted(t *testing.T) {
	t.Parallel()
	token := func(text string) map[string]any {
		return map[string]any{"AuthenticationResult": map[string]any{"IdToken": text}}
	}
	for name, tt := range map[string]struct {
		first map[string]any
		want  string
	}{
		"a challenge without a proof": {challenge("MFA_SETUP", nil), "environment prod: its user pool asks emma@example.com for MFA_SETUP, which only the app can respond to; sign in there first, or as another user"},
		"numbers that are none":       {challenge("PASSWORD_VERIFIER", map[string]string{"SALT": "x", "SRP_B": "y"}), "environment prod: its user pool does not respond like Amazon Cognito; check AWS_ENDPOINT_URL"},
		"a token of two parts":        {token("e30.e30"), "the user pool returned no id token"},
		"a token of four parts":       {token("e30.e30.e30.e30"), "the user pool returned no id token"},
		"a token that is not JSON":    {token("e30.e3.e30"), "the user pool returned an invalid id token"},
		"a token without groups":      {token("e30.e30=.e30"), ""},
	} {
		_, fake, a, pools := newPool(t)
		fake.Serve("cognito-idp", func(awstest.Request) (any, error) { return tt.first, nil })
		user, err := signin.SignIn(t.Context(), a, pools, "emma@example.com", (&answers{give: []string{signintest.Password}}).ask)
		switch {
		case tt.want == "" && (err != nil || user.Name != "emma@example.com" || len(user.Groups) > 0):
			t.Errorf("%s: %+v, %v", name, user, err)
		case tt.want != "" && (err == nil || err.Error() != tt.want):
			t.Errorf("%s: %v\nwant %s", name, err, tt.want)
		}
	}
	// A repeated answer would be refused, since it counts once.
	_, fake, a, pools := newPool(t)
	fake.CutAt(2, awstest.AfterHandling)
	_, err := signin.SignIn(t.Context(), a, pools, "emma@example.com", (&answers{give: []string{signintest.Password}}).ask)
	if n := fake.Count("RespondToAuthChallenge"); err == nil || n != 1 {
		t.Errorf("an answer that was cut was sent %d times, %v", n, err)
	}
}

func TestAnIdentityPoolThatRefusesIsToldForUsersToo(t *testing.T) {
	t.Parallel()
	p, fake, a, pools := newPool(t)
	user, err := signin.SignIn(t.Context(), a, pools, p.User, (&answers{give: []string{signintest.Password}}).ask)
	must(t, err)
	none := pools
	none.Identities = ""
	_, err = signin.Get(t.Context(), a, none, user)
	if want := "environment prod: was pushed without an identity pool, so nobody gets credentials; leave out --as, or add what needs users and push"; err == nil || err.Error() != want {
		t.Errorf("without an identity pool: %v", err)
	}
	for code, want := range map[string]string{
		"NotAuthorizedException":    `environment prod: emma@example.com gets no credentials: "Not you."; see what is deployed with: gatewright status --env prod`,
		"ResourceNotFoundException": "environment prod: its identity pool no longer exists; see what is deployed with: gatewright status --env prod",
	} {
		for _, action := range []string{"GetId", "GetCredentialsForIdentity"} {
			fake.Serve("cognito-identity", func(q awstest.Request) (any, error) {
				if q.Action == action {
					return nil, &awstest.Refusal{Code: code, Message: "Not you."}
				}
				return map[string]any{"IdentityId": "eu-central-1:one"}, nil
			})
			if _, err := signin.Get(t.Context(), a, pools, user); err == nil || err.Error() != want || !errors.Is(err, signin.ErrRefused) {
				t.Errorf("%s of %s: %v\nwant %s", code, action, err, want)
			}
		}
	}
}
