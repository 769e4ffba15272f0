package facility

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/registry"
)

// crudRoutes are requests to the functions of two tables and their answers, in the order in
// which they are sent.
var crudRoutes = []struct {
	method, path, body string
	status             int
	want               string
}{
	{"PUT", "/books", `{"id":"1","title":"Emma","price":12345678901234567890}`, 200, `{"success":"put call succeed!","url":"/books","data":{}}`},
	{"POST", "/books", `{"id":"object","title":"a key that is a word of the path"}`, 200, `{"success":"post call succeed!","url":"/books","data":{}}`},
	{"PUT", "/books", `{"id":"a/b c%ü","title":"escaped"}`, 200, `{"success":"put call succeed!","url":"/books","data":{}}`},
	{"GET", "/books/1", "", 200, `[{"id":"1","title":"Emma","price":"12345678901234567890"}]`},
	{"GET", "/books/2", "", 200, `[]`},
	{"GET", "/books/object", "", 200, `[{"id":"object","title":"a key that is a word of the path"}]`},
	{"GET", "/books/object/1", "", 200, `{"id":"1","title":"Emma","price":"12345678901234567890"}`},
	{"GET", "/books/object/2", "", 200, `{}`},
	{"GET", "/books/object/object", "", 200, `{"id":"object","title":"a key that is a word of the path"}`},
	{"GET", "/books/object/a%2Fb%20c%25%C3%BC", "", 200, `{"id":"a/b c%ü","title":"escaped"}`},
	{"PATCH", "/books/object/1", `{"title":"Persuasion"}`, 200, ""},
	{"GET", "/books/object/1", "", 200, `{"id":"1","title":"Persuasion","price":"12345678901234567890"}`},
	{"DELETE", "/books/object/1", "", 200, `{"success":"delete call succeed!","url":"/books/object/1","data":{}}`},
	{"DELETE", "/books/object/1", "", 200, `{"success":"delete call succeed!","url":"/books/object/1","data":{}}`},
	{"GET", "/books/object/1", "", 200, `{}`},
	{"PUT", "/books", `{"title":"no key"}`, 400, ""},
	{"PUT", "/books", `{"id":5}`, 400, ""},
	{"PUT", "/books", `no JSON`, 400, ""},
	{"PUT", "/orders", `{"customer":-7.5,"day":"2026-11-01","sum":1}`, 200, `{"success":"put call succeed!","url":"/orders","data":{}}`},
	{"PUT", "/orders", `{"customer":-7.5,"day":"2026-11-02","sum":2}`, 200, `{"success":"put call succeed!","url":"/orders","data":{}}`},
	{"GET", "/orders/-7.5", "", 200, `[{"customer":-7.5,"day":"2026-11-01","sum":1},{"customer":-7.5,"day":"2026-11-02","sum":2}]`},
	{"GET", "/orders/-7.5?limit=1", "", 200, `[{"customer":-7.5,"day":"2026-11-01","sum":1}]`},
	{"GET", "/orders/object/-7.5/2026-11-02", "", 200, `{"customer":-7.5,"day":"2026-11-02","sum":2}`},
	{"DELETE", "/orders/object/-7.5/2026-11-01", "", 200, `{"success":"delete call succeed!","url":"/orders/object/-7.5/2026-11-01","data":{}}`},
	{"GET", "/orders/-7.5", "", 200, `[{"customer":-7.5,"day":"2026-11-02","sum":2}]`},
	{"GET", "/orders/object/word/2026-11-02", "", 400, ""},
}

// requestCRUDRoutes sends the requests of crudRoutes, and returns the answers.
func (f *facility) requestCRUDRoutes() (answers []string) {
	f.t.Helper()
	for _, route := range crudRoutes {
		status, body, _ := f.request(route.method, route.path, route.body)
		if status != route.status || route.want != "" && !sameJSON(f.t, body, route.want) {
			f.t.Errorf("%s %s %s is answered %d %s, want %d %s", route.method, route.path, route.body, status, body, route.status, route.want)
		}
		// DynamoDB does not define the order of an item's attributes.
		answers = append(answers, fmt.Sprint(route.method, " ", route.path, " ", status, " ", sorted(f.t, body)))
	}
	return answers
}

// TestTheCRUDTemplateKeepsItsItemsInATable sends a request to every route of the CRUD
// template, with the AWS SDK from the npm registry, and reads and writes the items with
// `gatewright table`, with and without a running sandbox.
func TestTheCRUDTemplateKeepsItsItemsInATable(t *testing.T) {
	registry.Public(t)
	f := newFacility(t)
	f.run(0, "add", "table", "orders", "--partition-key", "customer:number", "--sort-key", "day:string", "--index", "byDay:day:string")
	f.run(0, "add", "function", "books", "--template", "crud", "--table", "books", "--partition-key", "id")
	f.run(0, "add", "function", "orders", "--template", "crud", "--table", "orders")
	f.run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--open")
	f.run(0, "add", "path", "shop", "/orders", "--function", "orders", "--open")
	f.serve()
	if status, body, _ := f.request("GET", "/books", ""); status != http.StatusOK || body != "[]" {
		if strings.Contains(f.output(), "no package registry is reachable") {
			depth.Lacks(t, "npm's registry", f.output())
		}
		t.Fatalf("the first list is answered %d %s:\n%s", status, body, f.output())
	}
	answers := f.requestCRUDRoutes()
	if got := f.run(0, "table", "scan", "orders"); got != `{"customer":-7.5,"day":"2026-11-02","sum":2}`+"\n" {
		t.Errorf("table scan prints %s", got)
	}
	f.run(0, "table", "put", "orders", `{"customer": 1, "day": "2026-11-03", "tags": {"SS": ["a", "b"]}}`)
	f.run(1, "table", "put", "orders", `{"customer": "1", "day": "2026-11-03"}`)
	f.run(0, "table", "export", "orders", "orders.jsonl")
	f.run(0, "table", "delete", "orders", "1", "2026-11-03")
	f.run(1, "table", "get", "orders", "1", "2026-11-03")
	f.stop(syscall.SIGKILL, -1)
	if got := f.run(0, "table", "import", "orders", "orders.jsonl"); !strings.HasSuffix(got, "from orders.jsonl: 2\n") && !strings.Contains(got, ": 2\n") {
		t.Errorf("table import prints %s", got)
	}
	if got := f.run(0, "table", "get", "orders", "1", "2026-11-03"); !sameJSON(t, got, `{"customer":1,"day":"2026-11-03","tags":{"SS":["a","b"]}}`) {
		t.Errorf("table get prints %s", got)
	}
	if got := f.run(0, "mock", "function", "books"); !strings.Contains(got, `"statusCode": 200`) {
		t.Errorf("the mock prints %s", got)
	}
	f.serve()
	if status, body, _ := f.request("GET", "/books/object/object", ""); status != http.StatusOK || !strings.Contains(body, "a key that is a word") {
		t.Errorf("after a kill and a restart: %d %s", status, body)
	}
	f.stop(os.Interrupt, 0)

	f.serve("--table-endpoint", startDynalite(t))
	if others := f.requestCRUDRoutes(); strings.Join(others, "\n") != strings.Join(answers, "\n") {
		t.Errorf("over another service the answers are\n%s\nand over the sandbox's tables\n%s", strings.Join(others, "\n"), strings.Join(answers, "\n"))
	}
	f.stop(os.Interrupt, 0)
}

// startDynalite starts dynalite, a public service with the DynamoDB protocol, and returns its
// address.
func startDynalite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, "dynalite@4.0.0")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm does not install dynalite: %v\n%s", err, out)
	}
	cmd := exec.Command("node", "-e", `const s = require("dynalite")({createTableMs: 0}).listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + s.address().port))`)
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("dynalite does not start: %v", err)
	}
	return strings.TrimSpace(address)
}

func sameJSON(t *testing.T, got, want string) bool {
	t.Helper()
	return sorted(t, got) == sorted(t, want)
}

// sorted returns JSON with the members of each object in order.
func sorted(t *testing.T, text string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return text
	}
	again, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(again)
}
