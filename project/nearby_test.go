package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/project"
)

func TestAFolderWithoutAProjectSaysWhatIsThereInstead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, want string
		files      []string
	}{
		{"nothing", "create one with: gatewright init --name NAME", []string{"template.yaml", "a/b/amplify/backend/x", `c/backend/project.json={"name": "c"}`, "cdk.json", "openapi.yaml"}},
		{"an Amplify project below", "there is a project in frontend; change to it with: cd ./frontend, or convert it with: gatewright import amplify ./frontend --into DIR", []string{"frontend/amplify/backend/x", "serverless.yml"}},
		{"our own below", "there is a project in api; change to it with: cd ./api", []string{`api/backend/project.json={"applicationId": "a"}`}},
		{"a name with a space", `there is a project in "my app"; change to it with: cd './my app'`, []string{"my app/amplify/backend/x"}},
		{"the second generation below", "there is a project in web; change to it with: cd ./web", []string{"web/amplify/backend.ts"}},
		{"several", "there are projects in api, frontend; change to one with: cd NAME", []string{"frontend/amplify/backend/x", "api/amplify/backend/x"}},
		{"the Serverless Framework", "serverless.yml is of the Serverless Framework, which gatewright does not open; create a project next to it with: gatewright init --name NAME, and import its OpenAPI document with: gatewright add api NAME --from FILE", []string{"serverless.yml"}},
		{"in TypeScript, with a document", "serverless.ts is of the Serverless Framework, which gatewright does not open; create a project next to it with: gatewright init --name NAME, and import its OpenAPI document with: gatewright add api NAME --from openapi.yaml", []string{"serverless.ts", "openapi.yaml"}},
		{"SAM", "template.yaml is of AWS SAM, which gatewright does not open; create a project next to it with: gatewright init --name NAME, and compare who may do what with: gatewright prove template.yaml", []string{"template.yaml=Transform: AWS::Serverless-2016-10-31"}},
		{"CloudFormation", "template.yml is of AWS CloudFormation, which gatewright does not open; create a project next to it with: gatewright init --name NAME, and compare who may do what with: gatewright prove template.yml", []string{"template.yml=Type: AWS::ApiGateway::RestApi"}},
		{"SAM without its template", "samconfig.toml is of AWS SAM, which gatewright does not open; create a project next to it with: gatewright init --name NAME, and compare who may do what with: gatewright prove TEMPLATE", []string{"samconfig.toml=version = 0.1"}},
		{"the CDK", "cdk.json is of the AWS CDK, which gatewright does not open; create a project next to it with: gatewright init --name NAME, and compare who may do what with: gatewright prove cdk.out/STACK.template.json", []string{`cdk.json={"app": "npx x"}`}},
		{"OpenAPI", "swagger.json is of OpenAPI, which gatewright does not open; create a project next to it with: gatewright init --name NAME, and import its OpenAPI document with: gatewright add api NAME --from swagger.json", []string{`swagger.json={"swagger": "2.0", "paths": {}}`, "openapi.json/x"}},
	} {
		dir := t.TempDir()
		for _, name := range tt.files {
			name, text, _ := strings.Cut(name, "=")
			must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		_, _, err := project.Find(dir)
		if !errors.Is(err, project.ErrNoProject) || !strings.HasPrefix(err.Error(), "no project in this folder or any folder above; "+tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if seen := project.Seen(err); (seen != "") == (tt.name == "nothing") || seen != "" && seen != err.Error() {
			t.Errorf("%s: seen is %q", tt.name, seen)
		}
	}
}

func TestWhatIsInTheFolderAboveIsSeenToo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "template.yaml"), []byte("Transform: AWS::Serverless-2016-10-31"), 0o644))
	must(t, os.Mkdir(filepath.Join(dir, "src"), 0o755))
	_, _, err := project.Find(filepath.Join(dir, "src"))
	if !errors.Is(err, project.ErrNoProject) || !strings.Contains(err.Error(), "; ../template.yaml is of AWS SAM") || !strings.HasSuffix(err.Error(), "gatewright prove ../template.yaml") {
		t.Errorf("from below it is %v", err)
	}
	must(t, os.Mkdir(filepath.Join(dir, "amplify"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "amplify", "backend.ts"), nil, 0o644))
	if _, _, err = project.Find(filepath.Join(dir, "src")); !strings.Contains(project.Seen(err), "gatewright import amplify") {
		t.Errorf("of the second generation it sees %q", project.Seen(err))
	}
}
