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
		return k.page.Update(tea.MouseClickMsg(at))
	case tea.MouseReleaseMsg:
		return k.page.Update(tea.MouseReleaseMsg(at))
	case tea.MouseWheelMsg:
		return k.page.Update(tea.MouseWheelMsg(at))
	case tea.MouseMotionMsg:
		return k.page.Update(tea.MouseMotionMsg(at))
	}
	return nil
}
