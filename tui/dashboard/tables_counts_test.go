package dashboard

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
)

// TestItemsThatOthersWriteAreCountedAndShown polls as the frame does, while another program writes
// into the tables of the running sandbox.
func TestItemsThatOthersWriteAreCountedAndShown(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}})
	})
	_, stop := serving(t, dir)
	w := opened(t, dir, 110, 30).to("Tables")
	at := slices.IndexFunc(w.page.tabs, func(tab board.Tab) bool { return tab.Name() == "Tables" })
	poll := w.page.tabs[at].(board.Watcher).Watches()[0].Poll
	look := func() bool {
		t.Helper()
		found := poll()
		if found == nil {
			return false
		}
		w.tell(func() tea.Cmd { return found.(frame.ThenMsg)() })
		return true
	}
	write := func(lines string) {
		t.Helper()
		p, err := project.Open(dir)
		must(t, err)
		defer func() { _ = p.Close() }()
		held, err := sandbox.ServedTables(t.Context(), live.State(dir))
		must(t, err)
		defer func() { _ = held.Close() }()
		of := live.TablesOf(p.Backend, p.Backend.Environment("dev"))[0]
		_, err = sandbox.Items{Tables: held, Table: of}.Import(t.Context(), "lines", strings.NewReader(lines), nil)
		must(t, err)
	}
	look()
	w.Shows("items      0  id (string)")
	w.press("enter").Shows("no item yet")
	if look() {
		t.Error("counts that are the same are told again")
	}
	write(`{"id": "emma"}` + "\n" + `{"id": "persuasion"}`)
	if !look() {
		t.Fatal("the items of another program are not counted")
	}
	w.Shows("items      2  id (string)", `{"id":"emma"}`, `{"id":"persuasion"}`)
	// An item that another one takes the place of is not one more.
	write(`{"id": "emma", "year": 1815}`)
	if look() {
		t.Error("an item that is replaced is counted")
	}
	stop()
	w.tell(w.page.board.Observe)
	w.press("enter").Shows("items      ?  id (string)")
	if look() {
		t.Error("without a sandbox items are counted")
	}
}
