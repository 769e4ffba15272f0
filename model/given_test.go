package model_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/diff"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

// givenLines are what the values of a function may refer to, a line for each thing.
func givenLines(b *model.Backend, f *model.Function) []string {
	byThing := make(map[string][]string)
	given := b.Given(f)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		byThing[given[name]] = append(byThing[given[name]], name)
	}
	var lines []string
	for _, thing := range slices.Sorted(maps.Keys(byThing)) {
		lines = append(lines, fmt.Sprintf("%s: %s", thing, strings.Join(byThing[thing], " ")))
	}
	return lines
}

func TestAFunctionIsGivenWhatItMayUse(t *testing.T) {
	t.Parallel()
	f := modeltest.Function("f")
	f.Table = "my-items.old"
	for _, resource := range []string{"table/books", "api/shop", "api/gone", "function/f", "storage/files"} {
		f.Access = append(f.Access, model.ResourceAccess{Resource: resource, Actions: access.EveryAction})
	}
	b := &model.Backend{APIs: []*access.API{{Label: "shop"}}, Functions: []*model.Function{f}, Auth: &model.Auth{}}
	want := []string{
		"api/shop: API_SHOP_ARN API_SHOP_ID API_SHOP_NAME API_SHOP_REGION API_SHOP_URL",
		"auth: IDENTITY_POOL_ID USER_POOL_ARN USER_POOL_CLIENT_ID USER_POOL_ID",
		"environment: ENV REGION",
		"function/f: FUNCTION_F_ARN FUNCTION_F_NAME FUNCTION_F_REGION",
		"table/books: TABLE_BOOKS_ARN TABLE_BOOKS_NAME TABLE_BOOKS_REGION",
		"table/my-items.old: TABLE_NAME TABLE_REGION",
	}
	if diff := cmp.Diff(want, givenLines(b, f)); diff != "" {
		t.Errorf("without a bucket: %s", diff)
	}
	for _, tt := range []struct {
		storage *model.Storage
		auth    *model.Auth
		want    []string
	}{
		{&model.Storage{BucketName: "x"}, nil, []string{"storage/files: STORAGE_FILES_ARN STORAGE_FILES_NAME"}},
		{&model.Storage{BucketName: "x", Region: "eu-west-1"}, nil, []string{"storage/files: STORAGE_FILES_ARN STORAGE_FILES_NAME STORAGE_FILES_REGION"}},
		{&model.Storage{Region: "eu-west-1"}, nil, []string{}},
		{nil, &model.Auth{UserPoolID: "eu-west-1_a"}, []string{"auth: USER_POOL_ARN USER_POOL_ID"}},
		{nil, &model.Auth{UserPoolClientID: "a"}, []string{"auth: USER_POOL_CLIENT_ID"}},
		{nil, &model.Auth{IdentityPoolID: "a"}, []string{"auth: IDENTITY_POOL_ID"}},
	} {
		b.Storage, b.Auth = tt.storage, tt.auth
		got := slices.DeleteFunc(givenLines(b, f), func(line string) bool { return !strings.HasPrefix(line, "storage") && !strings.HasPrefix(line, "auth") })
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v, %+v: %s", tt.storage, tt.auth, diff)
		}
	}
	b.Layout = modeltest.Kept
	if got := givenLines(b, f); got != nil {
		t.Errorf("by the Amplify CLI: %q", got)
	}
}

func TestUsesAreAllThatReferToAThing(t *testing.T) {
	t.Parallel()
	user := modeltest.Function("user")
	user.Table = "items"
	user.Access = []model.ResourceAccess{{Resource: "api/shop", Actions: access.EveryAction}, {Resource: "function/user", Actions: access.EveryAction}, {Resource: "function/f", Actions: access.EveryAction}, {Resource: "table/other", Actions: access.EveryAction}}
	b := &model.Backend{
		Groups:    []string{"A", "B"},
		Functions: []*model.Function{modeltest.Function("f"), user},
		Tables:    []*model.Table{{Name: "items", Triggers: []model.StreamTrigger{{Function: "user"}, {Function: "f"}}}, {Name: "other"}},
		Triggers:  []model.Trigger{{At: model.PreSignUp, Function: "f"}},
		APIs: []*access.API{
			{Label: "shop", Paths: []*access.Path{accesstest.Restricted("/a", "f", accesstest.ToGroup("A"), accesstest.ToGroup("B", access.Read)), accesstest.Restricted("/b", "user", accesstest.ToGroup("B"))}},
			{Label: "f", Paths: []*access.Path{accesstest.Open("/a", "f")}},
		},
		Environments: []*model.Environment{
			{Name: "dev", APIs: []string{"f", "shop"}}, {Name: "qa", Variables: []model.FunctionVariables{{Function: "f"}}}, {Name: "items"},
		},
	}
	for of, want := range map[model.Ref]string{
		{Kind: model.KindFunction, Name: "f"}:      "[environment qa path /a of the API shop path /a of the API f function user table items auth]",
		{Kind: model.KindFunction, Name: "user"}:   "[path /b of the API shop table items]",
		{Kind: model.KindAPI, Name: "shop"}:        "[environment dev function user]",
		{Kind: model.KindAPI, Name: "f"}:           "[environment dev]",
		{Kind: model.KindTable, Name: "items"}:     "[function user]",
		{Kind: model.KindTable, Name: "other"}:     "[function user]",
		{Kind: model.KindGroup, Name: "A"}:         "[path /a of the API shop]",
		{Kind: model.KindGroup, Name: "B"}:         "[path /a of the API shop path /b of the API shop]",
		{Kind: model.KindGroup, Name: "C"}:         "[]",
		{Kind: model.KindEnvironment, Name: "dev"}: "[]",
	} {
		if got := fmt.Sprint(edit.Uses(b, of)); got != want {
			t.Errorf("%s is used by %s, want %s", of, got, want)
		}
	}
}

func TestEqualValuesHaveOneForm(t *testing.T) {
	t.Parallel()
	same := [][]string{
		{`1`, `1.0`, `10e-1`, `0.1E1`, `1e0`},
		{`-1`, `-1.00`},
		{`0`, `-0`, `0.0`, `0e5`},
		{`100`, `1e2`, `1E+2`},
		{`0.001`, `1e-3`},
		{`1e99999999999999999999`},
		{`"1"`},
		{`"a"`},
		{`null`},
		{`true`},
		{`false`},
		{`[]`, `[ ]`},
		{`[1]`, `[1.0]`},
		{`[[1]]`},
		{`[1,1]`},
		{`["1,1"]`},
		{`{}`},
		{`{"a":1,"b":[2]}`, `{"b":[2.0],"a":1e0}`},
		{`{"a":{"b":1}}`},
		{`{"a":1}`},
		{`{"a:1,b":1}`},
		{`{"a":null}`},
		{`[null]`},
	}
	value := func(text string) any { return valuesOf(t, `{"v": `+text+`}`)["v"] }
	for i, group := range same {
		for _, a := range group {
			for j, others := range same {
				for _, b := range others {
					if got := model.SameValue(value(a), value(b)); got != (i == j) {
						t.Errorf("%s and %s are the same: %v", a, b, got)
					}
				}
			}
		}
	}
}

func TestOutputsAreOneJSONObject(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a": 1.50}`: "", `{}`: "", ` {} `: "",
		`[]`: "reading a JSON object: json: cannot unmarshal array", `{} {}`: "reading a JSON object: there is more text after it", `{`: "reading a JSON object: unexpected EOF", `{} x`: "reading a JSON object: there is more text after it",
	} {
		values, err := model.ParseOutputs([]byte(text))
		if (err == nil) != (want == "") || err != nil && (!strings.HasPrefix(err.Error(), want) || values != nil) {
			t.Errorf("%s: %v, %v, want %s", text, values, err, want)
		}
	}
	if _, err := model.OutputsOf(map[string]any{"a": make(chan int)}); err == nil {
		t.Error("a channel is written as JSON")
	}
	b := &model.Backend{}
	if err := edit.AddNamedOutput(b, "x", model.Outputs{"custom": map[string]any{"a": func() {}}}); err == nil || !strings.Contains(err.Error(), "output x: cannot be written as JSON: ") {
		t.Errorf("a function in an output: %v", err)
	}
}

func TestADiffWithoutValuesNamesOnlyWhatHasAnother(t *testing.T) {
	t.Parallel()
	side := func(value string) *model.Backend {
		f := modeltest.Function("f")
		f.Environment = []model.Variable{{Name: "LEVEL", Value: value}, {Name: "SAME", Value: "x"}}
		return &model.Backend{Functions: []*model.Function{f}, Environments: []*model.Environment{{Name: "dev", Parameters: []model.Variable{{Name: "Size", Value: value}}}}}
	}
	told := func(all []diff.Difference) (lines []string) {
		for _, d := range all {
			lines = append(lines, d.Of.String()+": "+strings.Join(d.Reasons, "; "))
		}
		return lines
	}
	modeltest.SameLines(t, told(diff.Backends(side("one"), side("two"))), []string{"environment dev: parameter Size one -> two", "function f: variable LEVEL one -> two"})
	modeltest.SameLines(t, told(diff.WithoutValues(side("one"), side("two"))), []string{"environment dev: parameter Size changed its value", "function f: variable LEVEL changed its value"})
}
