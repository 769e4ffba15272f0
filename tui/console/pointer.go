package console

import tea "charm.land/bubbletea/v2"

// pointer takes the mouse: the wheel moves what it is over, a click goes to a row or
// to the answer, and a click on the row at hand changes it.
func (p *Page) pointer(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	over := p.inAnswer
	if !p.layout.Side.Empty() {
		over = at.X >= p.layout.Main.W
	}
	switch msg.(type) {
	case tea.MouseWheelMsg:
		p.wheel(at.Button == tea.MouseWheelUp, over)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft && p.world != nil && !p.typing {
			return p.click(at.Y, over)
		}
	}
	return nil
}

// wheel moves the answer, or the cursor in the request.
func (p *Page) wheel(up, answer bool) {
	const step = 3
	by := 1
	if up {
		by = -1
	}
	if answer {
		p.answer.scroll(by * step)
	} else if !p.typing {
		p.at = max(0, min(p.at+by, len(p.rows)-1))
	}
}

func (p *Page) click(y int, answer bool) tea.Cmd {
	if p.inAnswer = answer; answer {
		return nil
	}
	row := p.drawn.rowsFrom + y - p.drawn.rowsAt
	switch {
	case row < p.drawn.rowsFrom || row >= p.drawn.rowsTo:
		return nil
	case row == p.at:
		return p.change()
	}
	p.at = row
	return nil
}
