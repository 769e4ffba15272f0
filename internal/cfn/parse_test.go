package cfn_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/cfn"
)

func TestBothFormatsGiveTheSameNodes(t *testing.T) {
	t.Parallel()
	tests := []struct{ yaml, json string }{
		{"A: !Ref B", `{"A": {"Ref": "B"}}`},
		{"A: !GetAtt B.C.D", `{"A": {"Fn::GetAtt": ["B", "C.D"]}}`},
		{"A: !GetAtt [B, C]", `{"A": {"Fn::GetAtt": ["B", "C"]}}`},
		{"A: {Fn::GetAtt: B.C}", `{"A": {"Fn::GetAtt": "B.C"}}`},
		{"A: !Sub\n  - x${y}\n  - y: !Join ['', [a]]", `{"A": {"Fn::Sub": ["x${y}", {"y": {"Fn::Join": ["", ["a"]]}}]}}`},
		{"A: !Sub |\n  one\n  two\n", `{"A": {"Fn::Sub": "one\ntwo\n"}}`},
		{"A: !Condition B", `{"A": {"Condition": "B"}}`},
		{"A: !If [B, !Ref C, !Ref AWS::NoValue]", `{"A": {"Fn::If": ["B", {"Ref": "C"}, {"Ref": "AWS::NoValue"}]}}`},
		{"A: 2012-10-17", `{"A": "2012-10-17"}`},
		{"A: [yes, No, on, off, y]", `{"A": ["yes", "No", "on", "off", "y"]}`},
		{"A: [true, False, TRUE]", `{"A": [true, false, true]}`},
		{"A: [0.10, 1e3, -7]", `{"A": [0.10, 1e3, -7]}`},
		{"A: ['7', \"true\", 'null', 10:30, .inf]", `{"A": ["7", "true", "null", "10:30", ".inf"]}`},
		{"A: [~, null, ]", `{"A": [null, null]}`},
		{"A:\nB: ''", `{"A": null, "B": ""}`},
		{"A: !Ref 7", `{"A": {"Ref": "7"}}`},
		{"A: !!str 7", `{"A": "7"}`},
		{"1: a\ntrue: b", `{"1": "a", "true": "b"}`},
		{"A: &x {b: 1}\nC: *x", `{"A": {"b": 1}, "C": {"b": 1}}`},
		{"A: &x !Ref B\nC: *x", `{"A": {"Ref": "B"}, "C": {"Ref": "B"}}`},
		{"A: &x {b: 1, c: 2}\nD:\n  <<: *x\n  c: 3", `{"A": {"b": 1, "c": 2}, "D": {"c": 3, "b": 1}}`},
		{"A: &x {b: 1}\nC: &y {b: 2, d: 3}\nE: {<<: [*x, *y]}", `{"A": {"b": 1}, "C": {"b": 2, "d": 3}, "E": {"b": 1, "d": 3}}`},
		{"\ufeffA: é", "\ufeff{\"A\": \"\\u00e9\"}"},
		{"# a comment\nA: b # another\n", `{"A": "b"}`},
		{"A/b~c: {d: e}", `{"A/b~c": {"d": "e"}}`},
	}
	for _, tt := range tests {
		y, err := cfn.Parse("yaml", []byte(tt.yaml))
		if err != nil {
			t.Errorf("%s: %v", tt.yaml, err)
			continue
		}
		j, err := cfn.Parse("json", []byte(tt.json))
		if err != nil {
			t.Errorf("%s: %v", tt.json, err)
			continue
		}
		if got, want := written(t, y.Root), written(t, j.Root); got != want {
			t.Errorf("%s\n got %s\nwant %s", tt.yaml, got, want)
		}
		if got, want := pointers(y.Root), pointers(j.Root); !strings.Contains(tt.yaml, "<<") && !slices.Equal(got, want) {
			t.Errorf("%s\n got %s\nwant %s", tt.yaml, got, want)
		}
	}
}

func pointers(n *cfn.Node) []string {
	all := []string{n.Pointer}
	for _, item := range n.Items {
		all = append(all, pointers(item)...)
	}
	for _, m := range n.Members {
		all = append(all, pointers(m.Value)...)
	}
	return all
}

func TestNodesKnowTheirPlaces(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text   string
		path         []string
		line, column int
	}{
		{"json", "{\n  \"A\": {\"é\": {\"b\": 7},\n \"c\" :\t[1]}}", []string{"A", "é", "b"}, 2, 20},
		{"json", "{\n  \"A\": {\"é\": {\"b\": 7},\n \"c\" :\t[1]}}", []string{"A", "c"}, 3, 8},
		{"yaml", "A:\n  é: {b: 7}\n  c: !Ref d\n", []string{"A", "é", "b"}, 2, 10},
		{"yaml", "A:\n  é: {b: 7}\n  c: !Ref d\n", []string{"A", "c", "Ref"}, 3, 6},
	}
	for _, tt := range tests {
		template, err := cfn.Parse(tt.name, []byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		n := template.Root.Get(tt.path...)
		if n == nil || n.Line != tt.line || n.Column != tt.column {
			t.Errorf("%q %v: got %+v, want %d:%d", tt.text, tt.path, n, tt.line, tt.column)
		}
	}
}

func TestWhatIsNoTemplateIsRefused(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"", "f:1:1: the template is empty: write at least one resource"},
		{" \n\t", "f:1:1: the template is empty: write at least one resource"},
		{"# nothing\n", "the template is empty"},
		{`{"A": 1,` + "\n" + ` "A": 2}`, `f:2:2: the name "A" comes twice here: remove or rename one of the two`},
		{"A: 1\nB: 2\nA: 3\n", `f:3:1: the name "A" comes twice here: remove or rename one of the two`},
		{`{"A": `, "f:1:7: the template ends in the middle of a value"},
		{`{"A": [1, 2`, "f:1:12: the template ends in the middle of a value"},
		{`{"A": tru}`, "f:1:10: this is not JSON"},
		{`{"A" 1}`, "f:1:6: this is not JSON"},
		{`{"A": 1} {}`, "f:1:10: there is text after the end of the template: remove it"},
		{"{\"A\": \"\xff\"}", "this is not JSON"},
		{"A: \"\xff\"", "f:1:5: bytes that are not UTF-8: save the file as UTF-8"},
		{"A: [1, 2\nB: 3", "f:1: this is not YAML"},
		{"A: *none", "this is not YAML (unknown anchor 'none' referenced)"},
		{"A: !Unheard B", `f:1:4: the tag "!Unheard" is not a function of CloudFormation: use one that is`},
		{"A: 1\n---\nB: 2\n", "f:2:1: a second document begins here: a template is one document, remove the rest"},
		{"- A\n- B\n", "f:1:1: a template is a map with the key Resources, this is a list"},
		{"just words", "f:1:1: a template is a map with the key Resources, this is a text"},
		{"[a]: b", "f:1:1: this key is a list or a map: write a text"},
		{"A: {<<: b}", "f:1:9: the key << takes a map or a list of maps, this is a text"},
		{"A: &a [*a]", "more than 100 nested lists and maps: nest less deeply"},
		{"A: &a {<<: *a}", "more than 100 nested lists and maps: nest less deeply"},
	}
	for _, tt := range tests {
		_, err := cfn.Parse("f", []byte(tt.text))
		var fault *cfn.SyntaxError
		if !errors.As(err, &fault) {
			t.Errorf("%q: got %v, want a *SyntaxError", tt.text, err)
			continue
		}
		if got := fault.Error(); !strings.Contains(got, tt.want) || strings.Contains(got, "\n") {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

func TestSectionsAreFound(t *testing.T) {
	t.Parallel()
	template, err := cfn.Parse("f", []byte(`
Parameters: {env: {Type: String, Default: dev}, odd: 7}
Resources:
  B: {Type: AWS::S3::Bucket, DependsOn: A, Properties: {BucketName: b}}
  A: {Type: AWS::SNS::Topic, Condition: C, DependsOn: [X, Y]}
  odd: text
Outputs:
  Two: {Value: !Ref B, Export: {Name: shared}}
  One: {Value: x, Condition: C}
  odd: [1]
`))
	if err != nil {
		t.Fatal(err)
	}
	resources := template.Resources()
	if len(resources) != 2 || resources[0].ID != "B" || resources[1].ID != "A" {
		t.Fatalf("resources: %+v", resources)
	}
	b, a := resources[0], template.Resource("A")
	if b.Type != "AWS::S3::Bucket" || b.Properties.Get("BucketName").Text != "b" || !slices.Equal(b.DependsOn, []string{"A"}) {
		t.Errorf("B: %+v", b)
	}
	if a.Condition != "C" || a.Properties != nil || a.Node.Line != 5 || !slices.Equal(a.DependsOn, []string{"X", "Y"}) {
		t.Errorf("A: %+v", a)
	}
	if template.Resource("odd") != nil || template.Resource("Z") != nil {
		t.Error("there is a resource that is none")
	}
	outputs := template.Outputs()
	if len(outputs) != 2 || outputs[0].Name != "Two" || outputs[0].Export.Text != "shared" || outputs[1].Condition != "C" || outputs[1].Export != nil {
		t.Errorf("outputs: %+v", outputs)
	}
	parameters := template.Parameters()
	if len(parameters) != 1 || parameters[0].Name != "env" || parameters[0].Type != "String" || parameters[0].Default.Text != "dev" {
		t.Errorf("parameters: %+v", parameters)
	}
	if missing := template.Root.Get("Resources", "none", "Properties"); missing != nil {
		t.Errorf("a missing node is %+v", missing)
	}
	if v := template.With(cfn.Given{}).Resolve(nil); v.Kind != cfn.Null || !v.Known() {
		t.Errorf("the value of a missing node is %+v", v)
	}
}
