package access

import (
	"strings"
	"testing"

	"gatewright/flow/session"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/tui/dashboard/board/boardtest"
)

func TestAPathWhoseRemovalOnlyOpensIsNotCountedAsLessOpen(t *testing.T) {
	t.Parallel()
	was := boardtest.Library(t, "Admins", "Editors")
	for _, path := range []*access.Path{
		boardtest.Path("/orders", access.Private, boardtest.Grant(access.Authenticated, "", access.Create, access.Read)),
		boardtest.Path("/orders/{id}", access.Private, boardtest.Grant(access.Group, "Admins", access.Read)),
	} {
		if err := edit.AddPath(was, "shop", path); err != nil {
			t.Fatal(err)
		}
	}
	now, err := was.Edit(func(b *model.Backend) error {
		return edit.RemovePath(b, "shop", "/orders/{id}")
	})
	if err != nil {
		t.Fatal(err)
	}
	tab := compared(was, now)
	if line, _ := tab.Note(); line.Text != "▲ 1 path more open than pushed" {
		t.Errorf("the head says %q", line.Text)
	}
	if head := tab.rows[0].changes.String(); head != "1 more open, 1 new or removed" {
		t.Errorf("the API says %q", head)
	}
	for _, alone := range []bool{false, true} {
		tab.showAlone(alone)
		if got := drawn(tab, 100, 20); !strings.Contains(got, " ····→CR·· ·R··→cr·· ····→cr··") {
			t.Errorf("changes alone: %v, the rows are\n%s", alone, got)
		}
	}
	tab.List.To(idOf("shop", "/orders/{id}\x00"+goneSign))
	r, _ := tab.List.Row()
	told := strings.Join(prose.Texts(tab.describe(r, 9, mostShown)), "\n")
	for _, want := range []string{"- removed", "/orders now gets its requests", "▲ signed-in users may now create and read under /orders/{id}", "as it was pushed:"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not in\n%s", want, told)
		}
	}
}

func TestEachKeyOfAccessSaysWhyItDoesNothing(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		name, want string
		state      func(tab *Tab)
	}{
		{"an API", `enter show all*
e edit cells: put the cursor on a path
Q ask*
t tests: put the cursor on a path
v changes only: it was never pushed: there is nothing to compare with
left,h previous columns: the first principal is in view
right,l more columns: the last principal is in view
y,alt+y copy`, nil},
		{"a path", `enter show all*
e edit cells*
Q ask*
t tests
v changes only: it was never pushed: there is nothing to compare with
left,h previous columns: the first principal is in view
right,l more columns: the last principal is in view
y,alt+y copy`, func(tab *Tab) { tab.List.Move(1) }},
		{"a path that is gone", `enter show all*
e edit cells: the project no longer has it
Q ask*
t tests: the project no longer has it
v changes only*
left,h previous columns: the first principal is in view
right,l more columns: the last principal is in view
y,alt+y copy`, func(tab *Tab) { tab.List.Move(1); r, _ := tab.List.Row(); r.gone = true }},
		{"read only", `enter show all*
e edit cells: this dashboard is read-only: run gatewright instead
Q ask*
t tests: this dashboard is read-only: run gatewright instead
v changes only: it was never pushed: there is nothing to compare with
left,h previous columns: the first principal is in view
right,l more columns: the last principal is in view
y,alt+y copy`, func(tab *Tab) { tab.List.Move(1); tab.board.Session = nil }},
		{"none", `e edit cells: put the cursor on a path
Q ask*
t tests: put the cursor on a path
v changes only: it was never pushed: there is nothing to compare with
left,h previous columns: the first principal is in view
right,l more columns: the last principal is in view`, func(tab *Tab) { tab.List.SetRows(nil) }},
	} {
		tab := shows(boardtest.Library(t, "Admins", "Editors"))
		tab.board.Session = &session.Session{Editor: "vi"}
		drawn(tab, 100, 20)
		if of.state != nil {
			of.state(tab)
		}
		if got := boardtest.Keys(tab.Bindings()); got != of.want {
			t.Errorf("%s:\n%s\nwant\n%s", of.name, got, of.want)
		}
	}
}
