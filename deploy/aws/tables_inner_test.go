package aws

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/layout"
	"gatewright/render/template"
)

func TestAPreviewCountsEachKindOfChangeAndRemarksOnTheRest(t *testing.T) {
	t.Parallel()
	x := &Push{
		Changes: []Change{{Kind: contract.Created}, {Kind: contract.Created}, {Kind: contract.Updated, Replaced: true}, {Kind: contract.Updated}, {Kind: contract.Updated}, {Kind: contract.Deleted}},
	}
	x.Place, x.made = Place{Environment: &model.Environment{Name: "my dev"}, Account: "123456789012", Region: "eu-west-1"}, &template.Template{}
	if got, want := x.CountChanges(), "AWS: 2 resources to create, 3 to change, 1 to remove, 1 of them replaced by new ones"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	x.Changes = append(x.Changes[:1:1], Change{Kind: contract.Adopted})
	if got, want := x.CountChanges(), "AWS: 1 resource to adopt, 1 to create, 0 to change, 0 to remove"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	if got, want := x.Target(), `environment "my dev" in the account 123456789012, eu-west-1`; got != want {
		t.Errorf("it goes to %q, want %q", got, want)
	}
	if got := x.Remarks(); len(got) > 0 {
		t.Errorf("it remarks %q", got)
	}
	x.Updates, x.steps = 4, []template.Step{{Why: "frees a name"}, {Why: "adds an index"}}
	x.Adopted = []Found{{Of: model.Ref{Kind: model.KindTable}}, {Of: model.Ref{Kind: model.KindAuth}}}
	x.made = &template.Template{Secrets: []template.Secret{{Name: "KEY", Parameter: "P1"}, {Name: "OTHER", Parameter: "P2"}, {Name: "THIRD", Parameter: "P3"}}}
	x.given = map[string]string{"P1": "a", "P3": "c"}
	want := []string{
		"in 4 updates, one after the other: update 1 adopts existing resources; update 2 frees a name; update 3 adds an index; update 4 creates the new resources",
		"the user pool gets a new client: apps need its id from the new client configuration file",
		"the values of KEY, THIRD go to AWS as hidden parameters",
	}
	if diff := cmp.Diff(want, x.Remarks()); diff != "" {
		t.Errorf("it remarks otherwise (-want +got):\n%s", diff)
	}
}

func TestATokenTellsWhoPushesWhichUpdate(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Project: model.Project{ApplicationID: "app1"}}
	mark := func(env string) string {
		return Place{Environment: &model.Environment{Name: env}, project: &project.Project{Loaded: layout.Loaded{Layout: project.Native, Backend: b}}}.mark()
	}
	random := randomText() + mark("dev")
	if other := mark("de"); len(random) != 2*randomLength || strings.HasSuffix(random, other) {
		t.Errorf("it is marked %s, and another environment %s", random, other)
	}
	for who, want := range map[string]string{
		"ann": "ann", "the role Deployer/ann@x.org": "the-role-Deployer-ann-x-org", "-Zoé9-": "Zo--9", strings.Repeat("z", 100): strings.Repeat("z", 60), "": "",
	} {
		text := token(2, 13, random, who)
		if len(text) > 128 || strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
			t.Errorf("AWS does not take the token %q", text)
		}
		part, got, step, steps := tokenOf(text)
		if who == "-Zoé9-" {
			want = strings.Trim(strings.NewReplacer("é", "-").Replace(who), "-")
		}
		if part != random || got != want || step != 2 || steps != 13 {
			t.Errorf("of %q it is %q, %q, %d, %d", who, part, got, step, steps)
		}
	}
	for _, text := range []string{"", "somebody-elses", "gatewright-x-of-2-abc-ann", "gatewright-1-of-2", "Console-gatewright-1-of-2-abc-ann"} {
		if who, step, steps := pusher(text); who != "" || step != 0 || steps != 0 {
			t.Errorf("%q is of %q, %d of %d", text, who, step, steps)
		}
	}
}

func TestAFailureSaysWhatTheStackIsNowAndWhatToDo(t *testing.T) {
	t.Parallel()
	dev := model.Ref{Kind: model.KindEnvironment, Name: "dev"}
	w := words{names: map[string]string{"Books": "the table books", "Part": "the role of the function items"}, of: map[string]model.Ref{
		"Books": {Kind: model.KindTable, Name: "books"}, "Part": {Kind: model.KindFunction, Name: "items"},
	}}
	event := func(id, reason string) []stack.Event {
		return []stack.Event{{Logical: id, Type: "AWS::X", Status: "CREATE_FAILED", Reason: reason}, {Logical: "Later", Status: "CREATE_FAILED", Reason: "not the first"}}
	}
	for want, of := range map[string]struct {
		status   stack.Status
		failures []stack.Event
	}{
		"environment dev: could not be pushed: No more updates; fix it and push again": {stack.UpdateRollbackFailed + "x", nil},
		"table books: could not be made: Too odd; everything is as before; fix it and push again": {
			stack.UpdateRolledBack, event("Books", "Too odd"),
		},
		"function items: the role of the function items could not be made: User: x is not authorized to perform: iam:CreateRole; nothing is deployed; ask the account's administrator for that permission, and push again": {
			stack.RollbackComplete, event("Part", "User: x is not authorized to perform: iam:CreateRole"),
		},
		"table books: could not be made: Access Denied; everything is as before; ask the account's administrator for that permission, and push again": {
			stack.UpdateRolledBack, event("Books", "Access Denied"),
		},
		"table books: could not be made: books-dev already exists; everything is as before; an earlier deployment or another program created it: remove it in AWS, or change its name, and push again": {
			stack.UpdateRolledBack, event("Books", "books-dev already exists"),
		},
		"table books: could not be made: Table Limit exceeded; everything is as before; ask AWS for a higher quota, or use less, and push again": {
			stack.UpdateRolledBack, event("Books", "Table Limit exceeded"),
		},
		"environment dev: Unknown (AWS::X) could not be made: Quota; and the stack could not roll back; fix it, then run: gatewright push --env dev": {
			stack.UpdateRollbackFailed, event("Unknown", "Quota"),
		},
		"environment dev: was cancelled; nothing is deployed; push again": {stack.DeleteComplete, nil},
	} {
		err := pushFailed(w, dev, &stack.Stack{Name: "s", Status: of.status, Reason: "No more updates"}, of.failures)
		if err.Error() != want {
			t.Errorf("it is\n%v\nwant\n%s", err, want)
		}
	}
}

func TestDriftIsListedByWhatItBelongsTo(t *testing.T) {
	t.Parallel()
	a, b := model.Ref{Kind: model.KindFunction, Name: "a"}, model.Ref{Kind: model.KindFunction, Name: "b"}
	all := addDrifted(nil, b, "the log of b", "kept longer")
	all = addDrifted(all, b, "the function b", "memory 1")
	all = addDrifted(all, a, "the function a", "its code")
	all = addDrifted(all, b, "the function b", "timeout 2")
	all = addDrifted(all, a, "the function a", isGone)
	all = addDrifted(all, a, "the function a", "memory 3")
	sortDrifted(all)
	var lines []string
	for _, d := range all {
		lines = append(lines, d.Of.String()+" | "+d.String())
	}
	want := []string{"function a | the function a is gone", "function b | the function b: memory 1; timeout 2", "function b | the log of b: kept longer"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("it differs (-want +got):\n%s", diff)
	}
	d := &Drift{Compared: 12, Functions: 1, Rendered: true, Skipped: map[string]int{"AWS::IAM::Policy": 2, "AWS::ApiGateway::Method": 3}}
	if got, want := d.SkippedText(), "5 resources that CloudFormation cannot compare: methods of APIs (3), policies of roles (2)"; got != want {
		t.Errorf("skipped are %q, want %q", got, want)
	}
	if codeText(true) == codeText(false) || !strings.HasSuffix(codeText(true), "a hot push changed it") {
		t.Errorf("code is %q, and of a hot push %q", codeText(false), codeText(true))
	}
}

func TestMethodsThatChangedAreNamedAndOnlySome(t *testing.T) {
	t.Parallel()
	then := methods{"/a": {"GET": asks{AuthorizationType: "NONE"}, "PUT": asks{AuthorizationType: "AWS_IAM"}}, "/b": {"ANY": asks{AuthorizationType: "NONE"}}}
	now := methods{"/a": {"GET": asks{AuthorizationType: "AWS_IAM"}, "PUT": asks{AuthorizationType: "AWS_IAM"}}, "/c": {"POST": asks{AuthorizationType: "NONE"}}}
	if got := changedMethods(then, now); !slices.Equal(got, []string{"ANY /b", "GET /a", "POST /c"}) {
		t.Errorf("changed are %q", got)
	}
	names := strings.Split("abcdefg", "")
	for n, want := range map[int]string{5: "a, b, c, d, e", 6: "a, b, c, d, e and 1 more", 7: "a, b, c, d, e and 2 more", 1: "a"} {
		if got := someNames(names[:n]); got != want {
			t.Errorf("%d are %q", n, got)
		}
	}
	for _, text := range []string{`{"a": "b/c"}`, `{\"a\": \"b\/c\"}`} {
		got, err := resourcePolicy(text)
		if diff := cmp.Diff(map[string]any{"a": "b/c"}, got); err != nil || diff != "" {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	if _, err := resourcePolicy(`{\"a\"`); err == nil {
		t.Error("half a policy is read")
	}
	got, err := policyDocument("p", "%7B%22A%22%3A%22x%2By+z%22%7D")
	if diff := cmp.Diff(map[string]any{"PolicyName": "p", "PolicyDocument": map[string]any{"A": "x+y+z"}}, got); err != nil || diff != "" {
		t.Errorf("a policy is %v, %v", got, err)
	}
	if _, err := policyDocument("p", "%7B"); err == nil || !strings.HasPrefix(err.Error(), "policy p: is not JSON") {
		t.Errorf("half a policy: %v", err)
	}
}

// TestATableIsTakenOverWithAllThatItHas compares the properties of a table that is there with those that
// it must have in the template, in the order of the definition.
func TestATableIsTakenOverWithAllThatItHas(t *testing.T) {
	t.Parallel()
	var there describedTable
	err := json.Unmarshal([]byte(`{
		"TableName": "books-dev", "TableStatus": "ACTIVE", "ProvisionedThroughput": {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4},
		"KeySchema": [{"AttributeName": "at", "KeyType": "RANGE"}, {"AttributeName": "id", "KeyType": "HASH"}],
		"AttributeDefinitions": [{"AttributeName": "own", "AttributeType": "B"}, {"AttributeName": "at", "AttributeType": "N"}, {"AttributeName": "id", "AttributeType": "S"}],
		"GlobalSecondaryIndexes": [
			{"IndexName": "own", "KeySchema": [{"AttributeName": "own", "KeyType": "HASH"}], "Projection": {"ProjectionType": "KEYS_ONLY"}, "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6}},
			{"IndexName": "byAt", "KeySchema": [{"AttributeName": "at", "KeyType": "HASH"}], "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["b", "a"]}, "ProvisionedThroughput": {"ReadCapacityUnits": 7, "WriteCapacityUnits": 8}}
		],
		"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}
	}`), &there)
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := cfn.Parse("wanted", []byte(`{"Properties": {
		"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "at", "AttributeType": "N"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
		"GlobalSecondaryIndexes": [{"IndexName": "byAt"}, {"IndexName": "new"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"TableName":"books-dev","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4},` +
		`"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"at","AttributeType":"N"},{"AttributeName":"own","AttributeType":"B"}],` +
		`"KeySchema":[{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}],"GlobalSecondaryIndexes":[` +
		`{"IndexName":"byAt","KeySchema":[{"AttributeName":"at","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["b","a"]},"ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":8}},` +
		`{"IndexName":"own","KeySchema":[{"AttributeName":"own","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6}}],` +
		`"StreamSpecification":{"StreamViewType":"NEW_IMAGE"}}`
	if diff := cmp.Diff(want, string(there.properties(wanted.Root).Minified())); diff != "" {
		t.Errorf("it is otherwise (-want +got):\n%s", diff)
	}
	if got := there.KeyText(there.KeySchema) + " | " + keyOf(wanted.Root); got != "id (S), at (N) | id (S)" {
		t.Errorf("the keys are %s", got)
	}
	there.BillingModeSummary.BillingMode, there.GlobalSecondaryIndexes, there.StreamSpecification.StreamEnabled = "PAY_PER_REQUEST", there.GlobalSecondaryIndexes[:1], false
	const onDemand = `{"TableName":"books-dev","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"at","AttributeType":"N"},{"AttributeName":"own","AttributeType":"B"}],` +
		`"KeySchema":[{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}],"GlobalSecondaryIndexes":[{"IndexName":"own","KeySchema":[{"AttributeName":"own","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`
	if diff := cmp.Diff(onDemand, string(there.properties(wanted.Root).Minified())); diff != "" {
		t.Errorf("without provisioned throughput it is otherwise (-want +got):\n%s", diff)
	}
}

func TestADeploymentIsTheSameButForItsTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	record := func(change func(*stack.Stack, *model.Backend)) (string, error) {
		b := &model.Backend{Project: model.Project{ApplicationID: "app1", Dialect: model.Neutral}, Environments: []*model.Environment{{Name: "dev", Provider: model.AWS, Branch: "main"}}}
		b.APIs = []*access.API{{Label: "shop", Paths: []*access.Path{{Name: "/books/{isbn}"}}}, {Label: "unmade"}}
		names := template.EndpointOf("shop")
		s := &stack.Stack{Name: "s", Created: now, Updated: now.Add(90*time.Second + time.Millisecond), Outputs: map[string]string{
			names.ID: "id1", names.URL: "https://id1.execute-api.eu-west-1.amazonaws.com/dev", template.EndpointOf("unmade").ID: "id2",
			template.UserPoolOutput: "eu-west-1_p", template.UserPoolClientOutput: "c", template.IdentityPoolOutput: "eu-west-1:i",
		}}
		change(s, b)
		c := &session{Account: newAccount("123456789012", "eu-west-1")}
		r, err := c.recordOf(s, b, template.Definition{Environment: "dev", Files: map[string][]byte{"a": []byte("b")}})
		text, failed := json.Marshal(r)
		if failed != nil {
			t.Fatal(failed)
		}
		return string(text), err
	}
	same := func(*stack.Stack, *model.Backend) {}
	got, err := record(same)
	if err != nil {
		t.Fatal(err)
	}
	// An API without an address is not in it.
	const want = `{"version":0,"stack":"s","applicationId":"app1","branch":"main","environment":"dev","provider":"aws","region":"eu-west-1","account":"123456789012","deployed":"2026-01-02T03:05:35Z",` +
		`"apis":[{"api":"shop","id":"id1","url":"https://id1.execute-api.eu-west-1.amazonaws.com/dev","example":"/books/1"}],` +
		`"outputs":{"auth":{"cloud_region":"eu-west-1","identity_pool_id":"eu-west-1:i","unauthenticated_identities_enabled":true,"user_pool_client_id":"c","user_pool_id":"eu-west-1_p"},"custom":{"API":{"shop":{"apiName":"shop","endpoint":"https://id1.execute-api.eu-west-1.amazonaws.com/dev","region":"eu-west-1"}}}},` +
		`"values":{"auth":{"cloud_region":"eu-west-1","identity_pool_id":"eu-west-1:i","unauthenticated_identities_enabled":true,"user_pool_client_id":"c","user_pool_id":"eu-west-1_p"},"custom":{"API":{"shop":{"apiName":"shop","endpoint":"https://id1.execute-api.eu-west-1.amazonaws.com/dev","region":"eu-west-1"}}},"version":"1"},` +
		`"dialect":"neutral","definition":"b1d476e73940d0e0aa693caff45c4790c8a5ca55de9f8933cdcbee6c629ce86b","snapshot":""}`
	if got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
	if _, err := record(func(_ *stack.Stack, b *model.Backend) { b.Environments = nil }); err == nil {
		t.Error("a definition without the environment has a record")
	}
	if other, _ := record(func(s *stack.Stack, _ *model.Backend) { s.Updated = time.Time{} }); !strings.Contains(other, `"deployed":"2026-01-02T03:04:05Z"`) {
		t.Errorf("a stack that was never updated was deployed when it was made:\n%s", other)
	}
}

func TestTheWordsOfAResourceAreThoseOfTheFirstTemplateThatHasIt(t *testing.T) {
	t.Parallel()
	ref := func(name string) model.Ref { return model.Ref{Kind: model.KindTable, Name: name} }
	made := &template.Template{
		Words: map[string]string{"A": "the new A"}, Of: map[string]model.Ref{"A": ref("new")},
		Nested: []template.Nested{{Words: map[string]string{"N": "the nested N", "A": "another A"}, Of: map[string]model.Ref{"N": ref("nested"), "A": ref("other")}}},
	}
	was := &template.Template{Words: map[string]string{"A": "the old A", "B": "the old B"}, Of: map[string]model.Ref{"A": ref("old"), "B": ref("gone")}}
	w := wordsOf(made, nil, was)
	for id, want := range map[string]string{"A": "the new A, new", "N": "the nested N, nested", "B": "the old B, gone", "X": "X (AWS::T), "} {
		if got := w.name(id, "AWS::T") + ", " + w.of[id].Name; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
}

// TestTheOtherPartOfAStackIsNotWhatRuns has resources that are gone, that have no id yet, and of other kinds.
func TestTheOtherPartOfAStackIsNotWhatRuns(t *testing.T) {
	t.Parallel()
	of := model.Ref{Kind: model.KindTable, Name: "books"}
	r := &Reached{
		Deployment: &project.Deployment{Record: project.Record{Environment: "dev", Deployed: time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)}},
		words:      words{of: map[string]model.Ref{"Gone": of, "None": of, "Role": of, "Books": of, "Other": {Kind: model.KindTable, Name: "other"}}},
		resources: []stack.Resource{
			{Logical: "Gone", Physical: "books-old", Type: tableType, Status: string(stack.DeleteComplete)},
			{Logical: "None", Type: tableType, Status: "CREATE_IN_PROGRESS"},
			{Logical: "Role", Physical: "role", Type: roleType, Status: "CREATE_COMPLETE"},
			{Logical: "Other", Physical: "other-dev", Type: tableType, Status: "CREATE_COMPLETE"},
			{Logical: "Books", Physical: "books-dev", Type: tableType, Status: "UPDATE_COMPLETE"},
		},
	}
	if name, err := r.Table("books"); name != "books-dev" || err != nil {
		t.Errorf("the table is %q, %v", name, err)
	}
	r.resources = r.resources[:4]
	name, err := r.Table("books")
	if want := "table books: is not in environment dev as it was pushed, "; name != "" || !errors.Is(err, ErrNotDeployed) || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "; push it with: gatewright push --env dev") {
		t.Errorf("without it the table is %q, %v", name, err)
	}
}
