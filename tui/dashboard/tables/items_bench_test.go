package tables

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/table/attribute"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// BenchmarkItems measures a key and its frame in a table of 10,000 fetched items, and what
// Update costs when they arrive.
func BenchmarkItems(b *testing.B) {
	t := New(board.New(b.TempDir(), nil, "dev"))
	of := sandbox.Table{Name: "books-dev", Definition: &model.Table{Name: "books", PartitionKey: model.Key{Name: "isbn", Type: model.StringKey}}}
	t.take(tableSet{environment: "dev", tables: []*shownTable{{environment: "dev", table: of, name: "books", key: "isbn (text)"}}})
	_ = t.unfold(t.set.tables[0])
	var items []*shownItem
	for i := range 10_000 {
		item, err := attribute.ParsePlainItem(fmt.Appendf(nil, `{"isbn": "%06d", "title": "The book of the number %d", "tags": ["a", "b", {"c": [1, 2, 3]}]}`, i, i))
		if err != nil {
			b.Fatal(err)
		}
		items = append(items, showItem(of, item))
	}
	come := func() { t.takeItems(t.opened["books-dev"], items, nil, 10_000, nil) }
	come()
	if t.List.Len() != 10_001 {
		b.Fatalf("there are %d rows", t.List.Len())
	}
	th := theme.New(theme.Dark)
	press := func(key tea.KeyPressMsg) {
		if bound, found := widget.Find(append(t.Bindings(), t.List.Bindings()...), key, t.List.Typing()); found && bound.Do != nil {
			bound.Do()
		} else {
			t.List.Type(key)
		}
		_, _ = t.List.Draw(th, 118, 34, true), t.Detail()
	}
	b.Run("key+view", func(b *testing.B) {
		keys := []rune{tea.KeyDown, tea.KeyUp, tea.KeyEnd}
		for i := 0; b.Loop(); i++ {
			press(tea.KeyPressMsg{Code: keys[i%3]})
		}
	})
	b.Run("filter+view", func(b *testing.B) {
		for _, r := range "/number 9" {
			press(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		for i := 0; b.Loop(); i++ {
			if i%2 == 0 {
				press(tea.KeyPressMsg{Code: '9', Text: "9"})
			} else {
				press(tea.KeyPressMsg{Code: tea.KeyBackspace})
			}
		}
		press(tea.KeyPressMsg{Code: tea.KeyEscape})
	})
	b.Run("come", func(b *testing.B) {
		for b.Loop() {
			come()
			_ = t.List.Draw(th, 118, 34, true)
		}
	})
}
