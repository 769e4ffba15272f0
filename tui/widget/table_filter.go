package widget

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"
)

// A filter leaves the rows that match every word: those that contain it, or if there are
// none, those that have its letters in that order (a fuzzy match).

// Filtering reports whether there is a filter, or one is being typed.
func (t *Table[R]) Filtering() bool { return t.typing || t.filter.Value() != "" }

// Typing reports whether the filter takes all characters.
func (t *Table[R]) Typing() bool { return t.typing || t.Searches }

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
	// rows tells by index whether a row matches every word.
	rows []bool
	// words are the words that rows contain. For the others, letters has the matching
	// parts of each row, and score the quality of the match: larger is better.
	words   []string
	letters map[int][]string
	score   map[int]int
}

// has reports whether a row matches.
func (f *matches) has(i int) bool { return f != nil && f.rows[i] }

// in are the texts that were found in a row.
func (f *matches) in(i int) []string {
	if !f.has(i) {
		return nil
	}
	return append(f.words[:len(f.words):len(f.words)], f.letters[i]...)
}

func (t *Table[R]) find(words []string) *matches {
	f := &matches{rows: make([]bool, len(t.rows)), letters: make(map[int][]string), score: make(map[int]int)}
	t.each(func(i int) { f.rows[i] = true })
	has, texts := make([]bool, len(t.rows)), t.searchTexts()
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
				f.letters[match.Index] = append(f.letters[match.Index], lettersAt(match)...)
				f.score[match.Index] += match.Score
			}
		}
		for i := range f.rows {
			f.rows[i] = f.rows[i] && has[i]
		}
	}
	return f
}

// lettersAt are the matching letters, adjacent ones joined.
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

// filterRows shows the rows that match, and the heads of their groups.
func (t *Table[R]) filterRows(words []string) {
	t.matches = t.find(words)
	head := -1
	t.each(func(i int) {
		if t.isHead(i) {
			head = i
		}
		if !t.matches.has(i) {
			return
		}
		if head >= 0 && head != i {
			t.shown = append(t.shown, head)
		}
		head = -1
		t.shown = append(t.shown, i)
	})
}

// rankRows shows the rows that match, sorted by how well their NameColumn matches.
func (t *Table[R]) rankRows(words []string) {
	t.matches = t.find(words)
	worth := t.matches.score
	wanted := strings.Join(words, " ")
	t.each(func(i int) {
		if !t.matches.has(i) {
			return
		}
		t.shown = append(t.shown, i)
		first := strings.ToLower(t.Columns[t.NameColumn].Text(t.rows[i]))
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
