package dashboard_test

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/tui/app"
	"gatewright/tui/app/apptest"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/route"
)

// withEditor starts the program in a folder, with an editor that runs.
func withEditor(t *testing.T, dir string, start frame.Route) (*apptest.Terminal, *frametest.Editor) {
	t.Helper()
	editor, s := frametest.NewEditor(t), apptest.Session(t, dir)
	s.Editor = editor.Command()
	term := apptest.Begin(t, app.Options{Dir: dir, Theme: "none", Start: start}, s, 130, 36)
	term.Programs = true
	return term, editor
}

// TestEachTabOpensTheFileOfItsRow has at least two rows in each tab, of which the second has the
// cursor, and shows what the editor wrote.
func TestEachTabOpensTheFileOfItsRow(t *testing.T) {
	t.Parallel()
	b := apptest.Shop(t)
	apptest.Must(t, edit.AddTable(b, &model.Table{Name: "events", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	apptest.Must(t, edit.AddTable(b, &model.Table{Name: "library", PartitionKey: model.Key{Name: "isbn", Type: model.StringKey}}))
	apptest.Must(t, edit.SetData(b, &model.Data{URL: "https://data.example.com", DefaultAuthorizationType: "API_KEY"}))
	apptest.Must(t, edit.AddNamedOutput(b, "uploads", model.Outputs{"custom": map[string]any{"uploads": map[string]any{"size": 9}}}))
	apptest.Must(t, edit.AddNamedOutput(b, "limits", model.Outputs{"custom": map[string]any{"limits": map[string]any{"pages": 20}}}))
	dir := apptest.Written(t, b)
	term, editor := withEditor(t, dir, route.Dashboard{})
	for _, of := range []struct{ tab, at, want string }{
		{"apis", "/items", "backend/function/items/src/index.js"},
		{"functions", "books", "backend/function/books/src/index.js"},
		{"tables", "library", "backend/table/library/table.json"},
		{"definitions", "default_auth", "backend/data.json"},
		{"outputs", "size", "backend/outputs/uploads.json"},
		{"outputs", "$schema", "client_config.json"},
		{"environments", "provider", "backend/environments/prod.json"},
	} {
		term.Tab(of.tab).Keys("home", "/", of.at, "enter")
		if of.tab == "environments" {
			term.Keys("right")
		}
		term.Keys("ctrl+e")
		name, text := editor.Opened()
		if rel, err := filepath.Rel(dir, name); err != nil || filepath.ToSlash(rel) != of.want {
			t.Errorf("on %s of %s it opens %s, want %s", of.at, of.tab, name, of.want)
		}
		if was := apptest.Get(t, dir, of.want); text != was {
			t.Errorf("%s has %q, and the editor sees %q", of.want, was, text)
		}
		term.Keys("esc")
	}
	// What was written is read.
	editor.Writes(`{"name": "library", "partitionKey": {"name": "title", "type": "string"}}`)
	term.Tab("tables").Keys("home", "/", "library", "enter", "ctrl+e").Shows("title (string)")
	editor.Fails()
	term.Keys("ctrl+e").Shows("error: the editor", "exit status 1")
}

// TestAnItemIsEditedInAnEditorAndNothingOfItIsLeftThere gives an editor a text that is not saved
// yet, and takes what the editor wrote for one that is not saved either.
func TestAnItemIsEditedInAnEditorAndNothingOfItIsLeftThere(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	apptest.Stocked(t, dir, 2)
	term, editor := withEditor(t, dir, route.Dashboard{})
	term.Tab("tables").Keys("down", "enter", "down").Shows(`"title": "Book 1"`)
	const was = "{\n  \"isbn\": \"0001\",\n  \"title\": \"Book 1\",\n  \"year\": 1901\n}"
	editor.Writes("{\"isbn\": \"0001\", \"title\": \"Emma\"}\n\n")
	term.Keys("e", "down", "down", "end", "left", "left", "!", "ctrl+e").Shows("Item of library", `{"isbn": "0001", "title": "Emma"}`)
	name, text := editor.Opened()
	if want := was[:len("{\n  \"isbn\": \"0001\",\n  \"title\": \"Book 1")] + "!" + was[len("{\n  \"isbn\": \"0001\",\n  \"title\": \"Book 1"):] + "\n"; text != want {
		t.Errorf("the editor sees %q, want %q", text, want)
	}
	if _, err := os.Stat(filepath.Dir(name)); !os.IsNotExist(err) || filepath.Base(name) != "item.json" {
		t.Errorf("of %s there is still: %v", name, err)
	}
	// It is not saved yet: one esc asks, two drop it.
	term.Keys("esc").Shows("Item of library").Keys("x", "backspace")
	if got := itemOf(t, dir, "0001"); got != `{"isbn":"0001","title":"Book 1","year":1901}` {
		t.Errorf("before it is saved the table has %s", got)
	}
	term.Keys("ctrl+s").Shows("1 item of library is replaced")
	if got := itemOf(t, dir, "0001"); got != `{"isbn":"0001","title":"Emma"}` {
		t.Errorf("the table has %s", got)
	}
	editor.Fails()
	term.Keys("e", "ctrl+e").Shows("Item of library", `"title": "Emma"`, "error: the editor", "exit status 1")
	name, _ = editor.Opened()
	if _, err := os.Stat(filepath.Dir(name)); !os.IsNotExist(err) {
		t.Errorf("after a failure there is still %s: %v", name, err)
	}
}
