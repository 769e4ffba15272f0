package dashboard_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/tui/app/apptest"
)

// TestAFilterLooksThroughAllItems counts the items that have a word, of which most are behind
// the first page.
func TestAFilterLooksThroughAllItems(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	var items strings.Builder
	want := 0
	for i := range 2501 {
		title := "Book"
		if i%37 == 5 {
			title = "Emma"
			want++
		}
		fmt.Fprintf(&items, `{"isbn": "%05d", "title": "%s %d", "note": "reviews"}`+"\n", i, title, i)
	}
	apptest.Put(t, dir, "in.jsonl", items.String())
	term := tablesTab(t, dir)
	term.Keys("down", "i", "in.jsonl", "enter").Shows("items imported into library: 2501")
	term.Keys("enter").Shows("library   2501", "Book ")
	term.Keys("/", "emma").Shows(fmt.Sprintf("%d found in all 2501 items", want))
	term.Keys("enter", "end").Shows(`"title":"Emma `, fmt.Sprintf("%d found in all 2501 items", want))
	// What was found behind the items that are shown is an item as any other.
	term.Keys("e").Shows("Item of library", `"title": "Emma `).Keys("esc")
	term.Keys("esc").Hides("found in")
	// Letters in order are found where nobody has the word.
	term.Keys("/", "rvws emma 2484").Shows("1 found in all 2501 items", "Emma 2484")
	term.Keys("esc", "/", "zzz").Shows("0 found in all 2501 items", "nothing matches")
	term.Keys("esc", "/", "rvws").Shows("1200 found in 1200 of 2501 items")
}

func TestASearchEndsWithItsFilter(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	apptest.Stocked(t, dir, 450)
	term := tablesTab(t, dir)
	term.Keys("down", "enter", "/", "Book 44", "enter").Shows("14 found in all 450 items")
	// Another filter, another search; and no filter, none.
	term.Keys("/", "ctrl+u", "book 43", "enter").Shows("15 found in all 450 items", "Book 439").Hides("Book 449")
	term.Keys("esc", "end").Hides("found in")
	// Items that are read later are not there twice.
	for range 3 {
		term.Keys("/", "book 0421", "enter").Shows("1 found in all 450 items", "Book 421").Keys("esc", "end")
	}
}

func TestAFilterOfFoldedTablesSaysThatItLookedThroughNoItems(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	apptest.Stocked(t, dir, 3)
	term := tablesTab(t, dir)
	term.Keys("/", "book 2").Shows("0 of 2 tables; items are folded", "nothing matches")
	term.Keys("esc").Hides("are folded").Keys("down", "enter", "/", "book 2").Shows("1 found in all 3 items")
}
