package deploy_test

import (
	"fmt"
	"slices"
	"testing"

	"gatewright/cfn"
	"gatewright/deploy/drift"
)

func parsed(t *testing.T, text string) *cfn.Node {
	t.Helper()
	made, err := cfn.Parse("template", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return made.Root
}

func TestATemplateIsComparedEntryByEntry(t *testing.T) {
	t.Parallel()
	want := parsed(t, `{"Resources": {"A": {"Type": "T", "Properties": {"X": 1, "Y": {"Ref": "B"}, "Z": {"P": "q", "R": ["s"]}}}, "B": {"Type": "T"}, "Same": {"Type": "T", "Properties": {"P": 1, "Q": 2}}, "Skip": {"Type": "T"}},
		"Outputs": {"O": {"Value": "v"}}}`)
	is := parsed(t, `
Resources:
  A: {Type: T, DeletionPolicy: Retain, Properties: {X: "1", Y: !Ref C, Z: {R: [s], P: other}}}
  C: {Type: T}
  Same: {Type: T, Properties: {Q: 2, P: 1}}
Outputs:
  O: {Value: w}
`)
	var got []string
	for _, e := range drift.Templates(want, is, func(id string) bool { return id == "Skip" }) {
		got = append(got, fmt.Sprint(e.Section, " ", e.ID, " ", e.Added, " ", e.Removed, " ", e.Differences))
	}
	expected := []string{
		`Resources A false false [/Y "" -> "" /Z/P "q" -> "other" /DeletionPolicy "" -> "Retain"]`, "Resources B false true []", "Resources C true false []", "Outputs O false false []",
	}
	if !slices.Equal(got, expected) {
		t.Errorf("different are\n%q\nand should be\n%q", got, expected)
	}
}
