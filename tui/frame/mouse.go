package frame

import tea "charm.land/bubbletea/v2"

// mouseTaken is shown in the otherwise empty status line while gatewright has the mouse:
// the terminal then selects text only while shift is held.
const mouseTaken = " the mouse works here until m is pressed: hold shift to select text"

// mouseEvent gives clicks and the wheel to the page in front, with coordinates relative
// to the page's area. While a dialog is open, mouse events are ignored.
func (m *Model) mouseEvent(msg tea.MouseMsg) tea.Cmd {
	p, area := m.history.front(), m.layout.Body()
	at := msg.Mouse()
	if p == nil || len(m.dialogs) > 0 || m.layout.TooSmall || !area.Contains(at.X, at.Y) {
		return nil
	}
	at.X, at.Y = at.X-area.X, at.Y-area.Y
	switch msg.(type) {
	case tea.MouseClickMsg:
		return m.deliver(p, tea.MouseClickMsg(at))
	case tea.MouseWheelMsg:
		return m.deliver(p, tea.MouseWheelMsg(at))
	}
	return nil
}
