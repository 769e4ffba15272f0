package functions_test

import (
	"fmt"
	"testing"

	"gatewright/cli/clitest"
	"gatewright/tui/app/apptest"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/route"
)

func TestMain(m *testing.M) { frametest.Main(m) }

// shop is a project with an API and a function; no command has run in it yet that knows more.
func shop(t *testing.T) *clitest.Session {
	t.Helper()
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop", "--app-id", "app1")
	s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "plain", "--auth", "read")
	s.Run(0, "add", "table", "items", "--partition-key", "id:string")
	return s
}

// opened is the tab in a dashboard that may write.
func opened(t *testing.T, s *clitest.Session, w, h int) *apptest.Terminal {
	t.Helper()
	return apptest.Open(t, s.Dir, "none", w, h, route.Dashboard{}).Tab("Functions")
}

// sameAs compares what keys wrote with what a command writes in a copy of the project, and what
// undo leaves with what was there.
func sameAs(t *testing.T, s *clitest.Session, term *apptest.Terminal, before *clitest.Session, command ...string) {
	t.Helper()
	was := apptest.Definition(t, before.Dir)
	before.Run(0, command...)
	if got, want := apptest.Definition(t, s.Dir), apptest.Definition(t, before.Dir); got != want {
		t.Errorf("the keys write\n%s\n%q writes\n%s", got, command, want)
	}
	term.Keys("u").Shows("undid: ")
	if got := apptest.Definition(t, s.Dir); got != was {
		t.Errorf("undo leaves\n%s\nof\n%s", got, was)
	}
}

func TestAFunctionIsAddedAsTheCommandDoes(t *testing.T) {
	for _, of := range []struct {
		keys    []string
		command []string
	}{
		{[]string{"orders"}, []string{"orders"}},
		{[]string{"mail", "tab", "p"}, []string{"mail", "--runtime", "python"}},
		{[]string{"orders", "tab", "tab", "c"}, []string{"orders", "--template", "crud"}},
		{
			[]string{"orders", "tab", "tab", "c", "tab", "sold", "tab", "backspace", "backspace", "backspace", "backspace", "backspace", "backspace", "number", "tab", "at"},
			[]string{"orders", "--template", "crud", "--table", "sold", "--partition-key", "id:number", "--sort-key", "at:string"},
		},
		{[]string{"orders", "tab", "tab", "c", "tab", "ctrl+n"}, []string{"orders", "--template", "crud", "--table", "items"}},
		{[]string{"mail", "tab", "g", "tab", "n"}, []string{"mail", "--runtime", "go", "--template", ""}},
	} {
		s := shop(t)
		before := s.Copy()
		term := opened(t, s, 110, 40)
		term.Keys("a").Shows("Add a function").Keys(of.keys...).Keys("ctrl+s").Shows("Add function "+of.command[0]+"?", "backend/function/"+of.command[0]+"/function.json")
		term.Keys("tab", "enter").Shows("added function " + of.command[0])
		sameAs(t, s, term, before, append([]string{"add", "function"}, of.command...)...)
	}
}

func TestAFunctionIsChangedAsTheCommandDoes(t *testing.T) {
	s := shop(t)
	before := s.Copy()
	term := opened(t, s, 110, 40)
	term.Keys("e").Shows("Change books").Keys("tab", "tab").Shows("1 to 900 seconds", "Behind an API")
	term.Keys("60", "tab", "256", "tab", "rate(1 hour)", "tab", "LOG=info", "enter", "MODE=a b", "tab", "MAIL_KEY", "tab", "ctrl+n").Shows("table/items=read")
	term.Keys(",update", "tab", "arn:aws:lambda:eu-west-1:1:layer:a:1", "ctrl+s")
	term.Shows("Change function books?", `"timeout": 60`, "update backend/function/books/function.json").Keys("tab", "enter").Shows("changed function books")
	sameAs(t, s, term, before, "update", "function", "books", "--timeout", "60", "--memory", "256", "--schedule", "rate(1 hour)", "--env", "LOG=info", "--env", "MODE=a b",
		"--secret", "MAIL_KEY", "--access", "table/items=read,update", "--layer", "arn:aws:lambda:eu-west-1:1:layer:a:1")

	before = s.Copy()
	term.Keys("e", "p").Shows("python3.14", "a change here leaves").Keys("ctrl+s").Shows("the source of function books does not change").Keys("tab", "enter").Shows("changed function books")
	sameAs(t, s, term, before, "update", "function", "books", "--runtime", "python3.14")
}

func TestAWrongValueOfAFunctionIsRefusedAtItsLine(t *testing.T) {
	s := shop(t)
	unchanged := apptest.Unchanged(t, s.Dir)
	term := opened(t, s, 110, 40)
	term.Keys("a", "books", "ctrl+s").Shows("› name           books", "function: books exists already").Keys("esc")
	for _, of := range []struct {
		line  int
		text  string
		wants []string
	}{
		{2, "x", []string{"› timeout    x", "give a whole number"}},
		{2, "901", []string{"› timeout    901", "the timeout is 901 seconds; use 1 to"}},
		{3, "1", []string{"› memory     1", "the memory is 1 megabytes; use 128 to"}},
		{4, "daily", []string{"› schedule   daily", "is wrong: it is"}},
		{5, "LOG", []string{"› variables", "takes NAME=VALUE, not LOG"}},
		{5, "A-B=1", []string{"› variables", "A-B"}},
		{6, "KEY=s3cret-value", []string{"› secrets", "takes only the name of a secret"}},
		{7, "table/items=raed", []string{"› access", "did you mean read?"}},
		{7, "table/nowhere=read", []string{"› access", "nowhere"}},
		{9, "/../../x", []string{"› handler", "out of the function"}},
	} {
		term.Keys("e")
		for range of.line {
			term.Keys("tab")
		}
		term.Keys(of.text, "ctrl+s").Shows(of.wants...)
		term.Keys("esc")
	}
	unchanged()
}

func TestTheRuntimeAndTheTemplateOfAFunctionChangeTogether(t *testing.T) {
	s := shop(t)
	s.Run(0, "add", "function", "web", "--template", "express")
	before := s.Copy()
	term := opened(t, s, 110, 40)
	term.Keys("G", "e").Shows("Change web", "express").Keys("p", "ctrl+s").Shows("› template", "does not support the")
	term.Keys("p", "p", "ctrl+s").Shows("Change function web?").Keys("tab", "enter").Shows("changed function web")
	sameAs(t, s, term, before, "update", "function", "web", "--runtime", "python3.14", "--template", "plain")
}

func TestAFormThatIsNotWrittenKeepsWhatWasTyped(t *testing.T) {
	s := shop(t)
	term := opened(t, s, 110, 40)
	term.Keys("a", "orders", "ctrl+s").Shows("Add function orders?").Keys("esc").Shows("Add a function", "› name           orders")
	term.Keys("esc").Hides("Add a function")
	term.Keys("e", "tab", "tab", "60", "tab", "256", "ctrl+s").Shows("Change function books?")
	s.Run(0, "update", "function", "books", "--timeout", "33")
	theirs := apptest.Definition(t, s.Dir)
	term.Keys("tab", "enter").Shows("nothing was written yet: function books changed outside: it opened nothing")
	term.Shows("Both changed the timeout of function books", "yours: 60", "outside: 33").Keys("k")
	term.Shows("Change function books?", `-  "timeout": 33`, `+  "timeout": 60`).Keys("tab", "enter").Shows("changed function books")
	term.Keys("u").Shows("undid: changed function books")
	if got := apptest.Definition(t, s.Dir); got != theirs {
		t.Errorf("undo leaves\n%s\nof\n%s", got, theirs)
	}
	term.Keys("e", "tab", "tab", "0")
	s.Run(0, "update", "function", "books", "--timeout", "44")
	term.Keys("ctrl+s").Shows("Both changed the timeout of function books", "yours: 330", "outside: 44").Keys("esc").Shows("timeout    330")
	term.Keys("esc")
	// Another line than the typed one is that of the files.
	term.Keys("e", "tab", "tab", "tab", "256")
	s.Run(0, "update", "function", "books", "--timeout", "55")
	term.Keys("ctrl+s").Shows("Change function books?", `"memory": `).Hides("timeout\": 44")
}

func TestFormsOfFunctionsLookAsTheirGoldens(t *testing.T) {
	s := shop(t)
	s.Run(0, "update", "function", "books", "--env", "LOG=info", "--env", "MODE=fast", "--access", "table/items=read")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {100, 30}, {120, 36}} {
		term := opened(t, s, size[0], size[1])
		at := func(name string) { term.Golden(fmt.Sprintf("%s_%dx%d", name, size[0], size[1])) }
		term.Keys("a", "orders", "tab", "tab", "c")
		at("add")
		term.Keys("ctrl+s")
		at("added")
		term.Keys("esc", "esc", "e", "tab", "tab", "tab", "tab", "tab")
		at("edit")
		term.Keys("enter", "X", "ctrl+s").Shows("takes NAME=VALUE")
		at("edit_refused")
		term.Keys("esc", "e", "tab", "tab", "30", "ctrl+s")
		at("edited")
	}
}

func TestFunctionsOfAnAmplifyProjectAreChangedByItsOwnCLI(t *testing.T) {
	dir := apptest.Amplify(t)
	term := apptest.Open(t, dir, "none", 110, 30, route.Dashboard{}).Tab("Functions")
	for key, verb := range map[string]string{"a": "add", "e": "update", "d": "remove"} {
		term.Keys(key).Shows("not available: the Amplify CLI manages these functions: run amplify " + verb + " function")
	}
}
