package widget

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// The least widths: of a Diff with the numbers of both files, of the text next to numbers,
// of a Diff with an edge.
const (
	bothNumbersWidth = 60
	numberedWidth    = 20
	edgedWidth       = 6
)

// gutter is what is left of the text: columns with numbers of some digits, and an edge.
type gutter struct{ columns, digits, width int }

// gutter is the gutter in a width. Without room for numbers, a column of one cell still
// says where a line goes on.
func (d *Diff) gutter(w int) gutter {
	if w < edgedWidth {
		return gutter{}
	}
	g := gutter{columns: 1, digits: len(strconv.Itoa(max(len(d.file.Old), len(d.file.New))))}
	if w >= bothNumbersWidth && !d.file.Created && !d.file.Deleted {
		g.columns = 2
	}
	const edge = 2
	if g.width = g.columns*(g.digits+1) + edge; w < g.width+numberedWidth {
		g = gutter{columns: 1, digits: 0, width: 2 + edge}
	}
	return g
}

// Draw draws the part in view in at most h lines of w cells. If that is not the whole file,
// the last line says which lines of the difference are in view.
func (d *Diff) Draw(t *theme.Theme, w, h int) []string {
	if d.file == nil {
		return nil
	}
	w, h = max(w, 1), max(h, 1)
	if len(d.file.Lines) == 0 {
		return []string{t.Muted.Render(layout.Cut(d.nothing(), w))}
	}
	g := d.gutter(w)
	d.width, d.page = max(w-g.width, 1), h
	if d.more = d.move(place{}, h).line < len(d.file.Lines); d.more {
		d.page = max(h-1, 1)
	}
	if d.at.row > 0 { // the line may have fewer rows than in another width
		d.at.row = min(d.at.row, d.height(d.at.line)-1)
	}
	if d.show(d.at); !d.more {
		d.at = place{}
	}
	lines := make([]string, 0, h)
	i := d.at.line
	for ; i < len(d.file.Lines) && len(lines) < d.page; i++ {
		from := 0
		if i == d.at.line {
			from = d.at.row
		}
		lines = append(lines, d.line(t, g, i, from, d.page-len(lines))...)
	}
	if d.more && h > 1 {
		position := fmt.Sprintf("%d to %d of %d lines", d.at.line+1, i, len(d.file.Lines))
		lines = append(lines, t.Muted.Render(layout.Cut(position, w)))
	}
	return lines
}

// nothing says why there are no lines.
func (d *Diff) nothing() string {
	switch {
	case d.file.Binary:
		return "the file is not text"
	case d.file.Created || d.file.Deleted:
		return "the file is empty"
	}
	return "no line changes"
}

// line draws at most n rows of a line, after the first ones.
func (d *Diff) line(t *theme.Theme, g gutter, i, from, n int) []string {
	line := d.file.Lines[i]
	if line.Tone == prose.Changed {
		return []string{d.note(t, g, "… "+strconv.Itoa(line.Hidden)+" lines unchanged …")}
	}
	text, missing := d.shown(line)
	inks, changed := d.inks(t, line, text)
	var drawn []string
	at := 0
	for row, end := range rows(text, d.width) {
		if row >= from && row < from+n {
			words := draw(t, text[at:end], part(inks, at, end), changed)
			drawn = append(drawn, d.edge(t, g, line, row > 0)+layout.Cut(words, d.width))
		}
		at = end
	}
	var notes []string
	if missing > 0 {
		notes = append(notes, "… "+strconv.Itoa(missing)+" more bytes in this line …")
	}
	if d.open(line) {
		notes = append(notes, "no line break at the end")
	}
	for j, note := range notes {
		if row := d.height(i) - len(notes) + j; row >= from && row < from+n {
			drawn = append(drawn, d.note(t, g, note))
		}
	}
	return drawn
}

// note draws a row that is not in the file.
func (d *Diff) note(t *theme.Theme, g gutter, text string) string {
	return strings.Repeat(" ", g.width) + t.Muted.Render(layout.Cut(text, d.width))
}

// inks are the inks of a line with the printable text, and the style of what changed in it.
// A removed line has no colours of its language, so that the new text is easier to find.
func (d *Diff) inks(t *theme.Theme, line prose.DiffLine, text string) ([]ink, lipgloss.Style) {
	whole, changed := []ink{{end: len(text)}}, t.Added.Bold(true)
	removed := line.Tone == prose.Removed
	switch {
	case removed:
		whole[0].tone, changed = prose.Muted, t.Removed
	case t.Kind != theme.None:
		lexemes, _ := d.language.Lexemes(text, d.stateBefore(line.New))
		whole = inked(lexemes)
	}
	if line.Pair == 0 {
		return whole, changed
	}
	var parts []prose.Span
	if removed {
		now, _ := d.shown(prose.DiffLine{New: line.Pair})
		parts, _, _ = prose.ChangedWords(text, now)
	} else {
		old, _ := d.shown(prose.DiffLine{Tone: prose.Removed, Old: line.Pair})
		_, parts, _ = prose.ChangedWords(old, text)
	}
	return emphasised(whole, parts), changed
}

// edge draws the gutter of a row of a line; goesOn says that it is not the first row.
func (d *Diff) edge(t *theme.Theme, g gutter, line prose.DiffLine, goesOn bool) string {
	if g.width == 0 {
		return ""
	}
	style, mark := t.Muted, " "
	switch {
	case d.file.Created:
		mark = "│"
	case line.Tone == prose.Added:
		style, mark = t.Added, "+"
	case line.Tone == prose.Removed:
		style, mark = t.Removed, "-"
	}
	numbers := []int{line.Old, line.New}
	if g.columns == 1 {
		numbers = numbers[1:]
		if line.Tone == prose.Removed {
			numbers = []int{line.Old}
		}
	}
	var b strings.Builder
	for i, number := range numbers {
		text := ""
		switch {
		case goesOn && i == len(numbers)-1:
			text = "·"
		case !goesOn && number > 0 && g.digits > 0:
			text = strconv.Itoa(number)
		}
		fmt.Fprintf(&b, "%*s ", max(g.digits, 1), text)
	}
	return style.Render(b.String()+mark) + " "
}
