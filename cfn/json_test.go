package cfn_test

import (
	"encoding/json"
	"testing"

	"gatewright/cfn"
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
