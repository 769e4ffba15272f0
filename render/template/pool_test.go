package template_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
)

// signIn is a backend whose user pool has every field.
func signIn() *model.Backend {
	yes, length := true, 12
	b := backend(api("shop", accesstest.Restricted("/items", "items", accesstest.ToGroup("Writers", access.Create), accesstest.ToUsers(access.Read))))
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
	made := rendered(t, backend(api("shop", accesstest.Open("/", "f"))), "dev")
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
			"auth: names an existing user pool, whose groups and roles a push does not change, but paths are restricted; remove user_pool_id, user_pool_client_id and identity_pool_id, so that a push creates a pool",
		},
		"another region": {
			func(auth *model.Auth) { auth.Region = "us-east-1" },
			"auth: has the region us-east-1, and the environment dev is deployed in eu-central-1; leave out cloud_region",
		},
		"a domain of its own": {
			func(auth *model.Auth) { auth.OAuth.Domain = "login.books.example" },
			"auth: login.books.example is a custom domain, which needs a certificate; use PREFIX.auth.eu-central-1.amazoncognito.com",
		},
		"an unknown provider": {
			func(auth *model.Auth) { auth.OAuth.IdentityProviders = []string{"PROVIDER_Z"} },
			"auth: PROVIDER_Z is not an identity provider; use one of PROVIDER_A, PROVIDER_B, LOGIN_WITH_VENDOR, PROVIDER_D",
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
	b := backend(api("shop", accesstest.Open("/", "f")))
	b.Auth = &model.Auth{Region: "us-east-1", UserPoolID: "us-east-1_abc", UserPoolClientID: "abc"}
	made := rendered(t, b, "dev")
	if made.Root.Get("Resources", "UserPool") != nil {
		t.Error("another pool is made")
	}
}

// TestAPoolFollowsEachFieldOfItsDefinition has what the golden pool does not have: a change of it, and a part of the template.
func TestAPoolFollowsEachFieldOfItsDefinition(t *testing.T) {
	t.Parallel()
	social := func(word string, required ...string) func(*model.Auth) {
		return func(auth *model.Auth) {
			auth.OAuth.IdentityProviders, auth.StandardRequiredAttributes = []string{word}, required
		}
	}
	domain := func(domain string) func(*model.Auth) { return func(auth *model.Auth) { auth.OAuth.Domain = domain } }
	for _, row := range []struct {
		name  string
		edit  func(*model.Auth)
		place string
		want  string
	}{
		{"a token", func(auth *model.Auth) { auth.OAuth.ResponseType = "token" }, "UserPoolClient/Properties/AllowedOAuthFlows", `["implicit"]`},
		{"Facebook", social("PROVIDER_B", "family_name", "address", "birthdate"), "Facebook/Properties", `{"UserPoolId":{"Ref":"UserPool"},"ProviderName":"Facebook","ProviderType":"Facebook",` +
			`"ProviderDetails":{"client_id":{"Ref":"FacebookClientIdSecretd7db66"},"client_secret":{"Ref":"FacebookClientSecretSecret494308"},"authorize_scopes":"public_profile,email"},` +
			`"AttributeMapping":{"username":"id","birthdate":"birthday","email":"email","family_name":"last_name"}}`},
		{"Amazon", social("LOGIN_WITH_VENDOR", "address", "email"), "LoginWithAmazon/Properties", `{"UserPoolId":{"Ref":"UserPool"},"ProviderName":"LoginWithAmazon","ProviderType":"LoginWithAmazon",` +
			`"ProviderDetails":{"client_id":{"Ref":"LoginWithAmazonClientIdSecret529626"},"client_secret":{"Ref":"LoginWithAmazonClientSecretSecreta66f1a"},"authorize_scopes":"profile postal_code"},` +
			`"AttributeMapping":{"username":"user_id","address":"postal_code","email":"email"}}`},
		{"Google", social("PROVIDER_A", "picture", "family_name"), "Google/Properties/AttributeMapping", `{"username":"sub","email":"email","family_name":"family_name","picture":"picture"}`},
		{"Apple", social("PROVIDER_D", "family_name", "picture"), "SignInWithApple/Properties", `{"UserPoolId":{"Ref":"UserPool"},"ProviderName":"SignInWithApple","ProviderType":"SignInWithApple",` +
			`"ProviderDetails":{"client_id":{"Ref":"SignInWithAppleClientIdSecretff392c"},"team_id":{"Ref":"SignInWithAppleTeamIdSecret00a1c8"},"key_id":{"Ref":"SignInWithAppleKeyIdSecretc888ba"},` +
			`"private_key":{"Ref":"SignInWithApplePrivateKeySecret2c2c4e"},"authorize_scopes":"email name"},"AttributeMapping":{"username":"sub","email":"email","family_name":"lastName"}}`},
		{"an address of the pages", domain("https://books.auth.eu-central-1.amazoncognito.com/"), "UserPoolDomain/Properties/Domain", `"books"`},
		{"an address for governments", domain("books.auth-fips.eu-central-1.amazoncognito.com"), "UserPoolDomain/Properties/Domain", `"books"`},
		{"a prefix", domain("books"), "UserPoolDomain/Properties/Domain", `"books"`},
		{"an address alone", func(auth *model.Auth) { auth.UsernameAttributes = []string{"phone_number", "email"} }, "UserPool/Properties/UsernameAttributes", `["email","phone_number"]`},
		{"an address alone is no alias", func(auth *model.Auth) { auth.UsernameAttributes = []string{"email"} }, "UserPool/Properties/AliasAttributes", ``},
		{"a name and addresses", func(auth *model.Auth) { auth.UsernameAttributes = []string{"username", "phone_number"} }, "UserPool/Properties/AliasAttributes", `["phone_number"]`},
		{"a name alone", func(auth *model.Auth) { auth.UsernameAttributes = []string{"username"} }, "UserPool/Properties/AliasAttributes", ``},
		{"codes to phones", func(auth *model.Auth) { auth.UserVerificationTypes = []string{"phone_number"} }, "UserPool/Properties/AccountRecoverySetting", `{"RecoveryMechanisms":[{"Name":"verified_phone_number","Priority":1}]}`},
		{"codes to both", func(auth *model.Auth) {}, "UserPool/Properties/AccountRecoverySetting", `{"RecoveryMechanisms":[{"Name":"verified_phone_number","Priority":1},{"Name":"verified_email","Priority":2}]}`},
		{"no codes", func(auth *model.Auth) { auth.UserVerificationTypes = nil }, "UserPool/Properties/AutoVerifiedAttributes", `["email"]`},
		{"no second factor", func(auth *model.Auth) { auth.MFAConfiguration = "NONE" }, "UserPool/Properties/MfaConfiguration", `"OFF"`},
		{"no kinds without a second factor", func(auth *model.Auth) { auth.MFAConfiguration = "NONE" }, "UserPool/Properties/EnabledMfas", ``},
		{"a second factor for who wants one", func(auth *model.Auth) { auth.MFAConfiguration = "OPTIONAL" }, "UserPool/Properties/MfaConfiguration", `"OPTIONAL"`},
		{"any second factor", func(auth *model.Auth) { auth.MFAMethods = nil }, "UserPool/Properties/EnabledMfas", `["SMS_MFA","SOFTWARE_TOKEN_MFA"]`},
		{"an app", func(auth *model.Auth) { auth.MFAMethods = []string{"TOTP"} }, "UserPool/Properties/EnabledMfas", `["SOFTWARE_TOKEN_MFA"]`},
		{"an app, and codes to phones", func(auth *model.Auth) { auth.MFAMethods = []string{"TOTP"} }, "MessageRole/Type", `"AWS::IAM::Role"`},
		{"nothing for phones", func(auth *model.Auth) {
			auth.MFAMethods, auth.UserVerificationTypes = []string{"TOTP"}, []string{"email"}
		}, "MessageRole", ``},
		{"a second factor for phones", func(auth *model.Auth) {
			auth.MFAMethods, auth.UserVerificationTypes = []string{"SMS"}, []string{"email"}
		}, "UserPool/Properties/SmsConfiguration/SnsCallerArn", `{"Fn::GetAtt":["MessageRole","Arn"]}`},
		{"no attributes", func(auth *model.Auth) { auth.StandardRequiredAttributes = []string{"sub"} }, "UserPool/Properties/Schema", ``},
		{"an attribute of a number", func(auth *model.Auth) { auth.StandardRequiredAttributes = []string{"updated_at"} }, "UserPool/Properties/Schema", `[{"Name":"updated_at","AttributeDataType":"Number","Required":true,"Mutable":true}]`},
		{"no policy", func(auth *model.Auth) { auth.PasswordPolicy = nil }, "UserPool/Properties/Policies/PasswordPolicy", `{"MinimumLength":8,"RequireNumbers":false,"RequireLowercase":false,"RequireUppercase":false,"RequireSymbols":false}`},
		{"guests", func(auth *model.Auth) { auth.UnauthenticatedIdentitiesEnabled = nil }, "IdentityPool/Properties/AllowUnauthenticatedIdentities", `true`},
		{"no pages", func(auth *model.Auth) { auth.OAuth = nil }, "UserPoolDomain", ``},
		{"no pages for the client", func(auth *model.Auth) { auth.OAuth = nil }, "UserPoolClient/Properties/SupportedIdentityProviders", ``},
	} {
		b := signIn()
		row.edit(b.Auth)
		id, place, _ := strings.Cut(row.place, "/")
		got := ""
		for _, m := range rendered(t, b, "dev").Root.Get("Resources").Members {
			// The ids of some resources end with a hash.
			if n := m.Value.Get(strings.FieldsFunc(place, func(r rune) bool { return r == '/' })...); (m.Name == id || strings.HasPrefix(m.Name, id+"Provider")) && n != nil {
				got = string(n.Minified())
			}
		}
		if got != row.want {
			t.Errorf("%s: %s is\n%s\nwant\n%s", row.name, row.place, got, row.want)
		}
	}
}

// TestNativeAppsAndDeletionAreInTheTemplate has a client of native apps, whose users get the same roles, and pools that go
// with the stack unless the environment is guarded.
func TestNativeAppsAndDeletionAreInTheTemplate(t *testing.T) {
	t.Parallel()
	b := shop()
	yes := true
	b.Auth = &model.Auth{NativeClient: &yes, Deletion: model.Delete, Messages: map[string]string{"invitation_sms_message": "{username} {####}", "sms_message": "{####}!"}}
	made := rendered(t, b, "dev")
	resource := func(path ...string) string {
		return string(made.Root.Get(append([]string{"Resources"}, path...)...).Minified())
	}
	if got := resource("UserPoolNativeClient", "Properties", "GenerateSecret"); got != "false" || made.Root.Get("Outputs", "UserPoolNativeClientId") == nil {
		t.Errorf("the client of native apps has the secret %s", got)
	}
	for _, text := range []string{resource("IdentityPool", "Properties", "CognitoIdentityProviders"), resource("IdentityPoolRoles", "Properties", "RoleMappings")} {
		if !strings.Contains(text, "UserPoolClient") || !strings.Contains(text, "UserPoolNativeClient") {
			t.Errorf("one client alone gets roles: %s", text)
		}
	}
	if got := resource("UserPool", "Properties"); !strings.Contains(got, `"SmsMessage":"{####}!"`) || !strings.Contains(got, `"InviteMessageTemplate":{"SMSMessage":"{username} {####}"}`) {
		t.Errorf("the pool is %s", got)
	}
	for _, guarded := range []bool{false, true} {
		b.Environments[0].Guarded = guarded
		made := rendered(t, b, b.Environments[0].Name)
		for _, id := range []string{"UserPool", "IdentityPool"} {
			if kept := made.Root.Get("Resources", id, "DeletionPolicy") != nil; kept != guarded {
				t.Errorf("guarded %t: %s stays: %t", guarded, id, kept)
			}
		}
	}
}
