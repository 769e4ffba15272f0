package facility

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/test/await"
	"gatewright/test/depth"
)

// auditor is a function that writes down the changes that it gets, and fails while a file is
// there.
const auditor = `const { appendFileSync, existsSync } = require("node:fs");
exports.handler = async (event) => {
  const seen = event.Records.map(({ eventName, dynamodb: { Keys, NewImage } }) => eventName + " " + Keys.id.S + " " + (NewImage?.state?.S ?? "-"));
  if (existsSync(FOLDER + "/broken")) throw new Error("the printer is on fire");
  appendFileSync(FOLDER + "/seen", seen.join("\n") + "\n");
};
`

// TestAFunctionGetsTheChangesOfATable changes a table with the sandbox running, killed and
// stopped, and wants every change at the function, in order.
func TestAFunctionGetsTheChangesOfATable(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	f := newFacility(t)
	folder := t.TempDir()
	seen := filepath.Join(folder, "seen")
	f.run(0, "add", "function", "audit", "--template", "plain")
	writeFile(t, filepath.Join(f.dir, "backend", "function", "audit", "src", "index.js"), strings.ReplaceAll(auditor, "FOLDER", "`"+filepath.ToSlash(folder)+"`"))
	f.run(0, "add", "table", "orders", "--partition-key", "id:string", "--trigger", "audit:batch=10")
	f.run(0, "add", "api", "shop", "--path", "/audit", "--function", "audit")
	f.serve()
	put := func(id, state string) {
		t.Helper()
		f.run(0, "table", "put", "orders", fmt.Sprintf(`{"id": %q, "state": %q}`, id, state))
	}
	put("1", "new")
	put("1", "paid")
	f.run(0, "table", "delete", "orders", "1")
	f.waitForFile(seen, "INSERT 1 new\nMODIFY 1 paid\nREMOVE 1 -\n")

	// What fails comes again, also after the sandbox was killed.
	writeFile(t, filepath.Join(folder, "broken"), "")
	put("2", "new")
	f.waitForOutput("function audit of dev: the call with 1 change of the table orders failed and is tried again in 1s: the printer is on fire")
	f.kill()
	put("3", "new")
	if err := os.Remove(filepath.Join(folder, "broken")); err != nil {
		t.Fatal(err)
	}
	f.serve()
	put("4", "new")
	f.waitForFile(seen, "REMOVE 1 -\nINSERT 2 new\nINSERT 3 new\nINSERT 4 new\n")
	if shown := f.run(0, "logs", "--requests", "kind:trigger"); !strings.Contains(shown, "trigger of audit") {
		t.Errorf("the calls are not listed:\n%s", shown)
	}
	f.stop(os.Interrupt, 0)
}

// waitForOutput waits until the sandbox has printed a text.
func (f *facility) waitForOutput(text string) {
	f.t.Helper()
	await.Until(f.t, "the sandbox to print "+text, func() bool { return strings.Contains(f.output(), text) })
}

// waitForFile waits until a file ends with a text.
func (f *facility) waitForFile(name, text string) {
	f.t.Helper()
	var have []byte
	defer func() {
		if f.t.Failed() {
			f.t.Logf("the file has\n%s\n%s", have, f.output())
		}
	}()
	await.Until(f.t, "the file to end with "+text, func() bool {
		have, _ = os.ReadFile(name)
		return strings.HasSuffix(string(have), text)
	})
}
