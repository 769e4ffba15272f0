package console

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/deploytest"
	"gatewright/flow/session"
	"gatewright/tui/route"
)

// answered opens the console with an answer that has the focus.
func answered(t *testing.T, body string) *terminal {
	term := open(t, written(t, shop(t)), "none", 120, 40, Options{}, route.Console{Path: "/open"})
	x := example(term.page.at.Form)
	x.Answer.Body = []byte(body)
	term.answer(x)
	return term.keys("tab")
}

const list = `{"items": [{"id": 1, "title": "Emma"}, {"id": 2, "title": "Persuasion", "more": {"id": 3}}], "total": 2}`

func TestJSONFoldsAtTheCursor(t *testing.T) {
	t.Parallel()
	term := answered(t, list)
	term.keys("/", "Persuasion", "enter").shows("match 1 of 1", `▌       "title": "Persuasion"`)
	term.keys("z").shows("▌     { … 6 lines")
	if strings.Contains(term.Screen(), "Persuasion") {
		t.Errorf("the object is not folded:\n%s", term.Screen())
	}
	// The next match unfolds what hides it.
	term.keys("g", "n").shows(`▌       "title": "Persuasion"`).keys("esc", "g").shows("▌ Request")
	term.keys("n", "n", "z").shows("▌ Why it was refused … 1 line").keys("z").shows("AccessDenied")
}

func TestASearchGoesFromMatchToMatch(t *testing.T) {
	t.Parallel()
	term := answered(t, list)
	term.keys("/", `"id"`).shows(`› "id"`).keys("enter").shows("match 1 of 3").keys("n").shows("match 2 of 3").keys("n", "n").shows("match 3 of 3").keys("N").shows("match 2 of 3")
	term.keys("/", "no such text", "enter").shows(`the response has no "no such text"`)
	term.keys("/", "x", "esc").shows("▌")
}

// A search that did not look through the whole body never says that the body has no such text.
func TestASearchSaysWhatItDidNotLookThrough(t *testing.T) {
	t.Parallel()
	term := answered(t, `["first", `+strings.Repeat(`"x", `, 5000)+`"Last"]`)
	term.keys("/", "last", "enter").shows("last is in the part of the body that is not shown")
	term.keys("/", "none", "enter").shows("the response has no none, not even in the part that is not shown")
	term.keys("/", "first", "enter").shows("match 1 of 1 shown")
	term = answered(t, `["first`+strings.Repeat("x", 5000)+`last"]`)
	term.keys("/", "xlast", "enter").shows("xlast is in the part of the body that is not shown")
}

// However narrow the pane is, the status is in its frame.
func TestTheStatusOfALongAnswerIsAlwaysInView(t *testing.T) {
	t.Parallel()
	term := answered(t, "["+strings.Repeat("1, ", 3000)+"1]")
	for _, w := range []int{60, 80, 90, 100, 110, 120} {
		term.Resize(w, 24)
		for line := range strings.Lines(term.Screen()) {
			if strings.Contains(line, "Response of") && !strings.Contains(line, term.page.at.Last.Status()) {
				t.Errorf("%d columns wide it is:\n%s", w, line)
			}
		}
	}
}

func TestAPathPicksFromTheAnswer(t *testing.T) {
	t.Parallel()
	term := answered(t, list)
	term.keys("/", "$.items[*].title", "enter").shows("$.items[*].title: 2 values", "/items/0/title", `"Emma"`, `"Persuasion"`)
	term.keys("y")
	if term.copied != "[\n  \"Emma\",\n  \"Persuasion\"\n]" {
		t.Errorf("%q was copied", term.copied)
	}
	term.keys("/", "$.items[-1].more", "enter", "y")
	if term.copied != "{\n  \"id\": 3\n}" {
		t.Errorf("%q was copied", term.copied)
	}
	term.keys("/", "$.items[", "enter").shows("a ] is missing").keys("/", "$.none", "enter").shows("there is no value at $.none")
	// Y copies the whole body, whatever is picked; esc goes back to it.
	term.keys("Y")
	if term.copied != list {
		t.Errorf("%q was copied", term.copied)
	}
	term.keys("esc").shows("Response of 12:00:00 UTC")
}

// Every value is copied as it is in the body, from the line where it is shown.
func TestTheValueAtTheCursorIsCopied(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 500)
	term := answered(t, `{"a": "`+long+`", "b": [1.50, {}, "x\ty"], "c": null}`)
	for search, want := range map[string]string{`"a"`: long, "1.50": "1.50", `"b"`: "[\n  1.50,\n  {},\n  \"x\\ty\"\n]", "null": "null", "x\\t": "x\ty"} {
		term.keys("g", "/", search, "enter", "y")
		if term.copied != want {
			t.Errorf("at %s %q was copied, want %q", search, term.copied, want)
		}
	}
	term.keys("esc", "g", "y")
	if term.copied != "GET /open, not signed" {
		t.Errorf("%q was copied of the first part", term.copied)
	}
}

func TestABodyIsSavedByteForByteAndNothingIsReplacedUnasked(t *testing.T) {
	t.Parallel()
	body := "\x00\xff\x1b[2J binary"
	term := answered(t, body)
	dir := term.page.options.Dir
	term.keys("x", "enter").shows("type the name of a file").keys("out.bin", "enter").shows("the body is in ")
	file := filepath.Join(dir, "out.bin")
	if text, err := os.ReadFile(file); err != nil || string(text) != body {
		t.Fatalf("%v %q", err, text)
	}
	must(t, os.WriteFile(file, []byte("mine"), 0o600))
	term.keys("x", "out.bin", "enter").shows("Replace the file?").keys("enter")
	if text, _ := os.ReadFile(file); string(text) != "mine" {
		t.Fatalf("%q was written without agreement", text)
	}
	term.keys("x", "out.bin", "enter", "tab", "enter").shows("the body is in ")
	if text, _ := os.ReadFile(file); string(text) != body {
		t.Errorf("%q", text)
	}
	term.keys("x", "backend", "enter").shows("is a folder")
	term.keys("x", "no/such/folder", "enter").shows("cannot be written")
}

func TestSeveralHeadersArePastedAtOnce(t *testing.T) {
	t.Parallel()
	term := open(t, written(t, shop(t)), "none", 120, 40, Options{}, route.Console{Path: "/open"})
	term.to("Header")
	term.Send(tea.PasteMsg{Content: "X-A: 1\r\nX-B: a:b\n\nnot one\nX-A: 2\n"})
	term.shows("X-A: 1", "X-B: a:b", "X-A: 2", `pasted 3 headers; "not one" is not a header`)
	if headers := term.page.at.Form.Copy().Headers; len(headers) != 3 {
		t.Errorf("%q", headers)
	}
	// What was typed before stays.
	term.to("Header       none").keys("enter", "X-T: 1")
	term.Send(tea.PasteMsg{Content: "X-C: 1\nX-D: 2"})
	if headers := term.page.at.Form.Copy().Headers; len(headers) != 6 || headers[3] != "X-T: 1" {
		t.Errorf("%q", headers)
	}
}

func TestACommandOfCurlFillsInTheForm(t *testing.T) {
	t.Parallel()
	term := open(t, written(t, shop(t)), "none", 120, 40, Options{}, route.Console{Path: "/open"})
	term.Send(tea.PasteMsg{Content: "curl 'https://api.example.org/prod/books/97%208/cover?x=1' \\\n  -X PUT \\\n  -H 'X-A: it'\\''s' \\\n  --insecure --data-raw $'{\\n\"a\": \"\\u00e9\"}' --proxy p\n"})
	term.shows("Filled in from curl, except for this", "--proxy p is not understood").keys("esc")
	term.shows("Path         /books/{isbn}", "{isbn}       97%208", "Below it     /cover", "Method       PUT", "X-A: it's", `{ "a": "é"}`)
	term.Send(tea.PasteMsg{Content: "curl http://x.org/nothing/here"})
	term.shows(`error: url: no path of an API serves "GET /nothing/here"`)
	// A DELETE of a pasted command was not chosen.
	term.Send(tea.PasteMsg{Content: "curl -X DELETE http://x.org/dev/open/1"})
	term.keys("i", "curl", "enter").shows("A curl command").keys("esc")
	if at := term.page.at; at.Form.Method != "DELETE" || at.Form.Below != "/1" || at.Chosen {
		t.Errorf("%+v", at)
	}
}

func TestTheBodyIsEditedInTheEditor(t *testing.T) {
	t.Parallel()
	dir := written(t, shop(t))
	script := filepath.Join(t.TempDir(), "editor")
	lines := "#!/bin/sh\nsed s/Emma/Persuasion/ \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"\n"
	if runtime.GOOS == "windows" {
		script, lines = script+".cmd", "@(echo {\"title\": \"Persuasion\"})> %1\r\n"
	}
	must(t, os.WriteFile(script, []byte(lines), 0o700))
	s := &session.Session{Dir: dir, Editor: script}
	term := open(t, dir, "none", 120, 40, Options{Session: s}, route.Console{Path: "/open", Method: "POST"})
	term.to("Body")
	term.Send(tea.PasteMsg{Content: `{"title": "Emma"}`})
	file := filepath.Join(t.TempDir(), "body.json")
	must(t, os.WriteFile(file, []byte(term.page.at.Form.Body), 0o600))
	must(t, term.page.editor(file).Run())
	if body, err := edited(file, `{"title": "Emma"}`, nil); err != nil || body != `{"title": "Persuasion"}` {
		t.Errorf("%q %v", body, err)
	}
}

// Whatever the editor does, the error says what became of the body.
func TestAnEditorThatFailsLeavesTheBody(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "body.json")
	must(t, os.WriteFile(file, []byte("\xff\x00"), 0o600))
	s := &session.Session{Editor: filepath.Join(t.TempDir(), "none")}
	for want, err := range map[string]error{
		"the editor was not found, so the body is unchanged: set EDITOR": s.Edit(file).Run(),
		"the editor failed, so the body is unchanged: exit status 3":     errors.New("exit status 3"),
		"the edited body cannot be used: it is not text":                 nil,
	} {
		if body, err := edited(file, "{}", err); err == nil || body != "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%q %v, want %s", body, err, want)
		}
	}
	must(t, os.Remove(file))
	if _, err := edited(file, "{}", nil); err == nil || !strings.Contains(err.Error(), "cannot be used") {
		t.Errorf("without a file: %v", err)
	}
}

func TestASavedRequestIsComparedWithItsKeptAnswer(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := written(t, shop(t))
	deploytest.Serve(t, dir)
	term := open(t, dir, "none", 120, 40, Options{}, route.Console{Path: "/open", Method: "POST"})
	term.to("Query").keys("enter", "status=201", "enter", "c").shows("201 Created")
	term.keys("ctrl+s").shows("Save the request", "post-open").keys("enter", "enter", "$.identity", "enter").shows("done: backend/requests/post-open.json is written")
	text, err := os.ReadFile(filepath.Join(dir, "backend", "requests", "post-open.json"))
	must(t, err)
	if !strings.Contains(string(text), `"status": 201`) || !strings.Contains(string(text), `"$.identity"`) {
		t.Errorf("the file is\n%s", text)
	}
	term.keys("c").shows("the response matches the one in post-open").keys("v").shows("Compared with the expected response of post-open")
	again := open(t, dir, "none", 120, 40, Options{}, route.Console{Path: "/staff"})
	again.keys("i").shows("post-open", "POST /open, with its expected response").keys("post", "enter").shows("Query        status=201", "Method       POST")
	again.to("Query").keys("enter", "backspace", "2", "enter", "c").shows("differs from the response in post-open: status: expected 201, got 202")
	again.keys("v").shows("Comparison", "- 201", "+ 202")
	// The file is replaced only with agreement.
	again.keys("ctrl+s", "enter", "enter", "enter").shows("Replace backend/requests/post-open.json?", `+  "query": "status=202"`).keys("esc")
	if same, _ := os.ReadFile(filepath.Join(dir, "backend", "requests", "post-open.json")); string(same) != string(text) {
		t.Error("it was replaced without agreement")
	}
	again.to("Header").keys("enter", "Authorization: Basic hidden", "enter").keys("ctrl+s", "other", "ctrl+s")
	again.shows("the header Authorization may hold a secret", "write ${NAME} instead")
	if _, err := os.Stat(filepath.Join(dir, "backend", "requests", "other.json")); err == nil {
		t.Error("a secret was saved")
	}
}

func TestTheLogOfAFailureComesBeforeTheHeaders(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := written(t, shop(t))
	deploytest.Serve(t, dir)
	term := open(t, dir, "none", 200, 60, Options{}, route.Console{Path: "/open"})
	term.to("Query").keys("enter", "fail=1", "enter", "c").shows("502 Bad Gateway")
	text := term.Screen()
	if log, headers := strings.Index(text, "Log of the function echo"), strings.Index(text, "Response headers"); log < 0 || headers < log {
		t.Errorf("the log is at %d, the headers at %d:\n%s", log, headers, text)
	}
}
