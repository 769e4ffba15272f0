package edit_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/check"
	"gatewright/model/clientfile"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestEditsRefuseInvalidValues(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, []string{"Admins"}, accesstest.Open("/a", "f"))
	api := func(a access.Access) *access.API {
		return &access.API{Label: "new", Paths: []*access.Path{{Name: "/x", Function: "f", Access: a}}}
	}
	environment := func(change func(*model.Environment)) *model.Environment {
		e := &model.Environment{Name: "dev", Provider: model.Local}
		change(e)
		return e
	}
	fn := func(change func(*model.Function)) *model.Function {
		f := modeltest.Function("g")
		change(f)
		return f
	}
	table := &model.Table{Name: ".items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}
	twice := []model.Variable{{Name: "A", Value: "1"}, {Name: "A", Value: "2"}}
	for _, tt := range []struct {
		what, want string
		err        error
	}{
		{"no setting", `path /x of the API new: "" is not a setting; use open, private or protected`, edit.AddAPI(b, api(access.Access{}))},
		{"a principal twice", `path /x of the API new: has two entries for signed-in users; give it once`, edit.AddAPI(b, api(access.Access{Setting: access.Private, Grants: []access.Grant{accesstest.ToUsers(access.Read), accesstest.ToUsers(access.Create)}}))},
		{"a principal twice in a new path", `path /x of the API shop: has two entries for signed-in users; give it once`, edit.AddPath(b, "shop", accesstest.Restricted("/x", "f", accesstest.ToUsers(access.Read), accesstest.ToUsers(access.Create)))},
		{"a hidden table", `table: .items is not a name for a table: its folder would be hidden; start it with something other than a dot`, edit.AddTable(b, table)},
		{"a parameter twice", `environment dev: A is listed twice; list it once`, edit.AddEnvironment(b, environment(func(e *model.Environment) { e.Parameters = twice }))},
		{"a function twice", `environment dev: f is listed twice; list it once`, edit.AddEnvironment(b, environment(func(e *model.Environment) { e.Variables = []model.FunctionVariables{{Function: "f"}, {Function: "f"}} }))},
		{"a variable twice", `environment dev: A is listed twice; list it once`, edit.AddEnvironment(b, environment(func(e *model.Environment) { e.Variables = []model.FunctionVariables{{Function: "f", Values: twice}} }))},
		{"an api twice", `environment dev: shop is listed twice; list it once`, edit.AddEnvironment(b, environment(func(e *model.Environment) { e.APIs = []string{"shop", "shop"} }))},
		{"an account", `environment dev: x is not the id of an account; give its 12 digits`, edit.AddEnvironment(b, environment(func(e *model.Environment) { e.Account = "x" }))},
		{"a layer twice", `function g: the layer l is listed twice; list it once`, edit.AddFunction(b, fn(func(f *model.Function) { f.Layers = []string{"l", "l"} }))},
		{"control characters", `function g: the schedule "cron(0 1\x1b * * ? *)" is wrong: "1\x1b" is not a valid hour; write a number from 0 to 23, a list, a range, * or */2`, edit.AddFunction(b, fn(func(f *model.Function) { f.Schedule = "cron(0 1\x1b * * ? *)" }))},
		{"a handler above the source", `function g: the handler ../f/src/index.handler leads out of the function's folder; name a file below src, such as index.handler`, edit.AddFunction(b, fn(func(f *model.Function) { f.Handler = "../f/src/index.handler" }))},
		{"a variable that AWS sets", `function g: the variable AWS_REGION is set by AWS itself; give it another name`, edit.AddFunction(b, fn(func(f *model.Function) { f.Environment = []model.Variable{{Name: "AWS_REGION"}} }))},
		{"a secret that AWS sets", `function g: the secret AWS_SECRET_ACCESS_KEY is set by AWS itself; give it another name`, edit.AddFunction(b, fn(func(f *model.Function) { f.Secrets = []string{"KEY", "AWS_SECRET_ACCESS_KEY"} }))},
		{"a variable of an environment that AWS sets", `environment dev: the variable LAMBDA_TASK_ROOT of the function f is set by AWS itself; give it another name`, edit.AddEnvironment(b, environment(func(e *model.Environment) {
			e.Variables = []model.FunctionVariables{{Function: "f", Values: []model.Variable{{Name: "LAMBDA_TASK_ROOT", Value: "/"}}}}
		}))},
		{"an empty list", `auth: username_attributes is empty; give at least 1`, edit.SetAuth(b, &model.Auth{UsernameAttributes: []string{}})},
	} {
		modeltest.Refused(t, tt.what, tt.err, tt.want)
	}
	modeltest.Must(t, edit.AddEnvironment(b, environment(func(e *model.Environment) { e.Account = "123456789012" })))
	modeltest.Must(t, edit.AddFunction(b, fn(func(f *model.Function) { f.Schedule = "cron(0 8 ? * MON-FRI *)" })))
}

func TestEnvironmentsDoNotShareABranchWhateverTheirNames(t *testing.T) {
	t.Parallel()
	for _, order := range [][2]string{{"dev", "qa"}, {"qa", "dev"}} {
		b := &model.Backend{}
		modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: order[0], Provider: model.Local, Branch: "main"}))
		want := "environment " + order[1] + ": has the same branch main as environment " + order[0] + "; give each environment a branch of its own"
		modeltest.Refused(t, "adding "+order[1], edit.AddEnvironment(b, &model.Environment{Name: order[1], Provider: model.Local, Branch: "main"}), want)
		modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: order[1], Provider: model.Local}))
		modeltest.Refused(t, "updating "+order[1], edit.UpdateEnvironment(b, &model.Environment{Name: order[1], Provider: model.Local, Branch: "main"}), want)
		if err := edit.Rename(b, model.Ref{Kind: model.KindEnvironment, Name: order[1]}, "main"); err == nil {
			t.Errorf("%s was renamed to the branch of another environment", order[1])
		}
	}
}

func TestAnAPIWithTwoConflictsIsRepairedStepByStep(t *testing.T) {
	t.Parallel()
	broken := func() *model.Backend {
		return &model.Backend{Functions: []*model.Function{modeltest.Function("f")}, APIs: []*access.API{{Label: "shop", Paths: []*access.Path{
			accesstest.Open("/u/{id}", "f"), accesstest.Open("/u/{name}/x", "f"), accesstest.Open("/b/{isbn}", "f"), accesstest.Open("/b/{id}/x", "f"), accesstest.Restricted("/empty", "f", accesstest.ToUsers()),
		}}}}
	}
	at := func(path string) model.Ref { return model.Ref{Kind: model.KindPath, API: "shop", Name: path} }
	b := broken()
	modeltest.Must(t, edit.AddPath(b, "shop", accesstest.Open("/new", "f")))
	modeltest.Must(t, edit.Rename(b, at("/u/{name}/x"), "/u/{id}/x"))
	modeltest.Must(t, edit.Rename(b, at("/empty"), "/still-empty"))
	modeltest.Must(t, edit.RemovePath(b, "shop", "/b/{id}/x"))
	if got := modeltest.Texts(check.Backend(b), model.Error); got != nil {
		t.Errorf("after the repair: %q", got)
	}
	b = broken()
	modeltest.Refused(t, "a third conflict", edit.AddPath(b, "shop", accesstest.Open("/b/{x}/y", "f")),
		"path /b/{x}/y of the API shop: has the variable {x} where /b/{isbn} has {isbn}; write {isbn} in both")
	modeltest.Refused(t, "another fault of its access", edit.UpdatePath(b, "shop", "/empty", accesstest.Restricted("/empty", "f", accesstest.ToUsers(), accesstest.ToGuests())),
		"path /empty of the API shop: lets guests do nothing; grant an action, or remove the entry")
}

func TestAFunctionWithTwoErrorsIsRepairedStepByStep(t *testing.T) {
	t.Parallel()
	f := modeltest.Function("f")
	f.Timeout, f.Table = 901, "gone"
	b := &model.Backend{Functions: []*model.Function{f}}
	better := *f
	better.Timeout = 900
	modeltest.Must(t, edit.UpdateFunction(b, &better))
	worse := better
	worse.Memory = 1
	modeltest.Refused(t, "a new fault", edit.UpdateFunction(b, &worse), "function f: the memory is 1 megabytes; use 128 to 10240 megabytes")
}

func TestACRUDFunctionWithoutATableIsReported(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	modeltest.Must(t, edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	modeltest.Must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.CRUD, Table: "items"}))
	modeltest.Must(t, edit.Remove(b, model.Ref{Kind: model.KindTable, Name: "items"}, true))
	want := []string{"function f: is made from the template crud and has no table; name its table, or leave the template out"}
	if got := modeltest.Texts(check.Backend(b), model.Error); !slices.Equal(got, want) {
		t.Errorf("errors are %q", got)
	}
}

func TestCheckChecksTheProjectItself(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Project: model.Project{Name: "shop", ApplicationID: "app 1", Dialect: "swiss", SandboxPort: 99999}}
	want := []string{
		`project: "app 1" is not an application id; use 1 to 64 of A-Z a-z 0-9 _ -, a letter or digit first`,
		"project: swiss is not a dialect; use neutral or amplify",
		"project: 99999 is not a port; use 1 to 65535",
	}
	if got := modeltest.Texts(check.Backend(b), model.Error); !slices.Equal(got, want) {
		t.Errorf("errors are %q", got)
	}
	modeltest.Refused(t, "the same", edit.SetProject(b, model.Project{Name: "shop", ApplicationID: "app1", Dialect: "swiss2"}), "project: swiss2 is not a dialect; use neutral or amplify")
}

func TestAddReadGroupAcceptsEveryNameOfAUserPool(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	modeltest.Must(t, edit.AddReadGroup(b, "Équipe"))
	modeltest.Must(t, edit.AddReadGroup(b, "équipe"))
	for _, bad := range []string{"", "a b", "Équipe", "a\x00", "a\xff", strings.Repeat("a", 129)} {
		if edit.AddReadGroup(b, bad) == nil {
			t.Errorf("the group %q is accepted", bad)
		}
	}
	if got := modeltest.Texts(check.Backend(b), model.Error); got != nil {
		t.Errorf("errors are %q", got)
	}
}

func TestEditsCopyTheirArguments(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	f := modeltest.Function("f")
	f.Layers = []string{"one"}
	modeltest.Must(t, edit.AddFunction(b, f))
	api := &access.API{Label: "shop", Paths: []*access.Path{accesstest.Restricted("/a", "f", accesstest.ToUsers(access.Read))}}
	modeltest.Must(t, edit.AddAPI(b, api))
	p := accesstest.Restricted("/b", "f", accesstest.ToUsers(access.Read))
	modeltest.Must(t, edit.AddPath(b, "shop", p))
	e := &model.Environment{Name: "dev", Provider: model.Local, APIs: []string{"shop"}, Variables: []model.FunctionVariables{{Function: "f", Values: []model.Variable{{Name: "A"}}}}}
	modeltest.Must(t, edit.AddEnvironment(b, e))
	yes := true
	auth := &model.Auth{MFAMethods: []string{"SMS"}, PasswordPolicy: &model.PasswordPolicy{RequireNumbers: &yes}}
	modeltest.Must(t, edit.SetAuth(b, auth))
	storage := &model.Storage{BucketName: "files"}
	modeltest.Must(t, edit.SetStorage(b, storage))
	modeltest.Must(t, edit.AddOutput(b, model.Outputs{"custom": map[string]any{"list": []any{"a", "b"}}}))
	before := modeltest.Dump(t, b)
	f.Layers[0], f.Handler = "two", "x"
	api.Paths[0].Access.Grants[0].Actions, api.Paths[0].Function = 0, "g"
	p.Function = "g"
	e.APIs[0], e.Variables[0].Values[0].Name, e.Branch = "x", "B", "b"
	auth.MFAMethods[0], *auth.PasswordPolicy.RequireNumbers, storage.BucketName = "TOTP", false, "x"
	content, err := clientfile.Of(b, nil, nil)
	modeltest.Must(t, err)
	content.Values["custom"].(map[string]any)["list"].([]any)[0] = "changed"
	if modeltest.Dump(t, b) != before {
		t.Errorf("a later change reached the backend:\n%s\n%s", before, modeltest.Dump(t, b))
	}
}
