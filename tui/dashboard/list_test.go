package dashboard

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"
)

func rows(texts ...string) []entry {
	var all []entry
	for _, text := range texts {
		all = append(all, entry{id: text, text: text, head: none})
	}
	return all
}

// names are the rows that a list shows.
func (l *list) names() []string {
	names := []string{}
	for _, row := range l.shown {
		names = append(names, l.entries[row].id)
	}
	return names
}

func (l *list) cursor() string {
	if row := l.row(); row != none {
		return l.entries[row].id
	}
	return ""
}

func typeInto(l *list, text string) {
	for _, r := range text {
		l.typed(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func TestAFilterLeavesRowsWithEveryWordAndTheRowAbove(t *testing.T) {
	var l list
	all := rows("api shop", "shop /items items", "shop /books books", "api users", "users /me me")
	for i, head := range []int{none, 0, 0, none, 3} {
		all[i].head = head
	}
	l.set(all)
	typeInto(&l, "ME /M")
	if got := l.names(); !slices.Equal(got, []string{"api users", "users /me me"}) || l.cursor() != "users /me me" {
		t.Errorf("the rows are %q, the cursor is on %q", got, l.cursor())
	}
	typeInto(&l, "xx")
	if got := l.names(); len(got) > 0 || l.row() != none {
		t.Errorf("the rows are %q, the cursor is on %q", got, l.cursor())
	}
	l.clear()
	if got := l.names(); len(got) != len(all) {
		t.Errorf("without the filter the rows are %q", got)
	}
}

func TestTheCursorStaysOnItsRowWhenRowsComeAndGo(t *testing.T) {
	var l list
	l.set(rows("a", "b", "c"))
	l.move(1)
	l.set(rows("0", "a", "a2", "b", "c"))
	if l.cursor() != "b" {
		t.Errorf("the cursor is on %q", l.cursor())
	}
	l.set(rows("0", "a"))
	if l.cursor() != "a" {
		t.Errorf("where its row is gone the cursor is on %q", l.cursor())
	}
	l.set(nil)
	if l.row() != none {
		t.Errorf("without rows the cursor is on %d", l.row())
	}
}

func TestTheCursorIsAlwaysInView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l list
		l.set(rows(rapid.SliceOfN(rapid.StringMatching("[ab]{0,3}"), 0, 30).Draw(t, "rows")...))
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				l.move(rapid.IntRange(-40, 40).Draw(t, "by"))
			case 1:
				typeInto(&l, rapid.StringMatching("[ab]").Draw(t, "typed"))
			case 2:
				l.clear()
			case 3:
				l.set(rows(rapid.SliceOfN(rapid.StringMatching("[ab]{0,3}"), 0, 30).Draw(t, "new rows")...))
			}
			from, to := l.window(rapid.IntRange(-2, 12).Draw(t, "h"))
			if from < 0 || to > len(l.shown) || len(l.shown) > 0 && (l.at < from || l.at >= to) {
				t.Fatalf("the cursor is at %d, in view are %d to %d of %d", l.at, from, to, len(l.shown))
			}
		}
	})
}
