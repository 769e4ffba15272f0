package dashboard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame"
)

// places are where on the page, as it was last drawn, a click means something.
type places struct {
	// tabs is the line of the tabs; ends are the cells after each.
	tabs int
	ends []int
	// rows is the line of the first row, first its index in what the filter
	// leaves, count how many there are and width how many cells they have.
	rows, first, count, width int
}

func (p *Page) mouseKey() frame.Binding {
	b := frame.Binding{Keys: []string{"m"}, Label: "mouse on", Help: "take the mouse: the wheel and clicks move; hold shift to select text meanwhile", Group: "move"}
	if p.mouse {
		b.Label, b.Help = "mouse off", "give the mouse back to the terminal"
	}
	return b
}

// toggleMouse takes the mouse, or gives it back to the terminal.
func (p *Page) toggleMouse() tea.Cmd {
	p.mouse = !p.mouse
	return frame.Mouse(p.mouse)
}

// pointed takes a click or a turn of the wheel. A click on the row at hand opens
// it.
func (p *Page) pointed(msg tea.Msg) tea.Cmd {
	const step = 3
	p.drawn.stale = true
	l, at := p.list(), p.drawn.places
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelDown:
			l.move(step)
		case tea.MouseWheelUp:
			l.move(-step)
		}
	case tea.MouseClickMsg:
		switch row := msg.Y - at.rows; {
		case p.typing || msg.Button != tea.MouseLeft:
			return nil
		case msg.Y == at.tabs:
			for i, end := range at.ends {
				if msg.X < end {
					p.toTab(i)
					break
				}
			}
		case row < 0 || row >= at.count || msg.X >= at.width:
			return nil
		case at.first+row == l.at:
			return tea.Batch(p.open(), p.reach())
		default:
			l.at = min(at.first+row, len(l.shown)-1)
		}
	}
	return p.reach()
}
