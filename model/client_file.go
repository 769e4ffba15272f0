package model

// FieldType is the JSON type of a field of the client configuration file.
type FieldType uint8

// The types. A FreeField is an object with any members (`custom`, `model_introspection`).
const (
	StringField FieldType = iota
	IntegerField
	BooleanField
	ArrayField
	ObjectField
	MapField
	FreeField
)

// Field is a field of the client configuration file.
type Field struct {
	Name     string
	Type     FieldType
	Required bool
	// Enum are the values that a string, or the strings of an array, may have;
	// nil for any.
	Enum []string
	// Min and Max bound an integer, or the characters of a text; MinItems and Unique an array. Without Max,
	// texts are not bounded.
	Min, Max, MinItems int
	Unique             bool
	// Lifetime are the least and the most of a text that is a time such as 30m. Holds are words that a text has
	// to hold.
	Lifetime, Holds []string
	// Fields are those of an object, or of each value of a map.
	Fields []Field
}

// Field finds a field of an object by name.
func (f Field) Field(name string) (Field, bool) {
	for _, g := range f.Fields {
		if g.Name == name {
			return g, true
		}
	}
	return Field{}, false
}

// StandardAttributes are the attributes that a sign-up may require.
var StandardAttributes = []string{
	"address", "birthdate", "email", "family_name", "gender", "given_name", "locale", "middle_name", "name", "nickname",
	"phone_number", "picture", "preferred_username", "profile", "sub", "updated_at", "website", "zoneinfo",
}

// The values that other fields allow, in neutral words.
var (
	IdentityProviders  = []string{"PROVIDER_A", "PROVIDER_B", "LOGIN_WITH_VENDOR", "PROVIDER_D"}
	ResponseTypes      = []string{"code", "token"}
	UsernameAttributes = []string{"email", "phone_number", "username"}
	VerificationTypes  = []string{"email", "phone_number"}
	MFAConfigurations  = []string{"NONE", "OPTIONAL", "REQUIRED"}
	MFAMethods         = []string{"SMS", "TOTP"}
	AuthorizationTypes = []string{
		"IDENTITY_USER_POOLS", APIKeyAuthorization, "CLOUD_IAM", "CLOUD_FUNCTION",
		"OPENID_CONNECT",
	}
	Channels = []string{"IN_APP_MESSAGING", "PUSH_A", "PUSH_B", "EMAIL", "SMS"}
)

// The limits of PasswordPolicy.MinLength.
const (
	LowestMinLength  = 6
	HighestMinLength = 99
)

// ClientFileVersion is the constant `version` of the client configuration file.
const ClientFileVersion = "1"

// ClientFile describes the client configuration file. Its sections and fields are in the
// order in which they are written.
var ClientFile = Field{Type: ObjectField, Fields: []Field{
	text("$schema"),
	required(oneOf("version", ClientFileVersion)),
	object("analytics",
		object("messaging_app", required(text("cloud_region")), required(text("app_id")))),
	object("auth",
		required(text("cloud_region")), required(text("user_pool_id")), required(text("user_pool_client_id")),
		text("identity_pool_id"),
		object("password_policy",
			Field{Name: "min_length", Type: IntegerField, Min: LowestMinLength, Max: HighestMinLength},
			boolean("require_numbers"), boolean("require_lowercase"), boolean("require_uppercase"), boolean("require_symbols")),
		object("oauth",
			required(set("identity_providers", 0, IdentityProviders...)), required(text("domain")), required(set("scopes", 0)),
			required(set("redirect_sign_in_uri", 1)), required(set("redirect_sign_out_uri", 1)),
			required(oneOf("response_type", ResponseTypes...))),
		set("standard_required_attributes", 0, StandardAttributes...), set("username_attributes", 1, UsernameAttributes...),
		list("user_verification_types", VerificationTypes...), boolean("unauthenticated_identities_enabled"),
		oneOf("mfa_configuration", MFAConfigurations...), list("mfa_methods", MFAMethods...)),
	object("data",
		required(text("cloud_region")), required(text("url")), Field{Name: "model_introspection", Type: FreeField},
		text("api_key"),
		required(oneOf("default_authorization_type", AuthorizationTypes...)),
		required(list("authorization_types", AuthorizationTypes...))),
	object("geo",
		required(text("cloud_region")),
		object("maps",
			required(Field{Name: "items", Type: MapField, Fields: []Field{text("style")}}), required(text("default"))),
		object("search_indices", required(set("items", 1)), required(text("default"))),
		object("geofence_collections", required(set("items", 1)), required(text("default")))),
	object("notifications",
		required(text("cloud_region")), required(text("messaging_app_id")), required(set("channels", 1, Channels...))),
	object("storage", required(text("cloud_region")), required(text("bucket_name"))),
	{Name: "custom", Type: FreeField},
}}

func text(name string) Field    { return Field{Name: name, Type: StringField} }
func boolean(name string) Field { return Field{Name: name, Type: BooleanField} }

func oneOf(name string, values ...string) Field {
	return Field{Name: name, Type: StringField, Enum: values}
}

func list(name string, values ...string) Field {
	return Field{Name: name, Type: ArrayField, Enum: values}
}

func set(name string, minItems int, values ...string) Field {
	return Field{Name: name, Type: ArrayField, Enum: values, MinItems: minItems, Unique: true}
}

func object(name string, fields ...Field) Field {
	return Field{Name: name, Type: ObjectField, Fields: fields}
}

func required(f Field) Field {
	f.Required = true
	return f
}
