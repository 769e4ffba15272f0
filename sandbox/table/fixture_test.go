package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/table/attribute"
)

// openStore opens a Store on a new file, and closes it at the end of the test.
func openStore(t testing.TB, o Options) *Store {
	t.Helper()
	return openStoreFile(t, filepath.Join(t.TempDir(), "tables.db"), o)
}

func openStoreFile(t testing.TB, file string, o Options) *Store {
	t.Helper()
	s, err := Open(file, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// input is the JSON of a request: a string in which grave accents stand for quotation
// marks, or a value to marshal.
func input(t testing.TB, request any) []byte {
	t.Helper()
	if text, ok := request.(string); ok {
		return []byte(strings.ReplaceAll(text, "`", `"`))
	}
	b, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// do runs an operation that must succeed, and returns its answer.
func do(t testing.TB, s *Store, operation string, request any) map[string]any {
	t.Helper()
	output, err := s.Do(t.Context(), operation, input(t, request))
	if err != nil {
		t.Fatalf("%s %s: %v", operation, input(t, request), err)
	}
	return decode(t, output)
}

func decode(t testing.TB, output []byte) map[string]any {
	t.Helper()
	answer := make(map[string]any)
	if len(output) == 0 {
		return answer
	}
	d := json.NewDecoder(bytes.NewReader(output))
	d.UseNumber()
	if err := d.Decode(&answer); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return answer
}

// mustBe compares an answer with JSON, in which grave accents stand for quotation marks.
func mustBe(t testing.TB, answer any, want string) {
	t.Helper()
	got, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decode(t, input(t, `{"v":`+want+`}`)), decode(t, []byte(`{"v":`+string(got)+`}`))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// refused runs an operation that must be refused, and returns the refusal.
func refused(t testing.TB, s *Store, operation string, request any) *attribute.Error {
	t.Helper()
	output, err := s.Do(t.Context(), operation, input(t, request))
	var e *attribute.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s %s: %s, %v; want a refusal", operation, input(t, request), output, err)
	}
	return e
}

// The tables of the tests: one with a partition key only, one with every kind of index.
const (
	plainTable = `{"TableName":"plain","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}`
	indexedTable = `{"TableName":"indexed","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6},
		"AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"s","AttributeType":"N"},
			{"AttributeName":"l","AttributeType":"S"},{"AttributeName":"g","AttributeType":"B"}],
		"KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],
		"LocalSecondaryIndexes":[{"IndexName":"byL","KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],
			"Projection":{"ProjectionType":"KEYS_ONLY"}}],
		"GlobalSecondaryIndexes":[
			{"IndexName":"byG","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}},
			{"IndexName":"byGL","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],
				"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["extra"]}}]}`
)

func openTables(t testing.TB) *Store {
	t.Helper()
	s := openStore(t, Options{})
	do(t, s, "CreateTable", plainTable)
	do(t, s, "CreateTable", indexedTable)
	return s
}
