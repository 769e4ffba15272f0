package cfn_test

import (
	"encoding/json"
	"testing"

	"gatewright/internal/cfn"
)

// asJSON returns the sections of the tests as JSON, with an output Tested.
func asJSON(t *testing.T, value string) string {
	t.Helper()
	template, err := cfn.Parse("sections", []byte(sections))
	if err != nil {
		t.Fatal(err)
	}
	text := written(t, template.Root)
	return text[:len(text)-1] + `, "Outputs": {"Tested": {"Value": ` + value + `}}}`
}

// written writes a node as JSON, in its order.
func written(t *testing.T, n *cfn.Node) string {
	t.Helper()
	text := ""
	switch n.Kind {
	case cfn.List:
		for i, item := range n.Items {
			if i > 0 {
				text += ","
			}
			text += written(t, item)
		}
		return "[" + text + "]"
	case cfn.Map:
		for i, m := range n.Members {
			if i > 0 {
				text += ","
			}
			text += quoted(t, m.Name) + ":" + written(t, m.Value)
		}
		return "{" + text + "}"
	case cfn.Null:
		return "null"
	case cfn.String:
		return quoted(t, n.Text)
	default:
		return n.Text
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	b, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestJSONAloneIsReadWithoutYAML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`[1, "a", {"b": null}]`: "",
		`"a"`:                   "",
		` 1.50 `:                "",
		`a`:                     "body:1:1: this is not JSON (invalid character 'a' at start of value): correct the text here",
		`[1, 2`:                 "body:1:6: the text ends in the middle of a value: add what is missing at the end",
		`1 2`:                   "body:1:3: there is text after the end of the text: remove it",
		`{"a": 1, "a": 2}`:      `body:1:10: the name "a" comes twice here: remove or rename one of the two`,
		" \n":                   "body:1:1: the text is empty: write JSON",
	} {
		got := ""
		if _, err := cfn.ParseJSON("body", []byte(text)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
