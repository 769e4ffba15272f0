package console

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/flow/session"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/route"
)

// TestABodyGoesThroughAnEditorThatLeavesNothingBehind opens it from the form, and from the dialog
// with a text that was typed there.
func TestABodyGoesThroughAnEditorThatLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir, editor := written(t, shop(t)), frametest.NewEditor(t)
	term := open(t, dir, "none", 120, 40, Options{Session: &session.Session{Dir: dir, Editor: editor.Command()}}, route.Console{Path: "/open", Method: "POST"})
	term.Programs = true
	// left checks what the editor saw, what the form has, and that the file is gone.
	left := func(saw, has string) {
		t.Helper()
		name, text := editor.Opened()
		if text != saw || term.page.at.Form.Body != has {
			t.Errorf("the editor saw %q, want %q; the form has %q, want %q", text, saw, term.page.at.Form.Body, has)
		}
		if _, err := os.Stat(filepath.Dir(name)); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
	term.to("Body").keys("enter").shows("Body").keys(`{"a":1}`, "ctrl+s")
	if got := term.page.at.Form.Body; got != `{"a":1}` {
		t.Fatalf("the form has %q", got)
	}
	editor.Writes("{\"b\":2}\r\n")
	term.keys("ctrl+e")
	left(`{"a":1}`, `{"b":2}`)
	term.keys("enter", "end", "backspace", ",", "ctrl+e")
	left(`{"b":2,`, `{"b":2}`)
	term.page.at.Form.Body = "x\n"
	term.keys("ctrl+e")
	left("x\n", "{\"b\":2}\r\n")
	editor.Fails()
	term.page.at.Form.Body = "kept"
	term.keys("ctrl+e").shows("error: the editor failed, so the body is unchanged: exit status 1")
	left("kept", "kept")
}

// TestOnlyTheLineThatWasAskedAboutIsCleared has a question about a line that another page of the
// same run has changed meanwhile.
func TestOnlyTheLineThatWasAskedAboutIsCleared(t *testing.T) {
	t.Parallel()
	term := open(t, written(t, shop(t)), "none", 120, 40, Options{}, route.Console{Path: "/books/{isbn}"})
	term.to("{isbn}").keys("enter", "978", "enter", "/cover", "enter", "limit=3", "esc")
	form := &term.page.at.Form
	if form.Values[0] != "978" || form.Below != "/cover" || form.Query != "" {
		t.Fatalf("esc keeps what was typed: %+v", form)
	}
	term.to("Query").keys("d").shows("the line is empty")
	term.to("Below it").keys("d").shows("Clear Below it?", "/cover").keys("enter")
	if form.Below != "/cover" {
		t.Error("it is cleared without a yes")
	}
	term.keys("d")
	form.Below = "/other"
	term.page.setRows()
	term.keys("tab", "enter")
	if form.Below != "/other" {
		t.Error("another text is cleared than was asked about")
	}
	term.keys("d").keys("tab", "enter")
	if form.Below != "" || form.Values[0] != "978" {
		t.Errorf("after a yes the form is %+v", form)
	}
	term.to("Method").keys("d").shows("only a line of text or the body can be cleared")
}

// TestAnAnswerOfAnotherPathIsSaidAndKeptThere also checks that the answer before is the one that
// the last is compared with.
func TestAnAnswerOfAnotherPathIsSaidAndKeptThere(t *testing.T) {
	t.Parallel()
	term := open(t, written(t, shop(t)), "none", 200, 50, Options{}, route.Console{Path: "/open"})
	first, second := example(term.page.at.Form), example(term.page.at.Form)
	second.Answer.Status, second.Answer.Body = 201, []byte(`{"made":true}`)
	term.to("Path").keys("enter", "/staff", "enter").shows("GET /staff")
	term.answer(first)
	term.shows("GET /open got a response: 403 Forbidden", "nothing was sent to this path yet")
	term.answer(second)
	term.to("Path").keys("enter", "/open", "enter").shows("201 Created", `"made": true`)
	term.keys("v").shows("Compared with the previous response", "-403 Forbidden", "+201 Created", `-  "Message": "no"`, `+  "made": true`)
	term.keys("v").shows("201 Created")
	if text := term.Screen(); strings.Contains(text, "Compared") {
		t.Errorf("the comparison does not end:\n%s", text)
	}
}
