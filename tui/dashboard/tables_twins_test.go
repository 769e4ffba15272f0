package dashboard_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/flow/resource"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/tui/app/apptest"
)

// TestAnItemIsDeletedInItsTableAndNotInItsTwin has two open tables with the same items.
func TestAnItemIsDeletedInItsTableAndNotInItsTwin(t *testing.T) {
	t.Parallel()
	b := apptest.Shop(t)
	for _, name := range []string{"first", "second"} {
		apptest.Must(t, edit.AddTable(b, &model.Table{Name: name, PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	}
	dir := apptest.Written(t, b)
	apptest.Put(t, dir, "in.jsonl", `{"id": "1"}`+"\n"+`{"id": "2"}`)
	counts := func() string {
		t.Helper()
		held, err := sandbox.OpenTables(t.Context(), live.State(dir), "")
		apptest.Must(t, err)
		defer func() { apptest.Must(t, held.Close()) }()
		var all []string
		for _, of := range live.TablesOf(b, b.Environment("dev")) {
			var out strings.Builder
			_, err := sandbox.Items{Tables: held, Table: of}.Export(t.Context(), &out, func(int) {})
			apptest.Must(t, err)
			all = append(all, of.Definition.Name+" "+strings.ReplaceAll(out.String(), "\n", ""))
		}
		return strings.Join(all, ", ")
	}
	term := tablesTab(t, dir)
	for _, of := range []string{"first", "second"} {
		term.Keys("home", "/", "table "+of, "enter", "i", "in.jsonl", "enter").Shows("items imported into " + of + ": 2").Keys("esc")
	}
	term.Keys("home", "enter", "end", "enter", "down").Shows("first       2", "second      2", "item of second")
	id := "1"
	if strings.Contains(term.Side(), `"2"`) {
		id = "2"
	}
	term.Keys("d").Shows("Delete the item of second", `{"id":"`+id+`"} is deleted`).Keys("d").Shows("1 item of second is deleted")
	other := map[string]string{"1": "2", "2": "1"}[id]
	if got := counts(); got != `first {"id":"1"}{"id":"2"}, second {"id":"`+other+`"}` && got != `first {"id":"2"}{"id":"1"}, second {"id":"`+other+`"}` {
		t.Errorf("there is %s", got)
	}
	term.Shows("first       2", "second      1")
	term.Keys("u").Shows("undid: 1 item of second is deleted", "second      2")

	// Folded, a table keeps the cursor, and the other one stays as it is.
	term.Keys("home", "/", "table second", "enter", "esc", "enter").Shows("▌ second", `{"id":"1"}`, "first       2")
	if got := strings.Count(term.Screen(), `{"id":"`); got != 2 {
		t.Errorf("with one table folded, %d items are shown:\n%s", got, term.Screen())
	}
	term.Keys("home", "down", "z").Shows("▌ first")
	if got := strings.Count(term.Screen(), `{"id":"`); got != 0 {
		t.Errorf("with both folded, %d items are shown:\n%s", got, term.Screen())
	}
}

func TestAnItemThatIsGoneIsNotDeletedTwice(t *testing.T) {
	t.Parallel()
	dir, _, term := onItem(t)
	other := tablesTab(t, dir).Keys("down", "enter", "down")
	term.Keys("d")
	other.Keys("d", "d").Shows("1 item of library is deleted")
	term.Keys("d").Shows("error: the item was deleted already", "no item yet").Keys("u").Shows("nothing was changed here yet")
	other.Keys("u").Shows("undid: 1 item of library is deleted")
	if got := itemOf(t, dir, "0000"); got == "" {
		t.Error("undo brings nothing back")
	}
}

func TestWhatChangedBehindTheFormOfATableIsNotOverwritten(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	for _, of := range []struct {
		change func(*model.Table)
		want   string
	}{
		{func(table *model.Table) { table.Indexes = nil }, "[byNew:n:number] []"},
		{func(table *model.Table) { table.Triggers = []model.StreamTrigger{{Function: "books"}} }, "[byNew:n:number] [books]"},
	} {
		term := tablesTab(t, dir).Keys("down", "e").Shows("Change table library").Keys("end", "enter", "byNew:n:number")
		deploytest.Change(t, dir, func(b *model.Backend) error {
			table := *b.Table("library")
			of.change(&table)
			return edit.UpdateTable(b, &table)
		})
		was := apptest.Definition(t, dir)
		term.Keys("ctrl+s").Shows("Change table library?", "index byNew is new").Keys("tab", "enter").Shows("changed table library")
		got := apptest.Project(t, dir).Backend.Table("library")
		if has := fmt.Sprint(resource.Lines(&got.Indexes), resource.Lines(&got.Triggers)); has != of.want {
			t.Errorf("the table has %s, want %s", has, of.want)
		}
		if term.Keys("u"); apptest.Definition(t, dir) != was {
			t.Error("undo does not leave the change of another")
		}
	}
	term := tablesTab(t, dir).Keys("A", "sold", "tab", "tab", "tab", "tab", "byDay:day:string", "enter", "byDay:n:number", "ctrl+s")
	term.Shows("› indexes", "the index byDay is named twice")
}

func TestItemsAreThoseOfTheEnvironmentThatIsShown(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	apptest.Stocked(t, dir, 2)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return edit.AddEnvironment(b, &model.Environment{Name: "stage", Provider: model.Local})
	})
	term := tablesTab(t, dir)
	term.Keys("down", "enter").Shows("0001")
	term.Keys("E", "stage", "enter").Shows("environment stage", "library")
	if screen := term.Screen(); strings.Contains(screen, "0001") {
		t.Errorf("the items of dev stay:\n%s", screen)
	}
	term.Keys("enter").Shows("no item yet: a adds one")
}
