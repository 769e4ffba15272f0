package dashboard_test

import (
	"fmt"
	"testing"

	"gatewright/cli/clitest"
	"gatewright/tui/app/apptest"
	"gatewright/tui/route"
)

// noTables is a project without tables.
func noTables(t *testing.T) *clitest.Session {
	t.Helper()
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop", "--app-id", "app1")
	return s
}

// formsOf opens the tab of the tables.
func formsOf(t *testing.T, s *clitest.Session, w, h int) *apptest.Terminal {
	t.Helper()
	return apptest.Open(t, s.Dir, "none", w, h, route.Dashboard{}).Tab("Tables")
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

func TestATableIsAddedAsTheCommandDoes(t *testing.T) {
	for _, of := range []struct{ keys, command []string }{
		{[]string{"orders"}, []string{"orders", "--partition-key", "id:string"}},
		{
			[]string{"orders", "tab", "backspace", "backspace", "customer", "tab", "tab", "at", "tab", "n", "tab", "byState:state:string:at:number", "enter", "byDay:day:string"},
			[]string{"orders", "--partition-key", "customer:string", "--sort-key", "at:number", "--index", "byState:state:string:at:number", "--index", "byDay:day:string"},
		},
	} {
		s := noTables(t)
		before := s.Copy()
		term := formsOf(t, s, 110, 40)
		term.Shows("no table yet: a adds one").Keys("a").Shows("Add a table").Keys(of.keys...).Keys("ctrl+s")
		term.Shows("Add table orders?", "create backend/table/orders/table.json").Keys("tab", "enter").Shows("added table orders")
		sameAs(t, s, term, before, append([]string{"add", "table"}, of.command...)...)
	}
}

func TestIndexesOfATableChangeAsTheCommandDoes(t *testing.T) {
	s := noTables(t)
	s.Run(0, "add", "table", "orders", "--partition-key", "customer:string", "--index", "byDay:day:string", "--index", "byState:state:string")
	before := s.Copy()
	term := formsOf(t, s, 110, 40)
	term.Keys("e").Shows("Change table orders", "customer:string", "none", "byDay:day:string", "byState:state:string")
	term.Keys("shift+tab").Shows("cannot change: items are found by it", "x exports")
	term.Keys("x", "tab", "ctrl+u", "byState:state:number", "enter", "byNew:n:number", "ctrl+s")
	term.Shows("Change table orders?", "index byState has other keys", "index byNew is new", "in AWS one index changes at a time").Keys("tab", "enter").Shows("changed table orders")
	sameAs(t, s, term, before, "update", "table", "orders", "--index", "byState:state:number", "--index", "byNew:n:number")

	before = s.Copy()
	term.Keys("e", "up", "ctrl+u", "backspace", "ctrl+s").Shows("index byDay is removed: queries that name it fail").Hides("index byState").Keys("tab", "enter").Shows("changed table orders")
	sameAs(t, s, term, before, "update", "table", "orders", "--remove-index", "byDay")
}

func TestAWrongTableIsRefusedAtItsLine(t *testing.T) {
	s := noTables(t)
	s.Run(0, "add", "table", "orders", "--partition-key", "id:string")
	unchanged := apptest.Unchanged(t, s.Dir)
	term := formsOf(t, s, 110, 40)
	term.Keys("A", "orders", "ctrl+s").Shows("› name", "table: orders exists already").Keys("esc")
	term.Keys("A", "sold", "tab", "backspace", "backspace", "ctrl+s").Shows("› partition key").Keys("esc")
	term.Keys("A", "sold", "tab", "tab", "tab", "tab", "byDay", "ctrl+s").Shows("› indexes", "takes NAME:KEY:TYPE").Keys("esc")
	term.Keys("e", "byDay:day:time", "ctrl+s").Shows("› indexes", "time").Keys("esc")
	unchanged()
}

func TestATableIsRemovedAfterAYesAndBroughtBackByUndo(t *testing.T) {
	s := noTables(t)
	s.Run(0, "add", "function", "orders", "--template", "crud")
	before := s.Copy()
	term := formsOf(t, s, 110, 40)
	term.Keys("d").Shows("Remove table orders?", "function orders loses its access to table/orders").Keys("tab", "enter").Shows("removed table orders")
	sameAs(t, s, term, before, "remove", "table", "orders", "--cascade")
}

func TestAFormOfATableThatIsNotWrittenKeepsWhatWasTyped(t *testing.T) {
	s := noTables(t)
	s.Run(0, "add", "table", "orders", "--partition-key", "customer:string")
	term := formsOf(t, s, 110, 40)
	term.Keys("A", "sold", "tab", "tab", "tab", "at", "ctrl+s").Shows("Add table sold?").Keys("esc").Shows("› name           sold", "sort key       at")
	term.Keys("esc", "e", "byDay:day:string", "ctrl+s").Shows("Change table orders?").Keys("esc").Shows("Change table orders", "byDay:day:string")
	term.Keys("esc").Hides("byDay")
}

func TestFormsOfTablesLookAsTheirGoldens(t *testing.T) {
	s := noTables(t)
	s.Run(0, "add", "table", "orders", "--partition-key", "customer:string", "--index", "byDay:day:string", "--index", "byState:state:string")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {100, 30}, {120, 36}} {
		term := formsOf(t, s, size[0], size[1])
		at := func(name string) { term.Golden(fmt.Sprintf("tables_%s_%dx%d", name, size[0], size[1])) }
		term.Keys("A", "sold", "tab", "tab", "tab", "at")
		at("add_table")
		term.Keys("esc", "e")
		at("edit_table")
		term.Keys("shift+tab")
		at("edit_keys")
		term.Keys("tab", "ctrl+u", "byState:state:number", "ctrl+s")
		at("edited_table")
	}
}

func TestTablesOfAnAmplifyProjectAreChangedByItsOwnCLI(t *testing.T) {
	t.Parallel()
	term := apptest.Open(t, apptest.Amplify(t), "none", 110, 30, route.Dashboard{}).Tab("Tables")
	term.Keys("A").Shows("not available: the Amplify CLI manages these tables: run amplify add")
}

func TestTheTriggersOfATableChangeAsTheCommandDoes(t *testing.T) {
	s := noTables(t)
	s.Run(0, "add", "function", "audit", "--template", "plain")
	s.Run(0, "add", "table", "orders", "--partition-key", "id:string")
	before := s.Copy()
	term := formsOf(t, s, 110, 40)
	term.Keys("e", "tab", "nobody", "ctrl+s").Shows("› triggers", "names the function nobody").Keys("ctrl+u", "audit:often", "ctrl+s").Shows("› triggers", "has no option often")
	term.Keys("ctrl+u", "audit:oldest,batch=5", "ctrl+s").Shows("Change table orders?", "function audit gets the changes of the table", `"startingPosition": "TRIM_HORIZON"`).Keys("tab", "enter").Shows("changed table orders", "its changes go to", "audit:oldest,batch=5")
	term.Keys("e", "tab", "end", "ctrl+u", "audit:oldest,batch=7", "ctrl+s").Shows("Change table orders?", "function audit gets the changes of the table with other settings").Keys("esc", "esc", "esc")
	term.Keys("e", "tab", "end", "ctrl+u", "ctrl+s").Shows("Change table orders?", "function audit no longer gets the changes").Keys("esc", "esc")
	sameAs(t, s, term, before, "update", "table", "orders", "--trigger", "audit:oldest,batch=5")
}
