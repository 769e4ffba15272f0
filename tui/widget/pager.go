package widget

import (
	"fmt"
	"slices"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// mostPaged is how many lines a Pager keeps of what comes in the end.
const mostPaged = 5000

// Pager is a text to read: a Bubbles viewport over lines that are broken to its width
// once. It can follow the end of what is still coming. The zero value is empty.
type Pager struct {
	port viewport.Model
	text []prose.Line
	draw func(t *theme.Theme, w int) []string // in place of text; nil for that
	// lines are broken to the width. They get their colours when they come into view:
	// there may be thousands.
	lines []prose.Line
	// parts are the lines that begin with a title.
	parts []int
	theme *theme.Theme
	width int
	// follow says that the end is in view as more comes.
	follow bool
	// Follows lets a person go to the end and stay there.
	Follows bool
}

// Show shows other lines, from their beginning. They are fit for the screen.
func (p *Pager) Show(text []prose.Line) {
	p.Renew(text)
	p.port.GotoTop()
}

// Renew shows other lines where the ones before were.
func (p *Pager) Renew(text []prose.Line) { p.text, p.draw, p.width = slices.Clip(text), nil, 0 }

// ShowDrawn shows what a function draws in lines of w cells, where it was before.
func (p *Pager) ShowDrawn(draw func(t *theme.Theme, w int) []string) { p.draw, p.width = draw, 0 }

// Append adds lines at the end; of very many the first go. What a person looks at
// stays where it is.
func (p *Pager) Append(text ...prose.Line) {
	text = text[max(0, len(text)-mostPaged):]
	gone := max(0, len(p.text)+len(text)-mostPaged)
	if p.width > 0 && p.draw == nil {
		lines := 0
		for _, line := range p.text[:gone] {
			lines += len(broken(line, p.width))
		}
		p.drop(lines)
		for _, line := range text {
			p.add(line)
		}
		p.port.SetContentLines(prose.Texts(p.lines))
	}
	p.text = append(p.text[gone:], text...)
	if p.follow {
		p.port.GotoBottom()
	}
}

// drop takes the first lines away, as they are drawn.
func (p *Pager) drop(n int) {
	p.port.SetYOffset(p.port.YOffset() - n)
	p.lines = p.lines[n:]
	gone, _ := slices.BinarySearch(p.parts, n)
	p.parts = p.parts[gone:]
	for i := range p.parts {
		p.parts[i] -= n
	}
}

// add puts a line after the others.
func (p *Pager) add(line prose.Line) {
	if line.Tone == prose.Title {
		p.parts = append(p.parts, len(p.lines))
	}
	p.lines = append(p.lines, broken(line, p.width)...)
}

// broken is a line in lines of at most w cells.
func broken(line prose.Line, w int) []prose.Line {
	if len(line.Text) <= w {
		return []prose.Line{line}
	}
	return prose.InTone(line.Tone, layout.Wrap(line.Text, w)...)
}

// drawn draws some of the lines.
func (p *Pager) drawn(from, to int) []string {
	drawn := prose.Texts(p.lines[from:to])
	for i, text := range drawn {
		if p.draw == nil && text != "" {
			drawn[i] = drawLine(p.theme, p.lines[from+i].Tone, text)
		}
	}
	return drawn
}

// Len is how many lines of text there are, before they are broken.
func (p *Pager) Len() int { return len(p.text) }

// Following reports whether the end is in view as more comes.
func (p *Pager) Following() bool { return p.follow }

// Follow goes to the end and stays there until somebody moves away.
func (p *Pager) Follow() {
	p.port.GotoBottom()
	p.follow = true
}

// ToTop goes to the beginning.
func (p *Pager) ToTop() {
	p.port.GotoTop()
	p.follow = false
}

func (p *Pager) lay(t *theme.Theme, w int) {
	p.theme, p.width, p.parts = t, w, nil
	if p.draw != nil {
		p.lines = prose.InTone(prose.Plain, p.draw(t, w)...)
	} else {
		p.lines = nil
		for _, line := range p.text {
			p.add(line)
		}
	}
	p.port.SetContentLines(prose.Texts(p.lines))
}

// Draw draws what is in view in at most h lines of w cells. Where that is not all, the
// last line says how much it is.
func (p *Pager) Draw(t *theme.Theme, w, h int) []string {
	w, h = max(w, 1), max(h, 1)
	top := p.port.YOffset()
	if p.width != w || p.theme != t {
		p.lay(t, w)
	}
	p.port.SetWidth(w)
	p.port.SetHeight(h)
	if len(p.lines) <= h {
		p.port.SetYOffset(0)
		return p.drawn(0, len(p.lines))
	}
	p.port.SetHeight(max(h-1, 1))
	if p.port.SetYOffset(top); p.follow {
		p.port.GotoBottom()
	}
	from := p.port.YOffset()
	to := min(from+p.port.Height(), len(p.lines))
	if h == 1 {
		return p.drawn(from, to)
	}
	said := fmt.Sprintf("%d to %d of %d lines", from+1, to, len(p.lines))
	return append(p.drawn(from, to), t.Muted.Render(layout.Cut(said, w)))
}

// More reports whether there is more than was in view when it was last drawn.
func (p *Pager) More() bool { return len(p.lines) > p.port.Height() }

// Scroll moves by a number of lines, as far as there are any.
func (p *Pager) Scroll(by int) {
	if by < 0 {
		p.port.ScrollUp(-by)
	} else {
		p.port.ScrollDown(by)
	}
	p.moved()
}

// moved stops following away from the end; who comes back to it follows again, where
// that can be chosen.
func (p *Pager) moved() { p.follow = (p.follow || p.Follows) && p.port.AtBottom() }

// toPart moves to the next title, or with less than 0 to the one before.
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

// Bindings are what can be done in the text: moving, and following where it goes on.
func (p *Pager) Bindings() []Binding {
	scroll := func(by int) func() tea.Cmd { return Does(func() { p.Scroll(by) }) }
	page, end := max(1, p.port.Height()), len(p.lines)
	all := []Binding{
		Down.Does("scroll", "move down in the text", scroll(1)).ShownIf(p.More()),
		Up.Does("scroll up", "move up in the text", scroll(-1)),
		PageDown.Does("page", "move a page down", scroll(page)).ShownIf(p.More()),
		PageUp.Does("page up", "move a page up", scroll(-page)),
		HalfDown.Does("half down", "move half a page down", scroll((page+1)/2)),
		HalfUp.Does("half up", "move half a page up", scroll(-(page+1)/2)),
		First.Does("top", "move to the beginning", scroll(-end)),
		Last.Does("end", "move to the end", scroll(end)),
	}
	if p.Follows {
		all = append(all, Follow.Does("follow", "go to the end and follow it", Does(p.Follow)).ShownIf(!p.follow))
	}
	if len(p.parts) > 1 {
		all = append(all,
			NextMatch.Does("next part", "go to the next part", Does(func() { p.toPart(1) })),
			PriorMatch.Does("part before", "go to the part before", Does(func() { p.toPart(-1) })))
	}
	return InGroup("move", all)
}

// Wheel moves by a few lines.
func (p *Pager) Wheel(msg tea.MouseWheelMsg) { p.Scroll(wheeled(msg)) }

// wheeled is how many lines or rows the wheel goes down.
func wheeled(msg tea.MouseWheelMsg) int {
	const step = 3
	switch msg.Button {
	case tea.MouseWheelDown:
		return step
	case tea.MouseWheelUp:
		return -step
	}
	return 0
}
