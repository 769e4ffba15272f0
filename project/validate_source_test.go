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

func TestAFunctionInALanguageThatIsNotRunHereIsToldAtOnce(t *testing.T) {
	t.Parallel()
	for runtime, want := range map[string]bool{"java17": true, "dotnet8": true, "nodejs16.x": false, "": false} {
		fsys := disk.Memory()
		put(t, fsys, "amplify/backend/function/items/items-cloudformation-template.json",
			"{\"Resources\": {\"LambdaFunction\": {\"Type\": \"AWS::Lambda::Function\", \"Properties\": {\n\"Runtime\": \""+runtime+"\", \"Handler\": \"index.handler\"}}}}")
		put(t, fsys, "amplify/backend/function/items/src/index.js", "")
		text := "items-cloudformation-template.json:2:12: function items is written for " + runtime + ", which gatewright neither runs nor packs"
		if got := lines(validate.Project(load(t, fsys, project.Amplify))); strings.Contains(got, text) != want || strings.Contains(got, "is written for") != want {
			t.Errorf("%s: %s", runtime, got)
		}
	}
}
