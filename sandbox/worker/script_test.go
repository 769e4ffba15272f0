package worker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
	"gatewright/test/await"
	"gatewright/test/depth"
)

// scripted returns a function in a project whose script makes its source from lib.
func scripted(t *testing.T, command string) (*facility, string, function.Spec) {
	t.Helper()
	needs(t, model.NodeJS)
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0"}, "tool": {"2.0.0"}})
	root := t.TempDir()
	folder := filepath.Join(root, "amplify", "backend", "function", "items")
	preparetest.WriteFiles(t, root, map[string]string{
		".npmrc":       r.Npmrc(),
		"package.json": `{"devDependencies": {"tool": "*"}, "scripts": {"amplify:items": "cd amplify/backend/function/items && node ../../../../make.js"}}`,
		// The compiler needs a package of the project, and files around the function.
		"make.js":     `const fs = require("fs"); fs.writeFileSync("src/index.js", "const left = require('left'); exports.handler = async () => [left, " + JSON.stringify(require("tool")) + ", " + fs.readFileSync("lib/word") + "]");` + command,
		"other/a.txt": "a",
		"amplify/backend/function/items/lib/word":         `"one"`,
		"amplify/backend/function/items/src/package.json": `{"dependencies": {"left": "*"}}`,
		"amplify/backend/function/items/src/.npmrc":       r.Npmrc(),
	})
	f := newFacility(t, nil)
	spec := function.Spec{
		Environment: "dev", Name: "items", Runtime: model.NodeJS, Folder: folder,
		Build: &function.Build{Root: root, Script: "amplify:items", Command: "make"},
	}
	f.Apply([]function.Spec{spec})
	return f, root, spec
}

func TestAScriptMakesTheSourceInACopy(t *testing.T) {
	t.Parallel()
	f, root, spec := scripted(t, "")
	if got := f.result(t, "{}"); got != `["1.0.0","2.0.0","one"]` {
		t.Errorf("it gives %s", got)
	}
	for _, name := range []string{"node_modules", "package-lock.json", "amplify/backend/function/items/src/index.js"} {
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name))); !os.IsNotExist(err) {
			t.Errorf("%s is in the project: %v", name, err)
		}
	}
	preparetest.WriteFiles(t, spec.Folder, map[string]string{"lib/word": `"two"`})
	await.Until(t, "the script runs again after an edit", func() bool { return f.result(t, "{}") == `["1.0.0","2.0.0","two"]` })
}

func TestEveryCallIsToldThatAScriptRuns(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	folder := t.TempDir()
	begun, end := filepath.Join(folder, "begun"), filepath.Join(folder, "end")
	f, _, _ := scripted(t, fmt.Sprintf(`; fs.writeFileSync(%q, ""); const left = setInterval(() => fs.existsSync(%q) && clearInterval(left), 10);`, begun, end))
	told, answers := make(chan bool, 10), make(chan string, 2)
	begin := func() {
		call := function.Call{Environment: "dev", Function: "items", Payload: []byte("{}"), Preparing: func(is bool) { told <- is }}
		f.Begin(call, func(a function.Answer, err error) { answers <- fmt.Sprint(string(a.Payload), err) })
		if !await.Next(t, "that it waits", told) {
			t.Error("a call is told first that preparing is over")
		}
	}
	begin()
	await.Until(t, "the script runs", func() bool { _, err := os.Lstat(begun); return err == nil })
	begin()
	preparetest.WriteFiles(t, folder, map[string]string{"end": ""})
	for range 2 {
		if await.Next(t, "that preparing is over", told) {
			t.Error("a call is told twice that it waits")
		}
		if got := await.Next(t, "the answer", answers); got != `["1.0.0","2.0.0","one"]<nil>` {
			t.Errorf("the answer is %s", got)
		}
	}
}

func TestAScriptSeesWhatItSeesInItsFolder(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission to execute a file")
	}
	f, _, spec := scripted(t, `
const own = path => require("module").createRequire(process.cwd() + "/x.js")(path);
fs.appendFileSync("src/index.js", ";exports.handler = async () => " + JSON.stringify([own("mine"), String(require("child_process").execFileSync("./say")), fs.readFileSync("linked", "utf8")]));`)
	preparetest.WriteFiles(t, spec.Folder, map[string]string{
		"package.json": `{}`, "node_modules/mine/index.js": `module.exports = "mine"`, "say": "#!/bin/sh\nprintf said\n",
	})
	if err := errors.Join(os.Chmod(filepath.Join(spec.Folder, "say"), 0o700), os.Symlink("../../../../other/a.txt", filepath.Join(spec.Folder, "linked"))); err != nil {
		t.Fatal(err)
	}
	if got := f.result(t, "{}"); got != `["mine","said","a"]` {
		t.Errorf("it gives %s", got)
	}
}

func TestAScriptThatFailsIsTold(t *testing.T) {
	t.Parallel()
	f, _, _ := scripted(t, `console.error("lib/index.ts(3,1): error TS1005: ';' expected."); process.exit(2)`)
	e := f.refused(t, "{}", function.NotPrepared)
	for _, words := range []string{"the script amplify:items failed: lib/index.ts(3,1): error TS1005: ';' expected.", "; correct it; npm run amplify:items"} {
		if !strings.Contains(e.Error(), words) {
			t.Errorf("the error %s lacks %s", e, words)
		}
	}
}
