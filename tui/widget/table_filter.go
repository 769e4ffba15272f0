package widget

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"
)

// A filter leaves the rows that have every word of it. A word is meant as it is
// written where any row has it so; where none has, its letters may stand apart.

// Filtering reports whether a filter leaves rows out, or is being typed.
func (t *Table[R]) Filtering() bool { return t.typing || t.filter.Value() != "" }

// Typing reports whether characters belong to the filter.
func (t *Table[R]) Typing() bool { return t.typing || t.Searches }

// Type gives a key or a paste to the filter. The cursor goes to the first row that
// it finds.
func (t *Table[R]) Type(msg tea.Msg) tea.Cmd {
	before := t.filter.Value()
	if t.filter.Update(msg); t.filter.Value() == before {
		return nil
	}
	t.top = 0
	t.arrange()
	t.at = max(0, slices.IndexFunc(t.shown, t.found.has))
	t.stay()
	return t.moved()
}

// Unfilter takes the filter away; the cursor stays on its row.
func (t *Table[R]) Unfilter() tea.Cmd {
	t.typing = false
	t.keeping(func() {
		t.filter.SetValue("")
		t.arrange()
	})
	return t.moved()
}

// lookedAt is what the filter looks at in each row.
func (t *Table[R]) lookedAt() []string {
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
		if line, ok := t.across(row); ok {
			b.WriteString(line.Text)
		}
		if b.Len() == 0 {
			for _, c := range columns {
				if !c.Aside {
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

// finding is what a filter found.
type finding struct {
	// rows tells by the index of a row whether it has every word.
	rows []bool
	// words are those that stand as they were written, apart the letters of the others,
	// and worth how well these fit: the larger the better.
	words []string
	apart map[int][]string
	worth map[int]int
}

// has reports whether a row has what is looked for.
func (f *finding) has(i int) bool { return f != nil && f.rows[i] }

// in is what was found in a row.
func (f *finding) in(i int) []string {
	if !f.has(i) {
		return nil
	}
	return append(f.words[:len(f.words):len(f.words)], f.apart[i]...)
}

func (t *Table[R]) find(words []string) *finding {
	f := &finding{rows: make([]bool, len(t.rows)), apart: make(map[int][]string), worth: make(map[int]int)}
	t.each(func(i int) { f.rows[i] = true })
	has, texts := make([]bool, len(t.rows)), t.lookedAt()
	for _, word := range words {
		clear(has)
		written := false
		t.each(func(i int) {
			has[i] = strings.Contains(texts[i], word)
			written = written || has[i]
		})
		if written {
			f.words = append(f.words, word)
		} else {
			for _, match := range fuzzy.Find(word, texts) {
				has[match.Index] = true
				f.apart[match.Index] = append(f.apart[match.Index], lettersAt(match)...)
				f.worth[match.Index] += match.Score
			}
		}
		for i := range f.rows {
			f.rows[i] = f.rows[i] && has[i]
		}
	}
	return f
}

// lettersAt are the letters that were found apart, those that are neighbours together.
func lettersAt(match fuzzy.Match) []string {
	var parts []string
	end := -1
	for _, at := range match.MatchedIndexes {
		_, size := utf8.DecodeRuneInString(match.Str[at:])
		letter := match.Str[at : at+size]
		if at == end {
			parts[len(parts)-1] += letter
		} else {
			parts = append(parts, letter)
		}
		end = at + size
	}
	return parts
}

// leave leaves the rows that have the words, and the heads above them.
func (t *Table[R]) leave(words []string) {
	t.found = t.find(words)
	head := -1
	t.each(func(i int) {
		if t.isHead(i) {
			head = i
		}
		if !t.found.has(i) {
			return
		}
		if head >= 0 && head != i {
			t.shown = append(t.shown, head)
		}
		head = -1
		t.shown = append(t.shown, i)
	})
}

// rank leaves the rows that have the words, those first whose first column fits best.
func (t *Table[R]) rank(words []string) {
	t.found = t.find(words)
	worth := t.found.worth
	wanted := strings.Join(words, " ")
	t.each(func(i int) {
		if !t.found.has(i) {
			return
		}
		t.shown = append(t.shown, i)
		first := strings.ToLower(t.Columns[t.KnownBy].Text(t.rows[i]))
		const much = 1 << 20
		switch {
		case first == wanted:
			worth[i] += 3 * much
		case strings.HasPrefix(first, wanted):
			worth[i] += 2 * much
		case !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(first, word) }):
			worth[i] += much
		}
	})
	slices.SortStableFunc(t.shown, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
}
