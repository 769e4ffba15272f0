package definition

import "gatewright/model"

// meanings describe each field in a few words, by section and name.
var meanings = map[model.Kind]map[string]string{
	model.KindAuth: {
		"cloud_region":                       "the region that the user pool is in",
		"user_pool_id":                       "the user pool; set only for one that exists already",
		"user_pool_client_id":                "the pool's client that an app signs in with",
		"identity_pool_id":                   "the identity pool that gives credentials to sign requests with",
		"password_policy":                    "what a password must have",
		"password_policy.min_length":         "how many characters a password has at the least",
		"password_policy.require_numbers":    "whether a password needs a digit",
		"password_policy.require_lowercase":  "whether a password needs a small letter",
		"password_policy.require_uppercase":  "whether a password needs a capital letter",
		"password_policy.require_symbols":    "whether a password needs a special character",
		"oauth":                              "sign-in through other identity providers",
		"oauth.identity_providers":           "which other providers people may sign in with",
		"oauth.domain":                       "the domain that sign-in with a provider goes through",
		"oauth.scopes":                       "what an app may ask a provider about a user",
		"oauth.redirect_sign_in_uri":         "where a browser goes after a sign-in",
		"oauth.redirect_sign_out_uri":        "where a browser goes after a sign-out",
		"oauth.response_type":                "whether a sign-in gives a code or the tokens themselves",
		"standard_required_attributes":       "the attributes that a person must give to sign up",
		"username_attributes":                "what people sign in with instead of a user name",
		"user_verification_types":            "what is verified with a code at sign-up",
		"unauthenticated_identities_enabled": "whether guests get an identity, and so may be granted access",
		"mfa_configuration":                  "whether a second factor is asked for at sign-in",
		"mfa_methods":                        "which second factors there are",
		"auth_flows":                         "how people may sign in; srp and what functions ask, unless set",
		"native_client":                      "whether native apps have a client of their own beside web apps",
		"custom_attributes":                  "attributes beside the standard ones; a pool in AWS keeps each",
		"token_lifetimes":                    "how long the tokens of a sign-in are valid",
		"token_lifetimes.access":             "for an access token; 1h unless it is set",
		"token_lifetimes.id":                 "for an id token; 1h unless it is set",
		"token_lifetimes.refresh":            "for a refresh token; 30d unless it is set",
		"messages":                           "the texts of the messages that the pool sends",
		"messages.email_subject":             "the subject of an email with a code",
		"messages.email_message":             "an email with a code, which {####} stands for",
		"messages.sms_message":               "a text message with a code, which {####} stands for",
		"messages.sign_in_sms_message":       "a text message with the code of a second factor",
		"messages.invitation_email_subject":  "the subject of an email to a new user",
		"messages.invitation_email_message":  "an email to a new user, with {username} and {####} for the password",
		"messages.invitation_sms_message":    "a text message to a new user, with {username} and {####}",
		"deletion":                           "whether the pool stays in the account when it leaves its stack",
	},
	model.KindData: {
		"cloud_region":               "the region that the data API is in",
		"url":                        "where the data API answers",
		"model_introspection":        "the model schema that client generators read",
		"api_key":                    "the key of the data API; files keep the placeholder, never the key",
		"default_authorization_type": "how requests to the data API are authorized by default",
		"authorization_types":        "how else they may be authorized",
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
		return "the user pool: who people are and how they sign in; a push makes it, unless it exists already"
	case model.KindData:
		return "a data API that exists already; gatewright creates none"
	}
	return "a bucket that exists already; gatewright creates none"
}
