package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/table/attribute"
	"gatewright/tui/dashboard"
)

// library is the shop with a table of books.
func library(t testing.TB) string {
	t.Helper()
	b := shop(t)
	must(t, b.AddTable(&model.Table{
		Name: "library", PartitionKey: model.Key{Name: "isbn", Type: model.StringKey},
		Indexes: []model.Index{{Name: "byYear", PartitionKey: model.Key{Name: "year", Type: model.NumberKey}}},
	}))
	must(t, b.AddTable(&model.Table{Name: "events", PartitionKey: model.Key{Name: "day", Type: model.StringKey}, SortKey: model.Key{Name: "at", Type: model.NumberKey}}))
	dir := folder(t)
	written(t, dir, b)
	return dir
}

// running is a sandbox that serves the tables of dev.
func running(t testing.TB, dir string) *sandbox.Facility {
	t.Helper()
	state, err := deploy.MakeSandboxState(dir)
	must(t, err)
	f, err := sandbox.Start(sandbox.Options{State: state})
	must(t, err)
	t.Cleanup(func() { must(t, f.Close(context.Background())) })
	b := reload(t, dir).Backend
	must(t, f.Apply(sandbox.Config{Environments: []sandbox.Environment{{Name: "dev", Region: "eu-west-1", Tables: deploy.TablesOf(b, b.Environment("dev"))}}}))
	return f
}

// stocked writes n items into the table library, through a running sandbox or not.
func stocked(t testing.TB, dir string, n int) {
	t.Helper()
	state, err := deploy.MakeSandboxState(dir)
	must(t, err)
	held, err := sandbox.OpenTables(t.Context(), state, "")
	must(t, err)
	b := reload(t, dir).Backend
	tables := deploy.TablesOf(b, b.Environment("dev"))
	must(t, held.Make(t.Context(), tables))
	var lines strings.Builder
	for i := range n {
		_, _ = fmt.Fprintf(&lines, `{"isbn": "%04d", "title": "Book %d", "year": %d}`+"\n", i, i, 1900+i)
	}
	for _, of := range tables {
		if of.Definition.Name == "library" {
			_, err = sandbox.Items{Tables: held, Table: of}.Import(t.Context(), "f", strings.NewReader(lines.String()), nil)
			must(t, err)
		}
	}
	must(t, held.Close())
}

// item is the item of the table library with a key, as plain JSON; "" for none.
func item(t testing.TB, dir, isbn string) string {
	t.Helper()
	held, err := sandbox.OpenTables(t.Context(), deploy.SandboxState(dir), "")
	must(t, err)
	defer func() { must(t, held.Close()) }()
	b := reload(t, dir).Backend
	of := sandbox.Table{Name: deploy.TableName("library", "dev"), Definition: b.Table("library")}
	found, err := sandbox.Items{Tables: held, Table: of}.Get(t.Context(), attribute.Item{"isbn": {Kind: attribute.S, Text: isbn}})
	must(t, err)
	if found == nil {
		return ""
	}
	return string(found.AppendPlain(nil))
}

// tab goes to the tab of a name.
func (term *terminal) tab(name string) *terminal {
	term.t.Helper()
	for range 9 {
		if line := term.screen(); strings.Contains(line, " "+name+"]") || strings.Contains(line, " "+name+" !]") {
			return term
		}
		term.keys("tab")
	}
	term.t.Fatalf("there is no tab %s:\n%s", name, term.screen())
	return nil
}

func TestTablesAreShownWithTheirKeysAndIndexes(t *testing.T) {
	dir := library(t)
	term := look(t, dir, "none", 100, 30, dashboard.Route{}).tab("Tables")
	term.shows("> events", "day (string), at (number)", "library", "isbn (string)")
	term.keys("down").shows("index byYear: year (number)")
	term.keys("F").shows("not available: this dashboard only reads")
	bare := folder(t)
	written(t, bare, shop(t))
	look(t, bare, "none", 80, 24, dashboard.Route{}).tab("Tables").shows("no table yet; make one with: gatewright add table")
}

func TestItemsAreAddedEditedAndDeletedWithoutASandbox(t *testing.T) {
	dir := library(t)
	term := open(t, dir, "none", 100, 30, dashboard.Route{}).tab("Tables")
	term.keys("down", "enter").shows("no item yet: n adds one")
	term.keys("n").shows("New item of library", `"isbn": ""`, "not yet: the item has the key isbn without a value")
	term.keys("ctrl+s").shows("New item of library")
	term.keys("down", "end", "left", "978", "end", ",", "enter", `"title": "Emma`).shows("not yet: line 3 is no JSON")
	term.keys(`"`, "ctrl+s").shows("1 item is added to library", `{"isbn":"978","title":"Emma"}`)
	if got := item(t, dir, "978"); got != `{"isbn":"978","title":"Emma"}` {
		t.Fatalf("the table has %s", got)
	}
	term.keys("down").shows(`> `, `"title": "Emma"`)
	term.keys("E").shows("Item of library")
	term.keys("down", "end", "left", "left", "x").shows("not yet: the key of an item stays")
	term.keys("backspace", "down", "end", "left", "!", "ctrl+s").shows("1 item of library is replaced", "Emma!")
	if got := item(t, dir, "978"); got != `{"isbn":"978","title":"Emma!"}` {
		t.Fatalf("the table has %s", got)
	}
	term.keys("x").shows("Delete the item of library", `{"isbn":"978"} is gone for good`)
	term.keys("esc").shows("Emma!")
	term.keys("x", "d").shows("1 item of library is deleted", "no item yet")
	if got := item(t, dir, "978"); got != "" {
		t.Errorf("the table has %s", got)
	}
}

func TestAnItemThatSomebodyElseChangedIsNotWrittenOver(t *testing.T) {
	dir := library(t)
	stocked(t, dir, 1)
	term := open(t, dir, "none", 100, 30, dashboard.Route{}).tab("Tables")
	term.keys("down", "enter", "down").shows("Book 0")
	term.keys("E")
	put(t, dir, "new.jsonl", `{"isbn": "0000", "title": "Other"}`)
	other := open(t, dir, "none", 100, 30, dashboard.Route{}).tab("Tables")
	other.keys("down", "i", "new.jsonl", "enter").shows("items imported into library: 1")
	term.keys("down", "down", "end", "left", "left", "!", "ctrl+s").shows("somebody changed the item meanwhile", "Other")
	if got := item(t, dir, "0000"); got != `{"isbn":"0000","title":"Other"}` {
		t.Errorf("the table has %s", got)
	}
}

func TestMoreItemsComeWhenTheCursorIsAtTheEndOfThosePresent(t *testing.T) {
	dir := library(t)
	stocked(t, dir, 450)
	term := open(t, dir, "none", 100, 30, dashboard.Route{}).tab("Tables")
	term.keys("down", "enter").shows("library  450")
	term.keys("end", "/", "book").shows("401 of 403")
	term.keys("esc", "end").keys("end")
	if screen := term.screen(); strings.Contains(screen, "more come") {
		t.Errorf("there is more after the end:\n%s", screen)
	}
	term.keys("/", "book 449", "enter").shows("Book 449", "2 of 452")
}

func TestItemsAreImportedAndExported(t *testing.T) {
	dir := library(t)
	put(t, dir, "in.jsonl", `{"isbn": "1"}`+"\n"+`{"isbn": "2"}`)
	put(t, dir, "bad.jsonl", `{"isbn": "3"}`+"\n"+`{"title": "no key"}`)
	term := open(t, dir, "none", 100, 30, dashboard.Route{}).tab("Tables")
	term.keys("down", "i", "bad.jsonl", "enter").shows("bad.jsonl: item 2 has no isbn, which is the table's key")
	term.keys("i", "none.jsonl", "enter").shows("none.jsonl: cannot be read: no such file")
	term.keys("i", "in.jsonl", "enter").shows("items imported into library: 2")
	term.keys("w", "out.jsonl", "enter").shows("items of library exported to out.jsonl: 2")
	data, err := os.ReadFile(filepath.Join(dir, "out.jsonl"))
	must(t, err)
	if strings.Count(string(data), "\n") != 2 || !strings.Contains(string(data), `{"isbn":"1"}`) {
		t.Errorf("the file is\n%s", data)
	}
	put(t, dir, "mine.txt", "mine")
	term.keys("w", "mine.txt", "enter").shows("mine.txt is there already")
	term.keys("esc")
	if data, err := os.ReadFile(filepath.Join(dir, "mine.txt")); err != nil || string(data) != "mine" {
		t.Errorf("without a yes the file is %s, %v", data, err)
	}
	term.keys("w", "mine.txt", "enter", "r").shows("exported to mine.txt: 2")
}

func TestAReadOnlyDashboardShowsItemsOfARunningSandboxAlone(t *testing.T) {
	dir := library(t)
	stocked(t, dir, 3)
	before := everyFile(t, dir)
	term := look(t, dir, "none", 110, 30, dashboard.Route{}).tab("Tables")
	term.keys("down", "enter").shows("! no sandbox runs, and this dashboard takes hold of nothing")
	for _, key := range []string{"n", "i", "w"} {
		term.keys(key).shows("not available: this dashboard only reads")
	}
	term.keys("down").keys("x").shows("not available: this dashboard only reads")
	if diff := cmp.Diff(before, everyFile(t, dir)); diff != "" {
		t.Fatalf("files differ (- before, + after):\n%s", diff)
	}

	running(t, dir)
	before = everyFile(t, dir)
	term = look(t, dir, "none", 110, 30, dashboard.Route{}).tab("Tables")
	term.shows("events   0", "library  3")
	term.keys("down", "enter").shows(`{"isbn":"0000","title":"Book 0","year":1900}`, "items of dev as the running")
	term.keys("down").shows(`"year": 190`)
	term.keys("x").shows("not available: this dashboard only reads")
	if diff := cmp.Diff(before, everyFile(t, dir)); diff != "" {
		t.Errorf("files differ (- before, + after):\n%s", diff)
	}
}

func TestItemsOfARunningSandboxAreWrittenThroughIt(t *testing.T) {
	dir := library(t)
	running(t, dir)
	term := open(t, dir, "none", 110, 30, dashboard.Route{}).tab("Tables")
	term.keys("down", "n", "down", "end", "left", "1", "ctrl+s").shows("1 item is added to library", "library  1")
	if got := item(t, dir, "1"); got != `{"isbn":"1"}` {
		t.Errorf("the table has %s", got)
	}
	term.keys("right", "right", "enter").shows("the running sandbox does not serve environment")
}

func TestTextOfItemsIsNotObeyedByTheTerminal(t *testing.T) {
	dir := library(t)
	put(t, dir, "in.jsonl", `{"isbn": "1", "a\u001b[2J": "\u001b]0;title\u0007 \u202e"}`)
	term := open(t, dir, "none", 110, 30, dashboard.Route{}).tab("Tables")
	term.keys("down", "i", "in.jsonl", "enter", "enter", "down")
	for _, key := range []string{"enter", "esc", "E", "esc", "x"} {
		if content := term.model.View().Content; strings.Contains(content, "\x1b[2J") || strings.Contains(content, "\x1b]") || strings.Contains(content, "\u202e") {
			t.Errorf("a terminal would obey:\n%q", content)
		}
		term.keys(key)
	}
}
