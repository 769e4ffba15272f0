package definition

import "gatewright/model"

// meanings describe each field in a few words, by section and name.
var meanings = map[model.Kind]map[string]string{
	model.KindAuth: {
		"cloud_region":                       "the region that the user pool is in",
		"user_pool_id":                       "the user pool; set only for one that exists already",
		"user_pool_client_id":                "the pool's client that an app signs in with",
		"identity_pool_id":                   "the identity pool that gives credentials to sign requests with",
		"password_policy":                    "rules for passwords",
		"password_policy.min_length":         "the minimum length of a password",
		"password_policy.require_numbers":    "whether a password needs a digit",
		"password_policy.require_lowercase":  "whether a password needs a lowercase letter",
		"password_policy.require_uppercase":  "whether a password needs an uppercase letter",
		"password_policy.require_symbols":    "whether a password needs a symbol",
		"oauth":                              "sign-in through other identity providers",
		"oauth.identity_providers":           "which other providers people may sign in with",
		"oauth.domain":                       "the domain of the sign-in pages",
		"oauth.scopes":                       "the scopes that an app asks for",
		"oauth.redirect_sign_in_uri":         "where a browser returns to after a sign-in",
		"oauth.redirect_sign_out_uri":        "where a browser returns to after a sign-out",
		"oauth.response_type":                "whether a sign-in returns a code or the tokens themselves",
		"standard_required_attributes":       "the attributes that are required to sign up",
		"username_attributes":                "what people sign in with instead of a user name",
		"user_verification_types":            "what is verified with a code at sign-up",
		"unauthenticated_identities_enabled": "whether guests get an identity, so that you can grant them access",
		"mfa_configuration":                  "whether sign-in needs a second factor",
		"mfa_methods":                        "which second factors users may choose",
		"auth_flows": "how people may sign in; default: srp, and custom if a function defines " +
			"challenges",
		"native_client":                     "whether native apps have their own client, separate from web apps",
		"custom_attributes":                 "custom attributes; a pool in AWS cannot change or remove one",
		"token_lifetimes":                   "how long the tokens of a sign-in are valid",
		"token_lifetimes.access":            "for an access token; default: 1h",
		"token_lifetimes.id":                "for an id token; default: 1h",
		"token_lifetimes.refresh":           "for a refresh token; default: 30d",
		"messages":                          "the texts of the messages that the pool sends",
		"messages.email_subject":            "the subject of an email with a code",
		"messages.email_message":            "an email with a code, written {####}",
		"messages.sms_message":              "a text message with a code, written {####}",
		"messages.sign_in_sms_message":      "a text message with the code of a second factor",
		"messages.invitation_email_subject": "the subject of an email to a new user",
		"messages.invitation_email_message": "an email to a new user, with {username} and {####} for the password",
		"messages.invitation_sms_message":   "a text message to a new user, with {username} and {####}",
		"deletion":                          "whether the pool stays in the account when its stack no longer has it",
	},
	model.KindData: {
		"cloud_region":               "the region that the data API is in",
		"url":                        "the URL of the data API",
		"model_introspection":        "the model schema that client generators read",
		"api_key":                    "the key of the data API; files hold the placeholder, never the key",
		"default_authorization_type": "how requests to the data API are authorized by default",
		"authorization_types":        "other ways to authorize them",
	},
	model.KindStorage: {
		"cloud_region": "the region that the bucket is in",
		"bucket_name":  "the bucket that apps keep files in",
	},
}

// Meaning describes a field of a section in a few words.
func Meaning(kind model.Kind, f Field) string { return meanings[kind][f.String()] }

// SectionMeaning describes what a section defines.
func SectionMeaning(kind model.Kind) string {
	switch kind {
	case model.KindAuth:
		return "the user pool: users and how they sign in; a push creates it, unless it already exists"
	case model.KindData:
		return "an existing data API; gatewright creates none"
	}
	return "an existing bucket; gatewright creates none"
}
