package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

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
	// NativeClient is whether native apps have a client of their own next to that of web apps, as the Amplify CLI
	// makes one.
	NativeClient *bool `json:"native_client,omitempty"`
	// TokenLifetimes are how long the tokens of a sign-in are valid, as text such as 30m.
	TokenLifetimes map[string]string `json:"token_lifetimes,omitzero"`
	// Messages are the texts of the messages that the pool sends, by the names of MessageTexts.
	Messages map[string]string `json:"messages,omitzero"`
	// Deletion is what becomes of the pool when it leaves its stack, one of Deletions; "" is Retain.
	Deletion string `json:"deletion,omitempty"`
}

// PasswordPolicy is rules for passwords. A nil field is not set.
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

// Data describes an existing data API; gatewright creates none.
type Data struct {
	Region             string          `json:"cloud_region,omitempty"`
	URL                string          `json:"url,omitempty"`
	ModelIntrospection json.RawMessage `json:"model_introspection,omitempty"`
	// APIKey is APIKeyPlaceholder or empty: keys are kept out of a project's files.
	APIKey                   string   `json:"api_key,omitempty"`
	DefaultAuthorizationType string   `json:"default_authorization_type,omitempty"`
	AuthorizationTypes       []string `json:"authorization_types,omitzero"`
}

// APIKeyPlaceholder is written instead of the data API's key.
const APIKeyPlaceholder = "<API_KEY>"

// APIKeyAuthorization is the authorization type that uses a key.
const APIKeyAuthorization = "API_KEY"

// Storage describes an existing bucket; gatewright creates none.
type Storage struct {
	Region     string `json:"cloud_region,omitempty"`
	BucketName string `json:"bucket_name,omitempty"`
}

// GuestsEnabled reports whether guests get an identity.
func (a *Auth) GuestsEnabled() bool {
	return a == nil || a.UnauthenticatedIdentitiesEnabled == nil || *a.UnauthenticatedIdentitiesEnabled
}

// CustomAttribute is an attribute of users that a project adds to the standard ones. Its name is without
// the prefix custom:, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-attributes.html
type CustomAttribute struct {
	Type string `json:"type"`
	// Min and Max bound the length of a string, or a number; nil for no bound.
	Min *int `json:"min,omitempty"`
	Max *int `json:"max,omitempty"`
	// Mutable is whether a value may change after the user is added; nil means true.
	Mutable *bool `json:"mutable,omitempty"`
}

// The limits of custom attributes, see
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_SchemaAttributeType.html
const (
	MostCustomAttributes  = 50
	LongestCustomName     = 20
	LongestAttributeValue = 2048
	mostNumber            = 999_999_999_999_999
)

// CustomPrefix stands before the name of a custom attribute of a user.
const CustomPrefix = "custom:"

// The words in messages that the cloud replaces, with what it writes there.
const (
	CodePlaceholder = "{####}"
	NamePlaceholder = "{username}"
)

// MessageTexts are the texts of messages, by their names in a definition. Each is a property of the pool, below
// another one if it is not for a second factor, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpool.html
var MessageTexts = map[string]struct{ Above, Property string }{
	"email_subject":            {"VerificationMessageTemplate", "EmailSubject"},
	"email_message":            {"VerificationMessageTemplate", "EmailMessage"},
	"sms_message":              {"VerificationMessageTemplate", "SmsMessage"},
	"sign_in_sms_message":      {"", "SmsAuthenticationMessage"},
	"invitation_email_subject": {"InviteMessageTemplate", "EmailSubject"},
	"invitation_email_message": {"InviteMessageTemplate", "EmailMessage"},
	"invitation_sms_message":   {"InviteMessageTemplate", "SMSMessage"},
}

// AttributeTypes are the types of custom attributes. AttributeDataTypes are their names in the cloud.
var (
	AttributeTypes     = []string{"string", "number", "dateTime", "boolean"}
	AttributeDataTypes = map[string]string{
		"string": "String", "number": "Number", "dateTime": "DateTime",
		"boolean": "Boolean",
	}
)

// AuthFlows are the ways to sign in that the client of a user pool may allow, by their names in the cloud, see
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolClient.html
var AuthFlows = map[string]string{
	"srp": "ALLOW_USER_SRP_AUTH", "password": "ALLOW_USER_PASSWORD_AUTH", "custom": "ALLOW_CUSTOM_AUTH",
	"admin_password": "ALLOW_ADMIN_USER_PASSWORD_AUTH", "choice": "ALLOW_USER_AUTH",
}

// authOnly are the fields of the definition of auth that clients need not know.
var authOnly = []Field{
	set("auth_flows", 1, "srp", "password", "custom", "admin_password", "choice"),
	boolean("native_client"),
	{Name: "custom_attributes", Type: MapField, Fields: []Field{
		required(oneOf("type", AttributeTypes...)),
		{Name: "min", Type: IntegerField, Min: -mostNumber, Max: mostNumber},
		{Name: "max", Type: IntegerField, Min: -mostNumber, Max: mostNumber},
		boolean("mutable"),
	}},
	object("token_lifetimes", lifetime("access", "5m", "1d"), lifetime("id", "5m", "1d"),
		lifetime("refresh", "1h", "3650d")),
	object("messages", message("email_subject", 1, 140), message("email_message", 6, 20_000, CodePlaceholder),
		message("sms_message", 6, 140, CodePlaceholder), message("sign_in_sms_message", 6, 140, CodePlaceholder),
		message("invitation_email_subject", 1, 140),
		message("invitation_email_message", 6, 20_000, CodePlaceholder, NamePlaceholder),
		message("invitation_sms_message", 6, 140, CodePlaceholder, NamePlaceholder)),
	oneOf("deletion", Deletions...),
}

// lifetime is how long a token is valid, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-cognito-userpoolclient-tokenvalidityunits.html
func lifetime(name, least, most string) Field {
	return Field{Name: name, Lifetime: []string{least, most}}
}

// message is the text of a message, see
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_MessageTemplateType.html
func message(name string, least, most int, holds ...string) Field {
	return Field{Name: name, Min: least, Max: most, Holds: holds}
}

// Section describes the definition of a section of the client configuration file: its fields there, and those
// that clients need not know.
func Section(kind Kind) Field {
	section, _ := ClientFile.Field(string(kind))
	if kind == KindAuth {
		section.Fields = slices.Concat(section.Fields, authOnly)
	}
	return section
}

// ForClients returns the definition without what clients need not know.
func (a Auth) ForClients() Auth {
	a.AuthFlows, a.CustomAttributes, a.TokenLifetimes, a.Messages = nil, nil, nil, nil
	a.NativeClient, a.Deletion = nil, ""
	return a
}

// HasNativeClient reports whether native apps have a client of their own.
func (a *Auth) HasNativeClient() bool { return a != nil && a.NativeClient != nil && *a.NativeClient }

// IsMutable reports whether a value may change after the user is added.
func (c CustomAttribute) IsMutable() bool { return c.Mutable == nil || *c.Mutable }

// String is the attribute as people write it, such as string:1..20:fixed.
func (c CustomAttribute) String() string {
	text := c.Type
	if c.Min != nil || c.Max != nil {
		text += ":" + digits(c.Min) + ".." + digits(c.Max)
	}
	if !c.IsMutable() {
		text += ":fixed"
	}
	return text
}

func digits(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// SchemaAttribute is an attribute of users as templates and the service describe it, see
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_SchemaAttributeType.html
type SchemaAttribute struct {
	Name, AttributeDataType    string
	Required, Mutable          bool
	StringAttributeConstraints AttributeBounds `json:",omitzero"`
	NumberAttributeConstraints AttributeBounds `json:",omitzero"`
}

// AttributeBounds are the bounds of a SchemaAttribute: lengths of a string, or values of a number.
type AttributeBounds struct {
	MinLength string `json:",omitempty"`
	MaxLength string `json:",omitempty"`
	MinValue  string `json:",omitempty"`
	MaxValue  string `json:",omitempty"`
}

// Schema describes the attribute as the cloud does.
func (c CustomAttribute) Schema(name string) SchemaAttribute {
	s := SchemaAttribute{Name: name, AttributeDataType: AttributeDataTypes[c.Type], Mutable: c.IsMutable()}
	if c.Type == "number" {
		s.NumberAttributeConstraints = AttributeBounds{MinValue: digits(c.Min), MaxValue: digits(c.Max)}
	} else {
		s.StringAttributeConstraints = AttributeBounds{MinLength: digits(c.Min), MaxLength: digits(c.Max)}
	}
	return s
}

// Schema are the attributes that a sign-up requires, and the custom ones. Each names its type: a pool with one
// that does not refuses later updates (https://github.com/aws-amplify/amplify-backend/issues/3299). The attribute sub
// is always there and cannot be required.
func (a *Auth) Schema() (all []SchemaAttribute) {
	for _, name := range a.StandardRequiredAttributes {
		s := SchemaAttribute{Name: name, AttributeDataType: "String", Required: true, Mutable: true}
		if name == "updated_at" {
			s.AttributeDataType = "Number"
		}
		if name != "sub" {
			all = append(all, s)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.CustomAttributes)) {
		all = append(all, a.CustomAttributes[name].Schema(name))
	}
	return all
}

// Custom is the attribute as a definition has it; its type is "" if it is not known.
func (s SchemaAttribute) Custom() (c CustomAttribute) {
	for word, name := range AttributeDataTypes {
		if name == s.AttributeDataType {
			c.Type = word
		}
	}
	for into, text := range map[**int]string{
		&c.Min: s.StringAttributeConstraints.MinLength + s.NumberAttributeConstraints.MinValue,
		&c.Max: s.StringAttributeConstraints.MaxLength + s.NumberAttributeConstraints.MaxValue,
	} {
		if n, err := strconv.Atoi(text); err == nil {
			*into = &n
		}
	}
	if !s.Mutable {
		c.Mutable = new(bool)
	}
	return c
}

// ClientFlows lists the ways to sign in that the client allows, by their names in the cloud, sorted. The default
// is that of the Amplify CLI: SRP, and what functions define, if there is one that does. Tokens can always be
// refreshed.
func (a *Auth) ClientFlows(challenges bool) []string {
	flows := []string{"ALLOW_REFRESH_TOKEN_AUTH"}
	switch {
	case a != nil && a.AuthFlows != nil:
		for _, word := range a.AuthFlows {
			flows = append(flows, AuthFlows[word])
		}
	case challenges:
		flows = append(flows, AuthFlows["srp"], AuthFlows["custom"])
	default:
		flows = append(flows, AuthFlows["srp"])
	}
	slices.Sort(flows)
	return flows
}

// Lifetime is how long a token is valid, as a count of a unit of the cloud, and in seconds.
type Lifetime struct {
	Count   int
	Unit    string
	Seconds int
}

// ParseLifetime reads a text such as 30m, 12h or 90d.
func ParseLifetime(text string) (l Lifetime, ok bool) {
	count := strings.TrimRight(text, "smhd")
	n, err := strconv.ParseUint(count, 10, 31)
	unit := map[string]Lifetime{
		"s": {Unit: "seconds", Seconds: 1}, "m": {Unit: "minutes", Seconds: 60}, "h": {Unit: "hours", Seconds: 3600},
		"d": {Unit: "days", Seconds: 86400},
	}[text[len(count):]]
	return Lifetime{int(n), unit.Unit, int(n) * unit.Seconds}, err == nil && unit.Unit != ""
}

// Lasts reports whether a text is a time between the least and the most of a lifetime.
func (f Field) Lasts(text string) bool {
	l, ok := ParseLifetime(text)
	least, _ := ParseLifetime(f.Lifetime[0])
	most, _ := ParseLifetime(f.Lifetime[1])
	return ok && l.Seconds >= least.Seconds && l.Seconds <= most.Seconds
}

// Takes says what a text of the field may be; "" for any text.
func (f Field) Takes() string {
	switch {
	case f.Lifetime != nil:
		return strings.Join(f.Lifetime, " to ")
	case f.Max == 0:
		return ""
	}
	return strings.Join(append([]string{fmt.Sprintf("%d to %d characters", f.Min, f.Max)}, f.Holds...), ", with ")
}

// Lifetimes are how long the tokens are valid whose lifetimes are set, by the names of the tokens in the cloud.
func (a *Auth) Lifetimes() map[string]Lifetime {
	set := make(map[string]Lifetime)
	if a == nil {
		return set
	}
	for token, name := range map[string]string{"Access": "access", "Id": "id", "Refresh": "refresh"} {
		if l, ok := ParseLifetime(a.TokenLifetimes[name]); ok {
			set[token] = l
		}
	}
	return set
}

// Lasting returns how many seconds the tokens of a sign-in are valid.
func (a *Auth) Lasting() (access, id, refresh int) {
	set := a.Lifetimes()
	return cmp.Or(set["Access"].Seconds, 3600), cmp.Or(set["Id"].Seconds, 3600), cmp.Or(set["Refresh"].Seconds, 30*86400)
}
