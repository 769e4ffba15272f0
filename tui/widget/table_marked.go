package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/tui/theme"
)

// marked draws text of a row and highlights what the filter found in it.
func (t *Table[R]) marked(th *theme.Theme, i int, style lipgloss.Style, text string, selected bool) string {
	places := t.placesIn(i, text)
	if len(places) == 0 {
		return style.Render(text)
	}
	mark := th.Match
	if selected {
		mark = style.Underline(true)
	}
	var b strings.Builder
	done := 0
	for _, place := range places {
		if place[1] <= done {
			continue
		}
		from, to := wholeClusters(text[done:], max(place[0]-done, 0), place[1]-done)
		if from > 0 {
			b.WriteString(style.Render(text[done : done+from]))
		}
		b.WriteString(mark.Render(text[done+from : done+to]))
		done += to
	}
	if done < len(text) {
		b.WriteString(style.Render(text[done:]))
	}
	return b.String()
}

// placesIn are the ranges of bytes of a text of a row that the filter found.
func (t *Table[R]) placesIn(i int, text string) [][2]int {
	if !t.matches.has(i) {
		return nil
	}
	return t.matches.query.Places(lower(text), t.searchTexts()[i])
}

// lower is text in lower case with all bytes at the same offsets as in the text.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if small := unicode.ToLower(r); utf8.RuneLen(small) == utf8.RuneLen(r) {
			return small
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// wholeClusters extends a range of a text to whole grapheme clusters: drawing half of
// one in another style would change its width.
func wholeClusters(text string, from, to int) (int, int) {
	start := 0
	for start < to {
		cluster, _ := ansi.FirstGraphemeCluster(text[start:], ansi.GraphemeWidth)
		next := start + max(1, len(cluster))
		if from > start && from < next {
			from = start
		}
		if to > start && to < next {
			to = next
		}
		start = next
	}
	return from, to
}
