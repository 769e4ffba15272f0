package project_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/project"
)

func TestTheFilesOfTheAmplifyCLIAreWhereItsConfigurationSays(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, config, kind string
		app                bool
		has, lacks         string
	}{
		{"new", "", "", false, "src/aws-exports.js", "lib/aws-exports.js"},
		{"broken", `{`, "", false, "src/aws-exports.js", "lib/aws-exports.js"},
		{"not text", `{"frontend": 1, "javascript": {"config": {"SourceDir": []}}}`, "", false, "aws-exports.js", "lib/aws-exports.js"},
		{"JavaScript", `{"frontend": "javascript", "javascript": {"config": {"SourceDir": "web/lib"}}}`, "javascript", false, "web/lib/amplifyconfiguration.json", "src/aws-exports.js"},
		{"the folder of the project", `{"frontend": "javascript", "javascript": {"config": {"SourceDir": "/"}}}`, "javascript", false, "aws-exports.js", "src/aws-exports.js"},
		{"outside", `{"frontend": "javascript", "javascript": {"config": {"SourceDir": "../web"}}}`, "javascript", false, "../web/aws-exports.js", "src/aws-exports.js"},
		{"Android", `{"frontend": "android", "android": {"config": {"ResDir": "app/src/main/res"}}}`, "android", true, "app/src/main/res/raw/amplifyconfiguration.json", "lib/amplifyconfiguration.json"},
		{"iOS", `{"frontend": "ios"}`, "ios", true, "amplifyconfiguration.json", "lib/amplifyconfiguration.json"},
		{"Flutter", `{"frontend": "flutter", "flutter": {"config": {"ResDir": "./lib/"}}}`, "flutter", true, "lib/amplifyconfiguration.json", "raw/amplifyconfiguration.json"},
	} {
		root := t.TempDir()
		if row.config != "" {
			folder := filepath.Join(root, "amplify", ".config")
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "project-config.json"), []byte(row.config), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		front := project.FrontendOf(root)
		has := slices.Contains(front.Files, filepath.Join(root, filepath.FromSlash(row.has)))
		lacks := !slices.Contains(front.Files, filepath.Join(root, filepath.FromSlash(row.lacks)))
		atRoot := slices.Contains(front.Files, filepath.Join(root, "amplify_outputs.json"))
		if front.Kind != row.kind || front.IsApp() != row.app || !has || !lacks || !atRoot {
			t.Errorf("%s: the front end is %q with the files\n%s", row.name, front.Kind, strings.Join(front.Files, "\n"))
		}
	}
}
