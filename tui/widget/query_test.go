package widget_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"gatewright/tui/filter"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

func TestAQueryFindsWhatIsWrittenAndWhatIsAlike(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		typed, text string
		want        filter.Hit
	}{
		{"", "anything", filter.Written},
		{"reviews", "/shop/reviews/{id}", filter.Written},
		{"REV", "/shop/reviews/{id}", filter.Written},
		{"rvws", "/shop/reviews/{id}", filter.Alike},
		{"vws", "/shop/reviews/{id}", filter.Alike},
		{"shrev", "/shop/reviews/{id}", filter.Alike},
		{"srid", "/shop/reviews/{id}", filter.Alike},
		{"s/r/", "/shop/reviews/{id}", filter.Alike},
		{"rvws shop", "/shop/reviews/{id}", filter.Alike},
		{"shop rev", "reviews of the shop", filter.Written},
		{"rvws", "the review says", filter.Miss},           // letters of two words
		{"rvsw", "/shop/reviews", filter.Miss},             // another order
		{"hw", "/shop/reviews", filter.Miss},               // from inside of a part to inside of another
		{"x", "/shop/reviews", filter.Miss},                // one letter is like nothing
		{"rvws orders", "/shop/reviews", filter.Miss},      // one of two words
		{"13", "item 1023", filter.Miss},                   // a number is not shortened
		{"xz", "x123456z", filter.Miss},                    // too much is between
		{"größe", "die Größe", filter.Written},             // letters of several bytes
		{"grß", "die größe", filter.Alike},                 // the same
		{"名前", "名_前", filter.Alike},                        // two parts
		{"aab", "a-a-ab", filter.Alike},                    // the first way leads nowhere
		{strings.Repeat("ab", 30), "ab", filter.Miss},      // longer than the text
		{"ab", strings.Repeat("x", 300) + "a-b", 0},        // after what is compared
		{"\x00", "a", filter.Miss},                         // nonsense
		{"bk", "\xffb\xfek", filter.Alike},                 // text that is not valid
		{"  rvws  ", "reviews", filter.Alike},              // spaces around it
		{"rvws rvws", "reviews reviews", filter.Alike},     // twice the same
		{"id", "/shop/reviews/{id}", filter.Written},       // written is better than alike
		{"sii", "/shop/items/{id}", filter.Alike},          // the beginnings of parts
		{"sitemsid", "/shop/items/{id}", filter.Alike},     // whole parts
		{"sitemsidx", "/shop/items/{id}", filter.Miss},     // one letter more
		{"opi", "/shop/items", filter.Alike},               // "op" and a beginning
		{"opt", "/shop/items", filter.Miss},                // "op" and the inside of another part
		{"shopitems", "/shop/items", filter.Alike},         // without what separates
		{"shop/it", "/shop/items", filter.Written},         // with it
		{"{}", "/shop/items/{id}", filter.Alike},           // signs only
		{"/{", "/shop/items/{id}", filter.Written},         // signs only
		{"bookslist", "books_list booklist", filter.Alike}, // in one of two words
	} {
		if got := filter.New(row.typed).In(strings.ToLower(row.text)); got != row.want {
			t.Errorf("%q in %q: %d, want %d", row.typed, row.text, got, row.want)
		}
	}
}

// TestALongerQueryFindsNoMore is what allows a table to look only at the rows that are left.
func TestALongerQueryFindsNoMore(t *testing.T) {
	t.Parallel()
	letters := rapid.StringOfN(rapid.SampledFrom([]rune("aabbc/{ é1")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		text, typed := letters.Draw(t, "text"), letters.Draw(t, "typed")
		before := filter.Written
		for end := range typed {
			now := filter.New(typed[:end]).In(text)
			if now > before {
				t.Fatalf("%q in %q: %d, and %d before", typed[:end], text, now, before)
			}
			before = now
		}
	})
}

// TestNarrowedRowsAreThoseOfAFreshFilter types and deletes letters, and compares with a table
// that got all of them at once.
func TestNarrowedRowsAreThoseOfAFreshFilter(t *testing.T) {
	t.Parallel()
	names := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune("abc/ ")), 1, 9, -1), 1, 12)
	keys := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "/", "space", "backspace", "left", "home"}), 1, 14)
	rapid.Check(t, func(t *rapid.T) {
		var rows []path
		for i, name := range names.Draw(t, "names") {
			rows = append(rows, path{id: string(rune('A' + i)), name: name, level: min(1, i%4)})
		}
		exactly, searches := rapid.Bool().Draw(t, "exactly"), rapid.Bool().Draw(t, "searches")
		ids := func(table *widget.Table[path]) (all []string) {
			table.Move(-len(rows))
			for range len(rows) {
				row, _ := table.Row()
				all = append(all, row.id)
				table.Move(1)
			}
			return slices.Compact(all)
		}
		make := func() *widget.Table[path] {
			table := grouped()
			table.Exactly, table.Searches = exactly, searches
			table.SetRows(rows)
			return table
		}
		table := make()
		if !searches {
			pressed(table.Bindings(), press("/"), false)
		}
		for _, key := range keys.Draw(t, "keys") {
			table.Type(press(key))
			fresh := make()
			if !searches {
				pressed(fresh.Bindings(), press("/"), false)
			}
			fresh.Type(tea.PasteMsg{Content: table.Filter()})
			if got, want := ids(table), ids(fresh); !slices.Equal(got, want) {
				t.Fatalf("%q of %v: %v, want %v", table.Filter(), rows, got, want)
			}
		}
	})
}

func TestWhatIsWrittenComesBeforeWhatIsAlike(t *testing.T) {
	t.Parallel()
	table := grouped(head("a"), leaf("/reviews"), leaf("/rvws"), head("b"), leaf("/rvws/b"), leaf("/reviews/b"), head("c"), leaf("/reviews/c"))
	typed(t, table, "/", "r", "v", "w", "s")
	sees(t, table, "a, ▌ /rvws, /reviews, b, /rvws/b, /reviews/b, c, /reviews/c")
	table.Exactly = true
	table.SetRows(table.Rows())
	typed(t, table, "backspace")
	sees(t, table, "a, ▌ /rvws, b, /rvws/b")
	typed(t, table, "backspace", "backspace", "e", "v", "w")
	sees(t, table, "a, ▌ /reviews, b, /reviews/b, c, /reviews/c")

	flat := tableOf(paths("/reviews", "/orders", "/rvws"))
	typed(t, flat, "/", "r", "v", "w", "s")
	sees(t, flat, "▌ /rvws, /reviews")
}

func TestOnlyTheLettersOfAMatchAreMarked(t *testing.T) {
	t.Parallel()
	plainTheme := theme.New(theme.None)
	mark := func(text string) string { return plainTheme.Match.Render(text) }
	for _, row := range []struct{ text, typed, want string }{
		{"/reviews swr", "rvws", "/" + mark("r") + "e" + mark("v") + "ie" + mark("ws") + " swr"},
		{"/shop/items", "shit", "/" + mark("sh") + "op/" + mark("it") + "ems"},
		{"/items/items", "ite", "/" + mark("ite") + "ms/" + mark("ite") + "ms"},
		{"/items/items", "it tem", "/" + mark("item") + "s/" + mark("item") + "s"},
	} {
		table := tableOf([]path{{id: "cursor", name: row.text}, {id: "x", name: row.text}})
		typed(t, table, "/")
		table.Type(tea.PasteMsg{Content: row.typed})
		typed(t, table, "enter")
		lines := table.Draw(plainTheme, 40, 30, true)
		// Marks that touch each other look as one.
		line := strings.ReplaceAll(lines[len(lines)-1], mark("ite")+mark("m"), mark("item"))
		if got := strings.TrimRight(line, " "); got != "  "+row.want {
			t.Errorf("%q in %q: %q, want %q", row.typed, row.text, got, "  "+row.want)
		}
	}
}
