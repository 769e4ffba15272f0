package template

import (
	"slices"

	"gatewright/internal/cfn"
	"gatewright/model"
)

// provider is a provider of identities with which users of a pool may sign in, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-social-idp.html
type provider struct {
	// name is the name in AWS, subject its attribute with the id of a user.
	name, scopes, subject string
	// secrets are the details that only the owner of the application knows.
	secrets []providerSecret
	// attributes has the provider's names of attributes, by those of the pool.
	attributes map[string]string
}

// providerSecret is a secret of the project that is a detail of a provider.
type providerSecret struct{ detail, name string }

var providers = map[string]provider{
	"PROVIDER_A": {
		name: "Google", scopes: "openid email profile", subject: "sub",
		secrets: []providerSecret{{"client_id", "GOOGLE_CLIENT_ID"}, {"client_secret", "GOOGLE_CLIENT_SECRET"}},
		attributes: map[string]string{
			"email": "email", "name": "name", "given_name": "given_name", "family_name": "family_name", "picture": "picture",
		},
	},
	"PROVIDER_B": {
		name: "Facebook", scopes: "public_profile,email", subject: "id",
		secrets: []providerSecret{{"client_id", "FACEBOOK_CLIENT_ID"}, {"client_secret", "FACEBOOK_CLIENT_SECRET"}},
		attributes: map[string]string{
			"email": "email", "name": "name", "given_name": "first_name", "family_name": "last_name",
			"middle_name": "middle_name",
			"birthdate":   "birthday", "gender": "gender", "locale": "locale", "picture": "picture",
		},
	},
	"LOGIN_WITH_VENDOR": {
		name: "LoginWithAmazon", scopes: "profile postal_code", subject: "user_id",
		secrets: []providerSecret{
			{"client_id", "LOGIN_WITH_AMAZON_CLIENT_ID"},
			{"client_secret", "LOGIN_WITH_AMAZON_CLIENT_SECRET"},
		},
		attributes: map[string]string{"email": "email", "name": "name", "address": "postal_code"},
	},
	"PROVIDER_D": {
		name: "SignInWithApple", scopes: "email name", subject: "sub",
		secrets: []providerSecret{
			{"client_id", "SIGN_IN_WITH_APPLE_CLIENT_ID"},
			{"team_id", "SIGN_IN_WITH_APPLE_TEAM_ID"},
			{"key_id", "SIGN_IN_WITH_APPLE_KEY_ID"},
			{"private_key", "SIGN_IN_WITH_APPLE_PRIVATE_KEY"},
		},
		attributes: map[string]string{"email": "email", "given_name": "firstName", "family_name": "lastName"},
	},
}

func providerID(name string) string { return logicalID("Provider", providers[name].name) }

// hostedSignIn makes the domain with the pages to sign in, and the identity providers.
func (r *renderer) hostedSignIn(oauth *model.OAuth) {
	r.root.add(resource{
		id: domainID, kind: "AWS::Cognito::UserPoolDomain", of: model.Ref{Kind: model.KindAuth},
		is: "the domain of the pages to sign in",
		properties: cfn.MapNode().
			With("UserPoolId", cfn.Ref(userPoolID)).
			WithText("Domain", domainPrefix(oauth.Domain, r.b.Region(r.env))),
	})
	for _, word := range oauth.IdentityProviders {
		p := providers[word]
		details := cfn.MapNode()
		for _, s := range p.secrets {
			details.With(s.detail, cfn.Ref(r.secret(s.name)))
		}
		mapping := cfn.MapNode().WithText("username", p.subject)
		for _, attribute := range model.StandardAttributes {
			theirs, known := p.attributes[attribute]
			if known && (attribute == "email" || slices.Contains(r.auth().StandardRequiredAttributes, attribute)) {
				mapping.WithText(attribute, theirs)
			}
		}
		r.root.add(resource{
			id: providerID(word), kind: "AWS::Cognito::UserPoolIdentityProvider", of: model.Ref{Kind: model.KindAuth},
			is: "sign-in with " + p.name,
			properties: cfn.MapNode().
				With("UserPoolId", cfn.Ref(userPoolID)).
				WithText("ProviderName", p.name).WithText("ProviderType", p.name).
				With("ProviderDetails", details.WithText("authorize_scopes", p.scopes)).
				With("AttributeMapping", mapping),
		})
	}
}

// withOAuth adds the sign-in through pages of the pool to a client.
func withOAuth(client *cfn.Node, oauth *model.OAuth) {
	flow := "code"
	if oauth.ResponseType == "token" {
		flow = "implicit"
	}
	supported := cfn.ListNode(cfn.TextNode("COGNITO"))
	for _, word := range oauth.IdentityProviders {
		supported.Items = append(supported.Items, cfn.Ref(providerID(word)))
	}
	client.
		WithBool("AllowedOAuthFlowsUserPoolClient", true).
		WithTexts("AllowedOAuthFlows", flow).
		WithTexts("AllowedOAuthScopes", oauth.Scopes...).
		WithTexts("CallbackURLs", oauth.RedirectSignInURI...).
		WithTexts("LogoutURLs", oauth.RedirectSignOutURI...).
		With("SupportedIdentityProviders", supported)
}
