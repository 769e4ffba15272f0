package project_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/validate"
)

// amplifyFunction makes an Amplify CLI project with one function, whose template has the
// properties given.
func amplifyFunction(t *testing.T, properties string) *project.Project {
	t.Helper()
	fsys := disk.Memory()
	put(t, fsys, "amplify/backend/function/items/items-cloudformation-template.json", "{\"Resources\": {\"LambdaFunction\": {\"Properties\":\n"+properties+"}}}")
	return load(t, fsys, project.Amplify)
}

func TestVariablesWithTextInATemplateAreRead(t *testing.T) {
	t.Parallel()
	p := amplifyFunction(t, `{"Environment": {"Variables": {
		"ENV": {"Ref": "env"},
		"LOG": "info",
		"EMPTY": "",
		"TABLE": {"Fn::Sub": "items-${env}"},
		"KEY": "{{resolve:ssm:/shop/key:1}}",
		"PORT": 80,
		"no-name": "x"}}}`)
	want := []model.Variable{{Name: "LOG", Value: "info"}, {Name: "EMPTY"}}
	if got := p.Backend.Function("items").Environment; !slices.Equal(got, want) {
		t.Errorf("the variables are %+v", got)
	}
	if template := p.Amplify.Template("function", "items"); template == nil || template.Resource("LambdaFunction") == nil {
		t.Errorf("the template is %+v", template)
	}
	if got := lines(p.Problems) + lines(validate.Project(p)); got != "" {
		t.Errorf("problems are\n%s", got)
	}
}

func TestATemplateWithoutVariablesGivesNone(t *testing.T) {
	t.Parallel()
	for _, properties := range []string{`{}`, `{"Environment": {"Ref": "all"}}`, `{"Environment": "x"}`, `{"Environment": {"Variables": ["LOG"]}}`, `[]`} {
		p := amplifyFunction(t, properties)
		if f := p.Backend.Function("items"); len(f.Environment) > 0 {
			t.Errorf("%s gives %+v", properties, f.Environment)
		}
	}
}

func TestAHandlerOutsideTheSourceIsReportedAtItsPlace(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	native(t, fsys, served(t, "f"), nil)
	put(t, fsys, "backend/function/f/function.json", "{\"version\": 1, \"runtime\": \"nodejs\",\n  \"handler\": \"../g/src/index.handler\"}")
	const said = "the handler ../g/src/index.handler leads out of the function's folder"
	want := "error: backend/function/f/function.json:2:3: function f: " + said + " (at /handler); name a file below src, such as index.handler\n"
	if got := lines(validate.Project(load(t, fsys, project.Native))); !strings.Contains(got, want) {
		t.Errorf("problems are\n%s", got)
	}
	want = "warning: amplify/backend/function/items/items-cloudformation-template.json:2:17: function items: " + said +
		" (at /Resources/LambdaFunction/Properties/Handler); name a file below src, such as index.handler\n"
	if got := lines(validate.Project(amplifyFunction(t, `{"Timeout": 25, "Handler": "../g/src/index.handler"}`))); got != want {
		t.Errorf("problems of an Amplify CLI function are\n%s", got)
	}
	want = "error: amplify/backend/function/items/items-cloudformation-template.json:2:2: function items: the timeout is 901 seconds"
	if got := lines(validate.Project(amplifyFunction(t, `{"Timeout": 901}`))); !strings.HasPrefix(got, want) {
		t.Errorf("problems of an Amplify CLI function are\n%s", got)
	}
}

func TestAReservedVariableInATemplateIsAWarningAtItsPlace(t *testing.T) {
	t.Parallel()
	const want = "warning: amplify/backend/function/items/items-cloudformation-template.json:3:2: function items: the variable AWS_REGION is set by AWS itself (at /Resources/LambdaFunction/Properties/Environment/Variables/AWS_REGION); give it another name\n"
	if got := lines(validate.Project(amplifyFunction(t, "{\"Environment\": {\"Variables\": {\n \"AWS_REGION\": \"x\"}}}"))); got != want {
		t.Errorf("problems are\n%s", got)
	}
}
