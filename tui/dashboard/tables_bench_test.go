package dashboard

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox/table/attribute"
)

// BenchmarkItems is a key and the View after it in a table of 10,000 items that
// are all there, and what their coming costs Update.
func BenchmarkItems(b *testing.B) {
	dir := paths(b, 1)
	p, err := project.Open(dir)
	must(b, err)
	next, err := p.Backend.Edit(func(of *model.Backend) error {
		return of.AddTable(&model.Table{Name: "books", PartitionKey: model.Key{Name: "isbn", Type: model.StringKey}})
	})
	must(b, err)
	plan, err := p.Plan(next)
	must(b, err)
	must(b, plan.Commit())
	must(b, p.Close())
	page := opened(b, dir, 120, 40)
	page.toTab(page.place("tables"))
	tt := page.tabs[page.at].(*tablesTab)
	_, _ = tt.open(0)
	read := itemsRead{of: tt.opened["books-dev"], first: true, count: 10_000}
	for i := range 10_000 {
		item, err := attribute.ParsePlainItem(fmt.Appendf(nil, `{"isbn": "%06d", "title": "The book of the number %d", "tags": ["a", "b", {"c": [1, 2, 3]}]}`, i, i))
		must(b, err)
		read.items = append(read.items, shownOf(tt.set.tables[0].table, item))
	}
	page.Update(read)
	if len(page.list().entries) != 10_001 {
		b.Fatalf("there are %d rows", len(page.list().entries))
	}
	b.Run("key+view", func(b *testing.B) {
		keys := []string{"down", "up", "end"}
		for i := 0; b.Loop(); i++ {
			press(page, keys[i%3])
			_ = page.View()
		}
	})
	b.Run("filter+view", func(b *testing.B) {
		press(page, "/", "number 9")
		for i := 0; b.Loop(); i++ {
			if i%2 == 0 {
				press(page, "9")
			} else {
				page.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
			}
			_ = page.View()
		}
		page.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	})
	b.Run("come", func(b *testing.B) {
		for b.Loop() {
			page.Update(read)
			_ = page.View()
		}
	})
}
