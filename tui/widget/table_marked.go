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
	hits := t.matches.in(i)
	if len(hits) == 0 || selected {
		return style.Render(text)
	}
	low := lower(text)
	var b strings.Builder
	for text != "" {
		at, end := -1, 0
		for _, hit := range hits {
			if j := strings.Index(low, hit); j >= 0 && (at < 0 || j < at || j == at && j+len(hit) > end) {
				at, end = j, j+len(hit)
			}
		}
		if at < 0 {
			b.WriteString(style.Render(text))
			break
		}
		at, end = wholeClusters(text, at, end)
		if at > 0 {
			b.WriteString(style.Render(text[:at]))
		}
		b.WriteString(th.Match.Render(text[at:end]))
		text, low = text[end:], low[end:]
	}
	return b.String()
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
