package template_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/model"
)

// signIn is a backend whose user pool has every field.
func signIn() *model.Backend {
	yes, length := true, 12
	b := backend(api("shop", restricted("/items", "items", toGroup("Writers", model.Create), toUsers(model.Read))))
	b.Groups = []string{"Admins"}
	b.Auth = &model.Auth{
		PasswordPolicy: &model.PasswordPolicy{MinLength: &length, RequireNumbers: &yes},
		OAuth: &model.OAuth{
			IdentityProviders: []string{"PROVIDER_A", "PROVIDER_D"}, Domain: "books.auth.eu-central-1.amazoncognito.com", Scopes: []string{"openid", "email"},
			RedirectSignInURI: []string{"https://books.example/in"}, RedirectSignOutURI: []string{"https://books.example/out"}, ResponseType: "code",
		},
		StandardRequiredAttributes: []string{"email", "given_name", "sub", "updated_at"},
		UsernameAttributes:         []string{"username", "email"},
		UserVerificationTypes:      []string{"email", "phone_number"},
		MFAConfiguration:           "REQUIRED",
		MFAMethods:                 []string{"SMS", "TOTP"},
		// Guests have no identity.
		UnauthenticatedIdentitiesEnabled: new(bool),
	}
	return b
}

func TestGroupsHavePrecedenceInTheirOrder(t *testing.T) {
	t.Parallel()
	b := signIn()
	made := rendered(t, b, "dev")
	var names, precedence []string
	for _, e := range ofType(made.Root, "AWS::Cognito::UserPoolGroup") {
		names = append(names, e.node.Get("Properties", "GroupName").Text)
		precedence = append(precedence, e.node.Get("Properties", "Precedence").Text)
	}
	// The group that only a path names comes after those of the pool.
	if !slices.Equal(names, []string{"Admins", "Writers"}) || !slices.Equal(precedence, []string{"0", "1"}) {
		t.Errorf("the groups are %v with the precedence %v", names, precedence)
	}
}

func TestAPoolThatNobodyNeedsIsNotMade(t *testing.T) {
	t.Parallel()
	made := rendered(t, backend(api("shop", open("/", "f"))), "dev")
	for _, m := range made.Root.Get("Resources").Members {
		if kind := m.Value.Get("Type").Text; strings.HasPrefix(kind, "AWS::Cognito") {
			t.Errorf("%s is made", kind)
		}
	}
	if made.Root.Get("Outputs", "UserPoolId") != nil {
		t.Error("there is an output for a pool")
	}
}

func TestWithoutGuestsThereIsNoRoleForThem(t *testing.T) {
	t.Parallel()
	b := shop()
	b.Auth = &model.Auth{UnauthenticatedIdentitiesEnabled: new(bool)}
	made := rendered(t, b, "dev")
	attachment := ofType(made.Root, "AWS::Cognito::IdentityPoolRoleAttachment")[0].node
	if attachment.Get("Properties", "Roles", "unauthenticated") != nil || strings.Contains(string(made.Body), `"unauthenticated"`) {
		t.Error("guests have a role")
	}
	if pool := made.Root.Get("Resources", "IdentityPool", "Properties"); pool.Get("AllowUnauthenticatedIdentities").Text != "false" {
		t.Error("guests get an identity")
	}
}

func TestAPoolThatATemplateCannotMakeIsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		edit func(auth *model.Auth)
		want string
	}{
		"a pool that exists": {
			func(auth *model.Auth) { auth.UserPoolID = "eu-central-1_abc" },
			"auth: names a user pool that exists already, whose groups and roles a push does not change, and paths are restricted; " +
				"leave out user_pool_id, user_pool_client_id and identity_pool_id, so that a push makes a pool",
		},
		"another region": {
			func(auth *model.Auth) { auth.Region = "us-east-1" },
			"auth: has the region us-east-1, and the environment dev is deployed in eu-central-1; leave out cloud_region",
		},
		"a domain of its own": {
			func(auth *model.Auth) { auth.OAuth.Domain = "login.books.example" },
			"auth: login.books.example is a domain of its own, which needs a certificate; use PREFIX.auth.eu-central-1.amazoncognito.com",
		},
		"an unknown provider": {
			func(auth *model.Auth) { auth.OAuth.IdentityProviders = []string{"PROVIDER_Z"} },
			"auth: PROVIDER_Z is not a provider of identities; use one of PROVIDER_A, PROVIDER_B, LOGIN_WITH_VENDOR, PROVIDER_D",
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := signIn()
			tt.edit(b.Auth)
			if got := refusalOf(t, b); got != tt.want {
				t.Errorf("refused with\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestAPoolThatExistsIsLeftAloneWhereEverythingIsOpen(t *testing.T) {
	t.Parallel()
	b := backend(api("shop", open("/", "f")))
	b.Auth = &model.Auth{Region: "us-east-1", UserPoolID: "us-east-1_abc", UserPoolClientID: "abc"}
	made := rendered(t, b, "dev")
	if made.Root.Get("Resources", "UserPool") != nil {
		t.Error("another pool is made")
	}
}
