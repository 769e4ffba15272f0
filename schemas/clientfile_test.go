package schemas

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/test/depth"
)

// dialect is a schema of the client file. translate translates the neutral dialect to it.
type dialect struct {
	schema    string
	translate func(string) string
}

func dialects() []dialect {
	return []dialect{
		{"client-config", func(text string) string { return text }},
		{"client-config-amplify", func(text string) string {
			if strings.HasPrefix(text, "/") {
				return publicPointer(text)
			}
			return publicWords.Replace(text)
		}},
	}
}

// publicPointer returns a pointer in the amplify dialect.
func publicPointer(pointer string) string {
	names := strings.Split(pointer, "/")
	for i, name := range names {
		names[i] = strings.Trim(publicWords.Replace(`"`+name+`"`), `"`)
	}
	return strings.Join(names, "/")
}

// try sets a field of the rich document to each value given and checks the
// verdict of the schema in both dialects.
func try(t *testing.T, field string, accept, refuse []string) {
	t.Helper()
	for _, d := range dialects() {
		document := func(value string) []byte { return with(t, rich(t, d.schema), d.translate(field), d.translate(value)) }
		for _, value := range accept {
			accepts(t, d.schema, document(value))
		}
		for _, value := range refuse {
			if len(problems(t, d.schema, document(value))) == 0 {
				t.Errorf("%s accepts %s at %s", d.schema, value, field)
			}
		}
	}
}

func TestFieldsOfTheClientFileAcceptTheirValues(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	for _, row := range clientFields {
		if len(row.accepts) == 0 || len(row.refuses) == 0 {
			t.Errorf("%s: nothing is accepted, or nothing refused", row.field)
		}
		try(t, row.field, row.accepts, row.refuses)
	}
}

func TestTheRowsAreAllFieldsThatTheModelHas(t *testing.T) {
	t.Parallel()
	want := make(map[string]bool)
	var walk func(f model.Field, at string)
	walk = func(f model.Field, at string) {
		if f.Type == model.MapField {
			at += "/streets"
			want[at] = optional
		}
		for _, field := range f.Fields {
			want[at+"/"+field.Name] = field.Required
			walk(field, at+"/"+field.Name)
		}
	}
	walk(model.ClientFile, "")
	got := make(map[string]bool)
	for _, row := range clientFields {
		if _, twice := got[row.field]; twice {
			t.Errorf("two rows of %s", row.field)
		}
		got[row.field] = row.required
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields of the model (-) and rows (+), true where they are required\n%s", diff)
	}
}

func TestClientFileRequiresItsRequiredFields(t *testing.T) {
	t.Parallel()
	for _, d := range dialects() {
		for _, row := range clientFields {
			field := d.translate(row.field)
			doc := without(t, rich(t, d.schema), field)
			if row.required {
				refuses(t, d.schema, field[:strings.LastIndex(field, "/")], doc)
			} else {
				accepts(t, d.schema, doc)
			}
		}
	}
}

// All objects forbid further fields, except free objects and their content. A map has no
// fields, its values have.
func TestClientFileForbidsFurtherFieldsButInFreeObjects(t *testing.T) {
	t.Parallel()
	closed := map[string][]string{"": nil}
	for _, row := range clientFields {
		parent := row.field[:strings.LastIndex(row.field, "/")]
		closed[parent] = append(closed[parent], row.field)
	}
	delete(closed, "/geo/maps/items")
	if want := 14; len(closed) != want {
		t.Errorf("%d objects, want %d: %v", len(closed), want, slices.Sorted(maps.Keys(closed)))
	}
	for _, d := range dialects() {
		for object, fields := range closed {
			for _, name := range []string{"further", "style", "version", "cloud_region", "custom", "", "Auth"} {
				if slices.Contains(fields, object+"/"+name) {
					continue
				}
				at := d.translate(object) + "/" + name
				refuses(t, d.schema, at, with(t, rich(t, d.schema), at, `{"a": 1}`))
			}
		}
		for _, object := range []string{"/custom", "/custom/API", "/custom/API/books", "/data/model_introspection", "/data/model_introspection/models"} {
			accepts(t, d.schema, with(t, rich(t, d.schema), object+"/further", `{"a": [1, 1]}`))
		}
	}
}

func TestAStringHasOneOfTheAllowedValues(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	const authorization = "IDENTITY_USER_POOLS API_KEY CLOUD_IAM CLOUD_FUNCTION OPENID_CONNECT"
	tests := []struct{ field, write, words string }{
		{"/auth/oauth/identity_providers", `["?"]`, "PROVIDER_A PROVIDER_B LOGIN_WITH_VENDOR PROVIDER_D"},
		{"/auth/oauth/response_type", `"?"`, "code token"},
		{"/auth/standard_required_attributes", `["?"]`, `address birthdate email family_name gender given_name locale middle_name name nickname
			phone_number picture preferred_username profile sub updated_at website zoneinfo`},
		{"/auth/username_attributes", `["?"]`, "email phone_number username"},
		{"/auth/user_verification_types", `["?"]`, "email phone_number"},
		{"/auth/mfa_configuration", `"?"`, "NONE OPTIONAL REQUIRED"},
		{"/auth/mfa_methods", `["?"]`, "SMS TOTP"},
		{"/data/default_authorization_type", `"?"`, authorization},
		{"/data/authorization_types", `["?"]`, authorization},
		{"/notifications/channels", `["?"]`, "IN_APP_MESSAGING PUSH_A PUSH_B EMAIL SMS"},
	}
	for _, test := range tests {
		for _, word := range strings.Fields(test.words) {
			write := func(word string) string { return strings.ReplaceAll(test.write, "?", word) }
			try(t, test.field, []string{write(word)}, []string{write(word + "S"), write(word[1:]), write(" " + word), write("")})
		}
	}
}

func TestLimitsOfTheClientFile(t *testing.T) {
	t.Parallel()
	const (
		signIn    = "/auth/oauth/redirect_sign_in_uri"
		signOut   = "/auth/oauth/redirect_sign_out_uri"
		providers = "/auth/oauth/identity_providers"
		scopes    = "/auth/oauth/scopes"
		standard  = "/auth/standard_required_attributes"
		usernames = "/auth/username_attributes"
		indices   = "/geo/search_indices/items"
		fences    = "/geo/geofence_collections/items"
		channels  = "/notifications/channels"
	)
	word := map[string]string{
		signIn: "a", signOut: "a", providers: "PROVIDER_A", scopes: "a", standard: "email", usernames: "email", indices: "a", fences: "a",
		channels: "SMS", "/auth/user_verification_types": "email", "/auth/mfa_methods": "SMS", "/data/authorization_types": "API_KEY",
	}
	array := func(field string, entries int) []string {
		text, err := json.Marshal(slices.Repeat([]string{word[field]}, entries))
		if err != nil {
			t.Fatal(err)
		}
		return []string{string(text)}
	}
	try(t, "/auth/password_policy/min_length", []string{"6", "7", "98", "99"}, []string{"5", "100"})
	for _, field := range []string{signIn, signOut, usernames, indices, fences, channels} {
		try(t, field, array(field, 1), array(field, 0))
	}
	for _, field := range []string{providers, scopes, standard} {
		try(t, field, slices.Concat(array(field, 0), array(field, 1)), []string{"null"})
	}
	for _, field := range []string{signIn, signOut, usernames, indices, fences, channels, providers, scopes, standard} {
		try(t, field, array(field, 1), slices.Concat(array(field, 2), array(field, 3)))
	}
	for _, field := range []string{"/auth/user_verification_types", "/auth/mfa_methods", "/data/authorization_types"} {
		try(t, field, slices.Concat(array(field, 0), array(field, 2)), []string{"null"})
	}
}

func TestGuestsAreEnabledByDefault(t *testing.T) {
	t.Parallel()
	for _, d := range dialects() {
		root, err := compiledRule(d.schema)
		if err != nil {
			t.Fatal(err)
		}
		if field := root.Properties["auth"].Properties["unauthenticated_identities_enabled"]; field.Default != true {
			t.Errorf("%s: the default is %v", d.schema, field.Default)
		}
	}
}

func TestAnEmptyClientFileIsOneWithItsVersion(t *testing.T) {
	t.Parallel()
	versions := map[string]string{"client-config": "1"}
	for _, v := range publicVersions {
		versions[v.schema] = v.version
	}
	for schema, version := range versions {
		for _, other := range []string{"1", "1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "2", "v1", ""} {
			doc := []byte(`{"version": "` + other + `"}`)
			if other == version {
				accepts(t, schema, doc)
			} else {
				refuses(t, schema, "/version", doc)
			}
		}
		for _, other := range []string{version, "null", `["` + version + `"]`} {
			refuses(t, schema, "/version", []byte(`{"version": `+other+`}`))
		}
		refuses(t, schema, "", []byte(`{}`))
		refuses(t, schema, "", []byte(`[]`))
	}
}
