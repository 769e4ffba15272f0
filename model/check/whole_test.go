package check_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestCheckExplainsEveryMistakeInATable(t *testing.T) {
	t.Parallel()
	key := func(name string, of model.KeyType) model.Key { return model.Key{Name: name, Type: of} }
	id := key("id", model.StringKey)
	b := &model.Backend{Functions: []*model.Function{modeltest.Function("f"), modeltest.Function("g"), modeltest.Function("h")}, Tables: []*model.Table{
		{Name: "none"},
		{Name: "long", PartitionKey: key(strings.Repeat("k", 256), model.StringKey), SortKey: key("at", "date")},
		{Name: "fine", PartitionKey: key(strings.Repeat("k", 255), model.BinaryKey), SortKey: key("at", model.NumberKey)},
		{Name: "same", PartitionKey: id, SortKey: id},
		{Name: "indexed", PartitionKey: id, SortKey: key("at", model.NumberKey), Indexes: []model.Index{
			{Name: "by-at", PartitionKey: key("at", model.NumberKey), SortKey: id},
			{Name: "by-at", PartitionKey: key("author", model.StringKey)},
			{Name: "x", PartitionKey: key("author", model.NumberKey), SortKey: key("at", model.StringKey)},
		}},
		{Name: "streaming", PartitionKey: id, StreamView: "ALL", Triggers: []model.StreamTrigger{
			{Function: "f", From: "START", BatchSize: -1, BatchWindow: model.MaxBatchWindow + 1, Attempts: model.MaxAttempts + 1},
			{Function: "f", From: model.FromOldest, BatchSize: model.MaxBatchSize, BatchWindow: model.MaxBatchWindow, Attempts: model.MaxAttempts},
			{Function: "gone"},
		}},
	}}
	modeltest.SameLines(t, modeltest.ReportLines(check.Backend(b)), []string{
		"error /partitionKey: table none: has no partition key; name the attribute",
		"error /partitionKey: table long: the partition key has a name of 256 bytes; use at most 255",
		"error /sortKey: table long: date is not a type for the sort key; use string, number or binary",
		"error /sortKey: table same: the sort key is the partition key; choose another attribute, or leave it out",
		"error /indexes/1/name: table indexed: by-at is not a name for an index, or is taken; use 3 to 255 of A-Z a-z 0-9 _ . -, each once",
		"error /indexes/2/name: table indexed: x is not a name for an index, or is taken; use 3 to 255 of A-Z a-z 0-9 _ . -, each once",
		"error /indexes/2: table indexed: the attribute author is string elsewhere and number here; give it one type",
		"error /indexes/2: table indexed: the attribute at is number elsewhere and string here; give it one type",
		"error /streamView: table streaming: ALL is not a stream view type; use NEW_AND_OLD_IMAGES, NEW_IMAGE, OLD_IMAGE, KEYS_ONLY",
		"error /triggers/0/startingPosition: table streaming: START is not a position in a stream; use LATEST or TRIM_HORIZON",
		"error /triggers/0/batchSize: table streaming: the batch size is -1; use 1 to 10000, or leave it out",
		"error /triggers/0/batchWindow: table streaming: the batch window in seconds is 301; use 1 to 300, or leave it out",
		"error /triggers/0/attempts: table streaming: the number of attempts is 10002; use 1 to 10001, or leave it out",
		"error /triggers/1/function: table streaming: the function f is listed twice; list it once",
		"error /triggers/2/function: table streaming: names the function gone, which does not exist; make it, or name another",
		"warning /triggers: table streaming: has 3 functions, but DynamoDB throttles a stream with more than 2 readers; call the others from one of them",
	})
}

func TestCheckExplainsEveryMistakeInAFunction(t *testing.T) {
	t.Parallel()
	changed := func(name string, change func(*model.Function)) *model.Function {
		f := modeltest.Function(name)
		change(f)
		return f
	}
	b := &model.Backend{Functions: []*model.Function{
		changed("named", func(f *model.Function) { f.FunctionName = "-x" }),
		changed("typed", func(f *model.Function) { f.Runtime, f.Template = "typescript", "" }),
		changed("java", func(f *model.Function) { f.Runtime, f.Template = "java", model.Plain }),
		changed("made", func(f *model.Function) { f.Template = "koa" }),
		changed("wrong", func(f *model.Function) { f.Runtime = model.Python }),
		changed("slow", func(f *model.Function) { f.Timeout, f.Memory = -1, 10241 }),
		changed("least", func(f *model.Function) { f.Timeout, f.Memory, f.Layers = 1, 128, []string{"1", "2", "3", "4", "5"} }),
		changed("most", func(f *model.Function) {
			f.Timeout, f.Memory, f.Layers = 900, 10240, []string{"1", "2", "3", "4", "5", "6"}
		}),
		changed("named-twice", func(f *model.Function) {
			f.Environment = []model.Variable{{Name: "A"}, {Name: "1B"}, {Name: "C/D"}}
			f.Secrets = []string{"KEY", "A", "KEY"}
		}),
		changed("using", func(f *model.Function) {
			f.Access = []model.ResourceAccess{{Resource: "storage/files", Actions: access.EveryAction}, {Resource: "function/least"}, {Resource: "table/"}, {Resource: "api/gone", Actions: access.EveryAction}}
		}),
		changed("absolute", func(f *model.Function) { f.Handler = `\src\index.handler` }),
		changed("drive", func(f *model.Function) { f.Handler = `c:index.handler` }),
		changed("inside", func(f *model.Function) { f.Handler = "a/..b/index.handler" }),
	}}
	modeltest.SameLines(t, modeltest.ReportLines(check.Backend(b)), []string{
		"error /functionName: function named: -x is not a function name; use 1 to 64 of A-Z a-z 0-9 _ -, a letter or digit first",
		"error /runtime: function typed: typescript is not a runtime; use nodejs24.x, and the template express-typescript or plain-typescript, or a source in TypeScript",
		"error /runtime: function java: java is not a runtime; use nodejs24.x, python3.14, provided.al2023 (Go), or an older one of AWS Lambda",
		"error /template: function made: koa is not a template; use plain, express, crud, express-typescript or plain-typescript",
		"error /template: function wrong: the template express does not support the runtime python; use a Node.js runtime, or the template plain",
		"error /timeout: function slow: the timeout is -1 seconds; use 1 to 900 seconds",
		"error /memory: function slow: the memory is 10241 megabytes; use 128 to 10240 megabytes",
		"error /layers: function most: has 6 layers; use at most 5",
		`error /environment/1B: function named-twice: 1B is not a name for an environment variable; use A-Z a-z 0-9 _, a letter first`,
		`error /environment/C~1D: function named-twice: C/D is not a name for an environment variable; use A-Z a-z 0-9 _, a letter first`,
		"error /secrets/1: function named-twice: the name A is used twice; give the variable or the secret another name",
		"error /secrets/2: function named-twice: the name KEY is used twice; give the variable or the secret another name",
		"error /access/1/actions: function using: has access to function/least without an action; choose at least one of create, read, update, delete",
		"error /access/2/resource: function using: table/ is not a resource; write table/NAME, api/NAME, function/NAME, storage/NAME, pool, parameter/NAME, secret/NAME or mail",
		"error /access/3/resource: function using: names the API gone, which does not exist; make it, or name another",
		`error /handler: function absolute: the handler \src\index.handler leads out of the function's folder; name a file below src, such as index.handler`,
		`error /handler: function drive: the handler c:index.handler leads out of the function's folder; name a file below src, such as index.handler`,
	})
}

func TestCheckFindsFunctionsThatAreDeployedAlike(t *testing.T) {
	t.Parallel()
	named := func(name, as string) *model.Function {
		f := modeltest.Function(name)
		f.FunctionName = as
		return f
	}
	want := []string{
		"error /functionName: function b: is deployed as a, and so is the function a; give it another name",
		"error /functionName: function d: is deployed as c, and so is the function c; give it another name",
		"error /functionName: function f: is deployed as x, and so is the function e; give it another name",
	}
	b := &model.Backend{Functions: []*model.Function{modeltest.Function("a"), named("b", "a"), named("d", "c"), modeltest.Function("c"), named("e", "x"), named("f", "x"), named("g", "y")}}
	modeltest.SameLines(t, modeltest.ReportLines(check.DeployedNames(b)), want)
}

func TestCheckFindsPathsThatAnAPICannotHave(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Layout: modeltest.Kept, Functions: []*model.Function{modeltest.Function("f")}}
	b.APIs = []*access.API{
		{Label: "none"},
		{Label: "twice", Paths: []*access.Path{accesstest.Open("/a", "f"), accesstest.Open("/a", "f"), accesstest.Open(access.ProxyPath, "f"), accesstest.Open(access.ProxyPath, "f")}},
		{Label: "root", Paths: []*access.Path{accesstest.Open(access.ProxyPath, "f"), accesstest.Open("/", "f")}},
		{Label: "names", Paths: []*access.Path{accesstest.Open("/a/{id}", "f"), accesstest.Open("/a/{n}/b", "f"), accesstest.Open("/b/{n}", "f")}},
		{Label: "case", Paths: []*access.Path{accesstest.Open("/Items", "f"), accesstest.Open("/items", "f"), accesstest.Open("/ITEMS", "f")}},
		{Label: "colon", Paths: []*access.Path{accesstest.Open("/c/:id/a:b/:", "f")}},
	}
	var got []string
	for _, p := range check.Backend(b) {
		if p.Rule == "" || p.Rule == access.RulePathCase {
			got = append(got, modeltest.ReportLines([]*model.Problem{p})...)
		}
	}
	modeltest.SameLines(t, got, []string{
		"warning /paths: API none: has no paths; add one, or remove the API",
		"error /paths/~1a: path /a of the API twice: is the same route as /a; remove one, or give it another path",
		"error /paths/~1{proxy+}: path /{proxy+} of the API twice: is the same route as /{proxy+}; remove one, or give it another path",
		"error /paths/~1{proxy+}: path /{proxy+} of the API root: / and the reserved /{proxy+} have the same proxy resource; remove one of them",
		"error /paths/~1a~1{n}~1b: path /a/{n}/b of the API names: has the variable {n} where /a/{id} has {id}; write {id} in both",
		"warning /paths/~1items: path /items of the API case: differs from /Items only in case; give one another name",
		"warning /paths/~1ITEMS: path /ITEMS of the API case: differs from /items only in case; give one another name",
		"warning /paths/~1c~1:id~1a:b~1:: path /c/:id/a:b/: of the API colon: has the segment :id, which is literal text, not a variable; write {id} for a variable",
	})
}

func TestAPathThatConflictsIsRefused(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Functions: []*model.Function{modeltest.Function("f")}, APIs: []*access.API{{Label: "shop", Paths: []*access.Path{accesstest.Open("/a/{id}/b", "f"), accesstest.Open(access.ProxyPath, "f"), accesstest.Open("/c", "f")}}}}
	for name, want := range map[string]string{
		"/":           "path / of the API shop: / and the reserved /{proxy+} have the same proxy resource; remove one of them",
		"/a/{n}":      "path /a/{n} of the API shop: has the variable {n} where /a/{id}/b has {id}; write {id} in both",
		"/a/{n}/c/d":  "path /a/{n}/c/d of the API shop: has the variable {n} where /a/{id}/b has {id}; write {id} in both",
		"/A/{id}/b":   "path: /A/{id}/b differs from /a/{id}/b only in case; choose another name, or update the existing one",
		"/a/b":        "",
		"/a/{id}":     "",
		"/a/{id}/{n}": "",
		"/d/{n}":      "",
	} {
		err := changedBy(b, func(b *model.Backend) error { return edit.AddPath(b, "shop", accesstest.Open(name, "f")) })
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v\nwant %s", name, err, want)
		}
		err = changedBy(b, func(b *model.Backend) error { return edit.UpdatePath(b, "shop", "/c", accesstest.Open(name, "f")) })
		if (err == nil) != (want == "") {
			t.Errorf("/c renamed to %s: %v", name, err)
		}
	}
}

// changedBy is the error of an edit of a copy.
func changedBy(b *model.Backend, edit func(*model.Backend) error) error {
	_, err := b.Edit(edit)
	return err
}

func TestCheckExplainsEveryMistakeInGroupsAndTriggers(t *testing.T) {
	t.Parallel()
	b := &model.Backend{
		Groups: []string{"A", "", "a b", "A", "a"}, Functions: []*model.Function{modeltest.Function("f")}, Auth: &model.Auth{UserPoolID: "eu-west-1_a"},
		Triggers: []model.Trigger{
			{At: model.PreTokenGeneration, Function: "f"},
			{At: model.PreTokenGenerationV2, Function: "g"},
			{At: model.CreateAuthChallenge, Function: "f"},
			{At: model.VerifyAuthChallengeResponse, Function: "f"},
			{At: "preEverything", Function: "h"},
		},
	}
	want := []string{
		"error /groups/1: group: is not a name for a group; use 1 to 128 printable characters without space",
		`error /groups/2: group "a b": is not a name for a group; use 1 to 128 printable characters without space`,
		"error /groups/3: group A: is listed twice; remove one",
		"warning : group a: differs from A only in case; rename one: some filesystems ignore case",
		"error /triggers/preTokenGenerationV2: auth: names the function g, which does not exist; make it, or name another",
		"error /triggers/preTokenGenerationV2: auth: a user pool calls only one function before it creates tokens, but two are set; remove preTokenGeneration or preTokenGenerationV2",
		"warning /triggers/createAuthChallenge: auth: is never called, because no function defines the sign-in challenges; add defineAuthChallenge, or leave it out",
		"warning /triggers/verifyAuthChallengeResponse: auth: is never called, because no function defines the sign-in challenges; add defineAuthChallenge, or leave it out",
		"warning /triggers: auth: are called only by the sandbox: the user pool already exists, and a push does not change it; set them where the pool is defined, or leave out user_pool_id",
	}
	got := modeltest.ReportLines(check.Backend(b))
	slices.Sort(got)
	slices.Sort(want)
	modeltest.SameLines(t, got, want)
	b.Triggers = append(b.Triggers, model.Trigger{At: model.DefineAuthChallenge, Function: "f"})
	if got := strings.Join(modeltest.ReportLines(check.Backend(b)), "\n"); strings.Contains(got, "is never called") {
		t.Errorf("with a function that defines the challenges:\n%s", got)
	}
}

func TestCheckExplainsEveryMistakeInAnEnvironment(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Project: model.Project{Name: "a b", ApplicationID: "a", Region: "moon", Dialect: model.Neutral}, Functions: []*model.Function{modeltest.Function("f")}}
	b.Environments = []*model.Environment{
		{Name: "dev", Provider: model.Local, Region: "here", Account: "12345678901"},
		{Name: "qa", Provider: model.AWS, Region: "eu-west-1", Account: "12345678901x", Variables: []model.FunctionVariables{
			{Function: "f", Values: []model.Variable{{Name: "9", Value: "x"}, {Name: "AWS_REGION", Value: "x"}, {Name: "OK", Value: "x"}}},
			{Function: "gone"},
		}},
	}
	modeltest.SameLines(t, modeltest.ReportLines(check.Backend(b)), []string{
		"error /name: project: \"a b\" is not a name for a project; use 1 to 64 of A-Z a-z 0-9 _ -, a letter or digit first",
		"error /region: project: moon is not a region; write a region such as eu-west-1",
		"error /account: environment dev: 12345678901 is not the id of an account; give its 12 digits",
		"error /region: environment dev: here is not a region; write a region such as eu-west-1",
		"error /account: environment qa: 12345678901x is not the id of an account; give its 12 digits",
		"error /variables/f/9: environment qa: 9 is not a name for an environment variable; use A-Z a-z 0-9 _, a letter first",
		"error /variables/f/AWS_REGION: environment qa: the variable AWS_REGION of the function f is set by AWS itself; give it another name",
		"error /variables/gone: environment qa: names the function gone, which does not exist; make it, or name another",
	})
}

func TestEditsOfWhatIsNotThereNameWhatIs(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, []string{"Admins"}, accesstest.Open("/items", "f"), accesstest.Open("/other", "f"))
	path := model.Ref{Kind: model.KindPath, API: "shop", Name: "/item"}
	for want, err := range map[string]error{
		"path /item of the API shop: not found; did you mean /items?":                      edit.UpdatePath(b, "shop", "/item", accesstest.Open("/item", "f")),
		"path /itms of the API shop: not found; did you mean /items?":                      edit.RemovePath(b, "shop", "/itms"),
		"path /item of the API shop: not found; did you mean /items? ":                     edit.Rename(b, path, "/new"),
		"API shp: not found; did you mean shop?":                                           edit.AddPath(b, "shp", accesstest.Open("/x", "f")),
		"API shp: not found; did you mean shop? ":                                          edit.RemovePath(b, "shp", "/items"),
		"order: does not list each group exactly once; name Admins":                        edit.OrderGroups(b, []string{"Admins", "Admins"}),
		"order: does not list each group exactly once; name Admins ":                       edit.OrderGroups(b, nil),
		`group: "a b" is not a name for a group; use 1 to 64 of A-Z a-z 0-9 _ + = , . @ -`: edit.AddGroup(b, "a b"),
		"path: x does not start with /; write /x":                                          edit.AddPath(b, "shop", accesstest.Open("x", "f")),
		"path: x does not start with /; write /x ":                                         edit.UpdatePath(b, "shop", "/items", accesstest.Open("x", "f")),
		"path: /a/ ends with /; write /a":                                                  edit.AddAPI(b, &access.API{Label: "new", Paths: []*access.Path{accesstest.Open(access.ProxyPath, "f"), accesstest.Open("/a/", "f")}}),
		"output: is empty; give a section of the client configuration file, or custom":     edit.AddNamedOutput(b, "x", model.Outputs{"$schema": "x"}),
	} {
		modeltest.Refused(t, "an edit", err, strings.TrimSpace(want))
	}
}
