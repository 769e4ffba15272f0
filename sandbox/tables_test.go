package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/cloudtable"
	"gatewright/model/rights"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/table"
	"gatewright/sandbox/table/attribute"
)

// books is a table with a sort key and an index.
func books() Table {
	return Table{Name: "books-dev", Definition: &model.Table{
		Name: "books", PartitionKey: model.Key{Name: "shelf", Type: model.StringKey}, SortKey: model.Key{Name: "at", Type: model.NumberKey},
		Indexes: []model.Index{{Name: "byTitle", PartitionKey: model.Key{Name: "title", Type: model.StringKey}}},
	}}
}

func held(t *testing.T) *HeldTables {
	t.Helper()
	h, err := OpenTables(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func TestATableIsMadeOnceAndKeepsItsItems(t *testing.T) {
	t.Parallel()
	h := held(t)
	if err := h.Make(t.Context(), []Table{books()}); err != nil {
		t.Fatal(err)
	}
	put := map[string]any{"TableName": "books-dev", "Item": json.RawMessage(`{"shelf":{"S":"a"},"at":{"N":"1"},"title":{"S":"Emma"}}`)}
	if err := Ask(t.Context(), h, "PutItem", put, nil); err != nil {
		t.Fatal(err)
	}
	wider := books()
	definition := *wider.Definition
	definition.Indexes = []model.Index{
		{Name: "byYear", PartitionKey: model.Key{Name: "year", Type: model.NumberKey}, SortKey: model.Key{Name: "title", Type: model.StringKey}},
	}
	wider.Definition = &definition
	if err := h.Make(t.Context(), []Table{wider}); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Table cloudtable.Table
	}
	if err := Ask(t.Context(), h, "DescribeTable", map[string]string{"TableName": "books-dev"}, &answer); err != nil {
		t.Fatal(err)
	}
	if got := answer.Table.GlobalSecondaryIndexes; len(got) != 1 || got[0].IndexName != "byYear" || answer.Table.KeyText(got[0].KeySchema) != `year (N), title (S)` {
		t.Errorf("the indexes are %+v", got)
	}
	var scanned struct{ Count int }
	if err := Ask(t.Context(), h, "Scan", map[string]string{"TableName": "books-dev"}, &scanned); err != nil || scanned.Count != 1 {
		t.Errorf("%d items, %v", scanned.Count, err)
	}
}

func TestTheKeyOfAnExistingTableDoesNotChange(t *testing.T) {
	t.Parallel()
	h := held(t)
	if err := h.Make(t.Context(), []Table{books()}); err != nil {
		t.Fatal(err)
	}
	other := books()
	definition := *other.Definition
	definition.SortKey.Type = model.StringKey
	other.Definition = &definition
	err := h.Make(t.Context(), []Table{other})
	var key *keyError
	if !errors.As(err, &key) || !strings.Contains(err.Error(), "has the key shelf (S), at (N) and its definition has shelf (S), at (S)") {
		t.Errorf("%v", err)
	}
	if err := h.Renew(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if err := h.Make(t.Context(), []Table{other}); err != nil {
		t.Errorf("after it was replaced: %v", err)
	}
}

// askAs carries out an operation on the tables of a running sandbox with an access key.
func askAs(t *testing.T, f *Sandbox, key, operation, input string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.TableEndpoint()+"/", strings.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Amz-Target", table.Target+operation)
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+key+"/20261122/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body strings.Builder
	if err := response.Write(&body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, body.String()
}

func TestFunctionsMayUseTablesAsGranted(t *testing.T) {
	t.Parallel()
	f, err := Start(Options{State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	spec := func(name string) function.Spec {
		return function.Spec{Environment: "dev", Name: name, Runtime: model.NodeJS, Folder: t.TempDir()}
	}
	err = f.Apply(Config{Environments: []Environment{{
		Name: "dev", Region: "eu-west-1", AccountID: "123456789012", Tables: []Table{books()},
		Functions: []function.Spec{spec("reader"), spec("writer"), spec("lender"), spec("stranger")},
		Grants: map[string][]cfn.Statement{
			"reader": onTable("books-dev", access.Read), "writer": onTable("books-dev", access.AllActions...), "lender": onTable("loans-dev", access.AllActions...),
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	const (
		item  = `{"shelf":{"S":"a"},"at":{"N":"1"}}`
		put   = `{"TableName":"books-dev","Item":` + item + `}`
		batch = `{"RequestItems":{"books-dev":[{"PutRequest":{"Item":` + item + `}}]}}`
		get   = `{"TableName":"arn:aws:dynamodb:eu-west-1:123456789012:table/books-dev","Key":` + item + `}`
		all   = `{"TransactItems":[{"Put":{"TableName":"books-dev","Item":` + item + `}}]}`
		check = `{"TransactItems":[{"ConditionCheck":{"TableName":"books-dev","Key":` + item + `,"ConditionExpression":"attribute_exists(shelf)"}}]}`
	)
	for _, row := range []struct {
		who, operation, input string
		allowed               bool
	}{
		{"writer", "PutItem", put, true},
		{"writer", "BatchWriteItem", batch, true},
		{"writer", "TransactWriteItems", all, true},
		{"reader", "GetItem", get, true},
		{"reader", "TransactWriteItems", check, true},
		{"reader", "PutItem", put, false},
		{"reader", "BatchWriteItem", batch, false},
		{"reader", "TransactWriteItems", all, false},
		{"stranger", "GetItem", get, false},
		{"reader", "ExecuteStatement", `{"Statement":"SELECT at FROM \"books-dev\" WHERE shelf = 'a'"}`, true},
		{"reader", "ExecuteStatement", `{"Statement":"DELETE FROM \"books-dev\" WHERE shelf = 'a' AND at = 1"}`, false},
		{"reader", "BatchExecuteStatement", `{"Statements":[{"Statement":"INSERT INTO \"books-dev\" VALUE {'shelf':'b','at':1}"}]}`, false},
		{"stranger", "ExecuteStatement", `{"Statement":"SELECT * FROM \"books-dev\".\"byTitle\""}`, false},
		{"reader", "ExecuteStatement", `{"Statement":"EXISTS (1)"}`, false},
		// Members that the operation ignores do not hide what it does.
		{"reader", "PutItem", `{"TableName":"books-dev","Item":` + item + `,"Statement":5}`, false},
		{"reader", "PutItem", `{"TableName":"books-dev","Item":` + item + `,"TransactItems":[{"Put":5}]}`, false},
		{"reader", "PutItem", `{"TableName":"books-dev","Item":` + item + `,"Statement":"SELECT * FROM \"books-dev\""}`, false},
		{"lender", "PutItem", `{"TableName":"books-dev","Item":` + item + `,"RequestItems":{"loans-dev":[]}}`, false},
		{"lender", "BatchWriteItem", `{"RequestItems":{"books-dev":[{"PutRequest":{"Item":` + item + `}}]},"TransactItems":5}`, false},
		{"lender", "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"books-dev","Item":` + item + `},"Other":5}]}`, false},
		{"lender", "ExecuteStatement", `{"Statement":"SELECT \" from loans-dev\" FROM \"books-dev\""}`, false},
		{"lender", "ExecuteStatement", `{"Statement":"UPDATE \"arn:aws:dynamodb:eu-west-1:123456789012:table/books-dev\" SET a = 1 WHERE shelf = 'a' AND at = 1"}`, false},
		{"writer", "ListTables", `{}`, false},
		{"writer", "DeleteTable", `{"TableName":"other"}`, false},
		{"", "PutItem", put, true},
	} {
		key := "somebody"
		if row.who != "" {
			key = AccessKey("dev", row.who)
		}
		status, body := askAs(t, f, key, row.operation, row.input)
		if refused := strings.Contains(body, "AccessDeniedException"); refused == row.allowed || row.allowed && status != 200 {
			t.Errorf("%s %s: %d %s", row.who, row.operation, status, body)
		}
	}
	if _, body := askAs(t, f, AccessKey("dev", "stranger"), "Scan", `{}`); !strings.Contains(body, "ValidationException") {
		t.Errorf("without the name of a table: %s", body)
	}
	const missing = "the table loans-dev is not one of the project's; to use a service that has it, run: gatewright sandbox --table-endpoint URL"
	for range 2 {
		_, body := askAs(t, f, AccessKey("dev", "lender"), "Scan", `{"TableName":"loans-dev"}`)
		if lines := f.Logs().Read(logs.Query{Function: "lender"}); !strings.Contains(body, "ResourceNotFoundException") || len(lines) == 0 || lines[len(lines)-1].Text != missing {
			t.Errorf("of a table that is not here: %s %v", body, lines)
		}
	}
	log := ""
	for _, l := range f.Logs().Read(logs.Query{Function: "reader"}) {
		log += l.Text + "\n"
	}
	if !strings.Contains(log, "table books-dev: the function may not create there") || strings.Contains(log, "none of the project's") {
		t.Errorf("the log of reader has %q", log)
	}
	const arn = `"TableArn":"arn:aws:dynamodb:eu-west-1:123456789012:table/books-dev"`
	if _, body := askAs(t, f, "somebody", "DescribeTable", `{"TableName":"books-dev"}`); !strings.Contains(body, arn) {
		t.Errorf("the table is elsewhere than its environment: %s", body)
	}
}

// onTable are the statements of access to a table.
func onTable(table string, actions ...access.Action) []cfn.Statement {
	arn := "arn:aws:dynamodb:eu-west-1:123456789012:table/" + table
	s := cfn.Statement{Effect: "Allow", Resources: []string{arn, arn + "/index/*"}}
	for _, action := range actions {
		s.Actions = append(s.Actions, rights.Operations(model.KindTable, action)...)
	}
	return []cfn.Statement{s}
}

func TestARefusalSaysWhatAllowsTheUseWhereTheProjectComesFrom(t *testing.T) {
	t.Parallel()
	f, err := Start(Options{State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	env := Environment{
		Name: "dev", Region: "eu-west-1", AccountID: "123456789012", Tables: []Table{books()},
		Functions: []function.Spec{{Environment: "dev", Name: "reader", Runtime: model.NodeJS, Folder: t.TempDir()}},
	}
	const transaction = `{"TransactItems":[{"Put":{"TableName":"books-dev","Item":{"shelf":{"S":"a"},"at":{"N":"1"}}}}]}`
	for _, row := range []struct {
		fromTemplates bool
		want          string
	}{
		{false, "table books-dev: the function may not create there; allow it with: gatewright update function reader --access table/books=create"},
		{true, "table books-dev: the function may not create there; allow the action dynamodb:PutItem in custom-policies.json in its folder, or with: amplify update function"},
	} {
		env.FromTemplates = row.fromTemplates
		if err := f.Apply(Config{Environments: []Environment{env}}); err != nil {
			t.Fatal(err)
		}
		if status, body := askAs(t, f, AccessKey("dev", "reader"), "TransactWriteItems", transaction); !strings.Contains(body, "AccessDeniedException") {
			t.Errorf("the transaction is answered %d %s", status, body)
		}
		lines := f.Logs().Read(logs.Query{Function: "reader"})
		if len(lines) == 0 || lines[len(lines)-1].Text != row.want {
			t.Errorf("the log of reader has %v, want %s", lines, row.want)
		}
	}
}

func TestAnotherServiceCanHaveTheTables(t *testing.T) {
	t.Parallel()
	other := held(t)
	if err := other.Listen(); err != nil {
		t.Fatal(err)
	}
	f, err := Start(Options{State: t.TempDir(), TableEndpoint: other.Endpoint})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	if err := f.Apply(Config{Environments: []Environment{{Name: "dev", Tables: []Table{books()}}}}); err != nil {
		t.Fatal(err)
	}
	var listed struct{ TableNames []string }
	if err := Ask(t.Context(), other, "ListTables", map[string]any{}, &listed); err != nil || strings.Join(listed.TableNames, " ") != "books-dev" {
		t.Errorf("the other service has %v, %v", listed.TableNames, err)
	}
	err = Ask(t.Context(), RemoteTables(other.Endpoint), "DescribeTable", map[string]string{"TableName": "none"}, nil)
	var refused *attribute.Error
	if !errors.As(err, &refused) || refused.Code != "ResourceNotFoundException" {
		t.Errorf("%v", err)
	}
}
