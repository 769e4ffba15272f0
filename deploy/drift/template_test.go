package drift_test

import (
	"fmt"
	"slices"
	"testing"

	"gatewright/deploy/drift"
	"gatewright/internal/cfn"
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
	want := parsed(t, `{"Resources": {"A": {"Type": "T", "Properties": {"X": 1, "Y": {"Ref": "B"}, "Z": {"P": "q", "R": ["s"]}}}, "B": {"Type": "U"},
		"Same": {"Type": "T", "DependsOn": "A", "Metadata": {"M": 1}, "Properties": {"P": 1, "Q": 2}}, "Skip": {"Type": "T"},
		"Lists": {"Type": "T", "Properties": {"Order": ["a", "b"], "Longer": ["a"], "Kind": ["a"], "Gone": {"a": "b"}, "Slash/x": "1", "Call": {"Fn::Sub": "a"}, "Other": {"Fn::Sub": "a"}}},
		"Typed": {"Type": "T", "Properties": {"P": 1}}},
		"Parameters": {"P": {"Type": "String"}, "Q": {"Type": "String"}}, "Mappings": {"M": {"a": {"b": "c"}}}, "Conditions": {"C": {"Fn::Equals": ["a", "a"]}},
		"Rules": {"R": {"Assertions": []}}, "Metadata": {"Not": "compared"}, "Outputs": {"O": {"Value": "v"}, "Same": {"Value": "v"}}}`)
	is := parsed(t, `
Resources:
  A: {Type: T, DeletionPolicy: Retain, Properties: {X: "1", Y: !Ref C, Z: {R: [s], P: other}}}
  C: {Type: V}
  Same: {Type: T, DependsOn: B, Metadata: {M: 2, N: 3}, Properties: {Q: 2, P: 1}}
  Lists: {Type: T, Properties: {Order: [b, a], Longer: [a, b], Kind: a, Slash/x: "2", Call: !Sub b, Other: {Key: a}, New: {c: d}}}
  Typed: {Type: W, Properties: {P: 1}}
Parameters: {P: {Type: Number}, Q: {Type: String}}
Mappings: {M: {a: {b: d}}}
Conditions: {C: !Equals [a, b]}
Transform: AWS::LanguageExtensions
Outputs:
  O: {Value: w}
  Same: {Value: v}
`)
	var got []string
	for _, e := range drift.Templates(want, is, func(id string) bool { return id == "Skip" }) {
		got = append(got, fmt.Sprint(e.Section, " ", e.ID, " ", e.Type, " ", e.Added, " ", e.Removed, " ", e.Differences))
		for _, d := range e.Differences {
			if d.Added || d.Removed {
				got = append(got, fmt.Sprint("  ", d.Path, " ", d.Added, " ", d.Removed))
			}
		}
	}
	expected := []string{
		"Parameters P  false false []", "Mappings M  false false []", "Conditions C  false false []", "Transform Transform  true false []", "Rules R  false true []",
		`Resources A T false false [/Y "" -> "" /Z/P "q" -> "other" /DeletionPolicy "" -> "Retain"]`, "  /DeletionPolicy true false",
		"Resources B U false true []",
		`Resources Lists T false false [/Order "" -> "" /Longer "" -> "" /Kind "" -> "a" /Gone "" -> "" /Slash~1x "1" -> "2" /Call "" -> "" /Other "" -> "" /New "" -> ""]`,
		"  /Gone false true", "  /New true false",
		`Resources Typed W false false [/Type "T" -> "W"]`,
		"Resources C V true false []", "Outputs O  false false []",
	}
	if !slices.Equal(got, expected) {
		t.Errorf("different are\n%q\nand should be\n%q", got, expected)
	}
}
