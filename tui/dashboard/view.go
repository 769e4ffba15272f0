package dashboard

import (
	"fmt"
	"strings"

	"gatewright/model"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// View draws the page: what it is about, the tabs, the rows of one, and what is
// to be said of the row at hand.
func (p *Page) View() string {
	body := p.layout.Body()
	if body.Empty() {
		return ""
	}
	p.drawn.seen = true
	if p.drawn.stale || p.drawn.text == "" {
		p.drawn.text, p.drawn.stale = layout.Block(strings.Join(p.draw(body.W, body.H), "\n"), body.W, body.H), false
	}
	return p.drawn.text
}

func (p *Page) draw(w, h int) []string {
	t := p.context.Theme
	if p.snap == nil {
		if p.err != nil && !p.reading() {
			return append([]string{""}, indented(wrapped(t.Error, frame.Plain(p.err.Error()), w-2), margin)...)
		}
		return []string{"", margin + t.Muted.Render("reading the project ...")}
	}
	lines := append(p.headLines(t, w), p.tabLine(t, w))
	if p.reading() && p.wanted() != p.snap.name() {
		return append(lines, "", margin+t.Muted.Render("reading environment "+frame.Plain(p.wanted())+" ..."))
	}
	if p.typing || p.list().filter.Value() != "" {
		lines = append(lines, p.filterLine(t, w))
	}
	room := h - len(lines)
	if len(p.list().entries) == 0 {
		return append(append(lines, ""), p.emptyLines(t, w)...)
	}
	if p.at == clientAt && !p.layout.Side.Empty() {
		lines = append(lines, "   "+p.tabs[p.at].heading(t, w-4))
		room--
		// The file is wider than what is said of it.
		const side, part = 40, 3
		sideW := max(side, w/part)
		left := layout.Block(strings.Join(p.rowLines(t, w-sideW, room), "\n"), w-sideW, room)
		right := layout.Clip(strings.Join(p.sideLines(t, sideW, room), "\n"), sideW, room)
		return append(lines, strings.Split(layout.Beside(left, right), "\n")...)
	}
	below := p.detailLines(t, w, room)
	// The heading of the columns is the first to go where there is no room.
	if room-len(below) > low/2 || p.at != apisAt {
		lines = append(lines, "   "+p.tabs[p.at].heading(t, w-4))
		room--
	}
	rows := p.rowLines(t, w, room-len(below))
	for len(rows) < room-len(below) {
		rows = append(rows, "")
	}
	return append(append(lines, rows...), below...)
}

// headLines say what project and what environment the page is about, and what of
// it cannot be read.
func (p *Page) headLines(t *theme.Theme, w int) []string {
	s := p.snap
	of := s.backend.Project
	name := of.Name
	if name == "" {
		name = "project"
	}
	about := t.Title.Render(layout.Cut(fit(name), longestName(w)))
	if of.ApplicationID != "" {
		about += t.Muted.Render("  application ") + t.Base.Render(fit(of.ApplicationID))
	}
	about += t.Muted.Render("  dialect ") + t.Base.Render(fit(string(of.Dialect)))
	lines := []string{margin + layout.Cut(about, w-2), margin + layout.Cut(p.environmentLine(t, w), w-2)}
	if p.err != nil {
		lines = append(lines, margin+t.Error.Render(layout.Cut("! shown as it was before, since it cannot be read now: "+frame.Plain(p.err.Error()), w-2)))
	}
	if s.half {
		lines = append(lines, margin+t.Warning.Render(layout.Cut("! a write is under way or was interrupted: this may be half of it", w-2)))
	}
	if n := len(s.broken); n > 0 {
		lines = append(lines, margin+t.Error.Render(layout.Cut(fmt.Sprintf("! %s in reading, the rest is incomplete: see %d", model.Count(n, "problem"), statusAt+1), w-2)))
	}
	return lines
}

// longestName is how many cells a name has in a head line of w, so that what
// follows it is seen too: that an environment is guarded, above all.
func longestName(w int) int {
	const part = 3
	return w / part
}

// environmentLine says what environment the page is about; in a narrow window
// without the words that go without saying.
func (p *Page) environmentLine(t *theme.Theme, w int) string {
	e := p.snap.env
	if e == nil {
		return t.Warning.Render("no environment")
	}
	const enough = 80
	narrow := w < enough
	word := func(word string) string {
		if narrow {
			return "  "
		}
		return t.Muted.Render("  " + word + " ")
	}
	line := t.Muted.Render("environment ") + t.Accent.Render(layout.Cut(fit(e.Name), longestName(w)))
	if e.Guarded {
		line += " " + t.Warning.Render("(guarded)")
	}
	line += t.Muted.Render("  "+e.pushed()) + word("provider") + t.Base.Render(fit(string(e.Provider)))
	if narrow && e.BranchName() == e.Name {
		return line
	}
	return line + word("branch") + t.Base.Render(fit(e.BranchName()))
}

// tabLine names the tabs; the one in front stands in brackets, so that it is told
// without colour.
func (p *Page) tabLine(t *theme.Theme, w int) string {
	var b strings.Builder
	for i, tab := range p.tabs {
		name := fmt.Sprintf("%d %s", i+1, tab.title())
		if i == p.at {
			b.WriteString(t.Selected.Render("[" + name + "]"))
		} else {
			b.WriteString(t.Muted.Render(" " + name + " "))
		}
		b.WriteByte(' ')
	}
	return layout.Cut(b.String(), w)
}

func (p *Page) filterLine(t *theme.Theme, w int) string {
	l := p.list()
	count := fmt.Sprintf(" %d of %d", len(l.shown), len(l.entries))
	return margin + t.Key.Render("/ ") + l.filter.View(t, "type to filter", max(1, w-4-len(count)), p.typing) + t.Muted.Render(count)
}

// low is the height of the rows and what stands below them up to which nothing
// but those has a place.
const low = 10

// emptyLines say why there are no rows, and what else there is to say.
func (p *Page) emptyLines(t *theme.Theme, w int) []string {
	const indent = "   "
	lines := wrapped(t.Muted, p.tabs[p.at].empty(), w-2*len(indent))
	return indented(append(lines, p.tabs[p.at].detail(t, none, w-2*len(indent))...), indent)
}

// rowLines draws the rows around the cursor in h lines.
func (p *Page) rowLines(t *theme.Theme, w, h int) []string {
	l, tab := p.list(), p.tabs[p.at]
	var lines []string
	from, to := l.window(h)
	for at := from; at < to; at++ {
		row := l.shown[at]
		pointer := "   "
		if at == l.at {
			pointer = margin + t.BorderFocused.Render("> ")
		}
		lines = append(lines, pointer+tab.row(t, row, at == l.at, w-4))
	}
	if len(l.shown) == 0 {
		lines = append(lines, "   "+t.Muted.Render("nothing matches: esc takes the filter away"))
	}
	return lines
}

// detailLines draws what is to be said of the row at hand, below the rows, with a
// part of room lines.
func (p *Page) detailLines(t *theme.Theme, w, room int) []string {
	const few, part = 3, 3
	most := max(few, room/part)
	if room <= low {
		most = few
	}
	lines := p.tabs[p.at].detail(t, p.list().row(), w-2)
	if len(lines) > most {
		more := len(lines) - most + 1
		lines = append(lines[:most-1:most-1], t.Muted.Render(fmt.Sprintf("and %d more lines", more)))
	}
	for len(lines) < few {
		lines = append(lines, "")
	}
	lines = indented(lines, margin)
	if room > low {
		lines = append([]string{margin + t.Border.Render(strings.Repeat("─", max(0, w-2)))}, lines...)
	}
	return lines
}

// sideLines draws the same beside the rows, with a line between them.
func (p *Page) sideLines(t *theme.Theme, w, h int) []string {
	lines := p.tabs[p.at].detail(t, p.list().row(), w-3)
	for len(lines) < h {
		lines = append(lines, "")
	}
	return indented(lines, t.Border.Render("│")+" ")
}

func indented(lines []string, by string) []string {
	for i, line := range lines {
		lines[i] = by + line
	}
	return lines
}
