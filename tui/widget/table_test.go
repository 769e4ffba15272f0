package widget_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// path is a row of the tables of these tests; a head has level 0.
type path struct {
	id, name, note string
	level, size    int
}

func paths(names ...string) []path {
	rows := make([]path, len(names))
	for i, name := range names {
		rows[i] = path{id: name, name: name, level: 1}
	}
	return rows
}

func tableOf(rows []path) *widget.Table[path] {
	t := &widget.Table[path]{
		Columns: []widget.Column[path]{
			{Title: "path", Text: func(p path) string { return p.name }},
			{Title: "note", Text: func(p path) string { return p.note }},
		},
		ID: func(p path) string { return p.id },
	}
	t.SetRows(rows)
	return t
}

// grouped is a table with groups.
func grouped(rows ...path) *widget.Table[path] {
	t := tableOf(nil)
	t.Level = func(p path) int { return p.level }
	t.Sorts = []widget.Sort[path]{
		{Name: "place"},
		{Name: "name", Compare: func(a, b path) int { return cmp.Compare(a.name, b.name) }},
		{Name: "name across", Flat: true, Compare: func(a, b path) int { return cmp.Compare(a.name, b.name) }},
	}
	t.SetRows(rows)
	return t
}

func head(name string) path { return path{id: name, name: name} }
func leaf(name string) path { return path{id: name, name: name, level: 1} }

func at(t *testing.T, table *widget.Table[path], want string) {
	t.Helper()
	if row, _ := table.Row(); row.id != want {
		t.Errorf("the cursor is on %q, want %q", row.id, want)
	}
}

// shown are the rows in view, with a mark before the cursor's.
func shown(table *widget.Table[path]) string {
	var names []string
	for _, line := range plain(table.Draw(dark, 60, 30, true)) {
		if !strings.HasPrefix(line, "/ ") && !strings.HasPrefix(line, "  path") {
			names = append(names, strings.TrimPrefix(line, "  "))
		}
	}
	return strings.Join(names, ", ")
}

func sees(t *testing.T, table *widget.Table[path], want string) {
	t.Helper()
	if got := shown(table); got != want {
		t.Errorf("it shows %q, want %q", got, want)
	}
}

// typed gives keys to a table as a page does.
func typed(t *testing.T, table *widget.Table[path], keys ...string) {
	t.Helper()
	for _, key := range keys {
		if pressed(table.Bindings(), press(key), table.Typing()) {
			continue
		}
		if !table.Typing() {
			t.Fatalf("there is no binding for %s", key)
		}
		table.Type(press(key))
	}
}

func TestTheCursorMovesAndStaysInView(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprintf("/%d", i))
	}
	table := tableOf(paths(names...))
	table.Draw(dark, 40, 11, true) // with the titles there are ten rows
	for _, row := range []struct{ keys, want string }{
		{"", "/0"},
		{"up", "/0"},
		{"down j", "/2"},
		{"pgdown", "/12"},
		{"ctrl+d", "/17"},
		{"ctrl+u k", "/11"},
		{"G", "/99"},
		{"down", "/99"},
		{"pgup", "/89"},
		{"g", "/0"},
		{"end", "/99"},
		{"home", "/0"},
	} {
		typed(t, table, strings.Fields(row.keys)...)
		at(t, table, row.want)
		lines := plain(table.Draw(dark, 40, 11, true))
		if !slices.Contains(lines, "▌ "+row.want) || len(lines) != 11 {
			t.Errorf("after %s the cursor is out of view: %q", row.keys, lines)
		}
	}
	table.Wheel(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	at(t, table, "/3")
	table.Draw(dark, 40, 11, true)
	if table.Span() != "1 to 10 of 100" {
		t.Errorf("it says %q", table.Span())
	}
}

func TestTheCursorStaysOnItsRowWhenRowsAreReplaced(t *testing.T) {
	t.Parallel()
	table := tableOf(paths("/a", "/b", "/c"))
	typed(t, table, "down")
	for _, row := range []struct{ rows, want string }{
		{"/0 /1 /a /b /c", "/b"},
		{"/c /b", "/b"},
		{"/b", "/b"},
		{"/x /b /y", "/b"},
		{"/x /y /z", "/y"}, // the same index
		{"/x", "/x"},
		{"", ""},
		{"/a /b", "/a"},
	} {
		table.SetRows(paths(strings.Fields(row.rows)...))
		at(t, table, row.want)
	}
}

// TestTheCursorStaysOnItsRow replaces random rows by others, in any order.
func TestTheCursorStaysOnItsRow(t *testing.T) {
	t.Parallel()
	id := rapid.SampledFrom(strings.Fields("a b c d e f g h i j k l"))
	rapid.Check(t, func(t *rapid.T) {
		rows := func(name string) []path { return paths(rapid.SliceOfDistinct(id, rapid.ID).Draw(t, name)...) }
		table := tableOf(rows("rows"))
		for range rapid.IntRange(1, 5).Draw(t, "times") {
			table.Move(rapid.IntRange(-4, 4).Draw(t, "by"))
			before, had := table.Row()
			next := rows("rows")
			table.SetRows(next)
			after, has := table.Row()
			if has != (len(next) > 0) {
				t.Fatalf("%d rows, and a row under the cursor: %t", len(next), has)
			}
			if had && slices.ContainsFunc(next, func(p path) bool { return p.id == before.id }) && after.id != before.id {
				t.Fatalf("the cursor went from %s to %s", before.id, after.id)
			}
			table.Draw(dark, rapid.IntRange(0, 30).Draw(t, "w"), rapid.IntRange(0, 9).Draw(t, "h"), true)
			h := rapid.IntRange(1, 9).Draw(t, "h")
			if lines := plain(table.Draw(dark, 30, h, true)); has && !slices.Contains(lines, "▌ "+after.name) {
				t.Fatalf("in %d lines the cursor is out of view: %q", h, lines)
			}
		}
	})
}

func TestAFilterLeavesTheRowsThatHaveEveryWord(t *testing.T) {
	t.Parallel()
	rows := []path{
		head("items"), leaf("/items/list"), leaf("/items/{id}"), head("orders"), leaf("/orders"), leaf("/orders/Items"), head("users"), leaf("/users"),
	}
	for _, row := range []struct{ keys, want string }{
		{"/ items", "▌ items, /items/list, /items/{id}, orders, /orders/Items"},
		{"/ ITEMS list", "items, ▌ /items/list"},
		{"/ list items", "items, ▌ /items/list"},
		{"/ users", "▌ users, /users"},
		{"/ itl", "items, ▌ /items/list"}, // it is like a part of the row
		{"/ it{", "items, ▌ /items/{id}"},
		{"/ ites", "▌ items, /items/list, /items/{id}, orders, /orders/Items"},
		{"/ zzz", "nothing matches: esc removes the filter"},
		{"/ users list", "nothing matches: esc removes the filter"}, // both are there, in no row together
		{"/ users enter", "▌ users, /users"},
		{"/ users enter esc", "items, /items/list, /items/{id}, orders, /orders, /orders/Items, ▌ users, /users"},
		{"/ users esc", "items, /items/list, /items/{id}, orders, /orders, /orders/Items, ▌ users, /users"},
		{"/ usersxx backspace backspace", "▌ users, /users"},
		{"/ users ctrl+u", "▌ items, /items/list, /items/{id}, orders, /orders, /orders/Items, users, /users"},
	} {
		table := grouped(rows...)
		for i, word := range strings.Fields(row.keys) {
			switch {
			case len(word) == 1 || strings.Contains("enter esc backspace ctrl+u", word):
				typed(t, table, word)
			default:
				if i > 1 {
					typed(t, table, "space")
				}
				for _, letter := range word {
					typed(t, table, string(letter))
				}
			}
		}
		if got := shown(table); got != row.want {
			t.Errorf("%s: it shows\n%q, want\n%q", row.keys, got, row.want)
		}
	}
}

func TestAFilterStaysWhenRowsAreReplaced(t *testing.T) {
	t.Parallel()
	table := tableOf(paths("/a/1", "/b/1"))
	typed(t, table, "/", "b")
	table.SetRows(paths("/a/1", "/b/0", "/b/1"))
	sees(t, table, "/b/0, ▌ /b/1")
	if !table.Filtering() || !table.Typing() || table.Len() != 3 {
		t.Error("the filter is gone")
	}
	typed(t, table, "enter")
	if table.Typing() || !table.Filtering() {
		t.Error("the filter still takes characters")
	}
	typed(t, table, "esc")
	sees(t, table, "/a/1, /b/0, ▌ /b/1")
}

func TestMatchesAreHighlightedInTheSameCells(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text, filter string
		marks        []string
	}{
		{"/items/list", "items", []string{"items"}},
		{"/Items/items", "items", []string{"Items", "items"}},
		{"/items/list", "itl", []string{"it", "l"}},
		{"naïve 名前", "前", []string{"前"}},
		{"xé", "é", []string{"é"}},
		{"a-é-ê", "aé", []string{"a", "é"}},
		{"İstanbul", "stan", []string{"stan"}},
		{"👩\u200d💻 works", "👩", []string{"👩\u200d💻"}},
		{"e\u0301a", "e", []string{"e\u0301"}},
	} {
		table := tableOf([]path{{id: "x", name: row.text, note: "note"}, {id: "y", name: row.text, note: "note"}})
		without := cellOf(t, table, "note")
		typed(t, table, "/")
		table.Type(tea.PasteMsg{Content: row.filter})
		typed(t, table, "enter")
		lines := table.Draw(dark, 40, 30, true)
		line := lines[len(lines)-1] // the cursor is on the other line
		for _, mark := range row.marks {
			if !strings.Contains(line, dark.Match.Render(mark)) {
				t.Errorf("%q in %q: %q is not marked in %q", row.filter, row.text, mark, line)
			}
		}
		if with := cellOf(t, table, "note"); with != without {
			t.Errorf("%q in %q: the next column begins at %d, without the filter at %d", row.filter, row.text, with, without)
		}
		if selected := lines[len(lines)-2]; !strings.Contains(selected, dark.Selected.Underline(true).Render(row.marks[0])) {
			t.Errorf("the line of the cursor has no marks: %q", selected)
		}
	}
}

// cellOf is the cell at which a text begins in the last line.
func cellOf(t *testing.T, table *widget.Table[path], text string) int {
	t.Helper()
	lines := table.Draw(dark, 40, 30, true)
	before, _, found := strings.Cut(ansi.Strip(lines[len(lines)-1]), text)
	if !found {
		t.Fatalf("no %q in %q", text, lines)
	}
	return layout.Width(before)
}

func TestASearchSortsMatchesOfTheNameFirst(t *testing.T) {
	t.Parallel()
	table := &widget.Table[path]{
		Columns: []widget.Column[path]{
			{Text: func(p path) string { return p.name }},
			{Text: func(p path) string { return p.note }},
		},
		ID: func(p path) string { return p.id }, Words: func(p path) string { return "word of " + p.id }, Searches: true,
	}
	table.SetRows([]path{
		{id: "1", name: "difference", note: "what a push would do"}, {id: "2", name: "last push"}, {id: "3", name: "push and follow"}, {id: "4", name: "push"},
	})
	table.Type(tea.PasteMsg{Content: "push"})
	for _, want := range []string{"4", "3", "2", "1"} {
		at(t, table, want)
		typed(t, table, "down")
	}
	typed(t, table, "ctrl+u", "o", "f", "space", "3")
	at(t, table, "3")
}

func TestAGroupIsFolded(t *testing.T) {
	t.Parallel()
	table := grouped(head("a"), leaf("a1"), leaf("a2"), head("b"), leaf("b1"))
	typed(t, table, "down", "down", "z")
	sees(t, table, "▌ a, b, b1")
	table.SetRows([]path{head("b"), leaf("b1"), head("a"), leaf("a1"), leaf("a3")})
	sees(t, table, "b, b1, ▌ a")
	typed(t, table, "g", "z")
	sees(t, table, "▌ b, a")
	table.To("a3")
	sees(t, table, "b, a, a1, ▌ a3")
	typed(t, table, "z", "z")
	sees(t, table, "b, ▌ a, a1, a3")
	table.To("not there")
	at(t, table, "a")
}

func TestFoldingWithoutRowsDoesNothing(t *testing.T) {
	t.Parallel()
	table := grouped(head("a"), leaf("a1"))
	typed(t, table, "/", "#", "enter", "z", "down", "up", "G", "pgup", "o", "z")
	sees(t, table, "nothing matches: esc removes the filter")
	if _, ok := table.Row(); ok {
		t.Error("a row is under the cursor")
	}
}

func TestRowsAreSortedWithinTheirGroups(t *testing.T) {
	t.Parallel()
	table := grouped(head("z"), leaf("z2"), leaf("z1"), head("a"), leaf("a3"), leaf("a1"), leaf("a2"))
	table.To("a3")
	typed(t, table, "o")
	sees(t, table, "z, z1, z2, a, a1, a2, ▌ a3")
	if table.Sorted() != "name" {
		t.Errorf("it is ordered by %q", table.Sorted())
	}
	if title := plain(table.Draw(dark, 40, 30, true))[0]; !strings.HasSuffix(title, " by name") {
		t.Errorf("the titles are %q", title)
	}
	typed(t, table, "o")
	sees(t, table, "a1, a2, ▌ a3, z1, z2")
	table.SetRows([]path{head("m"), leaf("m1"), head("a"), leaf("a3")})
	sees(t, table, "▌ a3, m1")
	typed(t, table, "z", "/", "m", "enter")
	sees(t, table, "▌ m1")
	typed(t, table, "esc", "o")
	sees(t, table, "m, ▌ m1, a, a3")
	if table.Sorted() != "" {
		t.Errorf("the usual order is called %q", table.Sorted())
	}
}

func TestATableFollowsItsLastRow(t *testing.T) {
	t.Parallel()
	table := tableOf(nil)
	table.Follow()
	table.SetRows(paths("/1", "/2"))
	at(t, table, "/2")
	table.SetRows(paths("/1", "/2", "/3"))
	at(t, table, "/3")
	typed(t, table, "up")
	table.SetRows(paths("/1", "/2", "/3", "/4"))
	if at(t, table, "/2"); table.Following() {
		t.Error("it follows")
	}
	table.Follow()
	at(t, table, "/4")
	table.To("/1")
	table.SetRows(paths("/1", "/2", "/3", "/4", "/5"))
	if at(t, table, "/1"); table.Following() {
		t.Error("it follows from another row")
	}
	table.Follow()
	typed(t, table, "/", "/")
	if table.Following() {
		t.Error("it follows from what the filter found")
	}
}

func TestAClickMovesTheCursorToThatRow(t *testing.T) {
	t.Parallel()
	table := tableOf(paths("/0", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9"))
	table.Click(0, 0) // before the first Draw
	table.Move(9)
	table.Draw(dark, 40, 8, true) // titles, then seven rows: /3 to /9
	for _, row := range []struct {
		x, y  int
		want  string
		again bool
	}{
		{5, 1, "/3", false}, {5, 1, "/3", true}, {0, 7, "/9", false}, {5, 0, "/9", false}, {5, 8, "/9", false}, {40, 2, "/9", false}, {5, -3, "/9", false}, {39, 2, "/4", false},
	} {
		if _, again := table.Click(row.x, row.y); again != row.again {
			t.Errorf("at %d,%d the cursor was there already: %t", row.x, row.y, again)
		}
		at(t, table, row.want)
	}
	table.SetRows(paths("/0"))
	table.Draw(dark, 40, 8, true)
	table.Click(5, 4) // below the rows
	at(t, table, "/0")
}

func TestMovedIsCalledWhenTheCursorMoves(t *testing.T) {
	t.Parallel()
	table := grouped(head("a"), leaf("a1"))
	calls := 0
	table.Moved = func() tea.Cmd { calls++; return nil }
	for i, key := range []string{"down", "/", "x", "esc", "o", "z"} {
		before := calls
		typed(t, table, key)
		if want := key != "/"; (calls > before) != want {
			t.Errorf("%d: after %s Moved was called %d times", i, key, calls-before)
		}
	}
}

func TestTheBindingsOfATableHaveTexts(t *testing.T) {
	t.Parallel()
	empty := tableOf(nil)
	empty.Empty = func() string { return "there is nothing here" }
	if lines := plain(empty.Draw(dark, 40, 10, true)); len(lines) != 1 || lines[0] != "there is nothing here" {
		t.Errorf("it shows %q", lines)
	}
	for _, b := range empty.Bindings() {
		if b.Has("/") && b.Disabled != "there is no row" {
			t.Errorf("an empty table can be filtered: %+v", b)
		}
	}
	table := grouped(head("a"))
	group := make(map[string]string)
	for _, b := range table.Bindings() {
		if b.About == "" || b.Group == "" || b.Do == nil {
			t.Errorf("%s has no sentence, group or action", b.Label())
		}
		group[b.Keys()[0]] = b.Group
	}
	if group["down"] != "move" || group["/"] != "filter" || group["z"] != "filter" || group["o"] != "filter" {
		t.Errorf("its groups are %v", group)
	}
}

// wide is a random table, for tests of the widths of its columns.
type wide struct {
	columns []widget.Column[[]string]
	rows    [][]string
}

func wideTable(t *rapid.T) wide {
	var w wide
	n := rapid.IntRange(1, 5).Draw(t, "columns")
	text := rapid.StringOfN(rapid.SampledFrom([]rune("abcdefgh 名é")), 0, 14, -1)
	for i := range n {
		c := widget.Column[[]string]{
			Title: rapid.StringMatching("[a-z]{0,8}").Draw(t, "title"),
			Least: rapid.IntRange(0, 6).Draw(t, "least"),
			Rank:  rapid.IntRange(0, 3).Draw(t, "rank"),
			Text:  func(row []string) string { return row[i] },
		}
		if i == 0 {
			c.Rank = 0
		}
		if rapid.Bool().Draw(t, "held back") {
			c.Most = max(c.Least, rapid.IntRange(1, 10).Draw(t, "most"))
		}
		if c.Rank == 0 && i > 0 && rapid.Bool().Draw(t, "glyph") {
			c.Most = 0
			c.Brief = func([]string) string { return "!" }
		}
		w.columns = append(w.columns, c)
	}
	for range rapid.IntRange(1, 4).Draw(t, "rows") {
		row := make([]string, n+1)
		for i := range n {
			row[i] = text.Draw(t, "text")
		}
		w.rows = append(w.rows, row)
	}
	for i := range w.rows {
		w.rows[i][n] = fmt.Sprint(i)
	}
	return w
}

func (x wide) drawn(w int) []string {
	table := widget.Table[[]string]{Columns: x.columns, ID: func(row []string) string { return row[len(row)-1] }}
	table.SetRows(x.rows)
	return table.Draw(theme.New(theme.None), w, 12, true)
}

// shownOf is how many characters of a column each row shows; -1 if the column is hidden.
func (x wide) shownOf(column, w int) []int {
	coded := wide{columns: x.columns}
	for _, row := range x.rows {
		other := slices.Clone(row)
		var b strings.Builder
		for range layout.Width(row[column]) {
			b.WriteRune('Ⅹ')
		}
		other[column] = b.String()
		coded.rows = append(coded.rows, other)
	}
	lines := coded.drawn(w)
	lines = lines[len(lines)-len(x.rows):]
	counts := make([]int, len(lines))
	for i, line := range lines {
		counts[i] = strings.Count(line, "Ⅹ")
	}
	return counts
}

func TestAWiderTableNeverShowsLess(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := wideTable(t)
		needs := 2
		for i, c := range x.columns {
			if c.Rank > 0 {
				continue
			}
			least := 0
			for _, row := range x.rows {
				least = max(least, layout.Width(row[i]))
			}
			if least > 0 {
				least = max(least, layout.Width(c.Title))
				switch {
				case c.Brief != nil:
					least = 1
				case c.Least > 0:
					least = min(c.Least, least)
				default:
					least = 0 // the column may be shrunk to nothing
				}
				needs += least + 2
			}
		}
		before := make([][]int, len(x.columns))
		const all = 200 // all columns fit into this width
		for w := 1; w <= all; w++ {
			if w == 60 {
				w = all
			}
			for _, line := range x.drawn(w) {
				if layout.Width(line) > w {
					t.Fatalf("in %d cells there is %q", w, line)
				}
			}
			for i, c := range x.columns {
				now := x.shownOf(i, w)
				for row, count := range now {
					if before[i] != nil && count < before[i][row] && w > needs {
						t.Fatalf("column %d shows %d of row %d in %d cells, and %d in one less:\n%s\n%s", i, count, row, w, before[i][row], strings.Join(x.drawn(w-1), "\n"), strings.Join(x.drawn(w), "\n"))
					}
					text := layout.Width(x.rows[row][i])
					if c.Rank == 0 && c.Brief == nil && c.Least > 1 && text > 0 && count == 0 && w > needs {
						t.Fatalf("column %d is never hidden, and shows nothing of row %d in %d cells:\n%s", i, row, w, strings.Join(x.drawn(w), "\n"))
					}
					if w == all && c.Brief == nil && count < text {
						t.Fatalf("column %d shows %d of %d in %d cells:\n%s", i, count, text, w, strings.Join(x.drawn(w), "\n"))
					}
				}
				before[i] = now
			}
		}
	})
}

func TestATableFitsItsRectangle(t *testing.T) {
	t.Parallel()
	hostile := grouped(head("名前 items"), leaf(strings.Repeat("/long", 30)), path{id: "x", name: "/x", note: "名", level: 1})
	hostile.Mark = func(path) prose.Line { return prose.Line{Text: "!"} }
	hostile.Whole = func(p path) (prose.Line, bool) { return prose.Line{Text: p.name + " as a whole"}, p.level == 0 }
	empty := tableOf(nil)
	empty.Empty = func() string { return "there is nothing here, and this says so in many words" }
	searching := tableOf(paths("/a", "/b"))
	searching.Searches = true
	for _, keys := range []string{"", "/", "i enter", "o", "z", "x / # enter"} {
		for _, key := range strings.Fields(keys) {
			if !pressed(hostile.Bindings(), press(key), hostile.Typing()) {
				hostile.Type(press(key))
			}
		}
		for _, table := range []*widget.Table[path]{hostile, empty, searching} {
			for w := -3; w <= 30; w++ {
				for h := -3; h <= 12; h++ {
					lines := table.Draw(dark, w, h, true)
					if len(lines) > max(h, 0) {
						t.Fatalf("after %s in %dx%d there are %d lines", keys, w, h, len(lines))
					}
					for _, line := range lines {
						if layout.Width(line) > max(w, 0) {
							t.Fatalf("after %s in %dx%d there is %q", keys, w, h, line)
						}
					}
					table.Click(w, h)
					table.Move(h)
				}
			}
		}
	}
}

// many returns n random rows.
func many(n int) []path {
	random := rand.New(rand.NewPCG(1, 2))
	rows := make([]path, n)
	for i := range rows {
		rows[i] = path{id: fmt.Sprint("row", i), name: fmt.Sprintf("/items/%d/%x", i, random.Uint32()), note: "a note of some length", size: random.IntN(1000), level: min(1, i%50)}
	}
	return rows
}

func manyTable(rows []path) *widget.Table[path] {
	table := grouped()
	table.Columns = append(table.Columns, widget.Column[path]{Title: "size", Text: func(p path) string { return fmt.Sprint(p.size) }})
	table.SetRows(rows)
	return table
}

func BenchmarkATable(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		rows := many(n)
		name := fmt.Sprintf("/%d rows", n)
		b.Run("a key and a view"+name, func(b *testing.B) {
			table := manyTable(rows)
			table.Draw(dark, 120, 40, true)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				i++
				table.Move(7)
				if i%(n/7) == 0 {
					table.Move(-n)
				}
				table.Draw(dark, 120, 40, true)
			}
		})
		b.Run("SetRows with the same rows"+name, func(b *testing.B) {
			table := manyTable(rows)
			table.Move(n / 2)
			for b.Loop() {
				table.SetRows(rows)
			}
		})
		b.Run("SetRows with the same rows, and a view"+name, func(b *testing.B) {
			table := manyTable(rows)
			table.Move(n / 2)
			for b.Loop() {
				table.SetRows(rows)
				table.Draw(dark, 120, 40, true)
			}
		})
		b.Run("a letter in the filter"+name, func(b *testing.B) {
			table := manyTable(rows)
			typed(&testing.T{}, table, "/")
			for b.Loop() {
				typed(&testing.T{}, table, "7")
				table.Draw(dark, 120, 40, true)
				typed(&testing.T{}, table, "backspace")
				table.Draw(dark, 120, 40, true)
			}
		})
	}
}

func TestAColumnThatIsNotSearchedIsNotFiltered(t *testing.T) {
	t.Parallel()
	table := tableOf(nil)
	table.SetColumns(append(table.Columns, widget.Column[path]{Title: "where", NotSearched: true, Text: func(path) string { return "elsewhere" }}))
	table.SetRows(paths("a", "b"))
	typed(t, table, "/", "elsewhere", "enter")
	if _, any := table.Row(); any {
		t.Errorf("the filter searches the column:\n%s", shown(table))
	}
}

// TestWordsReplaceBriefTextsIfTheOthersHaveEnough draws columns of every kind at any width.
func TestWordsReplaceBriefTextsIfTheOthersHaveEnough(t *testing.T) {
	t.Parallel()
	says := func(text string) func(path) string { return func(path) string { return text } }
	table := tableOf(nil)
	table.SetColumns([]widget.Column[path]{
		{Title: "path", Least: 8, Enough: 12, Text: says("a name that is rather long")},
		{Title: "mark", Least: 1, Text: says("+ new"), Brief: says("+")},
		{Title: "late", Rank: 1, Text: says("comes late")},
		{Title: "last", Rank: 2, Least: 4, Text: says("comes last of all")},
	})
	table.SetRows(paths("a"))
	shown := 0
	for w := 16; w < 90; w++ {
		lines := plain(table.Draw(dark, w, 3, true))
		now := 0
		for i, part := range []string{"+", "+ new", "comes late", "comes last of all"} {
			if strings.Contains(lines[len(lines)-1], part) {
				now = i
			}
		}
		if now < shown {
			t.Errorf("in %d cells there is less than before: %q", w, lines)
		}
		shown = now
	}
	if shown != 3 {
		t.Error("not all columns are shown")
	}
}

func TestACellThatChangedStandsOutInTheRowOfTheCursorToo(t *testing.T) {
	t.Parallel()
	changed := func(row string) prose.Tone {
		if row == "same" {
			return prose.Muted
		}
		return prose.Fresh
	}
	table := &widget.Table[string]{
		ID: func(row string) string { return row },
		Columns: []widget.Column[string]{
			{Title: "path", Text: func(row string) string { return row }},
			{Title: "signed-in", Text: func(string) string { return "CR··" }, Tone: changed, Draw: widget.DrawLetters},
			{Title: "more", Text: func(string) string { return "more" }},
		},
	}
	table.SetRows([]string{"first", "second", "same"})
	for _, th := range []*theme.Theme{theme.New(theme.Dark), theme.New(theme.None), theme.NewFor(theme.HighContrast, theme.Colours16)} {
		for i, line := range table.Draw(th, 50, 10, true)[1:] {
			if is := strings.Contains(line, th.Fresh.Render("CR··")); is != (i < 2) || layout.Width(line) > 50 || i == 0 && layout.Width(line) != 50 {
				t.Errorf("in %s row %d is %q", th.Kind, i, line)
			}
			if !strings.Contains(ansi.Strip(line), "CR··       more") {
				t.Errorf("in %s row %d is %q", th.Kind, i, ansi.Strip(line))
			}
		}
		if th.Fresh.Render("x") == th.Selected.Render("x") || th.Fresh.Render("x") == th.Base.Render("x") {
			t.Errorf("in %s what changed looks like %q", th.Kind, th.Fresh.Render("x"))
		}
	}
}
