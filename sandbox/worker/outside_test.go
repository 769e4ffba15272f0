package worker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/depth"
)

// TestWhatLambdaHasNotIsNotFoundAndToldWhere asks for modules of the folders above a function.
func TestWhatLambdaHasNotIsNotFoundAndToldWhere(t *testing.T) {
	t.Parallel()
	const shared, lodash = "lies in packages/shared, outside of the function", "lodash, which is installed in node_modules and not in the function"
	for name, row := range map[string]struct {
		runtime model.Runtime
		files   map[string]string
		want    string
	}{
		"require of a path":    {model.NodeJS, map[string]string{"index.js": `require("../../../../packages/shared")`}, shared},
		"import of a path":     {model.NodeJS, map[string]string{"index.mjs": `import a from "../../../../packages/shared/index.js"`}, "lies in packages/shared/index.js, outside of the function"},
		"require of a package": {model.NodeJS, map[string]string{"lib/a.js": `require("lodash")`, "index.js": `require("./lib/a")`}, "lib/a.js imports " + lodash},
		"import of a package":  {model.NodeJS, map[string]string{"index.mjs": `import a from "lodash"`}, "index.mjs imports " + lodash},
		"for development": {model.NodeJS, map[string]string{
			"index.js": `require("lint/rules")`, "package.json": `{"devDependencies":{"lint":"*"}}`, "node_modules/lint/rules.js": "",
		}, "index.js imports lint, which src/package.json does not list"},
		"TypeScript": {model.NodeJS, map[string]string{
			"index.ts": `import rules from "lint"; export const handler = () => rules`, "package.json": "{}", "node_modules/lint/index.js": "",
		}, "before the first call: it imports lint, which src/package.json does not list"},
		"Python": {model.Python, map[string]string{"index.py": "import pip\n"}, "pip is installed on this machine"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "import of a path" || name == "require of a package" || name == "for development" {
				depth.Gate(t) // the other rows have both, and both ways to load
			}
			t.Parallel()
			needs(t, row.runtime)
			project := t.TempDir()
			folder := filepath.Join(project, "backend", "function", "items")
			for name, text := range map[string]string{
				"packages/shared/package.json": `{"name":"shared"}`, "packages/shared/index.js": "module.exports = 1",
				"node_modules/lodash/package.json": `{"name":"lodash"}`, "node_modules/lodash/index.js": "module.exports = 1",
			} {
				name = filepath.Join(project, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			f := newFacility(t, func(o *Options) { o.State = filepath.Join(project, ".gatewright", "sandbox", "work") })
			f.serve(t, row.runtime, nil, func(s *function.Spec) {
				s.Folder, s.Project = folder, project
				writeSource(t, *s, row.files)
			})
			if e := f.refused(t, "{}", function.NotStarted); !strings.Contains(e.Error(), row.want) || !strings.Contains(f.log(""), row.want) {
				t.Errorf("the error is %s", e)
			}
		})
	}
}
