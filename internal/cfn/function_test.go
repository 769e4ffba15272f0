package cfn_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/internal/cfn"
)

// sections are what the templates of the tests have beside the value that is tested.
const sections = `
Parameters:
  env: {Type: String, Default: dev}
  empty: {Type: String}
  count: {Type: Number, Default: 3}
  groups: {Type: CommaDelimitedList, Default: "Admin, Editor,Reader"}
  ports: {Type: List<Number>, Default: "80,443"}
  secret: {Type: String, Default: "{{resolve:ssm:/a/b}}"}
  stored: {Type: AWS::SSM::Parameter::Value<String>, Default: /a/b}
  switch: {Type: String, Default: true}
Mappings:
  Regions:
    eu-west-1: {short: euw1, zones: [a, b]}
Conditions:
  IsDev: !Equals [!Ref env, dev]
  IsProd: !Equals [!Ref env, prod]
  IsEmpty: !Equals [!Ref empty, ""]
  NotProd: !Not [!Condition IsProd]
  DevOrEmpty: !Or [!Condition IsEmpty, !Condition IsDev]
  ProdAndEmpty: !And [!Condition IsEmpty, !Condition IsProd]
  DevAndEmpty: !And [!Condition IsDev, !Condition IsEmpty]
  Loop: !Not [!Condition Pool]
  Pool: !And [!Condition Loop, !Condition IsDev]
  Switched: !Equals [!Ref switch, true]
  Malformed: !Equals [a]
Resources:
  Table: {Type: AWS::DynamoDB::Table}
  Queue: {Type: AWS::SQS::Queue}
  Nested: {Type: AWS::CloudFormation::Stack}
`

var given = cfn.Given{
	Pseudo: map[string]string{"AWS::Region": "eu-west-1", "AWS::StackName": "amplify-shop-dev-091500"},
	Reference: func(r *cfn.Resource) (string, bool) {
		return "items-dev", r.ID == "Table"
	},
	Attribute: func(r *cfn.Resource, attribute string) (string, bool) {
		return r.ID + "/" + attribute, r.ID == "Table" && attribute == "Arn" || r.ID == "Nested" && attribute == "Outputs.Name"
	},
	Import: func(name string) (string, bool) {
		return "imported", name == "shared-dev"
	},
}

// resolved returns what the output Tested of a template gives.
func resolved(t *testing.T, text string, given cfn.Given) cfn.Value {
	t.Helper()
	template, err := cfn.Parse("test", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return template.With(given).Resolve(template.Root.Get("Outputs", "Tested", "Value"))
}

// show writes a value so that tests can compare it: texts quoted, unknown parts behind
// a value as {what; what}.
func show(v cfn.Value) string {
	var b strings.Builder
	switch v.Kind {
	case cfn.List:
		var items []string
		for _, item := range v.List {
			items = append(items, show(item))
		}
		return "[" + strings.Join(items, " ") + "]"
	case cfn.Map:
		var members []string
		for _, m := range v.Members {
			members = append(members, m.Name+":"+show(m.Value))
		}
		return "{" + strings.Join(members, " ") + "}"
	case cfn.Null:
		b.WriteString("null")
	case cfn.String:
		fmt.Fprintf(&b, "%q", v.Text)
	default:
		b.WriteString(v.Text)
	}
	for i, u := range v.Unknown {
		b.WriteString([]string{" <", "; "}[min(i, 1)] + u.What)
	}
	if !v.Known() {
		b.WriteString(">")
	}
	return b.String()
}

// functions have each value in YAML, in JSON, and what it gives.
var functions = []struct{ yaml, json, want string }{
	{`!Ref env`, `{"Ref": "env"}`, `"dev"`},
	{`!Ref count`, `{"Ref": "count"}`, `"3"`},
	{`!Ref groups`, `{"Ref": "groups"}`, `["Admin" "Editor" "Reader"]`},
	{`!Ref ports`, `{"Ref": "ports"}`, `["80" "443"]`},
	{`!Ref empty`, `{"Ref": "empty"}`, `"*" <the parameter "empty" has no value>`},
	{`!Ref secret`, `{"Ref": "secret"}`, `"{{resolve:ssm:/a/b}}" <the dynamic reference in "{{resolve:ssm:/a/b}}">`},
	{`!Ref stored`, `{"Ref": "stored"}`, `"*" <the parameter "stored" is read from the Parameter Store>`},
	{`!Ref AWS::Region`, `{"Ref": "AWS::Region"}`, `"eu-west-1"`},
	{`!Ref AWS::AccountId`, `{"Ref": "AWS::AccountId"}`, `"*" <the pseudo parameter "AWS::AccountId" has no value>`},
	{`!Ref AWS::NoValue`, `{"Ref": "AWS::NoValue"}`, `null`},
	{`[a, !Ref AWS::NoValue, b]`, `["a", {"Ref": "AWS::NoValue"}, "b"]`, `["a" "b"]`},
	{`{a: 1, b: !Ref AWS::NoValue}`, `{"a": 1, "b": {"Ref": "AWS::NoValue"}}`, `{a:1}`},
	{`!Ref Table`, `{"Ref": "Table"}`, `"items-dev"`},
	{`!Ref Queue`, `{"Ref": "Queue"}`, `"*" <Ref of "Queue">`},
	{`!Ref none`, `{"Ref": "none"}`, `"*" <Ref of "none", which is neither a parameter nor a resource here>`},
	{`!Ref [a]`, `{"Ref": ["a"]}`, `"*" <a Ref without a name>`},

	{`!GetAtt Table.Arn`, `{"Fn::GetAtt": ["Table", "Arn"]}`, `"Table/Arn"`},
	{`{"Fn::GetAtt": Table.Arn}`, `{"Fn::GetAtt": "Table.Arn"}`, `"Table/Arn"`},
	{`!GetAtt Nested.Outputs.Name`, `{"Fn::GetAtt": ["Nested", "Outputs.Name"]}`, `"Nested/Outputs.Name"`},
	{`!GetAtt [Nested, Outputs, Name]`, `{"Fn::GetAtt": ["Nested", "Outputs", "Name"]}`, `"Nested/Outputs.Name"`},
	{`!GetAtt Queue.Arn`, `{"Fn::GetAtt": ["Queue", "Arn"]}`, `"*" <Fn::GetAtt of "Queue.Arn">`},
	{`!GetAtt None.Arn`, `{"Fn::GetAtt": ["None", "Arn"]}`, `"*" <Fn::GetAtt of "None.Arn", which is not a resource here>`},
	{`!GetAtt Table`, `{"Fn::GetAtt": "Table"}`, `"*" <a Fn::GetAtt without a resource and an attribute>`},

	{`!Join ["-", [a, !Ref env, 7, true]]`, `{"Fn::Join": ["-", ["a", {"Ref": "env"}, 7, true]]}`, `"a-dev-7-true"`},
	{`!Join [",", !Ref groups]`, `{"Fn::Join": [",", {"Ref": "groups"}]}`, `"Admin,Editor,Reader"`},
	{`!Join ["", [a, !Ref AWS::NoValue]]`, `{"Fn::Join": ["", ["a", {"Ref": "AWS::NoValue"}]]}`, `"a"`},
	{
		`!Join [":", [arn, !GetAtt Queue.Arn, "x/*"]]`,
		`{"Fn::Join": [":", ["arn", {"Fn::GetAtt": ["Queue", "Arn"]}, "x/*"]]}`,
		`"arn:*:x/*" <Fn::GetAtt of "Queue.Arn">`,
	},
	{`!Join ["-", a]`, `{"Fn::Join": ["-", "a"]}`, `"*" <a text where a list is needed>`},
	{`!Join ["-", [[a]]]`, `{"Fn::Join": ["-", [["a"]]]}`, `"*" <a list where a text is needed>`},
	{`!Join ["-", [{a: b}]]`, `{"Fn::Join": ["-", [{"a": "b"}]]}`, `"*" <a map where a text is needed>`},
	{`!Join ["-"]`, `{"Fn::Join": ["-"]}`, `"*" <a Fn::Join without a separator and a list>`},

	{`!Sub "${env}/${AWS::Region}/${Table}/${Table.Arn}"`, `{"Fn::Sub": "${env}/${AWS::Region}/${Table}/${Table.Arn}"}`, `"dev/eu-west-1/items-dev/Table/Arn"`},
	{`!Sub "${Nested.Outputs.Name}"`, `{"Fn::Sub": "${Nested.Outputs.Name}"}`, `"Nested/Outputs.Name"`},
	{`!Sub "$x ${!Literal} $${env} ${"`, `{"Fn::Sub": "$x ${!Literal} $${env} ${"}`, `"$x ${Literal} $dev ${"`},
	{`!Sub ["${env}-${x}-${x}", {x: !Ref count, env: mine}]`, `{"Fn::Sub": ["${env}-${x}-${x}", {"x": {"Ref": "count"}, "env": "mine"}]}`, `"mine-3-3"`},
	{`!Sub "a${empty}b${empty}"`, `{"Fn::Sub": "a${empty}b${empty}"}`, `"a*b*" <the parameter "empty" has no value>`},
	{`!Sub "${groups}"`, `{"Fn::Sub": "${groups}"}`, `"*" <a list where a text is needed>`},
	{`!Sub [a]`, `{"Fn::Sub": ["a"]}`, `"*" <a Fn::Sub without a text>`},

	{`!If [IsDev, a, !Ref empty]`, `{"Fn::If": ["IsDev", "a", {"Ref": "empty"}]}`, `"a"`},
	{`!If [IsProd, a, [b]]`, `{"Fn::If": ["IsProd", "a", ["b"]]}`, `["b"]`},
	{`!If [IsEmpty, a, b]`, `{"Fn::If": ["IsEmpty", "a", "b"]}`, `"*" <the parameter "empty" has no value>`},
	{`!If [None, a, b]`, `{"Fn::If": ["None", "a", "b"]}`, `"*" <the template has no condition "None">`},
	{`{a: !If [IsProd, x, !Ref AWS::NoValue]}`, `{"a": {"Fn::If": ["IsProd", "x", {"Ref": "AWS::NoValue"}]}}`, `{}`},
	{`!If [IsDev, a]`, `{"Fn::If": ["IsDev", "a"]}`, `"*" <a Fn::If without a condition and two values>`},

	{`!Select [1, [!Ref empty, b]]`, `{"Fn::Select": [1, [{"Ref": "empty"}, "b"]]}`, `"b"`},
	{`!Select ["0", [!Ref empty, b]]`, `{"Fn::Select": ["0", [{"Ref": "empty"}, "b"]]}`, `"*" <the parameter "empty" has no value>`},
	{`!Select [!Ref count, [a]]`, `{"Fn::Select": [{"Ref": "count"}, ["a"]]}`, `"*" <Fn::Select of "3" in a list of 1>`},
	{`!Select [0, !GetAZs ""]`, `{"Fn::Select": [0, {"Fn::GetAZs": ""}]}`, `"*" <Fn::GetAZs>`},
	{`!Select [2, !Split ["-", !Ref AWS::StackName]]`, `{"Fn::Select": [2, {"Fn::Split": ["-", {"Ref": "AWS::StackName"}]}]}`, `"dev"`},
	{`!Split [",", "a,,b"]`, `{"Fn::Split": [",", "a,,b"]}`, `["a" "" "b"]`},
	{`!Split [",", !Sub "a,${empty}"]`, `{"Fn::Split": [",", {"Fn::Sub": "a,${empty}"}]}`, `"*" <the parameter "empty" has no value>`},
	{`!Split ["", a]`, `{"Fn::Split": ["", "a"]}`, `"*" <a Fn::Split with an empty separator>`},

	{`!FindInMap [Regions, !Ref AWS::Region, short]`, `{"Fn::FindInMap": ["Regions", {"Ref": "AWS::Region"}, "short"]}`, `"euw1"`},
	{`!FindInMap [Regions, eu-west-1, zones]`, `{"Fn::FindInMap": ["Regions", "eu-west-1", "zones"]}`, `["a" "b"]`},
	{
		`!FindInMap [Regions, us-east-1, short, {DefaultValue: !Ref env}]`,
		`{"Fn::FindInMap": ["Regions", "us-east-1", "short", {"DefaultValue": {"Ref": "env"}}]}`, `"dev"`,
	},
	{
		`!FindInMap [Regions, us-east-1, short]`, `{"Fn::FindInMap": ["Regions", "us-east-1", "short"]}`,
		`"*" <Fn::FindInMap of "Regions, us-east-1, short", which the mappings do not have>`,
	},
	{`!FindInMap [Regions, !Ref empty, short]`, `{"Fn::FindInMap": ["Regions", {"Ref": "empty"}, "short"]}`, `"*" <the parameter "empty" has no value>`},

	{`!Base64 abc`, `{"Fn::Base64": "abc"}`, `"YWJj"`},
	{`!Base64 {"Fn::Sub": "a${empty}"}`, `{"Fn::Base64": {"Fn::Sub": "a${empty}"}}`, `"*" <the parameter "empty" has no value>`},
	{`!ImportValue {"Fn::Sub": "shared-${env}"}`, `{"Fn::ImportValue": {"Fn::Sub": "shared-${env}"}}`, `"imported"`},
	{`!ImportValue other`, `{"Fn::ImportValue": "other"}`, `"*" <Fn::ImportValue "other">`},
	{
		`!ImportValue {"Fn::Sub": "a-${empty}"}`, `{"Fn::ImportValue": {"Fn::Sub": "a-${empty}"}}`,
		`"*" <Fn::ImportValue "a-*"; the parameter "empty" has no value>`,
	},
	{`!Cidr [10.0.0.0/24, 2, 8]`, `{"Fn::Cidr": ["10.0.0.0/24", 2, 8]}`, `"*" <Fn::Cidr>`},
	{`!Length [a, !Ref empty]`, `{"Fn::Length": ["a", {"Ref": "empty"}]}`, `2`},
	{
		`!ToJsonString {a: !Ref env, n: 1.50, l: [true, "q\""], z: null}`,
		`{"Fn::ToJsonString": {"a": {"Ref": "env"}, "n": 1.50, "l": [true, "q\""], "z": null}}`,
		`"{\"a\":\"dev\",\"n\":1.50,\"l\":[true,\"q\\\"\"],\"z\":null}"`,
	},
	{`{a: 1, "Fn::Transform": {Name: M}}`, `{"a": 1, "Fn::Transform": {"Name": "M"}}`, `{a:1 Fn::Transform:"*" <Fn::Transform>}`},
	{"{\"Fn::a\\tb\": x}", `{"Fn::a\tb": "x"}`, `"*" <"Fn::a\tb">`},
	{`!Equals [a, a]`, `{"Fn::Equals": ["a", "a"]}`, `true`},
	{`{Condition: IsDev}`, `{"Condition": "IsDev"}`, `{Condition:"IsDev"}`},
}

func TestFunctionsGiveTheSameInBothFormats(t *testing.T) {
	t.Parallel()
	for _, tt := range functions {
		if got := show(resolved(t, sections+"Outputs:\n  Tested:\n    Value: "+tt.yaml, given)); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.yaml, got, tt.want)
		}
		if got := show(resolved(t, asJSON(t, tt.json), given)); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.json, got, tt.want)
		}
	}
}

func TestParametersThatAreGivenComeBeforeDefaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		value cfn.Value
		want  string
	}{
		{"env", cfn.Text("prod"), `"prod"`},
		{"empty", cfn.Text(""), `""`},
		{"count", cfn.Value{Kind: cfn.Number, Text: "5"}, `"5"`},
		{"groups", cfn.Text("A , B"), `["A" "B"]`},
		{"groups", cfn.Texts("A", "B"), `["A" "B"]`},
		{"env", cfn.Value{}, `"dev"`},
		{"env", cfn.Value{Kind: cfn.String, Text: "a*", Unknown: []cfn.Unknown{{What: "something"}}}, `"a*" <something>`},
	}
	for _, tt := range tests {
		given := cfn.Given{Parameters: map[string]cfn.Value{tt.name: tt.value}}
		if got := show(resolved(t, sections+"Outputs: {Tested: {Value: !Ref "+tt.name+"}}", given)); got != tt.want {
			t.Errorf("%s = %v: got %s, want %s", tt.name, tt.value, got, tt.want)
		}
	}
}

// TestWhatATemplateLacksMayBeGiven has a resource that a transform makes, and parameters without a default that says something.
func TestWhatATemplateLacksMayBeGiven(t *testing.T) {
	t.Parallel()
	given := cfn.Given{
		Generated:  func(name string) (string, bool) { return "made-" + name, name == "ServerlessRestApi" },
		Parameters: map[string]cfn.Value{"given": {}},
	}
	const parameters = "Parameters:\n  none: {Type: String, Default: null}\n  given: {Type: String, Default: x}\n"
	for name, want := range map[string]string{
		"ServerlessRestApi": `"made-ServerlessRestApi"`,
		"Other":             `"*" <Ref of "Other", which is neither a parameter nor a resource here>`,
		"none":              `"*" <the parameter "none" has no value>`,
		"given":             `"x"`,
	} {
		v := resolved(t, parameters+"Outputs:\n  Tested: {Value: !Ref "+name+"}\n", given)
		if got := show(v); got != want || v.Line == 0 {
			t.Errorf("%s is %s, in line %d, want %s", name, got, v.Line, want)
		}
	}
	// What is unknown in a value of the mappings is unknown of the whole.
	for _, value := range []string{`[a, "{{resolve:ssm:/x}}"]`, `{b: "{{resolve:ssm:/x}}", c: d}`} {
		v := resolved(t, "Mappings: {M: {a: {b: "+value+"}}}\nOutputs:\n  Tested: {Value: !FindInMap [M, a, b]}\n", given)
		if v.Known() || len(v.Unknown) != 1 || v.Unknown[0].What != `the dynamic reference in "{{resolve:ssm:/x}}"` || v.Line != 3 {
			t.Errorf("%s is %s of line %d, of which is unknown %v", value, show(v), v.Line, v.Unknown)
		}
	}
	if v := resolved(t, "Outputs:\n  Tested: {Value: !Ref AWS::NoValue}\n", given); v.Line != 2 || v.Pointer != "/Outputs/Tested/Value" {
		t.Errorf("a value that is none is at %d, %s", v.Line, v.Pointer)
	}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"IsDev": "true true", "IsProd": "false true", "IsEmpty": "false false", "NotProd": "true true", "Switched": "true true",
		"DevOrEmpty": "true true", "ProdAndEmpty": "false true", "DevAndEmpty": "false false",
		"Loop": "false false", "Pool": "false false", "Malformed": "false false", "None": "false false",
	} {
		template, err := cfn.Parse("test", []byte(sections))
		if err != nil {
			t.Fatal(err)
		}
		r := template.With(given)
		holds, known := r.Condition(name)
		if got := fmt.Sprint(holds && known, known); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		if why := r.WhyUnknown(name); known != (why == nil) {
			t.Errorf("%s: known is %t, because of %v", name, known, why)
		}
	}
}

func TestAConditionThatNeedsItselfIsUnknown(t *testing.T) {
	t.Parallel()
	template, err := cfn.Parse("test", []byte(sections))
	if err != nil {
		t.Fatal(err)
	}
	why := template.With(given).WhyUnknown("Loop")
	if len(why) != 1 || why[0].What != `the condition "Loop" needs itself` || why[0].Line == 0 {
		t.Errorf("got %v", why)
	}
}

func TestUnknownPartsSayWhereTheyAre(t *testing.T) {
	t.Parallel()
	v := resolved(t, "Outputs:\n  Tested:\n    Value: !Join\n      - '-'\n      - [a, !Ref none]\n", given)
	want := cfn.Unknown{
		Pointer: "/Outputs/Tested/Value/Fn::Join/1/1", Line: 5, Column: 13,
		What: `Ref of "none", which is neither a parameter nor a resource here`,
	}
	if len(v.Unknown) != 1 || v.Unknown[0] != want {
		t.Errorf("got %+v, want %+v", v.Unknown, want)
	}
	if v.Line != 3 || v.Pattern() != "a-*" {
		t.Errorf("the value is in line %d with the pattern %s", v.Line, v.Pattern())
	}
	if _, ok := v.String(); ok {
		t.Error("an unknown text is given as if it were known")
	}
}
