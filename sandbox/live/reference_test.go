package live_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/outputs"
	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/render/template"
	"gatewright/sandbox/live"
)

// referred are values that refer to all that a function can be given, and to what it is not.
var referred = []string{
	"${ENV}", "/d1/${ENV}/${REGION}", "$${ENV} ${OTHER} ${AWS::Region} ${!x} $",
	"${TABLE_NAME} ${TABLE_REGION}", "${TABLE_MY_ITEMS_NAME} ${TABLE_MY_ITEMS_ARN} ${TABLE_MY_ITEMS_REGION}",
	"${FUNCTION_ITEMS_REGION}", "${API_SHOP_NAME} ${API_SHOP_ID} ${API_SHOP_REGION} ${API_SHOP_ARN}", "${API_STORE_ID}",
	"${STORAGE_FILES_NAME} ${STORAGE_FILES_ARN} ${STORAGE_FILES_REGION}",
	"${USER_POOL_ID} ${USER_POOL_ARN} ${USER_POOL_CLIENT_ID} ${IDENTITY_POOL_ID}", "${USER_POOL_ID}",
	"${LOG} ${KEY}",
}

// referring is a backend whose function mail has the values referred, the last two of them in
// the environment dev.
func referring(t *testing.T) *model.Backend {
	t.Helper()
	b := deploytest.Shop(t)
	deploytest.Must(t, edit.AddTable(b, &model.Table{Name: "my-items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	deploytest.Must(t, edit.SetStorage(b, &model.Storage{Region: "eu-north-1", BucketName: "uploads"}))
	deploytest.Must(t, edit.AddAPI(b, &access.API{Label: "store", Paths: []*access.Path{deploytest.Open("/items", "items")}}))
	f := deploytest.Function("mail")
	f.Template, f.Table = model.CRUD, "my-items"
	f.Runtime, f.Architecture = "nodejs20.x", model.ARM
	for _, resource := range []string{"table/my-items", "function/items", "api/shop", "api/store", "storage/files"} {
		f.Access = append(f.Access, model.ResourceAccess{Resource: resource, Actions: access.EveryAction})
	}
	var values []model.Variable
	for i, value := range referred {
		values = append(values, model.Variable{Name: "V" + string(rune('A'+i)), Value: value})
	}
	f.Environment = append(values[:len(values)-2:len(values)-2], model.Variable{Name: "LOG", Value: "info"}, model.Variable{Name: "VK", Value: "replaced"})
	deploytest.Must(t, edit.AddFunction(b, f))
	env := *b.Environment("dev")
	env.Account, env.APIs = "123456789012", []string{"shop"}
	env.Variables = []model.FunctionVariables{{Function: "mail", Values: values[len(values)-2:]}}
	deploytest.Must(t, edit.UpdateEnvironment(b, &env))
	return b
}

// TestTheSandboxGivesAFunctionWhatItsTemplateGives works out the template with the ids of the
// sandbox.
func TestTheSandboxGivesAFunctionWhatItsTemplateGives(t *testing.T) {
	t.Parallel()
	existing := &model.Auth{Region: "eu-west-1", UserPoolID: "eu-west-1_there", UserPoolClientID: "client"}
	for what, edit := range map[string]func(b *model.Backend) error{
		"without a pool":           func(*model.Backend) error { return nil },
		"with a pool":              func(b *model.Backend) error { return edit.AddGroup(b, "Admins") },
		"with a pool that existed": func(b *model.Backend) error { return edit.SetAuth(b, existing) },
		"with a bucket without a region": func(b *model.Backend) error {
			b.Storage = &model.Storage{BucketName: "uploads"}
			return nil
		},
	} {
		t.Run(what, func(t *testing.T) {
			b := referring(t)
			deploytest.Must(t, edit(b))
			p := deploytest.Made(t, t.TempDir(), b)
			env := p.Backend.Environment("dev")
			spec, _, warnings, err := live.FunctionOf(p, env, "mail", live.Near{})
			deploytest.Must(t, err)
			if said := "is not given API_STORE_ID, to which its variable VH refers; gatewright validate says what to do"; !slices.Contains(warnings, said) {
				t.Errorf("nothing says what the environment lacks: %q", warnings)
			}
			rendered, err := template.Render(p.Backend, env, template.Options{})
			deploytest.Must(t, err)
			got := deployedVariables(t, rendered, p.Backend, env, spec.Variables["API_SHOP_ID"])
			// The names of the sandbox's functions are without the environment, and the address of an
			// API is that of the sandbox.
			for name := range maps.Clone(spec.Variables) {
				if strings.HasPrefix(name, "FUNCTION_ITEMS_") && name != "FUNCTION_ITEMS_REGION" {
					got[name] = strings.TrimSuffix(got[name], "-dev")
				}
			}
			delete(got, "API_SHOP_URL")
			delete(spec.Variables, "API_SHOP_URL")
			for _, said := range []string{`"Runtime":"` + spec.RuntimeName + `"`, `"Architectures":["` + string(spec.Architecture) + `"]`} {
				if plain := strings.Join(strings.Fields(string(rendered.Body)), ""); !strings.Contains(plain, said) || spec.RuntimeName != "nodejs20.x" {
					t.Errorf("the template does not say %s", said)
				}
			}
			if diff := cmp.Diff(got, spec.Variables); diff != "" {
				t.Errorf("the variables differ (-template +sandbox):\n%s", diff)
			}
			if got["VB"] != "/d1/dev/eu-west-1" || len(got) < len(referred) {
				t.Errorf("they are %q", got)
			}
		})
	}
}

// deployedVariables works out the variables of the function mail with the ids of the sandbox.
func deployedVariables(t *testing.T, made *template.Template, b *model.Backend, env *model.Environment, api string) map[string]string {
	t.Helper()
	pool, err := outputs.PoolOf(b, env)
	deploytest.Must(t, err)
	read, err := cfn.Parse("template.json", made.Body)
	deploytest.Must(t, err)
	arn := func(service, resource string) string {
		return "arn:aws:" + service + ":eu-west-1:123456789012:" + resource
	}
	reference := func(r *cfn.Resource) (string, bool) {
		switch r.Type {
		case "AWS::DynamoDB::Table":
			return "my-items-dev", true
		case "AWS::ApiGateway::RestApi":
			return api, true
		case "AWS::Cognito::UserPool":
			return pool.UserPoolID, true
		case "AWS::Cognito::UserPoolClient":
			return pool.ClientID, true
		case "AWS::Cognito::IdentityPool":
			return pool.IdentityPoolID, true
		}
		return "", false
	}
	resolver := read.With(cfn.Given{
		Pseudo:    map[string]string{"AWS::Region": "eu-west-1", "AWS::AccountId": "123456789012", "AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com"},
		Reference: reference,
		Attribute: func(r *cfn.Resource, attribute string) (string, bool) {
			name, _ := reference(r)
			switch r.Type {
			case "AWS::DynamoDB::Table":
				return arn("dynamodb", "table/"+name), attribute == "Arn"
			case "AWS::Cognito::UserPool":
				return arn("cognito-idp", "userpool/"+name), attribute == "Arn"
			}
			return "", false
		},
	})
	for _, r := range read.Resources() {
		if name := r.Properties.Get("FunctionName"); r.Type != "AWS::Lambda::Function" || name == nil || name.Text != "mail-dev" {
			continue
		}
		got := make(map[string]string)
		for _, m := range r.Properties.Get("Environment", "Variables").Members {
			text, known := resolver.Resolve(m.Value).String()
			if !known {
				t.Errorf("%s is not known: %s", m.Name, m.Value.Minified())
			}
			got[m.Name] = text
		}
		return got
	}
	t.Fatal("the template has no function mail-dev")
	return nil
}
