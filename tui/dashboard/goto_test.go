package dashboard

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/tui/dashboard/board/boardtest"
)

func TestGoToOpensTheTabOfAThingAtItsRow(t *testing.T) {
	t.Parallel()
	b := boardtest.Full(t)
	must(t, edit.AddTable(b, &model.Table{Name: "orders", PartitionKey: model.Key{Name: "id", Type: "string"}}))
	must(t, edit.AddNamedOutput(b, "extra", model.Outputs{"custom": map[string]any{"colour": "red"}}))
	w := writable(t, folderOf(t, b), 120, 36)
	for _, of := range []struct {
		ref         model.Ref
		tab, cursor string
	}{
		{model.Ref{Kind: model.KindPath, API: "shop", Name: "/books/{isbn}"}, "APIs", "/books/{isbn}"},
		{model.Ref{Kind: model.KindAPI, Name: "shop"}, "APIs", "shop"},
		{model.Ref{Kind: model.KindFunction, Name: "f"}, "Functions", "f"},
		{model.Ref{Kind: model.KindTable, Name: "orders"}, "Tables", "orders"},
		{model.Ref{Kind: model.KindGroup, Name: "Admins"}, "Definitions", "Admins"},
		{model.Ref{Kind: model.KindAuth, Name: "oauth.domain"}, "Definitions", "domain"},
		{model.Ref{Kind: model.KindStorage}, "Definitions", "storage"},
		{model.Ref{Kind: model.KindOutput, Name: "/version"}, "Outputs", `"version"`},
		{model.Ref{Kind: model.KindOutput, Name: "extra"}, "Outputs", `"custom"`},
	} {
		w.press("4", "/", "zzz", "enter")
		w.tell(func() tea.Cmd { return w.page.board.GoTo(of.ref) })
		if got := w.page.tab().Name(); got != of.tab {
			t.Errorf("%s is shown in the tab %s:\n%s", of.ref, got, w.Screen())
		}
		w.Shows(of.cursor)
	}
	w.tell(func() tea.Cmd { return w.page.board.GoTo(model.Ref{Kind: model.KindEnvironment, Name: "prod"}) })
	if got := w.page.tab().Name(); got != "Environments" {
		t.Errorf("an environment is shown in the tab %s", got)
	}
	w.tell(func() tea.Cmd { return w.page.board.GoTo(model.Ref{Kind: model.KindFunction, Name: "nobody"}) })
	w.Shows("no tab shows function nobody")
	if got := w.page.tab().Name(); got != "Environments" {
		t.Errorf("what is not there opens the tab %s", got)
	}
}

func TestGoToShowsWhatAFilterOrAFoldHides(t *testing.T) {
	t.Parallel()
	w := writable(t, paths(t, 3), 80, 24)
	second := model.Ref{Kind: model.KindPath, API: "shop", Name: "/area1/thing1/{id}"}
	to := func(of model.Ref) {
		t.Helper()
		w.tell(func() tea.Cmd { return w.page.board.GoTo(of) })
		if got := w.cursor(); len(got) == 0 || got[:len("/area1/thing1")] != "/area1/thing1" {
			t.Errorf("the cursor is on %q:\n%s", got, w.Screen())
		}
	}
	w.press("/", "thing2", "enter").to("activity")
	to(second)
	w.press("g", "z", "4")
	to(second)
}
