package cfn

import (
	"slices"
	"strings"
	"testing"
)

func parse(t testing.TB, text string) *Template {
	t.Helper()
	template, err := Parse("template", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return template
}

// given is what the tests resolve against.
var given = Given{
	Parameters: map[string]Value{"env": TextValue("dev"), "list": TextValue("a, b,c"), "undeclared": TextValue("given")},
	Pseudo:     map[string]string{"AWS::Region": "eu-west-1", "AWS::AccountId": "123456789012"},
	Reference: func(r *Resource) (string, bool) {
		return "ref-" + r.ID, r.Type == "Known"
	},
	Attribute: func(r *Resource, attribute string) (string, bool) {
		return r.ID + "/" + attribute, r.Type == "Known"
	},
	Import: func(name string) (string, bool) { return "import-" + name, name == "api:Table" },
}

const head = `
Parameters:
  env: {Type: String}
  list: {Type: CommaDelimitedList}
  none: {Type: String}
  small: {Type: Number, Default: 3}
Mappings:
  sizes: {dev: {memory: 128}}
Conditions:
  isDev: !Equals [!Ref env, dev]
  isNone: !Equals [!Ref none, x]
  circle: !Not [!Condition circle]
  either: !Or [!Condition isNone, !Condition isDev]
  both: !And [!Condition isNone, !Condition isDev]
  neither: !And [!Condition isNone, !Not [!Condition isDev]]
Resources:
  A: {Type: Known}
  B: {Type: Strange}
`

func TestFunctionsGiveWhatTheyGiveInTheCloud(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		{"!Ref env", "dev"},
		{"!Ref small", "3"},
		{"!Ref AWS::Region", "eu-west-1"},
		{"!Ref A", "ref-A"},
		{"!Ref undeclared", "given"},
		{"!GetAtt A.Outputs.Name", "A/Outputs.Name"},
		{"{'Fn::GetAtt': [A, Arn]}", "A/Arn"},
		{"!Join ['-', [a, !Ref env, 7]]", "a-dev-7"},
		{"!Join ['', []]", ""},
		{"!Join [',', !Ref list]", "a,b,c"},
		{"!Sub 'x-${env}-${AWS::Region}-${A}-${A.Arn}-${!env}'", "x-dev-eu-west-1-ref-A-A/Arn-${env}"},
		{"!Sub ['${a}-${env}', {a: !Ref small}]", "3-dev"},
		{"!If [isDev, yes, no]", "yes"},
		{"!If [either, !Ref env, !Ref none]", "dev"},
		{"!If [neither, a, b]", "b"},
		{"!Select [1, !Ref list]", "b"},
		{"!Select ['0', [known, !Ref none]]", "known"},
		{"!Select [3, !Split ['-', amplify-app-dev-1234-storage]]", "1234"},
		{"!FindInMap [sizes, !Ref env, memory]", "128"},
		{"!FindInMap [sizes, prod, memory, {DefaultValue: 5}]", "5"},
		{"!Base64 hello", "aGVsbG8="},
		{"!ImportValue 'api:Table'", "import-api:Table"},
		{"!Length [a, b]", "2"},
		{"!ToJsonString {a: 1, b: [x]}", `{"a":1,"b":["x"]}`},
		{"2012-10-17", "2012-10-17"},
		{"yes", "yes"},
	} {
		template := parse(t, head+"Metadata: {it: "+test.expression+"}\n")
		v := template.With(given).Resolve(template.Root.Get("Metadata", "it"))
		if got, known := v.String(); !known || got != test.want {
			t.Errorf("%s is %q (%+v), want %q", test.expression, got, v, test.want)
		}
	}
}

func TestWhatIsUnknownIsNamedWithItsPlace(t *testing.T) {
	for _, test := range []struct{ expression, pattern, what string }{
		{"!Ref none", "*", `the parameter "none" has no value`},
		{"!Ref B", "*", `Ref of the resource "B"`},
		{"!Ref nothing", "*", `Ref of "nothing", which the template does not have`},
		{"!GetAtt B.Arn", "*", `Fn::GetAtt of "B.Arn"`},
		{"!Ref AWS::StackId", "*", "the value of AWS::StackId"},
		{"!Join [':', [arn, !Ref none, 'table/*']]", "arn:*:table/*", `"none"`},
		{"!Sub 'a-${none}-${env}'", "a-*-dev", `"none"`},
		{"!If [isNone, a, b]", "*", `"none"`},
		{"!If [both, a, b]", "*", `"none"`},
		{"!If [circle, a, b]", "*", `the condition "circle" needs itself`},
		{"!If [missing, a, b]", "*", `the condition "missing"`},
		{"!ImportValue other", "*", `Fn::ImportValue "other"`},
		{"!Select [9, !Ref list]", "*", "Fn::Select of item 9 of 3"},
		{"!Join [a]", "*", "Fn::Join is not written as it should be"},
		{"!GetAZs ''", "*", "Fn::GetAZs"},
		{"!FindInMap [sizes, prod, memory]", "*", `Fn::FindInMap of "sizes.prod.memory"`},
		{"'{{resolve:ssm:/a:1}}'", "*", "a dynamic reference"},
	} {
		template := parse(t, head+"Metadata:\n  it: "+test.expression+"\n")
		v := template.With(given).Resolve(template.Root.Get("Metadata", "it"))
		if _, known := v.String(); known || v.Known() || !strings.Contains(v.Unknown[0].What, test.what) {
			t.Errorf("%s is %+v, want it to be unknown: %s", test.expression, v, test.what)
			continue
		}
		if got := v.Pattern(); got != test.pattern {
			t.Errorf("%s has the pattern %q, want %q", test.expression, got, test.pattern)
		}
		if u := v.Unknown[0]; u.Line == 0 || u.Column == 0 || u.Pointer == "" {
			t.Errorf("%s has no place: %+v", test.expression, u)
		}
	}
}

// function is a template in the manner of the Amplify CLI.
const function = `{
  "Parameters": {"env": {"Type": "String"}, "storagetodosName": {"Type": "String", "Default": "x"}, "storagetodosArn": {"Type": "String"}},
  "Conditions": {"NoEnv": {"Fn::Equals": [{"Ref": "env"}, "NONE"]}},
  "Resources": {
    "LambdaFunction": {"Type": "AWS::Lambda::Function", "DependsOn": ["Policy"], "Properties": {
      "FunctionName": {"Fn::If": ["NoEnv", "todos", {"Fn::Join": ["", ["todos", "-", {"Ref": "env"}]]}]},
      "Gone": {"Ref": "AWS::NoValue"},
      "Environment": {"Variables": {
        "ENV": {"Ref": "env"},
        "SECRET": {"Fn::Join": ["", [{"Fn::Sub": ["/amplify/${app}/${env}/AMPLIFY_${name}_", {"app": "d1", "env": {"Ref": "env"}, "name": "todos"}]}, "SECRET"]]}
      }}
    }},
    "Policy": {"Type": "AWS::IAM::Policy", "Condition": "NoEnv", "Properties": {"PolicyDocument": {"Statement": [
      {"Effect": "Allow", "Action": ["dynamodb:Put*", "dynamodb:Get*"], "Resource": [{"Ref": "storagetodosArn"}, {"Fn::Join": ["/", [{"Ref": "storagetodosArn"}, "index/*"]]}]},
      {"Effect": "Deny", "NotAction": "s3:*", "Resource": "*"}
    ]}}}
  },
  "Outputs": {"Name": {"Value": {"Ref": "LambdaFunction"}, "Export": {"Name": "out"}}}
}`

func TestATemplateOfAFunctionIsRead(t *testing.T) {
	template := parse(t, function)
	arn := "arn:aws:dynamodb:eu-west-1:123456789012:table/todos-dev"
	r := template.With(Given{Parameters: map[string]Value{"env": TextValue("dev"), "storagetodosArn": TextValue(arn)}})
	lambda := template.Resource("LambdaFunction")
	if lambda == nil || lambda.Type != "AWS::Lambda::Function" || !slices.Equal(lambda.DependsOn, []string{"Policy"}) {
		t.Fatalf("the function is %+v", lambda)
	}
	properties := r.Resolve(lambda.Properties)
	if _, found := properties.Get("Gone"); found {
		t.Error("a member with AWS::NoValue is there")
	}
	variables := lambda.Properties.Get("Environment", "Variables")
	for name, want := range map[string]string{"ENV": "dev", "SECRET": "/amplify/d1/dev/AMPLIFY_todos_SECRET"} {
		if got, _ := r.Resolve(variables.Get(name)).String(); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if name, _ := properties.Get("FunctionName"); name.Text != "todos-dev" {
		t.Errorf("its name is %+v", name)
	}
	policy := template.Resource("Policy")
	if exists, known := r.Exists(policy); exists || !known {
		t.Errorf("the policy exists: %t, known: %t", exists, known)
	}
	statements := Statements(r.Resolve(policy.Properties.Get("PolicyDocument")))
	if len(statements) != 2 || !slices.Equal(statements[0].Resources, []string{arn, arn + "/index/*"}) || !statements[1].NotAction || statements[1].Effect != "Deny" {
		t.Errorf("the statements are %+v", statements)
	}
	partly := Statements(template.With(Given{}).Resolve(policy.Properties.Get("PolicyDocument")))
	if !partly[0].Partly || !slices.Equal(partly[0].Resources, []string{"*", "*/index/*"}) {
		t.Errorf("without the table's ARN they are %+v", partly)
	}
	if outputs := template.Outputs(); len(outputs) != 1 || outputs[0].Name != "Name" || outputs[0].Export.Text != "out" {
		t.Errorf("the outputs are %+v", outputs)
	}
}

func TestPatternsOfPoliciesMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, text string
		action, want  bool
	}{
		{"dynamodb:*", "dynamodb:GetItem", true, true},
		{"DynamoDB:getitem", "dynamodb:GetItem", true, true},
		{"*", "dynamodb:GetItem", true, true},
		{"dynamodb:Get?tem", "dynamodb:GetItem", true, true},
		{"dynamodb:Get", "dynamodb:GetItem", true, false},
		{"arn:aws:dynamodb:*:*:table/todos-*", "arn:aws:dynamodb:eu-west-1:1:table/todos-dev", false, true},
		{"arn:aws:dynamodb:*:*:table/Todos-*", "arn:aws:dynamodb:eu-west-1:1:table/todos-dev", false, false},
		{"", "", false, true},
		{"", "a", false, false},
		{"a*b*c", "axxbxxbc", false, true},
		{strings.Repeat("a*", 200) + "b", strings.Repeat("a", 5000), false, false},
	} {
		got := MatchResource(test.pattern, test.text)
		if test.action {
			got = MatchAction(test.pattern, test.text)
		}
		if got != test.want {
			t.Errorf("%.40s matches %.40s: %t", test.pattern, test.text, got)
		}
	}
}
