package model

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

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

// TokenLifetimes are how long the tokens of a sign-in are valid, as text such as 30m; "" for the default.
type TokenLifetimes struct {
	Access  string `json:"access,omitempty"`
	ID      string `json:"id,omitempty"`
	Refresh string `json:"refresh,omitempty"`
}

// Messages are the texts of the messages that a user pool sends; "" for those of the cloud.
type Messages struct {
	EmailSubject           string `json:"email_subject,omitempty"`
	EmailMessage           string `json:"email_message,omitempty"`
	SMSMessage             string `json:"sms_message,omitempty"`
	SignInSMSMessage       string `json:"sign_in_sms_message,omitempty"`
	InvitationEmailSubject string `json:"invitation_email_subject,omitempty"`
	InvitationEmailMessage string `json:"invitation_email_message,omitempty"`
	InvitationSMSMessage   string `json:"invitation_sms_message,omitempty"`
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

// Placeholders says what stands for a word in a message.
var Placeholders = map[string]string{CodePlaceholder: "code or password", NamePlaceholder: "name of the user"}

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
	{Name: "custom_attributes", Type: MapField, Fields: []Field{
		required(oneOf("type", AttributeTypes...)),
		{Name: "min", Type: IntegerField, Min: -mostNumber, Max: mostNumber},
		{Name: "max", Type: IntegerField, Min: -mostNumber, Max: mostNumber},
		boolean("mutable"),
	}},
	object("token_lifetimes", text("access"), text("id"), text("refresh")),
	object("messages", text("email_subject"), text("email_message"), text("sms_message"), text("sign_in_sms_message"),
		text("invitation_email_subject"), text("invitation_email_message"), text("invitation_sms_message")),
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
	return a
}

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

// Lifetime is how long a token is valid, as a count of a unit of the cloud.
type Lifetime struct {
	Count int
	Unit  string
	Lasts time.Duration
}

// century is more than a token may be valid.
const century = 100 * 365 * 24 * time.Hour

// ParseLifetime reads a text such as 30m, 12h or 90d.
func ParseLifetime(text string) (l Lifetime, ok bool) {
	count := strings.TrimRight(text, "smhd")
	n, err := strconv.ParseUint(count, 10, 31)
	unit := map[string]Lifetime{
		"s": {Unit: "seconds", Lasts: time.Second}, "m": {Unit: "minutes", Lasts: time.Minute},
		"h": {Unit: "hours", Lasts: time.Hour}, "d": {Unit: "days", Lasts: 24 * time.Hour},
	}[text[len(count):]]
	if err != nil || unit.Unit == "" {
		return l, false
	}
	return Lifetime{int(n), unit.Unit, unit.Lasts * time.Duration(min(n, uint64(century/unit.Lasts)))}, true
}

// Lifetimes are how long the tokens are valid whose lifetimes are set, by the names of the tokens in the cloud.
func (a *Auth) Lifetimes() map[string]Lifetime {
	set := make(map[string]Lifetime)
	if a == nil || a.TokenLifetimes == nil {
		return set
	}
	t := a.TokenLifetimes
	for token, text := range map[string]string{"Access": t.Access, "Id": t.ID, "Refresh": t.Refresh} {
		if l, ok := ParseLifetime(text); ok {
			set[token] = l
		}
	}
	return set
}

// Lasting returns how long the tokens of a sign-in are valid.
func (a *Auth) Lasting() (access, id, refresh time.Duration) {
	set := a.Lifetimes()
	return cmp.Or(set["Access"].Lasts, time.Hour), cmp.Or(set["Id"].Lasts, time.Hour),
		cmp.Or(set["Refresh"].Lasts, 30*24*time.Hour)
}
