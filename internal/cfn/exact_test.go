package cfn_test

import (
	"testing"

	"gatewright/internal/cfn"
)

// TestValuesAreExactlyTheSameOnlyIfTheyAreInEveryDeployment has pairs of values of one template.
func TestValuesAreExactlyTheSameOnlyIfTheyAreInEveryDeployment(t *testing.T) {
	t.Parallel()
	const text = `{"Parameters": {"Stage": {"Type": "String"}, "Other": {"Type": "String"}, "Far": {"Type": "Number"}},
		"Mappings": {"Names": {"a": {"b": "c"}}},
		"Conditions": {"Prod": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]}, "Unused": {"Fn::Equals": ["a", "a"]}},
		"Resources": {"R": {"Type": "T", "Properties": {
			"Map": {"b": ["x", {"d": 1, "c": 2}], "a": 1}, "Turned": {"a": 1, "b": ["x", {"c": 2, "d": 1}]}, "List": ["b", "a"], "Back": ["a", "b"],
			"Stage": {"Fn::Sub": "x-${Stage}"}, "Again": {"Fn::Sub": "x-${Stage}"}, "Other": {"Fn::Sub": "x-${Other}"}, "Joined": {"Fn::Join": ["-", ["x", {"Ref": "Stage"}]]},
			"If": {"Fn::If": ["Prod", "a", "b"]}}}}}`
	made, err := cfn.Parse("template", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	values := made.With(cfn.Given{})
	exact := func(name string) string {
		return made.Exact(values.Resolve(made.Resource("R").Properties.Get(name)))
	}
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"Map", "Turned", true},
		{"List", "Back", false},
		{"Stage", "Again", true},
		{"Stage", "Other", false},
		{"Stage", "Joined", false},
		{"Stage", "If", false},
	} {
		if a, b := exact(tt.a), exact(tt.b); (a == b) != tt.same {
			t.Errorf("%s and %s are\n%s\n%s", tt.a, tt.b, a, b)
		}
	}
	if got, want := exact("Map"), `{"a":1,"b":["x",{"c":2,"d":1}]}`; got != want {
		t.Errorf("a map is %s, want %s", got, want)
	}
	if got, want := made.Definitions("only Prod"), "\nProd={\"Fn::Equals\":[{\"Ref\":\"Stage\"},\"prod\"]}\nStage={\"Type\":\"String\"}"; got != want {
		t.Errorf("a condition comes with %q, want %q", got, want)
	}
	if got := made.Definitions("nothing"); got != "" {
		t.Errorf("nothing comes with %q", got)
	}
	if got, want := made.Definitions("Names and Far"), "\nFar={\"Type\":\"Number\"}\nNames={\"a\":{\"b\":\"c\"}}"; got != want {
		t.Errorf("two come with %q, want %q", got, want)
	}
}
