package expression

import (
	"errors"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
)

func item(t testing.TB, text string) attribute.Item {
	t.Helper()
	i, err := attribute.ParseItem(jsontext.Value(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return i
}

// names are the placeholders of a request, from the JSON of its two parameters; "" is an
// absent one.
func names(t testing.TB, names, values string) *Names {
	t.Helper()
	n := &Names{}
	if names != "" {
		if err := json.Unmarshal([]byte(names), &n.Names); err != nil {
			t.Fatal(err)
		}
	}
	if values != "" {
		n.Values = item(t, values)
	}
	return n
}

// messageOf is the message of a ValidationException, "" if there was no error.
func messageOf(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *attribute.Error
	if !errors.As(err, &e) || e.Code != "ValidationException" {
		t.Fatalf("%v is no ValidationException", err)
	}
	return e.Message
}

const everyKind = `{":s":{"S":"a"},":t":{"S":"b"},":n":{"N":"1"},":m":{"N":"2"},":b":{"B":"YQ=="},":bool":{"BOOL":true},":null":{"NULL":true},` +
	`":l":{"L":[]},":map":{"M":{}},":ss":{"SS":["1"]},":ns":{"NS":["1"]},":bs":{"BS":["YQ=="]},":type":{"S":"S"},":c":{"S":"c"}}`
