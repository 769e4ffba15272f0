package facility

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"gatewright/test/await"
	"gatewright/test/depth"
	"gatewright/test/registry"
)

// TestTheExpressTemplateAnswersEveryRoute sends a request to every route of the Express
// template, with its packages from the npm registry.
func TestTheExpressTemplateAnswersEveryRoute(t *testing.T) {
	registry.Public(t)
	f := newFacility(t)
	f.run(0, "add", "api", "shop", "--path", "/items", "--function", "items", "--new-function", "express", "--open")
	f.serve()
	if status, body, _ := f.request("GET", "/items", ""); status != http.StatusOK {
		if strings.Contains(f.output(), "no package registry is reachable") {
			depth.Lacks(t, "npm's registry", f.output())
		}
		t.Fatalf("the first request is answered %d %s:\n%s", status, body, f.output())
	}
	for _, route := range []struct{ method, path, body string }{
		{"GET", "/items", ""},
		{"GET", "/items?limit=3", ""},
		{"GET", "/items/1", ""},
		{"GET", "/items/a/b/c", ""},
		{"POST", "/items", `{"name":"book"}`},
		{"PUT", "/items", `{"name":"book"}`},
		{"PATCH", "/items", `{"name":"book"}`},
		{"DELETE", "/items/1", ""},
	} {
		status, body, header := f.request(route.method, route.path, route.body)
		var answer map[string]any
		if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusOK {
			t.Errorf("%s %s is answered %d %s", route.method, route.path, status, body)
			continue
		}
		want := map[string]any{"success": strings.ToLower(route.method) + " call succeed!", "url": route.path}
		if route.body != "" {
			want["body"] = map[string]any{"name": "book"}
		}
		if fmt.Sprint(answer) != fmt.Sprint(want) {
			t.Errorf("%s %s is answered %v, want %v", route.method, route.path, answer, want)
		}
		if header.Get("Content-Type") != "application/json; charset=utf-8" || header.Get("Access-Control-Allow-Origin") != "*" ||
			header.Get("Access-Control-Allow-Headers") != "Origin, X-Requested-With, Content-Type, Accept, Authorization, X-Amz-Date, X-Amz-Security-Token" {
			t.Errorf("%s %s is answered with the headers %v", route.method, route.path, header)
		}
	}
	if status, body, header := f.request("OPTIONS", "/items/1", ""); status != http.StatusOK || body != "" || header.Get("Access-Control-Allow-Methods") == "" {
		t.Errorf("the preflight is answered %d %q %v", status, body, header)
	}
	if status, body, _ := f.request("HEAD", "/items", ""); status != http.StatusOK || body != "" {
		t.Errorf("HEAD is answered %d %q", status, body)
	}
	result := f.run(0, "mock", "function", "items")
	for _, part := range []string{`"statusCode": 200`, `"isBase64Encoded": false`, `"body": "{\"success\":\"post call succeed!\"`} {
		if !strings.Contains(result, part) {
			t.Errorf("the mock's result lacks %s:\n%s", part, result)
		}
	}
	f.edit("backend/function/items/src/app.js", "get call succeed!", "edited")
	f.waitFor("/items", `"success":"edited"`)
	f.stop(os.Interrupt, 0)
	f.waitForNoWorkers()
}

// TestASandboxThroughItsLife edits the project while the sandbox runs, calls another
// environment, starts a second sandbox, kills the first, exports and imports its state.
func TestASandboxThroughItsLife(t *testing.T) {
	t.Parallel()
	f := newFacility(t)
	f.run(0, "add", "api", "shop", "--path", "/items", "--function", "items", "--new-function", "plain", "--open")
	f.run(0, "add", "env", "qa", "--branch", "release")
	f.run(0, "push", "--env", "qa")
	f.edit("backend/function/items/src/index.js", "call succeed!", "from the tree")
	f.edit("backend/function/items/src/index.js", `"get from the tree"`, "`get from the tree with left ${require(\"left\")}`")
	f.edit("backend/function/items/src/package.json", `"engines"`, `"dependencies": { "left": "^1.0.0" }, "engines"`)
	f.serve()
	f.waitFor("/items", "from the tree with left 1.2.0")

	// Another environment runs what was pushed.
	qa := ""
	for _, line := range strings.Split(f.output(), "\n") {
		if endpoint, ok := strings.CutPrefix(line, "  API shop "); ok {
			qa = endpoint
		}
	}
	dev := f.endpoint
	f.endpoint = qa
	f.waitFor("/items", "call succeed!")
	// The address of one environment with the stage of another is refused.
	f.endpoint = strings.TrimSuffix(dev, "/dev") + "/qa"
	if status, body, _ := f.request("GET", "/items", ""); status != http.StatusForbidden || body != `{"message":"Forbidden"}` && body != `{"message": "Forbidden"}` {
		t.Errorf("the stage of another environment is answered %d %s", status, body)
	}
	f.endpoint = dev

	// The definition changes.
	f.run(0, "add", "path", "shop", "/own", "--function", "items", "--auth", "read")
	f.run(0, "add", "path", "shop", "/news", "--function", "items", "--open")
	f.waitFor("/news", "from the tree")
	status, body, header := f.request("GET", "/own", "")
	if status != http.StatusForbidden || !strings.Contains(body, "is not authorized to perform: execute-api:Invoke") {
		t.Errorf("a restricted path is answered %d %s", status, body)
	}
	if why := f.run(0, "logs", ".gateway", "--request", header.Get("X-Amzn-RequestId")); !strings.Contains(why, "GET /dev/own 403: guests may not read under /own") {
		t.Errorf("the log does not say why:\n%s", why)
	}
	text, err := os.ReadFile(filepath.Join(f.dir, "client_config.json"))
	if err != nil || !strings.Contains(string(text), dev) {
		t.Errorf("the client configuration file: %v %s", err, text)
	}

	f.checkFollowedLog()
	f.checkCallCommand()

	// A second sandbox is refused.
	if text := f.run(1, "sandbox"); !strings.Contains(text, fmt.Sprintf("is running as process %d at %s;", f.cmd.Process.Pid, f.address)) {
		t.Errorf("a second sandbox says %s", text)
	}
	if text := f.run(1, "sandbox", "reset"); !strings.Contains(text, "is running as process") {
		t.Errorf("a reset says %s", text)
	}
	f.checkListeners()

	// After a kill no worker runs, and the sandbox starts again.
	if runtime.GOOS == "linux" && len(f.workers()) == 0 {
		t.Error("no worker is found")
	}
	f.stop(syscall.SIGKILL, -1)
	f.waitForNoWorkers()
	if text := f.run(1, "call", "GET", "/items"); !strings.Contains(text, "no sandbox is running; start it with: gatewright sandbox") {
		t.Errorf("a call without a sandbox says %s", text)
	}
	if text := f.run(0, "logs", "items", "--last", "3"); strings.Count(text, "\n") != 3 {
		t.Errorf("the log of a sandbox that was killed is\n%s", text)
	}
	f.serve()
	f.waitFor("/items", "from the tree")
	f.stop(syscall.SIGTERM, 0)
	f.waitForNoWorkers()
	if _, err := os.Stat(filepath.Join(f.dir, ".gatewright/sandbox/run.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("run.json is left: %v", err)
	}

	// After a second interrupt it does not wait for a running function.
	f.edit("backend/function/items/src/index.js", "exports.handler = async", "exports.handler = () => new Promise(() => setInterval(() => {}, 1000)); exports.other = async")
	f.serve()
	hanging := make(chan struct{})
	go func() {
		defer close(hanging)
		if response, err := http.Get(f.endpoint + "/items"); err == nil {
			response.Body.Close()
		}
	}()
	await.Until(t, "a worker", func() bool { return runtime.GOOS != "linux" || len(f.workers()) > 0 })
	if err := f.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	f.waitForOutput("stopping; interrupt again to stop at once")
	f.stop(os.Interrupt, 130)
	f.waitForNoWorkers()
	<-hanging

	f.checkTakenPort()
	f.run(0, "sandbox", "--once", "--port", "0")
	kept := f.run(0, "logs", "items")
	f.run(0, "sandbox", "export", "kept.tar.gz")
	f.run(0, "sandbox", "reset")
	if text := f.run(0, "logs", "items"); !strings.Contains(text, "the log of items in environment dev is empty") {
		t.Errorf("after a reset the log is\n%s", text)
	}
	f.run(0, "sandbox", "import", "kept.tar.gz")
	if text := f.run(0, "logs", "items"); text != kept || !strings.Contains(text, "REPORT") {
		t.Errorf("after an import the log is\n%s\nand was\n%s", text, kept)
	}
}
