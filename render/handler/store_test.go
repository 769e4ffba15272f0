package handler

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gatewright/model"
)

// store is a CRUD function with its table in dynalite.
type store struct {
	t      *testing.T
	engine *engine
	folder string
	table  *model.Table
	env    map[string]string
}

var keyLetters = map[model.KeyType]string{model.StringKey: "S", model.NumberKey: "N", model.BinaryKey: "B"}

// newStore makes a table of its own and the function for it at the paths.
func newStore(t *testing.T, partition, sort model.Key, paths ...string) *store {
	t.Helper()
	e := packagesEngine(t)
	e.tables++
	name := fmt.Sprintf("items-%d", e.tables)
	s := &store{t: t, engine: e, table: &model.Table{Name: name, PartitionKey: partition, SortKey: sort}}
	var schema, types []map[string]string
	for i, key := range keys(s.table) {
		kind := []string{"HASH", "RANGE"}[i]
		schema = append(schema, map[string]string{"AttributeName": key.Name, "KeyType": kind})
		types = append(types, map[string]string{"AttributeName": key.Name, "AttributeType": keyLetters[key.Type]})
	}
	s.dynamo("CreateTable", map[string]any{
		"TableName": name, "KeySchema": schema, "AttributeDefinitions": types, "BillingMode": "PAY_PER_REQUEST",
	})
	s.waitForTable()
	s.folder = e.write(t, render(t, s.spec(paths...)))
	return s
}

func (s *store) spec(paths ...string) Spec {
	return Spec{Function: "items", Runtime: model.NodeJS, Template: model.CRUD, Paths: paths, Table: s.table}
}

func (s *store) waitForTable() {
	s.t.Helper()
	for range 200 {
		if strings.Contains(s.dynamo("DescribeTable", map[string]any{"TableName": s.table.Name}), `"ACTIVE"`) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatalf("the table %s did not become ready", s.table.Name)
}

// dynamo calls the store without the function.
func (s *store) dynamo(operation string, input any) string {
	s.t.Helper()
	body, err := json.Marshal(input)
	if err != nil {
		s.t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, s.engine.dynamo, strings.NewReader(string(body)))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	request.Header.Set("X-Amz-Date", "20261121T000000Z")
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=test/20261121/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %d %v %s", operation, response.StatusCode, err, answer)
	}
	return string(answer)
}

// ask returns the event of a request. Its target may have a query; a body that is
// not empty is sent as it is.
func ask(method, target, body string) json.RawMessage {
	path, query, _ := strings.Cut(target, "?")
	event := map[string]any{"httpMethod": method, "path": path, "body": nil, "queryStringParameters": nil}
	if body != "" {
		event["body"] = body
	}
	if values, err := url.ParseQuery(query); err == nil && query != "" {
		single := map[string]string{}
		for name := range values {
			single[name] = values.Get(name)
		}
		event["queryStringParameters"] = single
	}
	text, _ := json.Marshal(event)
	return text
}

func (s *store) do(together bool, events ...json.RawMessage) []result {
	s.t.Helper()
	return s.engine.do(s.t, call{Folder: s.folder, Events: events, Together: together, Env: s.env})
}

// send makes one request and returns its result.
func (s *store) send(method, target, body string) result {
	s.t.Helper()
	return s.do(false, ask(method, target, body))[0]
}

// want makes one request and compares its answer.
func (s *store) want(method, target, body string, status int, answer string) {
	s.t.Helper()
	got := s.send(method, target, body)
	s.t.Run(fmt.Sprintf("%s %.80s %.80s", method, target, body), func(t *testing.T) {
		t.Helper()
		exchange{status: status, body: answer}.verify(t, got)
	})
}

// refuse makes a request that must fail with a message that has the text.
func (s *store) refuse(method, target, body string, status int, text string) {
	s.t.Helper()
	got := s.send(method, target, body)
	s.t.Run(fmt.Sprintf("%s %.80s %.80s", method, target, body), func(t *testing.T) {
		t.Helper()
		exchange{status: status}.verify(t, got)
		if !strings.Contains(got.Body, text) {
			t.Errorf("error %s, want one with %s", got.Body, text)
		}
	})
}

var noKey model.Key

func keyNamed(name string, keyType model.KeyType) model.Key {
	return model.Key{Name: name, Type: keyType}
}
