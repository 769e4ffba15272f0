package console

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/deploytest"
	"gatewright/model/edit"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/tui/route"
)

func TestARequestIsFilledInSentAndAnswered(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := written(t, shop(t))
	deploytest.Serve(t, dir)
	addUser(t, dir, "emma", "Editors")
	term := open(t, dir, "none", 200, 60, Options{}, route.Console{API: "shop", Path: "/books/{isbn}"})
	term.shows("CALL: what a client sends", "dev from the working tree, at http://127.0.0.1:", "nothing was sent to this path yet")
	term.keys("c").shows("error: {isbn}: has no value; give the value", "▌ {isbn}")
	term.keys("enter", "978-0", "enter", "/cover", "enter", "limit=10&x=a b", "enter")
	term.shows("GET /books/978-0/cover?limit=10&x=a b, not signed", "allowed: guests may read under /books/{isbn}")
	term.keys("enter", "X-Trace: 7", "enter", "c")
	term.shows("200 OK, ", `"path": "/books/978-0/cover"`, `"proxy": "cover"`, `"X-Trace": "7"`)
	term.keys("G", "tab", "G").shows("Response headers", "X-Served-By: echo", "Set-Cookie: b=2", "Log of the function echo",
		"served GET /books/978-0/cover", "REPORT RequestId: ")
	if strings.Count(term.Screen(), "served GET") != 1 {
		t.Errorf("the log has not exactly one line of this request:\n%s", term.Screen())
	}

	// A method that the caller may not use is refused; the page shows the rule before
	// and after sending.
	term.keys("tab").to("Method").keys("enter", "DELETE", "enter").shows("will be refused: guests may not delete under /books/{isbn}")
	term.keys("c").shows("403 Forbidden", "Why it was refused", "403: guests may not delete under /books/{isbn} (no credentials sent);",
		"member of Editors, or let guests delete under /books/{isbn}")

	// A member of Editors may delete; the event has the identity of the caller.
	term.to("Who calls").keys("enter").shows("nobody", "group Editors", "emma@example.com").keys("emma", "enter")
	term.shows(`user emma, signed, in Editors`, "allowed: members of Editors may delete")
	term.keys("c").shows("200 OK", "signed by user emma", `"cognitoAuthenticationType": "authenticated"`)
	term.keys("v").shows("Comparison", "-403 Forbidden", "+200 OK").keys("v").shows("Response")
	term.keys(".", "v").shows("Compared with the previous response")
	if strings.Contains(term.Screen(), "-200 OK") {
		t.Errorf("a repeated request has another status:\n%s", term.Screen())
	}
}

func TestATestShowsTheExecutionLogAndNeedsNoCaller(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := written(t, shop(t))
	deploytest.Serve(t, dir)
	term := open(t, dir, "none", 200, 60, Options{}, route.Console{Path: "/staff", Test: true})
	term.shows("TEST: the test of the API Gateway console", "allowed: a test checks no access").keys("c", "tab", "G")
	term.shows("Event that the function got", `"stage": "test-invoke-stage"`).keys("g", "n", "n", "n", "n")
	term.shows("Execution log", "Starting execution for request: ", "Method completed with status: 200")
	term.keys("tab", "]").shows("CALL: what a client sends", "will be refused: ").keys("c").shows("403 Forbidden")
}

func TestTheErrorOfAFunctionThatThrowsIsShown(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := written(t, shop(t))
	deploytest.Serve(t, dir)
	term := open(t, dir, "none", 200, 60, Options{}, route.Console{Path: "/open"})
	term.to("Query").keys("enter", "fail=1", "enter", "c")
	term.shows("502 Bad Gateway", "Why it failed", `function echo ended with an error: Error: "on purpose"`, "Log of the function echo", "on purpose")
}

func TestWithoutASandboxThePageSaysHowToStartOne(t *testing.T) {
	t.Parallel()
	dir := written(t, shop(t))
	term := open(t, dir, "none", 120, 40, Options{}, route.Console{})
	term.shows("no sandbox is running: start one with gatewright sandbox,", "or with s on the dashboard's tab Activity", "GET /open, not signed", "allowed: /open is open to everybody")
	term.keys("c").shows("error: no sandbox is running: start one with gatewright sandbox")
	if entries, err := os.ReadDir(filepath.Join(dir, ".gatewright", "sandbox")); err == nil {
		t.Errorf("opening the page created %v", entries)
	}
	// The page notices a sandbox that starts later.
	deploytest.Serve(t, dir)
	term.tell(term.page.Watches()[0].Poll())
	term.shows("dev from the working tree, at http://127.0.0.1:")
}

// TestAGuardedEnvironmentNeedsItsName sends to a pushed and guarded environment: nothing
// is sent before its name is typed.
func TestAGuardedEnvironmentNeedsItsName(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	b := shop(t)
	dir := written(t, b)
	pushed(t, dir, "prod")
	deploytest.Serve(t, dir)
	term := open(t, dir, "none", 120, 40, Options{}, route.Console{Path: "/open", Method: "POST", Environment: "prod"})
	term.shows("prod as pushed, at http://", "prod (guarded)")
	term.keys("c").shows("Send to prod?", "It can change data there permanently.", "environment is guarded.", "Type prod to send")
	term.keys("qa", "enter").shows("the name is not the same").keys("esc")
	if term.page.at.Last != nil {
		t.Fatalf("it was sent:\n%s", term.Screen())
	}
	term.keys("c", "prod", "enter").shows("200 OK")
	// Every change asks for the name, a repeated one too; a GET no longer does.
	term.keys(".").shows("Send to prod?").keys("esc")
	term.to("Method").keys("enter", "GET", "enter", "c").shows("200 OK", "GET /open, not signed")
	if strings.Contains(term.Screen(), "Send to prod?") {
		t.Error("a GET is asked about twice")
	}
	// The environment of the working tree is not asked about.
	term.to("Environment").keys("enter", "dev", "enter").to("Method").keys("enter", "POST", "enter", "c")
	if strings.Contains(term.Screen(), "Send to dev?") {
		t.Error("the working tree is asked about")
	}
}

// TestEarlierRequestsAreOffered also checks the file of the history: it has no
// credentials, and other users cannot read it.
func TestEarlierRequestsAreOffered(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := written(t, shop(t))
	deploytest.Serve(t, dir)
	term := open(t, dir, "none", 120, 40, Options{}, route.Console{Path: "/open", Method: "POST"})
	term.to("Query").keys("enter", "limit=3&X-Amz-Signature=hidden", "enter", "enter", "Authorization: Basic hidden", "enter", "enter", "X-Trace: 1", "enter")
	term.to("Body")
	term.Send(tea.PasteMsg{Content: "{\n  \"title\": \"Emma\"\n}"})
	term.shows("JSON, 21 bytes, 3 lines").keys("c").shows("200 OK")
	file := filepath.Join(dir, ".gatewright", "console.json")
	text, err := os.ReadFile(file)
	must(t, err)
	info, err := os.Stat(file)
	must(t, err)
	if strings.Contains(string(text), "hidden") || !strings.Contains(string(text), "limit=3") || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v\n%s", info.Mode(), text)
	}
	again := open(t, dir, "none", 120, 40, Options{}, route.Console{Path: "/open"})
	again.keys("H").shows("POST /open?limit=3", "200, ").keys("POST", "enter")
	again.shows("not kept, so fill in again: Authorization, X-Amz-Signature", "Method       POST", "X-Trace: 1", "JSON, 21 bytes, 3 lines").keys("c").shows("200 OK", `"X-Trace": "1"`)
}

func TestARequestBecomesTheFunctionsEventAndBack(t *testing.T) {
	t.Parallel()
	dir := written(t, shop(t))
	file := filepath.Join(dir, "backend", "function", "echo", "src", "event.json")
	must(t, os.Remove(file))
	term := open(t, dir, "none", 120, 40, Options{}, route.Console{Path: "/books/{isbn}", Method: "PUT"})
	term.to("{isbn}").keys("enter", "a b", "enter", "/x", "enter", "a=1&a=2&b=3", "enter", "enter", "X-Trace: 1", "enter", "enter", "Authorization: hidden", "enter")
	term.keys("x").shows("done: backend/function/echo/src/event.json is written")
	text, err := os.ReadFile(file)
	must(t, err)
	var event map[string]any
	must(t, json.Unmarshal(text, &event))
	if event["path"] != "/books/a%20b/x" || event["httpMethod"] != "PUT" || strings.Contains(string(text), "hidden") || !strings.Contains(string(text), `"multiValueQueryStringParameters"`) {
		t.Errorf("the event is %s", text)
	}
	term.keys("x").shows("has this request already")
	term.to("Method").keys("enter", "PATCH", "enter", "x").shows("Replace backend/function/echo/src/event.json?", `+  "httpMethod": "PATCH"`).keys("esc")
	if same, err := os.ReadFile(file); err != nil || string(same) != string(text) {
		t.Errorf("event.json was replaced without agreement: %v %s", err, same)
	}
	term.keys("x", "tab", "enter").shows("is written")
	// It is filled in on the page of another path too.
	other := open(t, dir, "none", 120, 40, Options{}, route.Console{Path: "/open"})
	other.keys("i", "event", "enter").shows("Path         /books/{isbn}", "Method       PATCH", "{isbn}       a%20b", "Below it     /x", "Query        a=1&a=2&b=3", "X-Trace: 1")
	// A broken event.json is reported.
	must(t, os.WriteFile(file, []byte("{"), 0o644))
	other.keys("i", "event", "enter").shows("error: backend/function/echo/src/event.json cannot be read as an event")
}

func TestTheCommandHasNoSecretAndIsShown(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := written(t, shop(t))
	deploytest.Serve(t, dir)
	addUser(t, dir, "emma")
	term := open(t, dir, "none", 120, 40, Options{}, route.Console{Path: "/staff"})
	term.to("Who calls").keys("enter", "emma", "enter", "y").shows("Sent to the clipboard")
	if want := `"Authorization: Bearer $(gatewright token --env dev -- emma)"`; !strings.Contains(term.copied, want) {
		t.Errorf("%q lacks %s", term.copied, want)
	}
	term.keys("esc").to("Who calls").keys("enter", "Editors", "enter", "y")
	if want := "gatewright call GET /staff --env dev --api shop --as group:Editors"; term.copied != want {
		t.Errorf("%q, want %q", term.copied, want)
	}
}

// TestEscStopsWaiting sends a request that takes 1.5 seconds.
func TestEscStopsWaiting(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := written(t, shop(t))
	deploytest.Serve(t, dir)
	term := open(t, dir, "none", 120, 40, Options{}, route.Console{Path: "/open"})
	term.to("Query").keys("enter", "wait=1500", "enter")
	finish := term.meanwhile("c")
	term.shows("waiting for the response ..., esc stops it", "esc stop")
	term.keys("c").shows("not available: a request is being sent")
	term.keys(".", "esc")
	finish()
	term.shows("warning: stopped waiting; the function may still be running")
	if term.page.job.Running() != "" || term.page.at.Last != nil {
		t.Error("the stopped request still runs, or counts as sent")
	}
}

func TestAReadOnlyConsoleSendsNothingThatChanges(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := written(t, shop(t))
	deploytest.Serve(t, dir)
	term := open(t, dir, "none", 120, 40, Options{ReadOnly: "this dashboard is read-only"}, route.Console{Path: "/open", Method: "POST"})
	term.keys("c").shows("only GET, HEAD and OPTIONS are sent from here: this dashboard is read-only")
	term.keys("]", "c").shows("no test is sent from here: this dashboard is read-only").keys("[")
	term.keys("x").shows("not available: this dashboard is read-only")
	term.keys("ctrl+s").shows("not available: this dashboard is read-only")
	term.to("Method").keys("enter", "GET", "enter", "c").shows("200 OK")
	if _, err := os.Stat(filepath.Join(dir, ".gatewright", "console.json")); err == nil {
		t.Error("the history was written")
	}
}

func TestTheMouseScrollsAndSelects(t *testing.T) {
	t.Parallel()
	dir := written(t, shop(t))
	term := open(t, dir, "none", 120, 20, Options{}, route.Console{})
	click := func(text string) {
		for y, line := range strings.Split(term.Screen(), "\n") {
			if strings.Contains(line, text) {
				term.Send(tea.MouseClickMsg{X: 4, Y: y, Button: tea.MouseLeft})
				return
			}
		}
		t.Fatalf("%s is not shown:\n%s", text, term.Screen())
	}
	click("  Method ")
	term.shows("▌ Method")
	click("▌ Method")
	term.shows("PATCH", "the CORS preflight").keys("esc")
	term.Send(tea.MouseWheelMsg{X: 4, Y: 5, Button: tea.MouseWheelDown})
	term.shows("▌ Header")
	term.Send(tea.MouseClickMsg{X: 100, Y: 5, Button: tea.MouseLeft})
	if !term.page.inAnswer {
		t.Error("a click on the answer does not move the focus to it")
	}
}

func TestAMissingPathIsReportedOnceAndAnEmptyRowSaysSo(t *testing.T) {
	t.Parallel()
	dir := written(t, shop(t))
	term := open(t, dir, "none", 80, 24, Options{}, route.Console{Path: "/books/{isbn}"})
	term.shows("{isbn}       needs a value", "Query        none; such as ", "Header       none; such as ")
	// After another path was chosen, reading again does not report the first one.
	term.to("Path").keys("enter", "/open", "enter").keys("ctrl+r")
	if text := term.Screen(); !strings.Contains(text, "GET /open, not signed") || strings.Contains(text, "has no path") {
		t.Errorf("read again it shows\n%s", text)
	}
	term = open(t, dir, "none", 80, 24, Options{}, route.Console{Path: "/gone"})
	term.shows("warning: environment dev has no path /gone")
}

func TestBesideAnAnswerThePageSaysWhichModeIsNext(t *testing.T) {
	t.Parallel()
	term := open(t, written(t, shop(t)), "none", 80, 24, Options{}, route.Console{Path: "/open"})
	term.keys("tab", "]").shows("the next request is TEST: ")
	term.keys("[").shows("the next request is CALL: ")
}

func TestARowIsTypedInItsCell(t *testing.T) {
	t.Parallel()
	term := open(t, written(t, shop(t)), "none", 80, 24, Options{}, route.Console{Path: "/open"})
	term.to("Query").keys("enter").shows("▌ Query        none; such as", "enter take  esc drop").keys("c.dq[]", "esc")
	term.shows("▌ Query        none; such as").keys("enter", "limit=10", "up").shows("Query        limit=10", "▌ Below it ")
	// d clears a row after asking.
	term.keys("down", "d").shows("Clear Query?", "limit=10").keys("enter").shows("▌ Query        limit=10")
	term.keys("d", "tab", "enter").shows("▌ Query        none; such as")
	term.keys("d").shows("the line is empty")
	term.to("Path").keys("d").shows("not available: only a line of text or the body can be cleared")
}

func TestTheEnvironmentIsChosenFromAnyRow(t *testing.T) {
	t.Parallel()
	term := open(t, written(t, shop(t)), "none", 80, 24, Options{}, route.Console{Path: "/open"})
	term.keys("G", "E", "prod", "enter").shows("Environment  prod (guarded)", "▌ Who calls")
}

// TestTheGroupsOfACallerAreThoseOfTheCallerNow needs no function: the page says what will be
// decided before it sends.
func TestTheGroupsOfACallerAreThoseOfTheCallerNow(t *testing.T) {
	t.Parallel()
	b := shop(t)
	must(t, edit.AddGroup(b, "Buyers"))
	dir := written(t, b)
	deploytest.Serve(t, dir)
	addUser(t, dir, "emma", "Buyers", "Editors")
	addUser(t, dir, "rita", "Buyers")
	addUser(t, dir, "otto")
	term := open(t, dir, "none", 200, 60, Options{}, route.Console{API: "shop", Path: "/staff"})
	choose := func(who string) *terminal { return term.to("Who calls").keys("enter", who, "enter") }
	choose("emma").shows("user emma, signed, in Editors, Buyers", "allowed: members of Editors may read under /staff")
	choose("rita").shows("user rita, signed, in Buyers", "will be refused: signed-in users may not read under /staff")
	choose("otto").shows("user otto, signed", "will be refused: ").Hides("in Buyers", "in Editors")

	// An answer about a caller before this one comes late, and after another environment too.
	emma, rita := identitypool.Signer{User: "emma"}, identitypool.Signer{User: "rita"}
	late := term.page.setCaller(emma)
	term.tell(term.page.setCaller(rita)())
	term.tell(late())
	term.shows("user rita, signed, in Buyers")
	late = term.page.setCaller(emma)
	if cmd := term.page.setCaller(identitypool.Signer{}); cmd != nil {
		t.Error("the groups of nobody are read")
	}
	term.tell(late())
	term.Hides("in Editors")
}
