package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/table/attribute"
)

// scripted is a service of tables that gives answers, one after the other, and keeps what it is asked.
type scripted struct {
	answers []string
	all     []string
}

func (a *scripted) Do(_ context.Context, operation string, input []byte) ([]byte, error) {
	var members map[string]any
	if err := json.Unmarshal(input, &members); err != nil {
		return nil, err
	}
	text, err := json.Marshal(members)
	a.all = append(a.all, operation+" "+string(text))
	if len(a.answers) == 0 {
		return []byte(`{}`), err
	}
	answer := a.answers[0]
	a.answers = a.answers[1:]
	return []byte(answer), err
}

func TestItemsAskTheirTableForNoMoreThanIsWanted(t *testing.T) {
	t.Parallel()
	of := Table{Name: "notes-dev", Definition: &model.Table{Name: "notes", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}}
	const page, last = `{"Items":[{"id":{"S":"a"}},{"id":{"S":"b"}}],"LastEvaluatedKey":{"id":{"S":"b"}}}`, `{"Items":[{"id":{"S":"c"}}]}`
	item := attribute.Item{"id": {Kind: attribute.S, Text: "a"}, "n": {Kind: attribute.N, Text: "1"}}
	scan := func(limit int, fails bool) func(Items) (any, error) {
		return func(x Items) (any, error) {
			ids := ""
			err := x.Scan(t.Context(), limit, func(i attribute.Item) error {
				if ids += i["id"].Text; fails {
					return errors.New("enough")
				}
				return nil
			})
			return ids, err
		}
	}
	for name, row := range map[string]struct {
		answers []string
		do      func(x Items) (any, error)
		got     string
		asked   []string
	}{
		"the number": {
			[]string{`{"Table":{"ItemCount":7}}`},
			func(x Items) (any, error) { return x.Count(t.Context()) }, "7 <nil>",
			[]string{`DescribeTable {"TableName":"notes-dev"}`},
		},
		"all": {
			[]string{page, page, last},
			scan(0, false), "ababc <nil>",
			[]string{
				`Scan {"ConsistentRead":true,"TableName":"notes-dev"}`,
				`Scan {"ConsistentRead":true,"ExclusiveStartKey":{"id":{"S":"b"}},"TableName":"notes-dev"}`,
				`Scan {"ConsistentRead":true,"ExclusiveStartKey":{"id":{"S":"b"}},"TableName":"notes-dev"}`,
			},
		},
		"three": {
			[]string{page, last, page},
			scan(3, false), "abc <nil>",
			[]string{
				`Scan {"ConsistentRead":true,"Limit":3,"TableName":"notes-dev"}`,
				`Scan {"ConsistentRead":true,"ExclusiveStartKey":{"id":{"S":"b"}},"Limit":1,"TableName":"notes-dev"}`,
			},
		},
		"two":            {[]string{page, page}, scan(2, false), "ab <nil>", []string{`Scan {"ConsistentRead":true,"Limit":2,"TableName":"notes-dev"}`}},
		"until it fails": {[]string{page, page}, scan(0, true), "a enough", []string{`Scan {"ConsistentRead":true,"TableName":"notes-dev"}`}},
		"one": {
			[]string{`{"Item":{"id":{"S":"a"}}}`}, func(x Items) (any, error) {
				i, err := x.Get(t.Context(), of.KeyOf(item))
				return string(i.AppendJSON(nil)), err
			}, `{"id":{"S":"a"}} <nil>`, []string{`GetItem {"ConsistentRead":true,"Key":{"id":{"S":"a"}},"TableName":"notes-dev"}`},
		},
		"one that is missing": {
			nil, func(x Items) (any, error) {
				i, err := x.Get(t.Context(), of.KeyOf(item))
				return i == nil, err
			}, `true <nil>`, []string{`GetItem {"ConsistentRead":true,"Key":{"id":{"S":"a"}},"TableName":"notes-dev"}`},
		},
		"a new one": {
			nil, func(x Items) (any, error) { return x.Put(t.Context(), item) }, "false <nil>",
			[]string{`PutItem {"Item":{"id":{"S":"a"},"n":{"N":"1"}},"ReturnValues":"ALL_OLD","TableName":"notes-dev"}`},
		},
		"one in the place of another": {
			[]string{`{"Attributes":{"id":{"S":"a"}}}`},
			func(x Items) (any, error) { return x.Put(t.Context(), item) }, "true <nil>",
			[]string{`PutItem {"Item":{"id":{"S":"a"},"n":{"N":"1"}},"ReturnValues":"ALL_OLD","TableName":"notes-dev"}`},
		},
		"one without its key": {
			nil, func(x Items) (any, error) {
				return x.Put(t.Context(), attribute.Item{"n": {Kind: attribute.N, Text: "1"}})
			},
			"false the item has no id, which is the table's key", nil,
		},
		"one that is deleted": {
			[]string{`{"Attributes":{"id":{"S":"a"}}}`},
			func(x Items) (any, error) { return x.Delete(t.Context(), of.KeyOf(item)) }, "true <nil>",
			[]string{`DeleteItem {"Key":{"id":{"S":"a"}},"ReturnValues":"ALL_OLD","TableName":"notes-dev"}`},
		},
	} {
		service := &scripted{answers: row.answers}
		got, err := row.do(Items{Tables: service, Table: of})
		if text := fmt.Sprint(got, " ", err); text != row.got {
			t.Errorf("%s: %s, not %s", name, text, row.got)
		}
		if diff := cmp.Diff(row.asked, service.all); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestTablesOfAnotherServiceAreAskedInTheProtocolOfTheCloud(t *testing.T) {
	t.Parallel()
	var answer string
	status := 200
	var seen http.Header
	var sent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen, sent = r.Header, r.Method+" "+r.URL.Path+" "+string(body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	tables := RemoteTables(server.URL + "/")
	for _, row := range []struct {
		status             int
		answer, want, code string
	}{
		{200, `{"Item":{}}`, "", ""},
		{400, `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"none"}`, "none", "ResourceNotFoundException"},
		{400, `{"__type":"ValidationException","Message":"wrong"}`, "wrong", "ValidationException"},
		{502, `<html>`, `asking the tables at ` + server.URL + `/: it answers 502 Bad Gateway`, ""},
		{400, `{"message":"no type"}`, `asking the tables at ` + server.URL + `/: it answers 400 Bad Request`, ""},
	} {
		status, answer = row.status, row.answer
		output, err := tables.Do(t.Context(), "GetItem", []byte(`{"a":1}`))
		if sent != `POST / {"a":1}` || seen.Get("X-Amz-Target") != "DynamoDB_20120810.GetItem" || seen.Get("Content-Type") != "application/x-amz-json-1.0" ||
			seen.Get("X-Amz-Date") != "20000101T000000Z" ||
			seen.Get("Authorization") != "AWS4-HMAC-SHA256 Credential=local/20000101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0" {
			t.Errorf("sent is %s with %v", sent, seen)
		}
		var refused *attribute.Error
		is := errors.As(err, &refused)
		switch {
		case row.want == "":
			if err != nil || string(output) != row.answer {
				t.Errorf("%s is %s, %v", row.answer, output, err)
			}
		case row.code != "":
			if !is || refused.Code != row.code || refused.Message != row.want {
				t.Errorf("%s is %#v", row.answer, err)
			}
		case err == nil || is || err.Error() != row.want:
			t.Errorf("%s is %v, want %s", row.answer, err, row.want)
		}
	}
}
