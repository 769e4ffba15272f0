package render_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/clientfile"
	"gatewright/model/edit"
	"gatewright/render"
	"gatewright/render/rendertest"
	"gatewright/schemas"
)

func yes() *bool {
	truth := true
	return &truth
}

// whole is one thing of every kind with all fields set.
var (
	minLength = 12
	auth      = &model.Auth{
		Region: "eu-west-1", UserPoolID: "eu-west-1_abc", UserPoolClientID: "client", IdentityPoolID: "eu-west-1:pool",
		PasswordPolicy: &model.PasswordPolicy{MinLength: &minLength, RequireNumbers: yes()},
		OAuth: &model.OAuth{
			IdentityProviders: []string{"PROVIDER_A", "PROVIDER_B", "LOGIN_WITH_VENDOR", "PROVIDER_D"}, Domain: "auth.example", Scopes: []string{},
			RedirectSignInURI: []string{"https://a.example/"}, RedirectSignOutURI: []string{"https://a.example/out?a=1&b=2"}, ResponseType: "code",
		},
		StandardRequiredAttributes: []string{"email"}, UsernameAttributes: []string{"email"}, UserVerificationTypes: []string{"email"},
		UnauthenticatedIdentitiesEnabled: yes(), MFAConfiguration: "OPTIONAL", MFAMethods: []string{"SMS", "TOTP"},
	}
	data = &model.Data{
		Region: "eu-west-1", URL: "https://data.example/graphql", APIKey: model.APIKeyPlaceholder, ModelIntrospection: []byte(`{"version":1,"cloud_region":"kept"}`),
		DefaultAuthorizationType: "IDENTITY_USER_POOLS", AuthorizationTypes: []string{"CLOUD_IAM", "CLOUD_FUNCTION", "API_KEY"},
	}
	storage = &model.Storage{Region: "eu-west-1", BucketName: "files"}
	api     = &access.API{Label: "shop", BinaryMediaTypes: []string{"image/*", "application/pdf"}, Paths: []*access.Path{
		{Name: "/open", Function: "f", Access: access.Access{Setting: access.Open}},
		{Name: "/book/{isbn}", Function: "books", Access: access.Access{Setting: access.Protected, Grants: []access.Grant{
			{To: access.Principal{Kind: access.Group, Group: "Editors"}, Actions: access.ActionSet(access.Update, access.Read)},
			{To: access.Principal{Kind: access.Authenticated}, Actions: access.EveryAction},
			{To: access.Principal{Kind: access.Guest}},
			{To: access.Principal{Kind: access.Group, Group: "Admins"}, Actions: access.EveryAction},
		}}},
	}}
	function = &model.Function{
		Name: "f", FunctionName: "shop-f", Runtime: model.NodeJS, Template: model.CRUD, Table: "items", Handler: "index.handler", Timeout: 25, Memory: 256,
		Environment: []model.Variable{{Name: "B", Value: "<2> & \"3\""}, {Name: "A", Value: ""}}, Secrets: []string{"KEY"}, Schedule: "rate(5 minutes)", Layers: []string{"layers/shared"},
		Access: []model.ResourceAccess{{Resource: "table/items", Actions: access.ActionSet(access.Delete, access.Read)}},
	}
	table = &model.Table{
		Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, SortKey: model.Key{Name: "at", Type: model.NumberKey},
		Indexes: []model.Index{{Name: "byAuthor", PartitionKey: model.Key{Name: "author", Type: model.BinaryKey}}},
	}
	environment = &model.Environment{
		Name: "prod", Provider: model.AWS, Region: "eu-west-1", Account: "123456789012", Branch: "main", Guarded: true, APIs: []string{"shop"},
		Parameters: []model.Variable{{Name: "domain", Value: "example.org"}}, Variables: []model.FunctionVariables{{Function: "f", Values: []model.Variable{{Name: "A", Value: "1"}}}},
		Data: &model.Data{URL: "https://prod.example/"}, Storage: &model.Storage{BucketName: "prod-files"},
	}
)

func clientFile(t *testing.T) clientfile.Content {
	t.Helper()
	b := &model.Backend{Auth: auth, Data: data, Storage: storage}
	for _, values := range []model.Outputs{
		{"analytics": map[string]any{"messaging_app": map[string]any{"cloud_region": "r", "app_id": "a"}}},
		{"notifications": map[string]any{"cloud_region": "r", "messaging_app_id": "a", "channels": []string{"PUSH_A", "PUSH_B", "IN_APP_MESSAGING"}}},
		{"geo": map[string]any{"cloud_region": "r", "maps": map[string]any{"items": map[string]any{"cloud_region": map[string]any{"style": "s"}}, "default": "cloud_region"}}},
		{"custom": map[string]any{"cloud_region": "kept", "big": 9007199254740993, "list": []any{"PUSH_A", nil, 1.5}}},
	} {
		if err := edit.AddOutput(b, values); err != nil {
			t.Fatal(err)
		}
	}
	content, err := clientfile.Of(b, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestEveryFileEqualsItsGoldenAndIsValid(t *testing.T) {
	content := clientFile(t)
	for _, tt := range []struct {
		schema string
		draw   func(render.Form) []byte
	}{
		{"project", func(f render.Form) []byte {
			return render.Project(model.Project{Name: "shop", ApplicationID: "a1", Region: "eu-west-1", Dialect: model.Amplify, SandboxPort: 4281}, f)
		}},
		{"environment", func(f render.Form) []byte { return render.Environment(environment, f) }},
		{"cli-inputs", func(f render.Form) []byte { return render.API(api, f) }},
		{"function", func(f render.Form) []byte { return render.Function(function, f) }},
		{"table", func(f render.Form) []byte { return render.Table(table, f) }},
		{"auth", func(f render.Form) []byte { return render.Auth(auth, []string{"Admins", "Editors"}, nil, f) }},
		{"data", func(f render.Form) []byte { return render.Data(data, f) }},
		{"storage", func(f render.Form) []byte { return render.Storage(storage, f) }},
		{"output", func(f render.Form) []byte {
			return render.Output(&model.Output{Name: "x", Values: model.Outputs{"custom": map[string]any{"b": true, "a": nil}}}, f)
		}},
		{"client-config", func(f render.Form) []byte { return render.ClientFile(content, model.Neutral, f) }},
		{"client-config-amplify", func(f render.Form) []byte { return render.ClientFile(content, model.Amplify, f) }},
	} {
		t.Run(tt.schema, func(t *testing.T) {
			whole := tt.draw(render.Whole)
			rendertest.Golden(t, tt.schema+".golden.json", whole)
			for _, form := range []render.Form{render.Whole, render.AmplifyCLI, render.Part} {
				problems, err := schemas.Validate(tt.schema, tt.draw(form))
				if err != nil || len(problems) > 0 {
					t.Errorf("form %d: %v %v", form, err, problems)
				}
			}
			if !bytes.Equal(tt.draw(render.Whole), whole) {
				t.Error("rendering twice gives different bytes")
			}
		})
	}
}

func TestTheDialectsTranslateBothWays(t *testing.T) {
	neutral := clientFile(t)
	amplify := render.Translate(neutral.Values, model.Neutral, model.Amplify)
	back := render.Translate(amplify, model.Amplify, model.Neutral)
	one := render.ClientFile(neutral, model.Neutral, render.Part)
	two := render.ClientFile(clientfile.Content{Values: back}, model.Neutral, render.Part)
	if !bytes.Equal(one, two) {
		t.Errorf("there and back gives\n%s\nwant\n%s", two, one)
	}
	if n, a := render.DialectWords(neutral.Values); n == "" || a != "" {
		t.Errorf("words of the neutral file: %q %q", n, a)
	}
	if n, a := render.DialectWords(amplify); n != "" || a == "" {
		t.Errorf("words of the amplify file: %q %q", n, a)
	}
	if n, a := render.DialectWords(model.Outputs{"version": "1", "custom": map[string]any{"aws_region": "x", "cloud_region": "y"}}); n != "" || a != "" {
		t.Errorf("words of a file without any: %q %q", n, a)
	}
}

func TestAFailedRenderingIsNoJSONAndHasItsReason(t *testing.T) {
	twice := &model.Function{Name: "f", Runtime: model.NodeJS, Environment: []model.Variable{{Name: "A"}, {Name: "A"}, {Name: "B"}}}
	broken := &model.Output{Name: "x", Values: model.Outputs{"custom": map[string]any{"n": json.Number("1e"), "x": "y"}}}
	for _, data := range [][]byte{
		render.Function(twice, render.Whole), render.Function(twice, render.Part), render.Output(broken, render.Whole),
		render.Data(&model.Data{ModelIntrospection: []byte("{")}, render.Whole),
	} {
		if render.Failed(data) == nil || json.Valid(data) {
			t.Errorf("a rendering that failed is %q", data)
		}
	}
	if err := render.Failed(render.Function(function, render.Whole)); err != nil {
		t.Errorf("a whole rendering: %v", err)
	}
}

func TestAnEmptyUserPoolIsWritten(t *testing.T) {
	const want = `{"version":1,"unauthenticated_identities_enabled":true,"groups":["A"]}`
	if got := string(render.Auth(&model.Auth{}, []string{"A"}, nil, render.Part)); got != want {
		t.Errorf("it is written as %s", got)
	}
}
