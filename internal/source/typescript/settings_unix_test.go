//go:build unix

package typescript_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPipeInThePlaceOfAFileIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"src/tsconfig.json", "tsconfig.json", "src/package.json", "src/base.json", "src/jsconfig.json", "src/text.txt", "src/lib.ts", "../../../package.json", "../../../../package.json", "../../../../../tsconfig.json"} {
		files := map[string]string{"project/backend/function/a/src/index.ts": "import './lib'\nimport './text.txt'\nexport const handler = async () => 1\n"}
		if name == "src/base.json" {
			files["project/backend/function/a/src/tsconfig.json"] = `{"extends": "./base.json"}`
		}
		for _, other := range []string{"src/text.txt", "src/lib.ts"} {
			if other != name {
				files["project/backend/function/a/"+other] = ""
			}
		}
		folder := inProject(t, files)
		if err := syscall.Mkfifo(filepath.Join(folder, filepath.FromSlash(name)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := compile(t, folder, "index.handler"); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
