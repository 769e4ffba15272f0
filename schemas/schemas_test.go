package schemas

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEveryFileHasASchema(t *testing.T) {
	t.Parallel()
	want := []string{
		"access-test", "auth", "cli-inputs", "client-config", "client-config-amplify", "client-config-amplify-1.1",
		"client-config-amplify-1.2", "client-config-amplify-1.3", "client-config-amplify-1.4",
		"client-config-amplify-1.5", "data", "environment", "function", "output", "project", "request", "settings", "storage", "table",
	}
	if diff := cmp.Diff(want, Names()); diff != "" {
		t.Error(diff)
	}
}

func TestASchemaHasItsIDAndATitle(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		text, err := Source(name)
		if err != nil {
			t.Fatal(err)
		}
		var head struct {
			Schema      string `json:"$schema"`
			ID          string `json:"$id"`
			Title       string `json:"title"`
			Description string `json:"description"`
		}
		if err := json.Unmarshal(text, &head); err != nil {
			t.Fatal(err)
		}
		if head.Schema != "https://json-schema.org/draft/2019-09/schema" {
			t.Errorf("%s: $schema is %q", name, head.Schema)
		}
		if want := "urn:gatewright:2024-02:" + name; head.ID != want || ID(name) != want {
			t.Errorf("$id is %q and ID(%q) is %q, want %q", head.ID, name, ID(name), want)
		}
		if head.Title == "" || head.Description == "" {
			t.Errorf("%s: title %q, description %q", name, head.Title, head.Description)
		}
		if !bytes.HasSuffix(text, []byte("}\n")) {
			t.Errorf("%s: no final newline", name)
		}
	}
}

func TestAnUnknownNameProposesTheNearest(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, want string }{
		{"functoin", `no schema is named "functoin": did you mean "function"?`},
		{"client_config", `no schema is named "client_config": did you mean "client-config"?`},
		{"../go", `no schema is named "../go": one of: ` + strings.Join(Names(), ", ")},
		{"", `no schema is named "": one of: ` + strings.Join(Names(), ", ")},
	}
	for _, test := range tests {
		if _, err := Source(test.name); err == nil || err.Error() != test.want {
			t.Errorf("Source(%q): %v, want %s", test.name, err, test.want)
		}
		if _, err := Validate(test.name, []byte("{}")); err == nil || err.Error() != test.want {
			t.Errorf("Validate(%q): %v, want %s", test.name, err, test.want)
		}
		if id := ID(test.name); id != "" {
			t.Errorf("ID(%q) is %q", test.name, id)
		}
	}
}

// publicWords are the words of the two dialects, neutral and amplify.
var publicWords = strings.NewReplacer(
	`"cloud_region"`, `"aws_region"`,
	`"messaging_app"`, `"amazon_pinpoint"`,
	`"messaging_app_id"`, `"amazon_pinpoint_app_id"`,
	`"PROVIDER_A"`, `"GOOGLE"`,
	`"PROVIDER_B"`, `"FACEBOOK"`,
	`"LOGIN_WITH_VENDOR"`, `"LOGIN_WITH_AMAZON"`,
	`"PROVIDER_D"`, `"SIGN_IN_WITH_APPLE"`,
	`"IDENTITY_USER_POOLS"`, `"AMAZON_COGNITO_USER_POOLS"`,
	`"CLOUD_IAM"`, `"AWS_IAM"`,
	`"CLOUD_FUNCTION"`, `"AWS_LAMBDA"`,
	`"PUSH_A"`, `"FCM"`,
	`"PUSH_B"`, `"APNS"`,
)

func TestTheTwoClientSchemasDifferInWordsOnly(t *testing.T) {
	t.Parallel()
	body := func(name string) any {
		text, err := Source(name)
		if err != nil {
			t.Fatal(err)
		}
		schema := decode(t, []byte(publicWords.Replace(string(text)))).(map[string]any)
		for _, field := range []string{"$id", "title", "description"} {
			delete(schema, field)
		}
		return schema
	}
	if diff := cmp.Diff(body("client-config"), body("client-config-amplify")); diff != "" {
		t.Error(diff)
	}
}

func TestTheCallerMayChangeTheResults(t *testing.T) {
	t.Parallel()
	names := Names()
	slices.Reverse(names)
	text, err := Source("auth")
	if err != nil {
		t.Fatal(err)
	}
	clear(text)
	again, err := Source("auth")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(Names()) || bytes.Equal(text, again) {
		t.Error("a change of a result changes the next result")
	}
}
