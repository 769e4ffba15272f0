package worker

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/depth"
	"gatewright/test/symlink"
)

func TestWhatLinksLeadToRunsAsIfItWereInTheSource(t *testing.T) {
	t.Parallel()
	const module = `{"type":"module"}`
	for name, files := range map[string]map[string]string{
		"CommonJS":   {"index.js": `const {value} = require("./shared/price"); exports.handler = async () => value`},
		"ES module":  {"index.mjs": `import {value} from "./shared/price.js"; export const handler = async () => value`},
		"TypeScript": {"index.ts": `import {value} from "./shared/price"; export const handler = async (): Promise<string> => value`},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "CommonJS" {
				depth.Gate(t) // TypeScript becomes that
			}
			t.Parallel()
			f := newFacility(t, nil)
			files["node_modules/left/package.json"] = `{"name":"left","version":"1.0.0","main":"main.js"}`
			files["node_modules/left/main.js"] = `exports.left = "left"`
			shared := t.TempDir()
			write := func(value string) {
				text := `const {left} = require("left"); exports.value = left + "` + value + `"`
				if name == "ES module" {
					text = `import {left} from "left"; export const value = left + "` + value + `"`
				}
				if err := os.WriteFile(filepath.Join(shared, "price.js"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if name == "ES module" {
				if err := os.WriteFile(filepath.Join(shared, "package.json"), []byte(module), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write("1")
			f.serve(t, model.NodeJS, files, func(s *function.Spec) {
				s.Project = filepath.Dir(s.Folder)
				symlink.Make(t, shared, filepath.Join(s.Folder, "src", "shared"))
			})
			if got := f.result(t, `{}`); got != `"left1"` {
				t.Errorf("the answer is %s\n%s", got, f.log(""))
			}
			write("22")
			f.edited()
			if got := f.result(t, `{}`); got != `"left22"` {
				t.Errorf("after an edit of the file behind a link the answer is %s", got)
			}
		})
	}
}
