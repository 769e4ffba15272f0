package artifact_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/artifact"
)

func TestAHandlerThatARuleLeavesOutIsAnError(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"index.js": "index.js is left out by index.js in .gatewrightignore:1; name", "*.md": "", "*.js\n!index.js": "",
	} {
		folder := t.TempDir()
		for name, text := range map[string]string{".gatewrightignore": rule, "src/index.js": "exports.handler = 1", "src/other.js": ""} {
			name = filepath.Join(folder, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		_, err := artifact.Source{Name: "a", Folder: filepath.Join(folder, "src"), Project: folder, Runtime: model.NodeJS}.List(false)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("with the rule %q: %v", rule, err)
		}
	}
}
