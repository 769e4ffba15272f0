package model

import "encoding/json"

// Auth defines the user pool: the fields of the section auth of the client configuration
// file, and more of the pool. A field that the project does not set is zero or nil. The identifiers are set only
// for a pool that exists already.
type Auth struct {
	Region                     string          `json:"cloud_region,omitempty"`
	UserPoolID                 string          `json:"user_pool_id,omitempty"`
	UserPoolClientID           string          `json:"user_pool_client_id,omitempty"`
	IdentityPoolID             string          `json:"identity_pool_id,omitempty"`
	PasswordPolicy             *PasswordPolicy `json:"password_policy,omitempty"`
	OAuth                      *OAuth          `json:"oauth,omitempty"`
	StandardRequiredAttributes []string        `json:"standard_required_attributes,omitzero"`
	UsernameAttributes         []string        `json:"username_attributes,omitzero"`
	UserVerificationTypes      []string        `json:"user_verification_types,omitzero"`
	// UnauthenticatedIdentitiesEnabled is whether guests get an identity; nil means true.
	UnauthenticatedIdentitiesEnabled *bool    `json:"unauthenticated_identities_enabled,omitempty"`
	MFAConfiguration                 string   `json:"mfa_configuration,omitempty"`
	MFAMethods                       []string `json:"mfa_methods,omitzero"`
	// What follows is for the pool alone: the client configuration file does not have it.
	AuthFlows        []string                   `json:"auth_flows,omitzero"`
	CustomAttributes map[string]CustomAttribute `json:"custom_attributes,omitzero"`
	TokenLifetimes   *TokenLifetimes            `json:"token_lifetimes,omitempty"`
	Messages         *Messages                  `json:"messages,omitempty"`
}

// PasswordPolicy is what a password must have. A nil field is not set.
type PasswordPolicy struct {
	MinLength        *int  `json:"min_length,omitempty"`
	RequireNumbers   *bool `json:"require_numbers,omitempty"`
	RequireLowercase *bool `json:"require_lowercase,omitempty"`
	RequireUppercase *bool `json:"require_uppercase,omitempty"`
	RequireSymbols   *bool `json:"require_symbols,omitempty"`
}

// DefaultMinLength is the least length of a password if a policy sets none.
const DefaultMinLength = 8

// Whole returns the policy with all five fields set. The client configuration file always
// has all five, because client libraries refuse a file with some of them.
func (p PasswordPolicy) Whole() PasswordPolicy {
	length, no := DefaultMinLength, false
	if p.MinLength == nil {
		p.MinLength = &length
	}
	for _, field := range []**bool{&p.RequireNumbers, &p.RequireLowercase, &p.RequireUppercase, &p.RequireSymbols} {
		if *field == nil {
			*field = &no
		}
	}
	return p
}

// OAuth is sign-in through other identity providers. All fields are required.
type OAuth struct {
	IdentityProviders  []string `json:"identity_providers"`
	Domain             string   `json:"domain"`
	Scopes             []string `json:"scopes"`
	RedirectSignInURI  []string `json:"redirect_sign_in_uri"`
	RedirectSignOutURI []string `json:"redirect_sign_out_uri"`
	ResponseType       string   `json:"response_type"`
}

// Data describes a data API that exists already; gatewright creates none.
type Data struct {
	Region             string          `json:"cloud_region,omitempty"`
	URL                string          `json:"url,omitempty"`
	ModelIntrospection json.RawMessage `json:"model_introspection,omitempty"`
	// APIKey is APIKeyPlaceholder or empty: keys are kept out of a project's files.
	APIKey                   string   `json:"api_key,omitempty"`
	DefaultAuthorizationType string   `json:"default_authorization_type,omitempty"`
	AuthorizationTypes       []string `json:"authorization_types,omitzero"`
}

// APIKeyPlaceholder is written in place of the data API's key.
const APIKeyPlaceholder = "<API_KEY>"

// APIKeyAuthorization is the authorization type that uses a key.
const APIKeyAuthorization = "API_KEY"

// Storage describes a bucket that exists already; gatewright creates none.
type Storage struct {
	Region     string `json:"cloud_region,omitempty"`
	BucketName string `json:"bucket_name,omitempty"`
}

// GuestsEnabled reports whether guests get an identity.
func (a *Auth) GuestsEnabled() bool {
	return a == nil || a.UnauthenticatedIdentitiesEnabled == nil || *a.UnauthenticatedIdentitiesEnabled
}
