package board

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/frame"
)

// GoTo opens the first tab that has a row of a thing, with the cursor on that row. Beside the
// things of a backend, a tab may know more precise places: the tab Definitions takes a field as
// the name of its section's kind (data, "api_key"), and the tab Outputs a JSON pointer as the
// name of an output.
func (b *Board) GoTo(of model.Ref) tea.Cmd {
	for i, tab := range b.Tabs {
		if s, ok := tab.(Shower); ok && s.Show(of) {
			return b.OpenTab(i)
		}
	}
	return frame.Say(frame.Warn, "no tab shows %s", prose.Printable(of.String()))
}
