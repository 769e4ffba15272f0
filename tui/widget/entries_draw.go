package widget

import (
	"strconv"
	"strings"

	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs/entry"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// The cells of the columns: the cursor's mark, the time, the level. In a narrow log the time
// has no milliseconds, and in a very narrow one neither is shown.
const (
	cursorW = 2
	levelW  = 6
	narrowW = 72
	leastW  = 40
	hangW   = 2
)

// columns are the cells before the text of an entry.
func columns(w int) (timeW, before int) {
	switch {
	case w < leastW:
		return 0, cursorW
	case w < narrowW:
		timeW = len("15:04:05 ")
	default:
		timeW = len("15:04:05.000 ")
	}
	return timeW, cursorW + timeW + levelW
}

// Draw draws the part in view in exactly h lines of w cells. The first one names the day and
// the time zone.
func (l *Entries) Draw(t *theme.Theme, w, h int) []string {
	w, h = max(w, 1), max(h, 1)
	l.w, l.h = w, h
	if l.log.End() == l.log.First() {
		return padded(Wrapped(t, prose.Muted, l.Empty, w), h)
	}
	l.settle(&l.at)
	l.settle(&l.top)
	room := h
	if l.search.typing {
		room--
	}
	room = max(1, room-1)
	l.scroll(w, room)
	rows := []string{l.dayRow(t, l.top.n, w)}
	if h == 1 {
		rows, room = nil, 1
	}
	end := len(rows) + room
	for s := l.top; len(rows) < end; {
		drawn := l.drawLine(t, s, w)
		rows = append(rows, drawn[min(s.row, len(drawn)-1):]...)
		s.row = 0
		if !l.step(&s, true) {
			break
		}
	}
	rows = padded(rows[:min(len(rows), end)], end)
	if l.search.typing {
		rows = append(rows, t.Muted.Render("search ")+l.search.field.View(t, "", max(1, w-len("search ")), true))
	}
	return rows[:min(len(rows), h)]
}

// padded are exactly h lines.
func padded(lines []string, h int) []string {
	for len(lines) < h {
		lines = append(lines, "")
	}
	return lines[:h]
}

// dayRow names the day of an entry, with the time zone of the times below it.
func (l *Entries) dayRow(t *theme.Theme, n, w int) string {
	text := "── " + l.day(n) + " "
	if first := l.log.First(); first > 0 && l.prior(n) < 0 {
		text += "── " + strconv.Itoa(first) + " earlier lines were dropped "
	}
	if missing := w - layout.Width(text); missing > 0 {
		text += strings.Repeat("─", missing)
	}
	return t.Border.Render(layout.Cut(text, w))
}

// isNewDay reports whether a line begins a day, and so has a row with the day before it.
func (l *Entries) isNewDay(s spot) bool {
	if s.line > 0 {
		return false
	}
	before := l.prior(s.n)
	return before >= 0 && l.day(before) != l.day(s.n)
}

// scroll moves the top so that the cursor is in view.
func (l *Entries) scroll(w, room int) {
	// In another width the line may have fewer rows.
	l.top.row = max(0, min(l.top.row, l.heightOf(spot{n: l.top.n, line: l.top.line}, w)-1))
	if l.isBefore(l.at, l.top) {
		l.top = spot{n: l.at.n, line: l.at.line}
	}
	below := 0
	if l.jumped {
		below = room / 2
	}
	jumped := l.jumped
	l.jumped = false
	if l.away && l.reaches(w, room-below) {
		return
	}
	// Fill the rows upwards from the cursor's line, or from one below it that is to be seen.
	s, left := spot{n: l.at.n, line: l.at.line}, room
	for next, used := s, 0; jumped && l.step(&next, true); s = next {
		if used += l.heightOf(next, w); used > below {
			break
		}
	}
	for {
		took := l.heightOf(s, w)
		if took >= left {
			s.row = took - left
			break
		}
		left -= took
		if !l.step(&s, false) {
			break
		}
	}
	if s.n == l.at.n && s.line == l.at.line {
		s.row = 0 // of a line that is higher than the window, the beginning
	}
	l.top = s
}

// reaches reports whether the cursor's line is in view below the top.
func (l *Entries) reaches(w, room int) bool {
	used := -l.top.row
	for s := (spot{n: l.top.n, line: l.top.line}); used < room; {
		used += l.heightOf(s, w)
		if s.n == l.at.n && s.line == l.at.line {
			return used <= room || used-l.heightOf(s, w) <= 0
		}
		if !l.step(&s, true) {
			return false
		}
	}
	return false
}

func (l *Entries) isBefore(a, b spot) bool {
	return a.n < b.n || a.n == b.n && (a.line < b.line || a.line == b.line && b.row > 0)
}

// heightOf is the number of rows of a line.
func (l *Entries) heightOf(s spot, w int) int {
	height := len(rows(l.textOf(s).Text(), textW(w)))
	if l.isNewDay(s) {
		height++
	}
	return height
}

func textW(w int) int {
	_, before := columns(w)
	return max(1, w-before-hangW)
}

// textOf is a line with the request that it belongs to, if the line before it belongs to
// another one.
func (l *Entries) textOf(s spot) entry.Line {
	line := l.lines(s.n)[s.line]
	e := l.log.At(s.n)
	if s.line > 0 || e.Of == nil || e.Heading() {
		return line
	}
	before := l.prior(s.n)
	if before >= 0 && l.log.At(before).Of == e.Of {
		return line
	}
	line.Parts = append([]entry.Part{{Tone: prose.Muted, Text: entry.Short(prose.PrintableStart(e.Request)) + " "}},
		line.Parts...)
	return line
}

// drawLine draws the rows of a line.
func (l *Entries) drawLine(t *theme.Theme, s spot, w int) []string {
	line, e := l.textOf(s), l.log.At(s.n)
	text := line.Text()
	inks := emphasised(inksOf(line), l.search.marks(text))
	timeW, before := columns(w)
	var drawn []string
	if l.isNewDay(s) {
		drawn = append(drawn, l.dayRow(t, s.n, w))
	}
	mark := strings.Repeat(" ", cursorW)
	if s.n == l.at.n && s.line == l.at.line {
		mark = t.Title.Render("▌") + " "
	}
	head := l.head(t, s, e, timeW)
	from := 0
	for i, end := range rows(text, textW(w)) {
		row := draw(t, text[from:end], part(inks, from, end), t.Match)
		if i > 0 {
			head = strings.Repeat(" ", before-cursorW+hangW)
		}
		drawn = append(drawn, mark+head+row)
		from = end
	}
	return drawn
}

// head draws the time and the level of an entry before its first line.
func (l *Entries) head(t *theme.Theme, s spot, e *entry.Entry, timeW int) string {
	if timeW == 0 {
		return ""
	}
	if s.line > 0 {
		return strings.Repeat(" ", timeW+levelW)
	}
	stamp := clock.Thousandth(e.Time)
	if timeW < len(stamp) {
		stamp = clock.Second(e.Time)
	}
	word := e.Severity.Word()
	if e.Heading() {
		word = "▸"
		if l.isOn(e.Of) {
			word = "▾"
		}
	}
	return t.Muted.Render(layout.Pad(stamp, timeW)) + t.Of(e.Tone()).Render(layout.Pad(word, levelW))
}

// inksOf are the inks of a line.
func inksOf(line entry.Line) []ink {
	var inks []ink
	end := 0
	for _, p := range line.Parts {
		if p.Tone == prose.Code {
			lexemes, _ := prose.JSON.Lexemes(p.Text, prose.State{})
			for _, i := range inked(lexemes) {
				inks = append(inks, ink{end: end + i.end, tone: i.tone})
			}
		} else {
			inks = append(inks, ink{end: end + len(p.Text), tone: p.Tone})
		}
		end += len(p.Text)
	}
	return inks
}
