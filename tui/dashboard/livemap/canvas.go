package livemap

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// ink is what a cell of the map means. The theme says how that looks.
type ink uint8

const (
	plain ink = iota
	quiet
	faint
	strong
	head
	good
	warn
	bad
	opened
	create
	read
	update
	remove
	chosen
	fresh
)

// inkOf is the ink of an action: those of actions have the same order as these.
func inkOf(a access.Action) ink {
	if at := slices.Index(access.AllActions, a); at >= 0 {
		return create + ink(at)
	}
	return plain
}

// style is the style of an ink.
func (i ink) style(t *theme.Theme) *lipgloss.Style {
	return [...]*lipgloss.Style{
		plain: &t.Base, quiet: &t.Muted, faint: &t.Border, strong: &t.Accent, head: &t.Title, good: &t.Good,
		warn: &t.Warning, bad: &t.Error, opened: &t.Wider, create: &t.Create, read: &t.Read, update: &t.Update,
		remove: &t.Delete, chosen: &t.Selected, fresh: &t.Fresh,
	}[i]
}

// line is a line of cells that is written from the left and over. A rune of two cells has an empty
// one after it.
type line struct {
	runes []rune
	inks  []ink
}

func newLine(w int) *line {
	l := &line{make([]rune, w), make([]ink, w)}
	for i := range l.runes {
		l.runes[i] = ' '
	}
	return l
}

// put writes a text at a cell, and returns the cell after it. What does not fit is left out.
func (l *line) put(x int, text string, in ink) int {
	for _, r := range text {
		w := 1
		if r >= 0x300 {
			w = layout.Width(string(r))
		}
		if w == 0 {
			continue
		}
		if x < 0 || x+w > len(l.runes) {
			return x
		}
		l.runes[x], l.inks[x] = r, in
		if w == 2 {
			l.runes[x+1], l.inks[x+1] = 0, in
		}
		x += w
	}
	return x
}

// fit writes a text in w cells, cut in the middle if it must be.
func (l *line) fit(x, w int, text string, in ink) int { return l.put(x, layout.CutMiddle(text, w), in) }

// letters writes a letter for each action that is in all, in its colour, and a star for one that is only in
// some.
func (l *line) letters(x int, all, some access.Actions, lit bool) {
	for i, letter := range []rune(widget.Letters(all, false)) {
		in := quiet
		switch action := access.AllActions[i]; {
		case all.Has(action):
			in = inkOf(action)
		case some.Has(action):
			letter = '*'
		}
		l.put(x+i, string(letter), dim(in, lit))
	}
}

// say writes a sentence instead of all that is at a cell and after it.
func (l *line) say(x int, text string, in ink) {
	end := l.put(x, layout.Cut(prose.PrintableStart(text), len(l.runes)-x), in)
	l.put(end, strings.Repeat(" ", len(l.runes)-end), plain)
}

// over changes the ink of cells.
func (l *line) over(from, to int, in ink) {
	for x := max(0, from); x < min(to, len(l.inks)); x++ {
		l.inks[x] = in
	}
}

// draw is the line in the styles of a theme.
func (l *line) draw(t *theme.Theme) string {
	var b strings.Builder
	for from, to := 0, 0; from < len(l.inks); from = to {
		for to < len(l.inks) && l.inks[to] == l.inks[from] {
			to++
		}
		text := strings.ReplaceAll(string(l.runes[from:to]), "\x00", "")
		if l.inks[from] == plain && strings.TrimLeft(text, " ") == "" && t.Background == nil {
			b.WriteString(text)
		} else {
			b.WriteString(l.inks[from].style(t).Render(text))
		}
	}
	return b.String()
}
