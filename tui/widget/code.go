package widget

import (
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/tui/theme"
)

// JSON draws a line of JSON in colours, without adding cells.
func JSON(t *theme.Theme, line string) string {
	if t.Kind == theme.None {
		return line
	}
	var b strings.Builder
	lexemes, _ := prose.JSON.Lexemes(line, prose.State{})
	for _, lexeme := range lexemes {
		text := lexeme.Text
		if lexeme.Kind != prose.KindSpace {
			text = t.Of(lexeme.Kind.Tone()).Render(text)
		}
		b.WriteString(text)
	}
	return b.String()
}

// ink is how a line is drawn up to a byte, from where the ink before it ends.
type ink struct {
	end  int
	tone prose.Tone
	// changed says that it is drawn as a part that changed, not in its tone.
	changed bool
}

// inked are the inks of lexemes. A space has the ink of what is before it.
func inked(lexemes []prose.Lexeme) []ink {
	var inks []ink
	end := 0
	for _, lexeme := range lexemes {
		end += len(lexeme.Text)
		tone, last := lexeme.Kind.Tone(), len(inks)-1
		if last >= 0 && (tone == inks[last].tone || lexeme.Kind == prose.KindSpace) {
			inks[last].end = end
			continue
		}
		inks = append(inks, ink{end: end, tone: tone})
	}
	return inks
}

// emphasised are the inks of a line in which parts changed.
func emphasised(inks []ink, parts []prose.Span) []ink {
	var all []ink
	at := 0
	for _, i := range inks {
		for at < i.end {
			next := ink{end: i.end, tone: i.tone}
			if len(parts) > 0 {
				if next.changed = parts[0].From <= at; next.changed {
					next.end = min(i.end, parts[0].To)
				} else {
					next.end = min(i.end, parts[0].From)
				}
				if next.end == parts[0].To {
					parts = parts[1:]
				}
			}
			at = next.end
			if last := len(all) - 1; last >= 0 && next.changed && all[last].changed {
				all[last].end = at
				continue
			}
			all = append(all, next)
		}
	}
	return all
}

// underlined begins underlined text. Lip Gloss would underline every character of its own,
// and so divide those of several runes.
var underlined = ansi.NewStyle().Underline(true).String()

// draw draws a line, which is printable. A character is never divided between two inks: it
// has that of its first byte.
func draw(t *theme.Theme, line string, inks []ink, changed lipgloss.Style) string {
	var b strings.Builder
	b.Grow(2 * len(line))
	from, at := 0, 0
	for _, ink := range inks {
		for at < ink.end && at < len(line) {
			n, _ := character(line[at:])
			at += n
		}
		if from < at {
			if ink.changed {
				b.WriteString(underlined + changed.Render(line[from:at]))
			} else {
				b.WriteString(t.Of(ink.tone).Render(line[from:at]))
			}
		}
		from = at
	}
	return b.String()
}

// character is the size in bytes and in cells of the first character of a printable text.
func character(text string) (size, cells int) {
	if text[0] < utf8.RuneSelf && (len(text) == 1 || text[1] < utf8.RuneSelf) {
		return 1, 1
	}
	cluster, cells := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	return len(cluster), cells
}

// rows divides a printable line into parts of at most w cells, but of one character at least; after a space,
// if there is one in the second half. It returns where they end. All parts together are the line.
func rows(line string, w int) []int {
	if len(line) <= w { // no character has more cells than bytes
		return []int{len(line)}
	}
	var ends []int
	cells, space, spaceCells := 0, 0, 0 // of the part, to the end of its last space
	for at := 0; at < len(line); {
		size, wide := character(line[at:])
		if cells == 0 && line[at] >= utf8.RuneSelf { // it may join the space before the row
			wide = max(wide, ansi.StringWidth(" "+line[at:at+size])-1)
		}
		if cells > 0 && cells+wide > w {
			if spaceCells <= w/2 || line[at] == ' ' {
				space, spaceCells = at, cells
			}
			ends = append(ends, space)
			cells, spaceCells = cells-spaceCells, 0
		}
		at, cells = at+size, cells+wide
		if line[at-1] == ' ' {
			space, spaceCells = at, cells
		}
	}
	return append(ends, len(line))
}

// part are the inks of a part of a line.
func part(inks []ink, from, to int) []ink {
	var all []ink
	for _, i := range inks {
		if i.end <= from {
			continue
		}
		all = append(all, ink{min(i.end, to) - from, i.tone, i.changed})
		if i.end >= to {
			break
		}
	}
	return all
}
