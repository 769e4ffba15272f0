package board

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
)

// GoTo opens the first tab that has a row of a thing, with the cursor on that row. Besides the things of a
// backend, a tab may know more precise places: the tab Definitions takes a field as the name of its section's
// kind (data, "api_key"), and the tab Outputs a JSON pointer as the name of an output.
func (b *Board) GoTo(of model.Ref) tea.Cmd {
	return b.GoToIn("", of)
}

// GoToIn is GoTo for a tab of a name; "" is any.
func (b *Board) GoToIn(tab string, of model.Ref) tea.Cmd {
	for i, t := range b.Tabs {
		if s, ok := t.(Shower); ok && (tab == "" || t.Name() == tab) && s.Show(of) {
			return b.OpenTab(i)
		}
	}
	shows := "no tab shows"
	if tab != "" {
		shows = "the tab " + tab + " does not show"
	}
	return frame.Say(frame.Warn, "%s %s", shows, prose.Printable(of.String()))
}

// ToTab says which key goes to a tab, and what that does.
func (b *Board) ToTab(name, does string) string {
	i := slices.IndexFunc(b.Tabs, func(t Tab) bool { return t.Name() == name })
	if numbers := keys.Number.Keys(); i >= 0 && i < len(numbers) {
		return numbers[i] + " " + does
	}
	return "the tab " + name + " " + does
}
