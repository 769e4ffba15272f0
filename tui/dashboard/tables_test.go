package dashboard_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/table/attribute"
	"gatewright/tui/app/apptest"
	"gatewright/tui/route"
)

// servesTables starts a sandbox that serves the tables of dev.
func servesTables(t testing.TB, dir string) {
	t.Helper()
	state, err := live.MakeState(dir)
	apptest.Must(t, err)
	f, err := sandbox.Start(sandbox.Options{State: state})
	apptest.Must(t, err)
	t.Cleanup(func() { apptest.Must(t, f.Close(context.Background())) })
	b := apptest.Project(t, dir).Backend
	apptest.Must(t, f.Apply(sandbox.Config{Environments: []sandbox.Environment{{Name: "dev", Region: "eu-west-1", Tables: live.TablesOf(b, b.Environment("dev"))}}}))
}

// itemOf returns the item of the table library with an ISBN, as plain JSON; "" if missing.
func itemOf(t testing.TB, dir, isbn string) string {
	t.Helper()
	held, err := sandbox.OpenTables(t.Context(), live.State(dir), "")
	apptest.Must(t, err)
	defer func() { apptest.Must(t, held.Close()) }()
	b := apptest.Project(t, dir).Backend
	of := sandbox.Table{Name: live.TableName(b, "library", "dev"), Definition: b.Table("library")}
	found, err := sandbox.Items{Tables: held, Table: of}.Get(t.Context(), attribute.Item{"isbn": {Kind: attribute.S, Text: isbn}})
	apptest.Must(t, err)
	if found == nil {
		return ""
	}
	return string(found.AppendPlain(nil))
}

// tablesTab opens the tab in a dashboard, tablesTabReadOnly in a read-only dashboard.
func tablesTab(t testing.TB, dir string) *apptest.Terminal {
	t.Helper()
	return apptest.Open(t, dir, "none", 110, 30, route.Dashboard{}).Tab("Tables")
}

func tablesTabReadOnly(t testing.TB, dir string) *apptest.Terminal {
	t.Helper()
	return apptest.OpenReadOnly(t, dir, "none", 110, 30, route.Dashboard{}).Tab("Tables")
}

func TestTablesAndTheirItemsLookAsTheirGoldens(t *testing.T) {
	t.Parallel()
	dir := apptest.StockedLibrary(t)
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			term := apptest.Open(t, dir, "none", size[0], size[1], route.Dashboard{}).Tab("Tables")
			at := func(name string) { term.Golden(fmt.Sprintf("tables_%s_%dx%d", name, size[0], size[1])) }
			at("folded")
			term.Keys("down", "enter")
			at("unfolded")
			term.Keys("down")
			at("item")
			term.Keys("enter")
			at("whole_item")
			term.Keys("esc", "e", "down", "down", "end", "x")
			at("edited_item")
		})
	}
}

func TestTablesAreShownWithTheirKeysAndIndexes(t *testing.T) {
	t.Parallel()
	term := tablesTabReadOnly(t, apptest.Library(t))
	term.Shows("▌ events", "day (string), at (number)", "library", "isbn (string)")
	term.Keys("down").Shows("index byYear: year (number)")
	term.Keys("ctrl+e").Shows("not available: this dashboard is read-only")
	tablesTabReadOnly(t, apptest.Written(t, apptest.Shop(t))).Shows("no table yet; make one with: gatewright add table")
}

func TestItemsAreAddedEditedAndDeletedWithoutASandbox(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	term := tablesTab(t, dir)
	term.Keys("down", "enter").Shows("no item yet: a adds one")
	term.Keys("a").Shows("New item of library", `"isbn": ""`, "not yet: the item has the key isbn without a value")
	term.Keys("ctrl+s").Shows("New item of library")
	term.Keys("down", "end", "left", "978", "end", ",", "enter", `"title": "Emma`).Shows("not yet: line 3 is not valid JSON")
	term.Keys(`"`, "ctrl+s").Shows("1 item is added to library", `{"isbn":"978","title":"Emma"}`)
	if got := itemOf(t, dir, "978"); got != `{"isbn":"978","title":"Emma"}` {
		t.Fatalf("the table has %s", got)
	}
	term.Keys("down").Shows(`▌ `, `"title": "Emma"`)
	term.Keys("e").Shows("Item of library")
	term.Keys("down", "end", "left", "left", "x").Shows("not yet: the key of an item cannot change")
	term.Keys("backspace", "down", "end", "left", "!", "ctrl+s").Shows("1 item of library is replaced", "Emma!")
	if got := itemOf(t, dir, "978"); got != `{"isbn":"978","title":"Emma!"}` {
		t.Fatalf("the table has %s", got)
	}
	term.Keys("d").Shows("Delete the item of library", `{"isbn":"978"} is deleted; u brings it back`)
	term.Keys("esc").Shows("Emma!")
	term.Keys("d", "d").Shows("1 item of library is deleted", "no item yet")
	if got := itemOf(t, dir, "978"); got != "" {
		t.Errorf("the table has %s", got)
	}
}

// onItem is a library with one item, the item as it is kept, and the tab with the cursor on it.
func onItem(t *testing.T) (dir, was string, term *apptest.Terminal) {
	t.Helper()
	dir = apptest.Library(t)
	apptest.Stocked(t, dir, 1)
	term = tablesTab(t, dir)
	term.Keys("down", "enter", "down").Shows("Book 0")
	return dir, itemOf(t, dir, "0000"), term
}

func TestItemsComeBackByUndoInOrder(t *testing.T) {
	t.Parallel()
	dir, was, term := onItem(t)
	term.Keys("a", "down", "end", "left", "978", "ctrl+s").Shows("1 item is added to library; u undoes it")
	term.Keys("e", "down", "down", "end", "left", "left", "!", "ctrl+s").Shows("1 item of library is replaced; u undoes it")
	if got := itemOf(t, dir, "0000"); got == was {
		t.Fatalf("the table still has %s", got)
	}
	term.Keys("d", "d").Shows("1 item of library is deleted; u undoes it")
	if got := itemOf(t, dir, "0000"); got != "" {
		t.Fatalf("the table has %s", got)
	}
	term.Keys("u").Shows("undid: 1 item of library is deleted", "!")
	term.Keys("u").Shows("undid: 1 item of library is replaced")
	if got := itemOf(t, dir, "0000"); got != was {
		t.Errorf("the table has %s, and had %s", got, was)
	}
	term.Keys("u").Shows("undid: 1 item is added to library")
	if got := itemOf(t, dir, "978"); got != "" {
		t.Errorf("the table has %s", got)
	}
	term.Keys("u").Shows("nothing was changed here yet")
}

func TestANewItemThatReplacedAnotherGivesItBackByUndo(t *testing.T) {
	t.Parallel()
	dir, was, term := onItem(t)
	term.Keys("a", "down", "end", "left", "0000", "ctrl+s").Shows("1 item of library is replaced; u undoes it")
	term.Keys("u").Shows("undid: 1 item of library is replaced")
	if got := itemOf(t, dir, "0000"); got != was {
		t.Errorf("the table has %s, and had %s", got, was)
	}
}

func TestUndoLeavesAnItemThatSomebodyElseChangedSince(t *testing.T) {
	t.Parallel()
	dir, _, term := onItem(t)
	term.Keys("d", "d").Shows("1 item of library is deleted")
	apptest.Put(t, dir, "new.jsonl", `{"isbn": "0000", "title": "Other"}`)
	tablesTab(t, dir).Keys("down", "i", "new.jsonl", "enter").Shows("items imported into library: 1")
	term.Keys("u").Shows("nothing was undone: the item was changed meanwhile")
	if got := itemOf(t, dir, "0000"); got != `{"isbn":"0000","title":"Other"}` {
		t.Errorf("the table has %s", got)
	}
}

func TestAnItemThatSomebodyElseChangedIsNotOverwritten(t *testing.T) {
	t.Parallel()
	dir, _, term := onItem(t)
	term.Keys("e")
	apptest.Put(t, dir, "new.jsonl", `{"isbn": "0000", "title": "Other"}`)
	tablesTab(t, dir).Keys("down", "i", "new.jsonl", "enter").Shows("items imported into library: 1")
	term.Keys("down", "down", "end", "left", "left", "!", "ctrl+s").Shows("somebody changed the item meanwhile", "Other")
	if got := itemOf(t, dir, "0000"); got != `{"isbn":"0000","title":"Other"}` {
		t.Errorf("the table has %s", got)
	}
}

func TestMoreItemsAreFetchedWhenTheCursorIsAtTheEnd(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	apptest.Stocked(t, dir, 450)
	term := tablesTab(t, dir)
	term.Keys("down", "enter").Shows("library    450")
	term.Keys("esc", "end", "end", "end").Hides("more come")
	term.Keys("/", "book 449", "enter").Shows("Book 449", "1 found in all 450 items")
}

func TestItemsAreImportedAndExported(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	apptest.Put(t, dir, "in.jsonl", `{"isbn": "1"}`+"\n"+`{"isbn": "2"}`)
	apptest.Put(t, dir, "bad.jsonl", `{"isbn": "3"}`+"\n"+`{"title": "no key"}`)
	term := tablesTab(t, dir)
	term.Keys("down", "i", "bad.jsonl", "enter").Shows("bad.jsonl: item 2 has no isbn, which is the table's key")
	term.Keys("i", "none.jsonl", "enter").Shows("none.jsonl: cannot be read: no such file")
	term.Keys("i", "in.jsonl", "enter").Shows("items imported into library: 2")
	term.Keys("x", "out.jsonl", "enter").Shows("items of library exported to out.jsonl: 2")
	if text := apptest.Get(t, dir, "out.jsonl"); strings.Count(text, "\n") != 2 || !strings.Contains(text, `{"isbn":"1"}`) {
		t.Errorf("the file is\n%s", text)
	}
	apptest.Put(t, dir, "mine.txt", "mine")
	term.Keys("x", "mine.txt", "enter").Shows("mine.txt exists already")
	term.Keys("esc")
	if data, err := os.ReadFile(filepath.Join(dir, "mine.txt")); err != nil || string(data) != "mine" {
		t.Errorf("without a yes the file is %s, %v", data, err)
	}
	term.Keys("x", "mine.txt", "enter", "r").Shows("exported to mine.txt: 2")
}

func TestAReadOnlyDashboardShowsItemsOfARunningSandboxOnly(t *testing.T) {
	dir := apptest.Library(t)
	apptest.Stocked(t, dir, 3)
	unchanged := apptest.Unchanged(t, dir)
	term := tablesTabReadOnly(t, dir)
	term.Keys("down", "enter", "down").Shows("! this dashboard is read-only: it shows items while", "it shows items while a", "sandbox runs")
	for _, key := range []string{"a", "i", "x"} {
		term.Keys(key).Shows("not available: this dashboard is read-only")
	}
	term.Keys("down", "d").Shows("not available: this dashboard is read-only")
	unchanged()

	servesTables(t, dir)
	unchanged = apptest.Unchanged(t, dir)
	term = tablesTabReadOnly(t, dir)
	term.Shows("events       0", "library      3")
	term.Keys("down", "enter").Shows(`{"isbn":"0000","title":"Book 0","year":1900}`, "items of dev in the running")
	term.Keys("down").Shows(`"year": 190`)
	term.Keys("d").Shows("not available: this dashboard is read-only")
	unchanged()
}

func TestItemsOfARunningSandboxAreWrittenThroughIt(t *testing.T) {
	dir := apptest.Library(t)
	servesTables(t, dir)
	term := tablesTab(t, dir)
	term.Keys("down", "a", "down", "end", "left", "1", "ctrl+s").Shows("1 item is added to library", "library      1")
	if got := itemOf(t, dir, "1"); got != `{"isbn":"1"}` {
		t.Errorf("the table has %s", got)
	}
	term.Keys("]", "]", "enter").Shows("the running sandbox does not serve environment")
}

func TestTextOfItemsIsNotObeyedByTheTerminal(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	apptest.Put(t, dir, "in.jsonl", `{"isbn": "1", "a\u001b[2J": "\u001b]0;title\u0007 \u202e"}`)
	term := tablesTab(t, dir)
	term.Keys("down", "i", "in.jsonl", "enter", "enter", "down")
	for _, key := range []string{"enter", "esc", "e", "esc", "d"} {
		if content := term.Model.View().Content; strings.Contains(content, "\x1b[2J") || strings.Contains(content, "\x1b]") || strings.Contains(content, "\u202e") {
			t.Errorf("a terminal would obey:\n%q", content)
		}
		term.Keys(key)
	}
}

// TestEveryWindowHoldsWhatIsDrawn presses the keys of the tab in windows of many sizes.
func TestEveryWindowHoldsWhatIsDrawn(t *testing.T) {
	t.Parallel()
	term := apptest.Open(t, apptest.StockedLibrary(t), "none", 130, 30, route.Dashboard{}).Tab("Tables")
	for w := 20; w < 160; w += 13 {
		term.Resize(w, 8+w/5)
		for _, name := range []string{"down", "enter", "a", "x", "ctrl+s", "esc", "esc", "end", "e", "down", "x", "esc", "esc", "enter", "esc", "i", "esc", "x", "esc", "d", "esc", "tab", "down", "esc"} {
			term.Keys(name).Fits(fmt.Sprint(name, " in ", w, " cells"))
		}
	}
}
