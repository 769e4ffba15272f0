package access

import (
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/dashboard/board/boardtest"
)

func TestAPathWhoseRemovalOnlyOpensIsNotCountedAsLessOpen(t *testing.T) {
	t.Parallel()
	was := boardtest.Library(t, "Admins", "Editors")
	for _, path := range []*model.Path{
		boardtest.Path("/orders", model.Private, boardtest.Grant(model.Authenticated, "", model.Create, model.Read)),
		boardtest.Path("/orders/{id}", model.Private, boardtest.Grant(model.Group, "Admins", model.Read)),
	} {
		if err := was.AddPath("shop", path); err != nil {
			t.Fatal(err)
		}
	}
	now, err := was.Edit(func(b *model.Backend) error {
		return b.RemovePath("shop", "/orders/{id}")
	})
	if err != nil {
		t.Fatal(err)
	}
	tab := compared(was, now)
	if line, _ := tab.Note(); line.Text != "▲ 1 path more open than pushed" {
		t.Errorf("the head says %q", line.Text)
	}
	if head := tab.rows[0].changes.String(); head != "1 more open, 1 new or gone" {
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
	for _, want := range []string{"- is gone", "/orders gets its requests now", "▲ signed-in users may now create and read under /orders/{id}", "as it was pushed:"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not in\n%s", want, told)
		}
	}
}
