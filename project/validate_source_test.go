package project_test

import (
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/read"
	"gatewright/project/validate"
)

func TestAFunctionWithoutTheFileOfItsHandlerIsNotValid(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	b := served(t, "f")
	native(t, fsys, b, nil)
	put(t, fsys, "backend/function/f/function.json", "{\"version\": 1, \"runtime\": \"nodejs\",\n  \"handler\": \"app.main\"}")
	find := func() string {
		var errors []*read.Problem
		for _, problem := range validate.Project(load(t, fsys, project.Native)) {
			if problem.Level == model.Error {
				errors = append(errors, problem)
			}
		}
		return lines(errors)
	}
	must(t, fsys.RemoveAll("backend/function/f/src"))
	if got := find(); !strings.HasPrefix(got, "error: backend/function/f/function.json:1:1: function f: its folder src is missing") || strings.Count(got, "\n") != 1 {
		t.Errorf("without a folder: %s", got)
	}
	put(t, fsys, "backend/function/f/src/main.ts", "")
	if got := find(); !strings.Contains(got, "function.json:2:3: function f: the handler app.main has no file: there is no src/app.js or src/app.ts") || !strings.Contains(got, "main.main for src/main.ts") {
		t.Errorf("with another file: %s", got)
	}
	for _, file := range []string{"app.ts", "app.mjs"} {
		put(t, fsys, "backend/function/f/src/"+file, "")
		if got := find(); got != "" {
			t.Errorf("with %s: %s", file, got)
		}
		must(t, fsys.Remove("backend/function/f/src/"+file))
	}
	// A layer may have the handler.
	put(t, fsys, "backend/function/f/function.json", `{"version": 1, "runtime": "nodejs", "handler": "app.main", "layers": ["arn:aws:lambda:eu-west-1:123456789012:layer:wrapper:1"]}`)
	if got := find(); got != "" {
		t.Errorf("with a layer: %s", got)
	}
}

func TestALayerOfAnAmplifyProjectMayHaveTheHandler(t *testing.T) {
	t.Parallel()
	for layers, want := range map[string]bool{`[]`: true, `["arn:aws:lambda:eu-west-1:123456789012:layer:wrapper:1"]`: false, `[{"Ref": "layer"}]`: false} {
		fsys := disk.Memory()
		put(t, fsys, "amplify/backend/function/items/items-cloudformation-template.json",
			`{"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Runtime": "nodejs22.x", "Handler": "wrapper.handler", "Layers": `+layers+`}}}}`)
		put(t, fsys, "amplify/backend/function/items/src/index.js", "")
		if got := lines(validate.Project(load(t, fsys, project.Amplify))); strings.Contains(got, "has no file") != want {
			t.Errorf("with the layers %s: %s", layers, got)
		}
	}
}

func TestTypeScriptThatTheAmplifyCLIUploadsAsItIsIsTold(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	put(t, fsys, "amplify/backend/function/items/items-cloudformation-template.json", `{"Resources": {"LambdaFunction": {"Properties": {"Runtime": "nodejs22.x", "Handler": "index.handler"}}}}`)
	put(t, fsys, "amplify/backend/function/items/src/index.ts", "")
	if got := lines(validate.Project(load(t, fsys, project.Amplify))); !strings.Contains(got, "warning: ") || !strings.Contains(got, "src/index.ts is written in TypeScript") || !strings.Contains(got, "add a script amplify:items") {
		t.Errorf("without a script: %s", got)
	}
	put(t, fsys, "package.json", `{"scripts": {"amplify:items": "tsc"}}`)
	if got := lines(validate.Project(load(t, fsys, project.Amplify))); got != "" {
		t.Errorf("with a script: %s", got)
	}
}

func TestRuntimesOfTheAmplifyCLIThatAreOldOrDoNotRunHereAreTold(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	for runtime, source := range map[string]string{"nodejs12.x": "index.js", "java21": "X.java", "provided.al2023": "main.go"} {
		name, _, _ := strings.Cut(runtime, ".")
		at := "amplify/backend/function/" + name + "/"
		put(t, fsys, at+name+"-cloudformation-template.json",
			`{"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Runtime": "`+runtime+`", "Handler": "index.handler"}}}}`)
		put(t, fsys, at+"src/"+source, "")
	}
	const place = "/Resources/LambdaFunction/Properties/Runtime"
	want := "warning: amplify/backend/function/java21/java21-cloudformation-template.json:1:94: function java21 is written for java21, which gatewright neither runs nor packages: in the sandbox a call of it is an error (at " + place + "); call it in the cloud, or rewrite it for nodejs, python or go\nwarning: amplify/backend/function/nodejs12/nodejs12-cloudformation-template.json:1:94: AWS ended support for the runtime nodejs12.x on 2023-03-31, creates no function with it since 2023-03-31, and updates none since 2023-04-30 (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html) (at " + place + "); use a newer one, such as nodejs24.x or python3.14\n"
	if got := lines(validate.Project(load(t, fsys, project.Amplify))); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
