package archive

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/test/depth"
)

func TestAHandlerInTypeScriptIsStoredCompiled(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "node")
	b, folder := builder(t), write(t, map[string]string{
		"index.ts":    "import { text } from './lib/text'\n\ntype Event = { fail?: boolean }\n\nexport const handler = async (e: Event) => {\n  if (e.fail) throw new Error('failed')\n  return text\n}\n",
		"lib/text.ts": `import { readFileSync } from "fs"; export const text: string = readFileSync(__dirname + "/a.txt", "utf8")`,
		"lib/a.txt":   "from a file", "types.d.ts": "", "tsconfig.json": "{}",
	})
	made := pack(t, b, nodeSource(folder))
	found := files(t, made)
	if names := namesOf(found); !slices.Equal(names, []string{"index.cjs", "index.cjs.map", "lib/a.txt", "tsconfig.json"}) {
		t.Errorf("the archive has %q", names)
	}
	unpacked := write(t, found)
	answer, err := run(t, unpacked, "node", "--enable-source-maps", "-e", `const {handler} = require("./index.cjs"); handler({}).then(console.log).then(() => handler({fail: true})).catch(e => console.log(e.stack))`)
	must(t, err)
	for _, want := range []string{"from a file\n", "Error: failed", filepath.Join(unpacked, "index.ts") + ":6:21"} {
		if !strings.Contains(answer, want) {
			t.Errorf("%q is not in %s", want, answer)
		}
	}
	// What it is made from is part of its key.
	must(t, os.WriteFile(filepath.Join(folder, "lib", "text.ts"), []byte(`export const text = "new"`), 0o600))
	if again := pack(t, b, nodeSource(folder)); again.SHA256 == made.SHA256 || !strings.Contains(files(t, again)["index.cjs"], `"new"`) {
		t.Error("an edit of a file in TypeScript is not in the archive")
	}
}

func TestAnErrorInTypeScriptStopsTheArchive(t *testing.T) {
	t.Parallel()
	folder := write(t, map[string]string{"index.ts": "export const handler = \n"})
	_, err := builder(t).Build(t.Context(), nodeSource(folder), nil)
	if err == nil || !strings.Contains(err.Error(), "function items: src/index.ts:2:1: Unexpected end of file; fix the source") {
		t.Errorf("the error is %v", err)
	}
}
