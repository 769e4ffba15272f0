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

// authField is a field of the section auth: the value of its flag, the value in the file, and
// the value in the dialect amplify if that differs.
type authField struct {
	flag          string
	want, amplify any
}

// authFields has all fields of the section, by their place.
var authFields = map[string]authField{
	"cloud_region":                       {flag: "eu-west-1", want: "eu-west-1"},
	"user_pool_id":                       {flag: "eu-west-1_AbCdEfGhI", want: "eu-west-1_AbCdEfGhI"},
	"user_pool_client_id":                {flag: "0123456789abcdefghijklmnop", want: "0123456789abcdefghijklmnop"},
	"identity_pool_id":                   {flag: "eu-west-1:0a0b0c0d-1111-4222-8333-444455556666", want: "eu-west-1:0a0b0c0d-1111-4222-8333-444455556666"},
	"password_policy.min_length":         {flag: "12", want: 12.0},
	"password_policy.require_numbers":    {flag: "true", want: true},
	"password_policy.require_lowercase":  {flag: "false", want: false},
	"password_policy.require_uppercase":  {flag: "true", want: true},
	"password_policy.require_symbols":    {flag: "false", want: false},
	"oauth.identity_providers":           {flag: "PROVIDER_A,PROVIDER_B,LOGIN_WITH_VENDOR,PROVIDER_D", want: texts("PROVIDER_A", "PROVIDER_B", "LOGIN_WITH_VENDOR", "PROVIDER_D"), amplify: texts("GOOGLE", "FACEBOOK", "LOGIN_WITH_AMAZON", "SIGN_IN_WITH_APPLE")},
	"oauth.domain":                       {flag: "login.example.com", want: "login.example.com"},
	"oauth.scopes":                       {flag: "openid,email", want: texts("openid", "email")},
	"oauth.redirect_sign_in_uri":         {flag: "https://a.example/in,app://in", want: texts("https://a.example/in", "app://in")},
	"oauth.redirect_sign_out_uri":        {flag: "https://a.example/out", want: texts("https://a.example/out")},
	"oauth.response_type":                {flag: "token", want: "token"},
	"standard_required_attributes":       {flag: "email,given_name", want: texts("email", "given_name")},
	"username_attributes":                {flag: "email,phone_number,username", want: texts("email", "phone_number", "username")},
	"user_verification_types":            {flag: "email,phone_number", want: texts("email", "phone_number")},
	"unauthenticated_identities_enabled": {flag: "true", want: true},
	"mfa_configuration":                  {flag: "REQUIRED", want: "REQUIRED"},
	"mfa_methods":                        {flag: "SMS,TOTP", want: texts("SMS", "TOTP")},
}

func texts(items ...string) []any {
	list := make([]any, len(items))
	for i, item := range items {
		list[i] = item
	}
	return list
}

// fieldPlaces returns the places of all fields below of that are not objects, in order.
func fieldPlaces(of model.Field, above string) []string {
	var places []string
	for _, f := range of.Fields {
		if f.Type == model.ObjectField {
			places = append(places, fieldPlaces(f, above+f.Name+".")...)
		} else {
			places = append(places, above+f.Name)
		}
	}
	return places
}

// TestEveryFieldOfAuthReachesTheClient sets every field of the section auth with update auth.
// It must be in the file that a push writes, in both dialects, and in the configuration that
// the client library makes of either.
func TestEveryFieldOfAuthReachesTheClient(t *testing.T) {
	front := frontEnd(t)
	f := newFacility(t)
	section, _ := model.ClientFile.Field("auth")
	places := fieldPlaces(section, "")
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
		args = append(args, "--"+strings.NewReplacer(".", "-", "_", "-").Replace(place)+"="+field.flag)
		setAt(neutral, place, field.want)
		if field.amplify != nil {
			field.want = field.amplify
		}
		setAt(amplify, strings.Replace(place, "cloud_region", "aws_region", 1), field.want)
	}
	f.run(0, args...)
	f.run(0, "push")
	configs := make(map[string]string)
	for _, form := range []struct {
		dialect, file string
		want          map[string]any
	}{{"neutral", "client_config", neutral}, {"amplify", "amplify_outputs", amplify}} {
		folder := filepath.Join(front, form.dialect)
		f.run(0, "generate", "outputs", "--dialect", form.dialect, "--out-dir", folder)
		file := filepath.Join(folder, form.file+".json")
		if got := sectionIn(t, file, "auth"); !reflect.DeepEqual(got, form.want) {
			t.Errorf("%s: the section is %v, want %v", form.dialect, got, form.want)
		}
		f.run(0, "validate", file)
		snippet := f.run(0, "generate", "outputs", "--dialect", form.dialect, "--out-dir", folder, "--format", "ts", "--snippet")
		_, code, _ := strings.Cut(snippet, "import ")
		writeFile(t, filepath.Join(folder, "main.ts"), "import "+code+"console.log(JSON.stringify(Amplify.getConfig().Auth));\n")
		checkTypes(t, front, form.dialect+"/main.ts")
		runTool(t, front, "esbuild", "--bundle", "--platform=node", "--format=esm", "--packages=external", "--log-level=warning",
			form.dialect+"/main.ts", "--outfile="+form.dialect+"/main.mjs")
		node := exec.Command("node", form.dialect+"/main.mjs")
		node.Dir = front
		out, err := node.Output()
		if err != nil {
			t.Fatalf("%s: %v", form.dialect, err)
		}
		configs[form.dialect] = string(out)
	}
	if got := sectionIn(t, filepath.Join(f.dir, "client_config.json"), "auth"); !reflect.DeepEqual(got, neutral) {
		t.Errorf("a push writes %v, want %v", got, neutral)
	}
	var auth struct{ Cognito map[string]any }
	if err := json.Unmarshal([]byte(configs["amplify"]), &auth); err != nil {
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
		t.Errorf("the library's configuration is %v, want %v", auth.Cognito, want)
	}
	if configs["neutral"] != configs["amplify"] {
		t.Errorf("from the dialect neutral the library makes another configuration: %s", configs["neutral"])
	}
}

// TestAnImpliedUserPoolIsComplete restricts a path, or adds a group, without a definition
// of the user pool: the section auth has what a client needs, and nothing else.
func TestAnImpliedUserPoolIsComplete(t *testing.T) {
	t.Parallel()
	for name, implies := range map[string][]string{
		"a restricted path": {"add", "path", "shop", "/orders", "--function", "books", "--auth", "read"},
		"a group":           {"add", "group", "Admins"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFacility(t)
			f.run(0, "add", "function", "books", "--template", "plain")
			f.run(0, "add", "api", "shop", "--path", "/books", "--function", "books")
			f.run(0, "push")
			if got := f.run(0, "generate", "outputs", "--snippet"); strings.Contains(got, "userPoolEndpoint") {
				t.Errorf("without a user pool the lines are\n%s", got)
			}
			f.run(0, implies...)
			f.run(0, "push")
			file := filepath.Join(f.dir, "client_config.json")
			f.run(0, "validate", file)
			section := sectionIn(t, file, "auth")
			if section["cloud_region"] != "eu-west-1" || section["unauthenticated_identities_enabled"] != true || len(section) != 5 {
				t.Errorf("the section is %v", section)
			}
			for field, like := range map[string]string{"user_pool_id": "eu-west-1_", "identity_pool_id": "eu-west-1:", "user_pool_client_id": ""} {
				if text, _ := section[field].(string); len(text) < 19 || !strings.HasPrefix(text, like) {
					t.Errorf("%s is %q", field, text)
				}
			}
			snippet := f.run(0, "generate", "outputs", "--snippet")
			for _, line := range []string{"userPoolEndpoint: 'http://127.0.0.1:4280/_user-pool',", "identityPoolEndpoint: 'http://127.0.0.1:4280/_identity-pool',"} {
				if !slices.ContainsFunc(strings.Split(snippet, "\n"), func(has string) bool { return strings.TrimSpace(has) == line }) {
					t.Errorf("the lines lack %s:\n%s", line, snippet)
				}
			}
		})
	}
}

// setAt sets the value at a place such as oauth.domain.
func setAt(values map[string]any, place string, value any) {
	first, rest, below := strings.Cut(place, ".")
	if !below {
		values[first] = value
		return
	}
	if values[first] == nil {
		values[first] = make(map[string]any)
	}
	setAt(values[first].(map[string]any), rest, value)
}

// sectionIn returns a section of a client configuration file.
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
