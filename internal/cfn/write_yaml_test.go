package cfn_test

import (
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/cfn"
)

func TestYAMLIsWrittenAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	n := cfn.MapNode().
		WithText("openapi", "3.0.3").
		WithText("title", "The shop").
		WithText("answer", "No").
		WithText("note", "yes: no # comment").
		WithText("lines", "one\ntwo\u0085\u2028").
		With("/books/{isbn}", cfn.MapNode().WithNumber("200", 7).WithBool("required", true).With("nothing", cfn.MapNode()).With("none", cfn.ListNode())).
		With("list", cfn.ListNode(
			cfn.MapNode().WithText("name", "isbn").With("schema", cfn.MapNode().WithText("type", "string")),
			cfn.ListNode(cfn.TextNode("a"), cfn.ListNode(cfn.TextNode("b"), cfn.TextNode("-"))),
			cfn.MapNode(), cfn.TextNode(""), &cfn.Node{}))
	const want = `openapi: "3.0.3"
title: The shop
answer: "No"
note: "yes: no # comment"
lines: "one\ntwo\u0085\u2028"
/books/{isbn}:
  "200": 7
  required: true
  nothing: {}
  none: []
list:
  - name: isbn
    schema:
      type: string
  - - a
    - - b
      - "-"
  - {}
  - ""
  - null
`
	if got := string(n.YAML()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestYAMLSaysWhatJSONSays reads what was written with the library's reader.
func TestYAMLSaysWhatJSONSays(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[-$A-Za-z0-9 :,;._/()+={}\[\]#&*!|>'"%@~<?\\]{0,12}`),
		rapid.SampledFrom([]string{"true", "Null", "~", "<<", "=", "y", "0x1F", "1_000", "1:30", "2001-01-01", ".inf", "a ", " a", "a:", "\u0080", "\ufeff", "-", "--- ", "..."}))
	rapid.Check(t, func(t *rapid.T) {
		var node func(depth int) *cfn.Node
		node = func(depth int) *cfn.Node {
			switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
			case kind == 0 && depth < 4:
				n := cfn.ListNode()
				for range rapid.IntRange(0, 3).Draw(t, "items") {
					n.Items = append(n.Items, node(depth+1))
				}
				return n
			case kind == 1 && depth < 4:
				n := cfn.MapNode()
				for _, name := range rapid.SliceOfNDistinct(text, 0, 3, rapid.ID[string]).Draw(t, "names") {
					n.With(name, node(depth+1))
				}
				return n
			case kind == 2:
				return cfn.NumberNode(rapid.Int().Draw(t, "number"))
			case kind == 3:
				return cfn.BoolNode(rapid.Bool().Draw(t, "bool"))
			}
			return cfn.TextNode(text.Draw(t, "text"))
		}
		whole := cfn.MapNode().With("Resources", node(0))
		fromJSON, err := cfn.Parse("t.json", whole.JSON())
		if err != nil {
			t.Skip("JSON has the same name twice")
		}
		fromYAML, err := cfn.Parse("t.yaml", whole.YAML())
		if err != nil {
			t.Fatalf("%v\n%s", err, whole.YAML())
		}
		if a, b := string(fromJSON.Root.Minified()), string(fromYAML.Root.Minified()); a != b {
			t.Fatalf("YAML says\n%s\nJSON says\n%s\nin\n%s", b, a, whole.YAML())
		}
	})
}
