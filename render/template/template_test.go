package template_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/render/template"
)

// TestDataStayInTheAccountUnlessATableSaysOtherwise: in a guarded environment also then, and logs too.
func TestDataStayInTheAccountUnlessATableSaysOtherwise(t *testing.T) {
	t.Parallel()
	stateful := []string{"AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::Cognito::IdentityPool"}
	b := shop()
	gone := *b.Tables[0]
	gone.Deletion = model.Delete
	b.Tables[0] = &gone
	for env, guarded := range map[string]bool{"dev": false, "prod": true} {
		for _, m := range rendered(t, b, env).Root.Get("Resources").Members {
			kind, want := m.Value.Get("Type").Text, [2]string{}
			name := m.Value.Get("Properties", "TableName")
			stays := slices.Contains(stateful, kind) && (name == nil || name.Text != "items-"+env)
			if stays || guarded && (slices.Contains(stateful, kind) || kind == "AWS::Logs::LogGroup") {
				want = [2]string{"RetainExceptOnCreate", "Retain"}
			}
			if kind == "AWS::Lambda::LayerVersion" { // functions of before have the version of before
				want = [2]string{"RetainExceptOnCreate", "Retain"}
			}
			if got := [2]string{textOf(m.Value.Get("DeletionPolicy")), textOf(m.Value.Get("UpdateReplacePolicy"))}; got != want {
				t.Errorf("in %s, %s has the policies %q, want %q", env, m.Name, got, want)
			}
			if kind == "AWS::DynamoDB::Table" && (m.Value.Get("Properties", "PointInTimeRecoverySpecification") != nil) != guarded {
				t.Errorf("in %s, the recovery of %s is wrong", env, m.Name)
			}
		}
	}
}

func textOf(n *cfn.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}

func TestEachSecretIsOneParameterThatIsNotShown(t *testing.T) {
	t.Parallel()
	b := shop()
	b.Functions[0].Secrets = []string{"PAYMENT_KEY", "OTHER"}
	made := rendered(t, b, "dev")
	want := map[string]bool{}
	for _, s := range made.Secrets {
		p := made.Root.Get("Parameters", s.Parameter)
		if textOf(p.Get("NoEcho")) != "true" || p.Get("Default") != nil {
			t.Errorf("the parameter of %s is %s", s.Name, p.Minified())
		}
		want[s.Name] = true
	}
	if len(made.Secrets) != 2 || !want["PAYMENT_KEY"] || !want["OTHER"] || len(made.Root.Get("Parameters").Members) != 2 {
		t.Errorf("the secrets are %v", made.Secrets)
	}
}

func TestANestedStackIsFoundUnderTheHashOfItsBody(t *testing.T) {
	t.Parallel()
	made := rendered(t, backend(manyPaths("catalog", 75), manyPaths("stock", 30)), "dev")
	for _, n := range made.Nested {
		url := made.Root.Get("Resources", n.ID, "Properties", "TemplateURL", "Fn::Sub").Text
		if url != "https://s3.${AWS::Region}.${AWS::URLSuffix}/"+template.Bucket+"/"+n.Key {
			t.Errorf("%s is looked for at %s", n.Key, url)
		}
	}
	other := rendered(t, backend(manyPaths("catalog", 75), manyPaths("stock", 31)), "dev")
	if made.Nested[0].Key != other.Nested[0].Key || made.Nested[1].Key == other.Nested[1].Key {
		t.Error("a change of one API does not change just its own template")
	}
}

// TestTheAddressOfAnAPIStaysWhenTheEnvironmentIsDivided: the RestApi is the same resource of
// the root stack in both cases.
func TestTheAddressOfAnAPIStaysWhenTheEnvironmentIsDivided(t *testing.T) {
	t.Parallel()
	small := rendered(t, backend(manyPaths("catalog", 20), manyPaths("stock", 30)), "dev")
	large := rendered(t, backend(manyPaths("catalog", 75), manyPaths("stock", 30)), "dev")
	if len(small.Nested) > 0 || len(large.Nested) != 2 {
		t.Fatalf("%d and %d nested stacks", len(small.Nested), len(large.Nested))
	}
	for _, e := range ofType(small.Root, "AWS::ApiGateway::RestApi") {
		if after := large.Root.Get("Resources", e.id); after == nil || !bytes.Equal(after.Minified(), e.node.Minified()) {
			t.Errorf("%s is another one afterwards", e.id)
		}
	}
}

func TestAFunctionHasTheVariablesThatTheSandboxGivesIt(t *testing.T) {
	t.Parallel()
	b := shop()
	b.Environments[0].Variables = []model.FunctionVariables{{Function: "orders", Values: []model.Variable{{Name: "CURRENCY", Value: "USD"}, {Name: "TABLE_ORDERS_REGION", Value: "own"}}}}
	functions := ofType(rendered(t, b, "dev").Root, "AWS::Lambda::Function")
	variables := functions[1].node.Get("Properties", "Environment", "Variables")
	for name, want := range map[string]string{
		"ENV": `"dev"`, "REGION": `{"Ref":"AWS::Region"}`, "CURRENCY": `"USD"`, "FUNCTION_ITEMS_NAME": `"items-dev"`, "API_SHOP_NAME": `"shop"`,
		// Own variables come after those about resources.
		"TABLE_ORDERS_REGION": `"own"`,
	} {
		if got := variables.Get(name); got == nil || string(got.Minified()) != want {
			t.Errorf("%s is %v, want %s", name, got, want)
		}
	}
}

func TestAFunctionWithASourceMapHasTheOptionForIt(t *testing.T) {
	t.Parallel()
	for _, own := range []bool{false, true} {
		b := shop()
		want := `"--enable-source-maps"`
		if own {
			b.Environments[0].Variables = []model.FunctionVariables{{Function: "orders", Values: []model.Variable{{Name: "NODE_OPTIONS", Value: "--own"}}}}
			want = `"--own"`
		}
		made, err := template.Render(b, b.Environment("dev"), template.Options{SourceMaps: map[string]bool{"orders": true}})
		if err != nil {
			t.Fatal(err)
		}
		functions := ofType(made.Root, "AWS::Lambda::Function")
		if got := functions[1].node.Get("Properties", "Environment", "Variables", "NODE_OPTIONS"); got == nil || string(got.Minified()) != want {
			t.Errorf("NODE_OPTIONS is %v, want %s", got, want)
		}
		if got := functions[0].node.Get("Properties", "Environment", "Variables", "NODE_OPTIONS"); got != nil {
			t.Errorf("another function has NODE_OPTIONS %s", got.Minified())
		}
	}
}

// TestATemplateIsTheSameEachTimeHoldsTogetherAndEachResourceBelongsToSomething and has words for people.
func TestATemplateIsTheSameEachTimeHoldsTogetherAndEachResourceBelongsToSomething(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := drawBackend(t)
		env := b.Environment(rapid.SampledFrom([]string{"dev", "prod"}).Draw(t, "environment"))
		made, err := template.Render(b, env, template.Options{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := template.Render(b, env, template.Options{})
		if err != nil {
			t.Fatal(err)
		}
		same := func(a, b template.Nested) bool { return bytes.Equal(a.Body, b.Body) }
		if !bytes.Equal(made.Body, again.Body) || !slices.EqualFunc(made.Nested, again.Nested, same) {
			t.Error("two renderings differ")
		}
		countedRight(t, b, env, made)
		check := func(resources *cfn.Node, words map[string]string, of map[string]model.Ref) {
			if len(words) != len(resources.Members) || len(of) != len(resources.Members) {
				t.Errorf("%d resources have %d words and belong to %d things", len(resources.Members), len(words), len(of))
			}
			for _, m := range resources.Members {
				if words[m.Name] == "" || strings.ContainsAny(words[m.Name], "\n\x1b") {
					t.Errorf("%s has the words %q", m.Name, words[m.Name])
				}
				ref := of[m.Name]
				// The pool and groups that only paths name need no definition.
				known := ref.Kind == model.KindAuth || ref.Kind == model.KindGroup || ref.Kind != model.KindPath && b.Known(ref) == nil
				if a := b.API(ref.API); ref.Kind == model.KindPath && a != nil {
					known = slices.ContainsFunc(a.Paths, func(p *access.Path) bool { return p.Name == ref.Name })
				}
				if !known {
					t.Errorf("%s belongs to %v, which is not in the backend", m.Name, ref)
				}
			}
		}
		check(made.Root.Get("Resources"), made.Words, made.Of)
		for _, n := range made.Nested {
			check(n.Node.Get("Resources"), n.Words, n.Of)
		}
	})
	made := rendered(t, shop(), "dev")
	for _, e := range ofType(made.Root, "AWS::ApiGateway::Method") {
		if words := made.Words[e.id]; strings.Contains(e.id, "OrdersIdAny") && words != "ANY /orders/{id} of the API shop" {
			t.Errorf("%s is %q", e.id, words)
		}
	}
}

func TestWhatCannotBeDeployedIsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		edit func(b *model.Backend)
		want string
	}{
		"a path without its function": {
			func(b *model.Backend) { b.APIs[0].Paths[0].Function = "gone" },
			"path /items of the API shop: the function gone is not in the project; add it, or name another one",
		},
		"a runtime": {
			func(b *model.Backend) { b.Functions[0].Runtime = "cobol" },
			"function items: the runtime cobol is not deployed; use nodejs24.x, python3.14 or provided.al2023",
		},
		"two names of a variable": {
			func(b *model.Backend) {
				b.APIs[0].Paths = append(b.APIs[0].Paths, accesstest.Open("/orders/{order}/lines", "items"))
			},
			"path /orders/{order}/lines of the API shop: the variable {order} is called {id} in /orders/{id}; give it one name",
		},
		"a path twice": {
			func(b *model.Backend) { b.APIs[0].Paths = append(b.APIs[0].Paths, accesstest.Open("/items", "items")) },
			"path /items of the API shop: is defined twice; remove one",
		},
		"no path": {
			func(b *model.Backend) { b.APIs[0].Paths[0].Name = "items" },
			"path items of the API shop: items does not start with /; write /items",
		},
		"several": {
			func(b *model.Backend) { b.Functions[0].Runtime, b.Functions[1].Runtime = "cobol", "fortran" },
			"function items: the runtime cobol is not deployed; use nodejs24.x, python3.14 or provided.al2023 (and 1 more)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := shop()
			tt.edit(b)
			if got := refusalOf(t, b); got != tt.want {
				t.Errorf("refused with\n%s\nwant\n%s", got, tt.want)
			}
			if len(template.Check(b, b.Environment("dev"))) == 0 {
				t.Error("Check finds nothing")
			}
		})
	}
	if problems := template.Check(shop(), shop().Environment("dev")); len(problems) > 0 {
		t.Errorf("Check finds %v", problems)
	}
}
