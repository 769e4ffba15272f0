package frame

import (
	tea "charm.land/bubbletea/v2"
)

// mouseTaken stands in the status line while pages have the mouse.
const mouseTaken = " the mouse moves and opens here until m: hold shift to select text"

// pointer hands the mouse to the page in front, with the place relative to the
// page's area. A dialog has no use for the mouse, and keeps it from the page.
func (m *Model) pointer(msg tea.MouseMsg) tea.Cmd {
	k, area := m.history.front(), m.layout.Body()
	at := msg.Mouse()
	if k == nil || len(m.dialogs) > 0 || m.layout.TooSmall || !area.Contains(at.X, at.Y) {
		return nil
	}
	at.X, at.Y = at.X-area.X, at.Y-area.Y
	switch msg.(type) {
	case tea.MouseClickMsg:
		return m.deliver(k, tea.MouseClickMsg(at))
	case tea.MouseReleaseMsg:
		return m.deliver(k, tea.MouseReleaseMsg(at))
	case tea.MouseWheelMsg:
		return m.deliver(k, tea.MouseWheelMsg(at))
	case tea.MouseMotionMsg:
		return m.deliver(k, tea.MouseMotionMsg(at))
	}
	return nil
}

// toggleMouse takes the mouse for the pages, or gives it back to the terminal, whose
// own selection works then. While it is taken the status line says how text is
// selected, as long as there is nothing else to say.
func (m *Model) toggleMouse() tea.Cmd {
	m.mouse = !m.mouse
	return nil
}
