package widget

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/tui/filter"

	tea "charm.land/bubbletea/v2"
)

// Filtering reports whether there is a filter, or one is being typed.
func (t *Table[R]) Filtering() bool { return t.typing || t.filter.Value() != "" }

// Typing reports whether the filter takes all characters.
func (t *Table[R]) Typing() bool { return t.typing || t.Searches }

// Filter is the text of the filter.
func (t *Table[R]) Filter() string { return t.filter.Value() }

// Type gives a key or a paste to the filter, and moves the cursor to the first match.
func (t *Table[R]) Type(msg tea.Msg) tea.Cmd {
	before := t.filter.Value()
	if t.filter.Update(msg); t.filter.Value() == before {
		return nil
	}
	t.top = 0
	t.arrange()
	t.cursor = max(0, slices.IndexFunc(t.shown, t.matches.has))
	t.checkFollow()
	return t.moved()
}

// Unfilter removes the filter; the cursor stays on its row.
func (t *Table[R]) Unfilter() tea.Cmd {
	t.typing = false
	t.keepCursor(func() {
		t.filter.SetValue("")
		t.arrange()
	})
	return t.moved()
}

// searchTexts are the texts of the rows that the filter searches.
func (t *Table[R]) searchTexts() []string {
	if t.texts != nil {
		return t.texts
	}
	columns := t.Columns
	if t.Pinned > 0 {
		columns = columns[:t.Pinned]
	}
	t.texts = make([]string, len(t.rows))
	var b strings.Builder
	for i, row := range t.rows {
		b.Reset()
		if line, ok := t.wholeText(row); ok {
			b.WriteString(line.Text)
		}
		if b.Len() == 0 {
			for _, c := range columns {
				if !c.NotSearched {
					b.WriteString(c.Text(row) + " ")
				}
			}
		}
		if t.Words != nil {
			b.WriteString(" " + t.Words(row))
		}
		t.texts[i] = strings.ToLower(b.String())
	}
	return t.texts
}

// matches is the result of a filter.
type matches struct {
	query *filter.Query
	typed string
	// hits tells by index how a row matches; least is the worst hit that is shown.
	hits  []filter.Hit
	least filter.Hit
}

// has reports whether a row is found.
func (f *matches) has(i int) bool { return f != nil && f.hits[i] >= f.least }

// find matches the rows. What misses a text misses every longer one, so that the next letter
// looks only at the rows that are left; and what was found for each letter is kept until the
// rows change, for when letters are deleted.
func (t *Table[R]) find(typed string) *matches {
	for len(t.narrowed) > 0 && !strings.HasPrefix(typed, t.narrowed[len(t.narrowed)-1].typed) {
		t.narrowed = t.narrowed[:len(t.narrowed)-1]
	}
	var before *matches
	if n := len(t.narrowed); n > 0 {
		if before = t.narrowed[n-1]; before.typed == typed {
			return before
		}
	}
	f := &matches{query: filter.New(typed), typed: typed, hits: make([]filter.Hit, len(t.rows)), least: filter.Alike}
	texts := t.searchTexts()
	for i := range t.rows {
		if before != nil && before.hits[i] == filter.Miss {
			continue
		}
		f.hits[i] = f.query.In(texts[i])
		if f.hits[i] == filter.Written && t.Exactly {
			f.least = filter.Written
		}
	}
	const most = 64
	if len(t.narrowed) < most {
		t.narrowed = append(t.narrowed, f)
	}
	return f
}

// filterRows shows the rows that match, and the heads of their groups: those that the words
// are written in first, then those that are like them.
func (t *Table[R]) filterRows() {
	t.matches = t.find(t.filter.Value())
	type group struct {
		head int // -1 for none
		rows []int
		best filter.Hit
	}
	var groups []group
	now := group{head: -1}
	end := func() {
		if now.best > filter.Miss {
			groups = append(groups, now)
		}
	}
	t.each(func(i int) {
		hit := t.matches.hits[i]
		if hit < t.matches.least {
			hit = filter.Miss
		}
		if t.isHead(i) {
			end()
			now = group{head: i}
		} else if hit > filter.Miss {
			now.rows = append(now.rows, i)
		}
		now.best = max(now.best, hit)
	})
	end()
	for _, pass := range []filter.Hit{filter.Written, filter.Alike} {
		for _, g := range groups {
			switch {
			case g.head < 0:
				t.showHits(g.rows, pass)
			case g.best == pass:
				t.shown = append(t.shown, g.head)
				t.showHits(g.rows, filter.Written)
				t.showHits(g.rows, filter.Alike)
			}
		}
	}
}

// showHits shows those rows that match in one way.
func (t *Table[R]) showHits(rows []int, how filter.Hit) {
	for _, i := range rows {
		if t.matches.hits[i] == how {
			t.shown = append(t.shown, i)
		}
	}
}

// rankRows shows the rows that match, sorted by how well their NameColumn matches.
func (t *Table[R]) rankRows() {
	t.matches = t.find(t.filter.Value())
	wanted := strings.Join(t.matches.query.Words, " ")
	if t.names == nil {
		t.names = make([]string, len(t.rows))
	}
	worth, alike := make(map[int]int), 0
	t.each(func(i int) {
		if !t.matches.has(i) {
			return
		}
		t.shown = append(t.shown, i)
		if t.names[i] == "" {
			t.names[i] = strings.ToLower(t.Columns[t.NameColumn].Text(t.rows[i]))
		}
		if t.matches.hits[i] == filter.Written {
			worth[i] = t.worth(i, wanted)
			return
		}
		alike++
		worth[i] = -2 * much
		const most = 500 // nobody reads more rows that are alike
		if alike <= most {
			worth[i] = -t.matches.query.Price(t.texts[i])
			if t.matches.query.In(t.names[i]) == filter.Miss {
				worth[i] -= much
			}
		}
	})
	slices.SortStableFunc(t.shown, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
}

// much is between the worth of two rows that differ in how their names match.
const much = 1 << 20

// worth is larger for a row that has the words in a better place.
func (t *Table[R]) worth(i int, wanted string) int {
	name := strings.TrimLeft(t.names[i], "/")
	switch {
	case name == strings.TrimLeft(wanted, "/"):
		return 5 * much
	case slices.Contains(t.matches.query.Words, name):
		return 4 * much // the other words say which of that name
	case strings.HasPrefix(name, wanted), strings.HasPrefix(t.names[i], wanted):
		return 3 * much
	case t.matches.query.In(t.names[i]) == filter.Written:
		return 2 * much
	}
	return much
}

// judgeRows shows the rows that Judge keeps.
func (t *Table[R]) judgeRows() {
	keep, marks, note := t.Judge(t.filter.Value())
	if keep == nil {
		t.showUnfolded()
		t.note = note()
		return
	}
	t.matches = &matches{
		query: filter.New(strings.Join(marks, " ")), hits: make([]filter.Hit, len(t.rows)),
		least: filter.Written,
	}
	t.each(func(i int) {
		if keep(t.rows[i]) {
			t.matches.hits[i] = filter.Written
			t.shown = append(t.shown, i)
		}
	})
	if len(t.shown) == 0 && note != nil {
		t.note = note()
	}
}

// AtFirst reports whether the cursor is on the first row that is shown, or there is none.
func (t *Table[R]) AtFirst() bool { return t.cursor == 0 }
