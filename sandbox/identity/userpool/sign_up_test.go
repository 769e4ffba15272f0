package userpool_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
)

func TestASignUpIsConfirmedByTheCodeThatWasSent(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	out := w.addSignedUp("ada", "email=ada@example.com")
	details, _ := out["CodeDeliveryDetails"].(object)
	if out["UserConfirmed"] != false || len(out["UserSub"].(string)) != 36 || details["Destination"] != "a***@e***" ||
		details["DeliveryMedium"] != "EMAIL" || details["AttributeName"] != "email" {
		t.Errorf("the sign-up answers %v", out)
	}
	m := w.message()
	if m.Environment != "dev" || m.UserPoolID != poolID || m.User != "ada" || m.Purpose != "sign-up" || m.Medium != "EMAIL" || m.To != "ada@example.com" ||
		m.Undeliverable || len(m.Code) != 6 || strings.Trim(m.Code, "0123456789") != "" {
		t.Errorf("the message is %+v", m)
	}
	w.wantRefused("InitiateAuth", byPassword("ada", password), "UserNotConfirmedException", "User is not confirmed.")
	w.wantRefused("InitiateAuth", byPassword("ada", "Wrong-horse 7"), "NotAuthorizedException", "Incorrect username or password.")
	w.restart()
	w.do("ConfirmSignUp", object{"Username": "ADA", "ConfirmationCode": m.Code})
	if status, values := w.adminView("ada"); status != "CONFIRMED" || values["email_verified"] != "true" || values["sub"] != out["UserSub"] {
		t.Errorf("the user is %s with %v", status, values)
	}
	w.wantRefused("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": m.Code}, "NotAuthorizedException", "User cannot be confirmed. Current status is CONFIRMED")
	w.wantRefused("ResendConfirmationCode", object{"Username": "ada"}, "InvalidParameterException", "User is already confirmed.")
	w.signIn("ada")
}

func TestEveryFieldOfThePasswordPolicyCounts(t *testing.T) {
	t.Parallel()
	yes := pointer(true)
	strict := &model.PasswordPolicy{MinLength: pointer(10), RequireUppercase: yes, RequireLowercase: yes, RequireNumbers: yes, RequireSymbols: yes}
	const prefix = "Password did not conform with policy: Password "
	for _, c := range []struct {
		name    string
		policy  *model.PasswordPolicy
		tried   string
		problem string
	}{
		{"no policy: seven", nil, "aaaaaaa", "not long enough"},
		{"no policy: eight", nil, "aaaaaaaa", ""},
		{"an empty policy: seven", &model.PasswordPolicy{}, "aaaaaaa", "not long enough"},
		{"six are enough", &model.PasswordPolicy{MinLength: pointer(6)}, "aaaaaa", ""},
		{"no password at all", nil, "", "not long enough"},
		{"short", strict, "Aa1!Aa1!A", "not long enough"},
		{"characters are counted, not bytes", strict, "Aa1!ééééé", "not long enough"},
		{"no capital", strict, "aaaaaaaa1!", "must have uppercase characters"},
		{"a capital that is not Latin", strict, "Äaaaaaaa1!", "must have uppercase characters"},
		{"no small letter", strict, "AAAAAAAA1!", "must have lowercase characters"},
		{"no number", strict, "AAAAaaaaa!", "must have numeric characters"},
		{"no symbol", strict, "AAAAaaaaa1", "must have symbol characters"},
		{"a space inside is a symbol", strict, "AAAA aaaa1", ""},
		{"all of it", strict, "AAAAaaaa1!", ""},
		{"99", &model.PasswordPolicy{MinLength: pointer(99)}, strings.Repeat("a", 98), "not long enough"},
		{"only numbers wanted", &model.PasswordPolicy{RequireNumbers: yes}, "aaaaaaaa", "must have numeric characters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newFixture(t, nil)
			w.addConfirmed("there")
			w.changePool(func(p *pool.Pool) { p.Definition = &model.Auth{PasswordPolicy: c.policy} })
			access := w.signIn("there").access
			for operation, in := range map[string]object{
				"SignUp":                {"Username": "ada", "Password": c.tried},
				"AdminCreateUser":       {"Username": "bob", "TemporaryPassword": c.tried},
				"AdminSetUserPassword":  {"Username": "there", "Password": c.tried, "Permanent": true},
				"ChangePassword":        {"AccessToken": access, "PreviousPassword": password, "ProposedPassword": c.tried},
				"ConfirmForgotPassword": {"Username": "there", "ConfirmationCode": "000000", "Password": c.tried},
			} {
				_, err := w.try(operation, in)
				switch {
				case c.problem != "" && (c.tried != "" || operation == "SignUp"):
					wantRefusal(t, operation, err, "InvalidPasswordException", prefix+c.problem)
				case err != nil && strings.Contains(err.Error(), "policy"):
					t.Errorf("%s: %v", operation, err)
				}
			}
		})
	}
}

func TestSignUpNeedsTheRequiredAttributes(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{StandardRequiredAttributes: []string{"name", "email", "sub", "updated_at"}})
	w.wantRefused("SignUp", object{"Username": "ada", "Password": password}, "InvalidParameterException",
		"Attributes did not conform to the schema: email: The attribute is required\nname: The attribute is required\n")
	w.wantRefused("SignUp", object{"Username": "ada", "Password": password, "UserAttributes": list("name=Ada", "email=")}, "InvalidParameterException",
		"Attributes did not conform to the schema: email: The attribute is required\n")
	w.addSignedUp("ada", "name=Ada", "email=ada@example.com")
}

func TestUserNames(t *testing.T) {
	t.Parallel()
	addresses := func(names ...string) *model.Auth { return &model.Auth{UsernameAttributes: names} }
	for _, c := range []struct {
		definition *model.Auth
		username   string
		refusal    string
	}{
		{nil, "ada", ""},
		{nil, "ada@example.com", ""},
		{nil, "Ádá-✓_1", ""},
		{nil, strings.Repeat("é", 128), ""},
		{addresses("username"), "ada", ""},
		{addresses("email"), "ada@example.com", ""},
		{addresses("email"), "ada", "Username should be an email."},
		{addresses("email"), "+41791234567", "Username should be an email."},
		{addresses("email"), "@example.com", "Username should be an email."},
		{addresses("email"), "a@b@c", "Username should be an email."},
		{addresses("phone_number"), "+41791234567", ""},
		{addresses("phone_number"), "0791234567", "Username should be a phone number."},
		{addresses("phone_number"), "ada@example.com", "Username should be a phone number."},
		{addresses("email", "phone_number"), "ada", "Username should be either an email or a phone number."},
		{addresses("email", "phone_number"), "+41791234567", ""},
		{addresses("email", "username"), "ada", ""},
		{addresses("email", "username"), "ada@example.com", "Username cannot be of email format, since user pool is configured for email alias."},
		{addresses("phone_number", "username"), "+41791234567", "Username cannot be of phone number format, since user pool is configured for phone number alias."},
	} {
		w := newFixture(t, c.definition)
		out, err := w.try("SignUp", object{"Username": c.username, "Password": password})
		if c.refusal != "" {
			wantRefusal(t, c.username, err, "InvalidParameterException", c.refusal)
			continue
		}
		if err != nil {
			t.Errorf("%q in a pool of %v: %v", c.username, c.definition, err)
			continue
		}
		w.do("ConfirmSignUp", object{"Username": c.username, "ConfirmationCode": w.message().Code})
		user, err := w.pools.User(poolID, c.username)
		if err != nil {
			t.Fatal(err)
		}
		want := c.username
		if c.definition != nil && len(c.definition.UsernameAttributes) < 3 && c.username != "ada" {
			if want = out["UserSub"].(string); user.Attributes["email"] != c.username && user.Attributes["phone_number"] != c.username {
				t.Errorf("the address %s is no attribute: %v", c.username, user.Attributes)
			}
		}
		if user.Name != want {
			t.Errorf("%s is called %s, want %s", c.username, user.Name, want)
		}
		w.signIn(c.username)
		w.signIn(strings.ToUpper(user.Sub))
	}
}

func TestInvalidUserNamesAreRefused(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	const pattern = `1 validation error detected: Value at 'username' failed to satisfy constraint: Member must satisfy regular expression pattern: [\p{L}\p{M}\p{S}\p{N}\p{P}]+`
	for _, name := range []string{"a b", "a\x00b", "a\nb", "\x1b[31m", "a\u00a0b", "a\u202eb", "\ufffd"} {
		w.wantRefused("SignUp", object{"Username": name, "Password": password}, "InvalidParameterException", pattern)
	}
	w.wantRefused("SignUp", object{"Username": "", "Password": password}, "InvalidParameterException",
		"1 validation error detected: Value at 'username' failed to satisfy constraint: Member must not be null")
	w.wantRefused("SignUp", object{"Username": strings.Repeat("é", 129), "Password": password}, "InvalidParameterException",
		"1 validation error detected: Value at 'username' failed to satisfy constraint: Member must have length less than or equal to 128")
	w.wantRefused("SignUp", object{"Username": "ada", "Password": password, "ClientId": "nobody's"}, "InvalidParameterException", "")
	w.wantRefused("SignUp", object{"Username": "ada", "Password": password, "ClientId": "unknown"}, "ResourceNotFoundException", "User pool client unknown does not exist.")
	for _, bad := range []string{" starts with a space", "ends with one ", "\x00control-1", strings.Repeat("a", 257)} {
		w.wantRefused("SignUp", object{"Username": "ada", "Password": bad}, "InvalidParameterException", "")
	}
}

func TestUserNamesIgnoreCase(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	sub := w.addSignedUp("Ada")["UserSub"].(string)
	for _, name := range []string{"Ada", "ada", "ADA", sub} {
		w.wantRefused("SignUp", object{"Username": name, "Password": password}, "UsernameExistsException", "User already exists")
		w.wantRefused("AdminCreateUser", object{"Username": name}, "UsernameExistsException", "User account already exists")
	}
	byEmail := newFixture(t, &model.Auth{UsernameAttributes: []string{"email"}})
	byEmail.addSignedUp("ada@example.com")
	byEmail.wantRefused("SignUp", object{"Username": "Ada@Example.com", "Password": password}, "UsernameExistsException", "An account with the given email already exists.")
	byEmail.wantRefused("SignUp", object{"Username": "bob@example.com", "Password": password, "UserAttributes": list("email=other@example.com")}, "InvalidParameterException", "")
}

func TestParallelSignUpsWithOneNameMakeOneUser(t *testing.T) {
	t.Parallel()
	for _, definition := range []*model.Auth{nil, {UsernameAttributes: []string{"email"}}} {
		w := newFixture(t, definition)
		var wins, losses sync.Map
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				out, err := w.try("SignUp", object{"Username": "ada@example.com", "Password": fmt.Sprintf("%s %d", password, i)})
				if err == nil {
					wins.Store(i, out["UserSub"])
				} else {
					losses.Store(i, err)
				}
			})
		}
		all.Wait()
		winner, count := -1, 0
		wins.Range(func(i, _ any) bool { winner, count = i.(int), count+1; return true })
		losses.Range(func(_, err any) bool {
			wantRefusal(t, "a loser", err.(error), "UsernameExistsException", "")
			return true
		})
		if count != 1 {
			t.Fatalf("%d sign-ups succeeded", count)
		}
		w.do("ConfirmSignUp", object{"Username": "ada@example.com", "ConfirmationCode": w.message().Code})
		tokensOf(t, w.do("InitiateAuth", byPassword("ada@example.com", fmt.Sprintf("%s %d", password, winner))))
	}
}

func TestAliasesAreValidOnceVerified(t *testing.T) {
	t.Parallel()
	w := newFixture(t, &model.Auth{UsernameAttributes: []string{"username", "email"}})
	w.addSignedUp("ada", "email=shared@example.com")
	code := w.message().Code
	w.wantRefused("InitiateAuth", byPassword("shared@example.com", password), "NotAuthorizedException", "Incorrect username or password.")
	w.do("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": code})
	w.signIn("Shared@example.com")

	w.addSignedUp("bob", "email=shared@example.com")
	code = w.message().Code
	w.wantRefused("ConfirmSignUp", object{"Username": "bob", "ConfirmationCode": code}, "AliasExistsException", "An account with the given email already exists.")
	w.do("ConfirmSignUp", object{"Username": "bob", "ConfirmationCode": code, "ForceAliasCreation": true})
	if user, err := w.pools.User(poolID, "shared@example.com"); err != nil || user.Name != "bob" {
		t.Errorf("the address means %v (%v)", user, err)
	}
	if _, values := w.adminView("ada"); values["email_verified"] != "false" {
		t.Errorf("ada still has the address: %v", values)
	}
	w.restart()
	w.do("AdminDeleteUser", object{"Username": "bob"})
	w.wantRefused("AdminGetUser", object{"Username": "shared@example.com"}, "UserNotFoundException", "User does not exist.")
}

func TestChangedNameRulesReindexUsers(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada", "email=same@example.com")
	w.wait(time.Second)
	w.addConfirmed("bob", "email=same@example.com")
	w.wantRefused("AdminGetUser", object{"Username": "same@example.com"}, "UserNotFoundException", "")
	w.changePool(func(p *pool.Pool) { p.Definition = &model.Auth{UsernameAttributes: []string{"username", "email"}} })
	if user, err := w.pools.User(poolID, "same@example.com"); err != nil || user.Name != "ada" {
		t.Errorf("the address means %v (%v), not its first user", user, err)
	}
	w.do("AdminDisableUser", object{"Username": "bob"})
	w.changePool(func(p *pool.Pool) { p.Definition = nil })
	w.restart()
	w.wantRefused("AdminGetUser", object{"Username": "same@example.com"}, "UserNotFoundException", "")
	w.signIn("ada")
}
