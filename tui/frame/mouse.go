package frame

import tea "charm.land/bubbletea/v2"

// mouseTaken stands in the status line while pages have the mouse and nothing else is to
// be said: the terminal's own selection works without it.
const mouseTaken = " the mouse moves and opens here until m: hold shift to select text"

// pointer hands clicks and the wheel to the page in front, with the place relative to
// the page's area. A dialog has no use for the mouse, and keeps it from the page.
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
	case tea.MouseWheelMsg:
		return m.deliver(k, tea.MouseWheelMsg(at))
	}
	return nil
}
