package typescript_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/internal/source/typescript"
)

const secret = "this line is nobody's business"

// inProject writes a project with a function, and a file beside the project. It returns the
// function's folder.
func inProject(t *testing.T, files map[string]string) string {
	t.Helper()
	all := map[string]string{
		"secret.json": secret, "project/backend/function/a/src/index.ts": "export const handler = async () => 1\n",
		"project/tsconfig.base.json": `{"compilerOptions": {"strict": true}}`, "project/backend/project.json": `{}`,
	}
	for name, text := range files {
		all[name] = text
	}
	return filepath.Join(write(t, all), "project", "backend", "function", "a")
}

func TestATsconfigThatExtendsAFileOutsideOfTheProjectIsRefused(t *testing.T) {
	t.Parallel()
	const own = "project/backend/function/a/src/tsconfig.json"
	for _, c := range []struct {
		what   string
		files  map[string]string
		place  string
		linked string
	}{
		{what: "above", files: map[string]string{own: "{\n  // why\n  \"extends\": \"../../../../../secret.json\",\n}"}, place: "src/tsconfig.json:3:14"},
		{what: "without its ending", files: map[string]string{own: `{"extends": "../../../../../secret"}`}, place: "src/tsconfig.json:1:13"},
		{what: "after a comment that ends with a carriage return", files: map[string]string{own: "{ // why\r \"extends\": \"../../../../../secret.json\"}"}, place: "src/tsconfig.json:1:22"},
		{what: "absolute", files: map[string]string{own: `{"extends": "/etc/passwd"}`}, place: "src/tsconfig.json:1:13"},
		{what: "one of several, escaped", files: map[string]string{own: `{"\u0065xtends": ["./x.json", "\u002e./../../../../secret.json"]}`}, place: "src/tsconfig.json:1:18"},
		{what: "named twice", files: map[string]string{own: `{"extends": "../../../../../secret.json", "extends": "./x.json"}`}, place: "src/tsconfig.json:1:13"},
		{what: "through a package", files: map[string]string{own: `{"extends": "a/../../../../../../../secret.json"}`}, place: "src/tsconfig.json:1:13"},
		{what: "through a file of the project", files: map[string]string{
			own: `{"extends": "../../../../tsconfig.json"}`, "project/tsconfig.json": `{"extends": "../secret.json"}`,
		}, place: "../../../tsconfig.json:1:13"},
		{what: "through the folder of a file of the project", files: map[string]string{
			own: `{"extends": "../../../../shared/deep/base.json"}`, "project/shared/deep/base.json": `{"extends": "."}`, "project/shared/deep/tsconfig.json": `{"extends": "../../../secret.json"}`,
		}, place: "../../../shared/deep/tsconfig.json:1:13"},
		{what: "through the folder around a file of the project", files: map[string]string{
			own: `{"extends": "../../../../shared/deep/base"}`, "project/shared/deep/base.json": `{"extends": ".."}`, "project/shared/tsconfig.json": `{"extends": "../../secret.json"}`,
		}, place: "../../../shared/tsconfig.json:1:13"},
		{what: "through two that extend each other", files: map[string]string{
			own: `{"extends": "./a.json"}`, "project/backend/function/a/src/a.json": `{"extends": "./b.json"}`,
			"project/backend/function/a/src/b.json": `{"extends": ["./a.json", "../../../../../secret.json"]}`,
		}, place: "src/b.json:1:13"},
		{what: "through a link", files: map[string]string{own: `{"extends": "./link.json"}`}, linked: "link.json", place: "src/tsconfig.json:1:13"},
		{what: "the link itself", linked: "tsconfig.json", place: "src/tsconfig.json:1:1"},
	} {
		t.Run(c.what, func(t *testing.T) {
			folder := inProject(t, c.files)
			if c.linked != "" {
				if err := os.Symlink(filepath.Join(folder, "..", "..", "..", "..", "secret.json"), filepath.Join(folder, "src", c.linked)); err != nil {
					t.Skip(err)
				}
			}
			_, err := compile(t, folder, "index.handler")
			wrong, ok := errors.AsType[*typescript.Error](err)
			if !ok || !strings.Contains(wrong.Text, "leads out of the project") || !strings.HasPrefix(wrong.Error(), c.place+": ") || strings.Contains(wrong.Error(), secret) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestATsconfigMayExtendFilesOfTheProjectAndPackages(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"extends": "../../../../tsconfig.base.json"}`, `{"extends": "../../../../tsconfig.base"}`, `{"extends": "@tsconfig/node20/tsconfig.json"}`,
		`{"extends": ["./own.json", "../../../../tsconfig.base.json",], /* "extends": "/etc/passwd" */ }`,
	} {
		folder := inProject(t, map[string]string{
			"project/backend/function/a/src/tsconfig.json": text, "project/backend/function/a/src/own.json": `{}`,
			"project/backend/function/a/node_modules/@tsconfig/node20/tsconfig.json": `{}`,
		})
		if _, err := compile(t, folder, "index.handler"); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestAProjectIsFoundByWhatItHas has functions of other layouts, and one that is in no project.
func TestAProjectIsFoundByWhatItHas(t *testing.T) {
	t.Parallel()
	for mark, want := range map[string]bool{"project/.gatewright/state": true, "project/backend/project.json": true, "project/amplify/backend/x": true, "project/backend/other.json": false} {
		folder := write(t, map[string]string{
			mark: "", "project/tsconfig.base.json": "{}", "project/own/a/src/index.ts": "export const handler = 1", "project/own/a/src/tsconfig.json": `{"extends": "../../../tsconfig.base.json"}`,
			// What is above the project is not the project's.
			"tsconfig.json": `{"extends": "./above/base.json"}`, "above/base.json": "{}",
		})
		if _, err := compile(t, filepath.Join(folder, "project", "own", "a"), "index.handler"); (err == nil) != want {
			t.Errorf("with %s: %v", mark, err)
		}
	}
}

func TestAFunctionNamedAsTheFolderOfAProjectMarksNone(t *testing.T) {
	t.Parallel()
	folder := inProject(t, map[string]string{
		"project/backend/function/backend/src/index.ts": "", "project/backend/function/amplify/src/index.ts": "",
		"project/backend/function/a/src/tsconfig.json": `{"extends": "../../../../tsconfig.base.json"}`,
	})
	if _, err := compile(t, folder, "index.handler"); err != nil {
		t.Error(err)
	}
}
