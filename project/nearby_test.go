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
		{"nothing", "make one with: gatewright init --name NAME", []string{"template.yaml", "a/b/amplify/backend/x", "c/backend/project.json"}},
		{"an Amplify project below", "there is one in frontend; go there with: cd ./frontend", []string{"frontend/amplify/backend/x", "serverless.yml"}},
		{"a name with a space", `there is one in "my app"; go there with: cd './my app'`, []string{"my app/amplify/backend/x"}},
		{"the second generation below", "there is one in web; go there with: cd ./web", []string{"web/amplify/backend.ts"}},
		{"several", "there are some in api, frontend; go to one with: cd NAME", []string{"frontend/amplify/backend/x", "api/amplify/backend/x"}},
		{"the Serverless Framework", "serverless.yml is of the Serverless Framework", []string{"serverless.yml"}},
		{"SAM", "template.yaml is of AWS SAM", []string{"template.yaml=Transform: AWS::Serverless-2016-10-31"}},
	} {
		dir := t.TempDir()
		for _, name := range tt.files {
			name, text, _ := strings.Cut(name, "=")
			must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		_, _, err := project.Find(dir)
		if !errors.Is(err, project.ErrNoProject) || !strings.HasPrefix(err.Error(), "no project here or in any folder above; "+tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
