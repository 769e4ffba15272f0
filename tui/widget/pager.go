package widget

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// maxPagerLines is how many lines Append keeps.
const maxPagerLines = 5000

// Pager shows a text that scrolls: a Bubbles viewport over lines that are wrapped once
// per width. It can follow the end of a growing text. The zero value is empty.
type Pager struct {
	port viewport.Model
	text []prose.Line
	draw func(t *theme.Theme, w int) []string // draws in place of text unless it is nil
	// Instead draws a line of the text in its own way; nil, or what it returns, for the usual one.
	Instead func(t *theme.Theme, line prose.Line, w int) []string
	// lines are wrapped to the width. Only lines in view are styled: there may be
	// thousands.
	lines []prose.Line
	// seen says which of the lines have been in view.
	seen []bool
	// parts are the indexes of the lines that are titles.
	parts []int
	theme *theme.Theme
	width int
	// follow says that the end stays in view when lines are appended.
	follow bool
	// Framed says that the pager is in a pane with its Position in the frame: Draw leaves it
	// out.
	Framed bool
	// Hang is how many cells the further lines of a wrapped line are indented by.
	Hang int
	// Follows lets a person turn following on, by a key or by scrolling to the end.
	Follows bool
}

// Show replaces the text by printable lines, and scrolls to their beginning.
func (p *Pager) Show(text []prose.Line) {
	p.Replace(text)
	p.port.GotoTop()
}

// Replace replaces the text without scrolling.
func (p *Pager) Replace(text []prose.Line) {
	p.text, p.draw, p.width, p.seen = slices.Clip(text), nil, 0, nil
}

// ShowDrawn replaces the text by the result of draw for a width, without scrolling.
func (p *Pager) ShowDrawn(draw func(t *theme.Theme, w int) []string) {
	p.draw, p.width, p.seen = draw, 0, nil
}

// Drawn reports whether the text is drawn by a function (see ShowDrawn).
func (p *Pager) Drawn() bool { return p.draw != nil }

// Append adds lines at the end, and drops the first ones of more than maxPagerLines. The
// lines in view stay in view.
func (p *Pager) Append(text ...prose.Line) {
	text = text[max(0, len(text)-maxPagerLines):]
	excess := max(0, len(p.text)+len(text)-maxPagerLines)
	if p.width > 0 && p.draw == nil {
		lines := 0
		for _, line := range p.text[:excess] {
			lines += len(p.wrap(line))
		}
		p.dropLines(lines)
		for _, line := range text {
			p.appendLine(line)
		}
		p.port.SetContentLines(prose.Texts(p.lines))
	}
	p.text = append(p.text[excess:], text...)
	if p.follow {
		p.port.GotoBottom()
	}
}

// dropLines removes the first n wrapped lines.
func (p *Pager) dropLines(n int) {
	p.port.SetYOffset(p.port.YOffset() - n)
	p.lines = p.lines[n:]
	first, _ := slices.BinarySearch(p.parts, n)
	p.parts = p.parts[first:]
	for i := range p.parts {
		p.parts[i] -= n
	}
}

// appendLine wraps a line and puts it after the others.
func (p *Pager) appendLine(line prose.Line) {
	if line.Tone == prose.Title {
		p.parts = append(p.parts, len(p.lines))
	}
	if p.Instead != nil {
		if own := p.Instead(p.theme, line, p.width); own != nil {
			p.lines = append(p.lines, prose.InTone(asDrawn, own...)...)
			return
		}
	}
	p.lines = append(p.lines, p.wrap(line)...)
}

// asDrawn stands for the tone of a line that is drawn already.
const asDrawn = prose.Tone(255)

// wrap wraps a line into lines that fit.
func (p *Pager) wrap(line prose.Line) []prose.Line {
	if len(line.Text) <= p.width {
		return []prose.Line{line}
	}
	const least = 20
	hang := p.Hang
	if p.width < least {
		hang = 0
	}
	lines := layout.Wrap(line.Text, p.width-hang)
	for i := range lines[1:] {
		lines[i+1] = strings.Repeat(" ", hang) + lines[i+1]
	}
	return prose.InTone(line.Tone, lines...)
}

// drawn draws some of the wrapped lines.
func (p *Pager) drawn(from, to int) []string {
	if len(p.seen) != len(p.lines) {
		p.seen = make([]bool, len(p.lines))
	}
	for i := from; i < to; i++ {
		p.seen[i] = true
	}
	drawn := prose.Texts(p.lines[from:to])
	for i, text := range drawn {
		if p.draw == nil && text != "" && p.lines[from+i].Tone != asDrawn {
			drawn[i] = Words(p.theme, p.lines[from+i].Tone, text)
		}
	}
	return drawn
}

// Text is the whole text without styles.
func (p *Pager) Text() string {
	if p.draw != nil {
		return ansi.Strip(strings.Join(prose.Texts(p.lines), "\n"))
	}
	return strings.Join(prose.Texts(p.text), "\n")
}

// Unseen is how many lines with the sign of what is opened have not been in view to their end: the
// further lines of one are indented.
func (p *Pager) Unseen() int {
	n, counted, of := 0, false, false
	for i, line := range p.lines {
		if begins := strings.Contains(line.Text, "▲"); begins || !strings.HasPrefix(ansi.Strip(line.Text), " ") {
			counted, of = false, begins
		}
		if of && !counted && (i >= len(p.seen) || !p.seen[i]) {
			counted = true
			n++
		}
	}
	return n
}

// Len is the number of lines before wrapping.
func (p *Pager) Len() int { return len(p.text) }

// Following reports whether the end stays in view when lines are appended.
func (p *Pager) Following() bool { return p.follow }

// Follow scrolls to the end and stays there until a person scrolls away.
func (p *Pager) Follow() {
	p.port.GotoBottom()
	p.follow = true
}

// ToTop scrolls to the beginning.
func (p *Pager) ToTop() {
	p.port.GotoTop()
	p.follow = false
}

// AtTop reports whether the beginning is in view.
func (p *Pager) AtTop() bool { return p.port.YOffset() == 0 }

// layOut wraps the text for a width and a theme.
func (p *Pager) layOut(t *theme.Theme, w int) {
	p.theme, p.width, p.parts = t, w, nil
	if p.draw != nil {
		p.lines = prose.InTone(prose.Plain, p.draw(t, w)...)
	} else {
		p.lines = nil
		for _, line := range p.text {
			p.appendLine(line)
		}
	}
	p.port.SetContentLines(prose.Texts(p.lines))
}

// Draw draws the part in view in at most h lines of w cells. If that is not the whole
// text, the last line says which lines are in view.
func (p *Pager) Draw(t *theme.Theme, w, h int) []string {
	w, h = max(w, 1), max(h, 1)
	top := p.port.YOffset()
	if p.width != w || p.theme != t {
		p.layOut(t, w)
	}
	p.port.SetWidth(w)
	p.port.SetHeight(h)
	if len(p.lines) <= h {
		p.port.SetYOffset(0)
		return p.drawn(0, len(p.lines))
	}
	view := h
	if !p.Framed {
		view = max(h-1, 1)
	}
	p.port.SetHeight(view)
	if p.port.SetYOffset(top); p.follow {
		p.port.GotoBottom()
	}
	from := p.port.YOffset()
	to := min(from+p.port.Height(), len(p.lines))
	if h == 1 || p.Framed {
		return p.drawn(from, to)
	}
	return append(p.drawn(from, to), t.Muted.Render(layout.Cut(p.Position(), w)))
}

// Position says which lines were in view when the text was last drawn; "" if all were.
func (p *Pager) Position() string {
	if len(p.lines) <= p.port.Height() {
		return ""
	}
	from := p.port.YOffset()
	return fmt.Sprintf("%d to %d of %d lines", from+1, min(from+p.port.Height(), len(p.lines)), len(p.lines))
}

// More reports whether the text was longer than the view when it was last drawn.
func (p *Pager) More() bool { return len(p.lines) > p.port.Height() }

// Scroll scrolls down by a number of lines, up if it is negative.
func (p *Pager) Scroll(by int) {
	if by < 0 {
		p.port.ScrollUp(-by)
	} else {
		p.port.ScrollDown(by)
	}
	p.moved()
}

// moved stops following if the end is out of view, and starts it at the end if Follows.
func (p *Pager) moved() { p.follow = (p.follow || p.Follows) && p.port.AtBottom() }

// toPart scrolls to the next title, or to the previous one if by is negative.
func (p *Pager) toPart(by int) {
	i, here := slices.BinarySearch(p.parts, p.port.YOffset())
	if by < 0 {
		i--
	} else if here {
		i++
	}
	if i >= 0 && i < len(p.parts) {
		p.port.SetYOffset(p.parts[i])
		p.moved()
	}
}

// Bindings scroll, go from part to part, and follow the end.
func (p *Pager) Bindings() []keys.Binding {
	end := len(p.lines)
	all := scrolling(p.Scroll, p.port.Height(), p.More(), func() { p.Scroll(-end) }, func() { p.Scroll(end) })
	if p.Follows {
		all = append(all,
			keys.Follow.Does("follow", "go to the end and follow new lines", keys.NoCmd(p.Follow)).ShownIf(!p.follow))
	}
	if len(p.parts) > 1 {
		all = append(all,
			keys.NextMatch.Does("next part", "go to the next part", keys.NoCmd(func() { p.toPart(1) })),
			keys.PriorMatch.Does("previous part", "go to the previous part", keys.NoCmd(func() { p.toPart(-1) })))
	}
	return keys.InGroup("move", all)
}

// scrolling are the bindings of a text with pages of some lines; more says that it is longer
// than a page.
func scrolling(scroll func(by int), page int, more bool, top, end func()) []keys.Binding {
	by := func(lines int) func() tea.Cmd { return keys.NoCmd(func() { scroll(lines) }) }
	page = max(1, page)
	return []keys.Binding{
		keys.Down.Does("scroll", "move down in the text", by(1)).ShownIf(more),
		keys.Up.Does("scroll up", "move up in the text", by(-1)),
		keys.PageDown.Does("page", "move a page down", by(page)).ShownIf(more),
		keys.PageUp.Does("page up", "move a page up", by(-page)),
		keys.HalfDown.Does("half down", "move half a page down", by((page+1)/2)),
		keys.HalfUp.Does("half up", "move half a page up", by(-(page+1)/2)),
		keys.First.Does("top", "go to the beginning", keys.NoCmd(top)),
		keys.Last.Does("end", "go to the end", keys.NoCmd(end)),
	}
}

// Wheel scrolls by a few lines.
func (p *Pager) Wheel(msg tea.MouseWheelMsg) { p.Scroll(WheelSteps(msg)) }

// WheelSteps is how many lines or rows one step of the wheel moves down.
func WheelSteps(msg tea.MouseWheelMsg) int {
	const step = 3
	switch msg.Button {
	case tea.MouseWheelDown:
		return step
	case tea.MouseWheelUp:
		return -step
	}
	return 0
}
