package expression

import (
	"strings"
	"testing"
)

func TestAProjectionKeepsTheStructureOfTheItem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a":                       `{"a":{"S":"1"}}`,
		"a, gone":                 `{"a":{"S":"1"}}`,
		"gone":                    `{}`,
		"gone.x, a.x, m[0], l[9]": `{}`,
		"m.k":                     `{"m":{"M":{"k":{"S":"2"}}}}`,
		"m.gone, a":               `{"a":{"S":"1"}}`,
		"l[2], l[0]":              `{"l":{"L":[{"S":"x"},{"S":"z"}]}}`,
		"m.l[1].d, m.#dot":        `{"m":{"M":{"a.b":{"S":"3"},"l":{"L":[{"M":{"d":{"S":"4"}}}]}}}}`,
		" a , m . k ":             `{"a":{"S":"1"},"m":{"M":{"k":{"S":"2"}}}}`,
		"m.l[0], m.l[1].e":        `{"m":{"M":{"l":{"L":[{"S":"f"},{"M":{"e":{"S":"5"}}}]}}}}`,
	} {
		p, err := ParseProjection(text, names(t, `{"#dot":"a.b"}`, ""))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		i := item(t, `{"a":{"S":"1"},"l":{"L":[{"S":"x"},{"S":"y"},{"S":"z"}]},"m":{"M":{"k":{"S":"2"},"a.b":{"S":"3"},"l":{"L":[{"S":"f"},{"M":{"d":{"S":"4"},"e":{"S":"5"}}}]}}}}`)
		if got := string(p.Apply(i).AppendJSON(nil)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestProjectionsThatAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                        "The expression can not be empty;",
		"!!! INVALID !!!":         `Syntax error; token: "!", near: "!!"`,
		"a,":                      `Syntax error; token: "<EOF>", near: ","`,
		"a b":                     `Syntax error; token: "b", near: "a b"`,
		"a[]":                     `Syntax error; token: "]", near: "[]"`,
		"[0]":                     `Syntax error; token: "[", near: "[0"`,
		":a":                      `Syntax error; token: ":a", near: ":a"`,
		"#no":                     "An expression attribute name used in the document path is not defined; attribute name: #no",
		"a, status":               "Attribute name is a reserved keyword; reserved keyword: status",
		"a.b, #a":                 "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a]",
		"a.b, a[1]":               "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]",
		strings.Repeat("a", 4097): "Expression size has exceeded the maximum allowed size; expression size: 4097",
	} {
		_, err := ParseProjection(text, names(t, `{"#a":"a"}`, ""))
		if got := messageOf(t, err); got != "Invalid ProjectionExpression: "+want {
			t.Errorf("%.40s:\n got %s\nwant Invalid ProjectionExpression: %s", text, got, want)
		}
	}
}

func TestAttributesToGetAreNamesAndNotPaths(t *testing.T) {
	t.Parallel()
	p, err := FromAttributesToGet([]string{"status", "a.b"})
	if err != nil {
		t.Fatal(err)
	}
	i := item(t, `{"status":{"S":"1"},"a.b":{"S":"2"},"a":{"M":{"b":{"S":"3"}}}}`)
	if got := string(p.Apply(i).AppendJSON(nil)); got != `{"a.b":{"S":"2"},"status":{"S":"1"}}` {
		t.Error(got)
	}
	_, err = FromAttributesToGet([]string{"a", "b", "a"})
	if got := messageOf(t, err); got != "One or more parameter values were invalid: Duplicate value in attribute name: a" {
		t.Error(got)
	}
}
