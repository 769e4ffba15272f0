package facility

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
)

// authField is a field of the section auth: what update auth is given for it, what
// the file has then, and what that is in the words of the client library, where it
// is another.
type authField struct {
	given         string
	want, library any
}

// authFields are all fields of the section, by their place.
var authFields = map[string]authField{
	"cloud_region":                       {given: "eu-west-1", want: "eu-west-1"},
	"user_pool_id":                       {given: "eu-west-1_AbCdEfGhI", want: "eu-west-1_AbCdEfGhI"},
	"user_pool_client_id":                {given: "0123456789abcdefghijklmnop", want: "0123456789abcdefghijklmnop"},
	"identity_pool_id":                   {given: "eu-west-1:0a0b0c0d-1111-4222-8333-444455556666", want: "eu-west-1:0a0b0c0d-1111-4222-8333-444455556666"},
	"password_policy.min_length":         {given: "12", want: 12.0},
	"password_policy.require_numbers":    {given: "true", want: true},
	"password_policy.require_lowercase":  {given: "false", want: false},
	"password_policy.require_uppercase":  {given: "true", want: true},
	"password_policy.require_symbols":    {given: "false", want: false},
	"oauth.identity_providers":           {given: "PROVIDER_A,PROVIDER_B,LOGIN_WITH_VENDOR,PROVIDER_D", want: texts("PROVIDER_A", "PROVIDER_B", "LOGIN_WITH_VENDOR", "PROVIDER_D"), library: texts("GOOGLE", "FACEBOOK", "LOGIN_WITH_AMAZON", "SIGN_IN_WITH_APPLE")},
	"oauth.domain":                       {given: "login.example.com", want: "login.example.com"},
	"oauth.scopes":                       {given: "openid,email", want: texts("openid", "email")},
	"oauth.redirect_sign_in_uri":         {given: "https://a.example/in,app://in", want: texts("https://a.example/in", "app://in")},
	"oauth.redirect_sign_out_uri":        {given: "https://a.example/out", want: texts("https://a.example/out")},
	"oauth.response_type":                {given: "token", want: "token"},
	"standard_required_attributes":       {given: "email,given_name", want: texts("email", "given_name")},
	"username_attributes":                {given: "email,phone_number,username", want: texts("email", "phone_number", "username")},
	"user_verification_types":            {given: "email,phone_number", want: texts("email", "phone_number")},
	"unauthenticated_identities_enabled": {given: "true", want: true},
	"mfa_configuration":                  {given: "REQUIRED", want: "REQUIRED"},
	"mfa_methods":                        {given: "SMS,TOTP", want: texts("SMS", "TOTP")},
}

func texts(items ...string) []any {
	list := make([]any, len(items))
	for i, item := range items {
		list[i] = item
	}
	return list
}

// leaves lists the places of the section's fields that have a value, in the order
// of the specification.
func leaves(of model.Field, above string) []string {
	var places []string
	for _, f := range of.Fields {
		if f.Type == model.ObjectField {
			places = append(places, leaves(f, above+f.Name+".")...)
		} else {
			places = append(places, above+f.Name)
		}
	}
	return places
}

// TestEveryFieldOfAuthReachesTheClient gives every field of the specification's
// table auth to the command, and finds it in the file that a push writes, in both
// dialects, and then in what the client library makes of either.
func TestEveryFieldOfAuthReachesTheClient(t *testing.T) {
	front := frontEnd(t)
	f := newFacility(t)
	section, _ := model.ClientFile.Field("auth")
	places := leaves(section, "")
	if len(places) != len(authFields) {
		t.Fatalf("the section has %d fields, and %d are known here: %q", len(places), len(authFields), places)
	}
	args := []string{"update", "auth"}
	neutral, amplify := make(map[string]any), make(map[string]any)
	for _, place := range places {
		field, known := authFields[place]
		if !known {
			t.Fatalf("the field %s is not known here", place)
		}
		args = append(args, "--"+strings.NewReplacer(".", "-", "_", "-").Replace(place)+"="+field.given)
		puts(neutral, place, field.want)
		if field.library != nil {
			field.want = field.library
		}
		puts(amplify, strings.Replace(place, "cloud_region", "aws_region", 1), field.want)
	}
	f.does(0, args...)
	f.does(0, "push")
	understood := make(map[string]string)
	for _, form := range []struct {
		dialect, file string
		want          map[string]any
	}{{"neutral", "client_config", neutral}, {"amplify", "amplify_outputs", amplify}} {
		folder := filepath.Join(front, form.dialect)
		f.does(0, "generate", "outputs", "--dialect", form.dialect, "--out-dir", folder)
		file := filepath.Join(folder, form.file+".json")
		if got := sectionIn(t, file, "auth"); !reflect.DeepEqual(got, form.want) {
			t.Errorf("%s: the section is %v, want %v", form.dialect, got, form.want)
		}
		f.does(0, "validate", file)
		snippet := f.does(0, "generate", "outputs", "--dialect", form.dialect, "--out-dir", folder, "--format", "ts", "--snippet")
		_, code, _ := strings.Cut(snippet, "import ")
		writes(t, filepath.Join(folder, "main.ts"), "import "+code+"console.log(JSON.stringify(Amplify.getConfig().Auth));\n")
		strict(t, front, form.dialect+"/main.ts")
		inFront(t, front, "esbuild", "--bundle", "--platform=node", "--format=esm", "--packages=external", "--log-level=warning",
			form.dialect+"/main.ts", "--outfile="+form.dialect+"/main.mjs")
		node := exec.Command("node", form.dialect+"/main.mjs")
		node.Dir = front
		out, err := node.Output()
		if err != nil {
			t.Fatalf("%s: %v", form.dialect, err)
		}
		understood[form.dialect] = string(out)
	}
	if got := sectionIn(t, filepath.Join(f.dir, "client_config.json"), "auth"); !reflect.DeepEqual(got, neutral) {
		t.Errorf("a push writes %v, want %v", got, neutral)
	}
	var auth struct{ Cognito map[string]any }
	if err := json.Unmarshal([]byte(understood["amplify"]), &auth); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"userPoolId": "eu-west-1_AbCdEfGhI", "userPoolClientId": "0123456789abcdefghijklmnop", "identityPoolId": "eu-west-1:0a0b0c0d-1111-4222-8333-444455556666",
		"userPoolEndpoint": "http://127.0.0.1:4280/_user-pool", "identityPoolEndpoint": "http://127.0.0.1:4280/_identity-pool",
		"allowGuestAccess": true,
		"passwordFormat":   map[string]any{"minLength": 12.0, "requireNumbers": true, "requireLowercase": false, "requireUppercase": true, "requireSpecialCharacters": false},
		"mfa":              map[string]any{"status": "on", "smsEnabled": true, "totpEnabled": true},
		"userAttributes":   map[string]any{"email": map[string]any{"required": true}, "given_name": map[string]any{"required": true}},
		"loginWith": map[string]any{
			"email": true, "phone": true, "username": true,
			"oauth": map[string]any{
				"domain": "login.example.com", "scopes": texts("openid", "email"), "redirectSignIn": texts("https://a.example/in", "app://in"),
				"redirectSignOut": texts("https://a.example/out"), "responseType": "token", "providers": texts("Google", "Facebook", "Amazon", "Apple"),
			},
		},
	}
	if !reflect.DeepEqual(auth.Cognito, want) {
		t.Errorf("the library understands %v, want %v", auth.Cognito, want)
	}
	if understood["neutral"] != understood["amplify"] {
		t.Errorf("the library understands the specification's words otherwise: %s", understood["neutral"])
	}
}

// TestAPoolThatIsOnlyImpliedIsWhole restricts a path, or adds a group, and defines
// no user pool: the section has what a client needs, and nothing else.
func TestAPoolThatIsOnlyImpliedIsWhole(t *testing.T) {
	for name, implies := range map[string][]string{
		"a restricted path": {"add", "path", "shop", "/orders", "--function", "books", "--auth", "read"},
		"a group":           {"add", "group", "Admins"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFacility(t)
			f.does(0, "add", "function", "books", "--template", "plain")
			f.does(0, "add", "api", "shop", "--path", "/books", "--function", "books")
			f.does(0, "push")
			if got := f.does(0, "generate", "outputs", "--snippet"); strings.Contains(got, "userPoolEndpoint") {
				t.Errorf("without a user pool the lines are\n%s", got)
			}
			f.does(0, implies...)
			f.does(0, "push")
			file := filepath.Join(f.dir, "client_config.json")
			f.does(0, "validate", file)
			section := sectionIn(t, file, "auth")
			if section["cloud_region"] != "eu-west-1" || section["unauthenticated_identities_enabled"] != true || len(section) != 5 {
				t.Errorf("the section is %v", section)
			}
			for field, like := range map[string]string{"user_pool_id": "eu-west-1_", "identity_pool_id": "eu-west-1:", "user_pool_client_id": ""} {
				if text, _ := section[field].(string); len(text) < 19 || !strings.HasPrefix(text, like) {
					t.Errorf("%s is %q", field, text)
				}
			}
			snippet := f.does(0, "generate", "outputs", "--snippet")
			for _, line := range []string{"userPoolEndpoint: 'http://127.0.0.1:4280/_user-pool',", "identityPoolEndpoint: 'http://127.0.0.1:4280/_identity-pool',"} {
				if !slices.ContainsFunc(strings.Split(snippet, "\n"), func(has string) bool { return strings.TrimSpace(has) == line }) {
					t.Errorf("the lines lack %s:\n%s", line, snippet)
				}
			}
		})
	}
}

// puts sets a value at a place such as oauth.domain.
func puts(values map[string]any, place string, value any) {
	first, rest, below := strings.Cut(place, ".")
	if !below {
		values[first] = value
		return
	}
	if values[first] == nil {
		values[first] = make(map[string]any)
	}
	puts(values[first].(map[string]any), rest, value)
}

// sectionIn is a section of a client configuration file.
func sectionIn(t *testing.T, file, name string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var sections map[string]any
	if err := json.Unmarshal(text, &sections); err != nil {
		t.Fatal(err)
	}
	section, _ := sections[name].(map[string]any)
	return section
}
