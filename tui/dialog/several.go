package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Chosen is the action of a Several: the IDs of the items that are marked, in the
// order of the list.
type Chosen []string

// several is a list of which any items are taken.
type several struct {
	id, title string
	items     []Item
	marked    map[string]bool
	list      list
	check     func([]string) error
	// refused is why enter did nothing; marking takes it away.
	refused error
}

// Several asks for any of a list: space marks, enter ends it with Chosen, esc with
// Cancelled. Typing filters it. check, which may be nil, refuses what is marked with
// an error that is shown below the list.
func Several(id, title string, items []Item, chosen []string, check func([]string) error) Dialog {
	if check == nil {
		check = func([]string) error { return nil }
	}
	s := &several{id: id, title: title, items: items, marked: make(map[string]bool), check: check}
	for _, one := range chosen {
		s.marked[one] = true
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = item.Label + " " + item.Note
	}
	s.list = newList(texts)
	return s
}

func (s *several) ID() string { return s.id }

// chosen are the IDs of what is marked.
func (s *several) chosen() Chosen {
	chosen := Chosen{}
	for _, item := range s.items {
		if s.marked[item.ID] {
			chosen = append(chosen, item.ID)
		}
	}
	return slices.Compact(chosen)
}

func (s *several) Update(msg tea.Msg) (Action, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			return Cancelled{}, nil
		case "enter":
			chosen := s.chosen()
			if s.refused = s.check(chosen); s.refused == nil {
				return chosen, nil
			}
			return nil, nil
		case "space":
			if row, ok := s.list.selected(); ok {
				s.marked[s.items[row].ID] = !s.marked[s.items[row].ID]
				s.refused = nil
			}
			return nil, nil
		}
	}
	s.list.update(msg)
	return nil, nil
}

func (s *several) View(t *theme.Theme, maxW, maxH int) string {
	w := inner(maxW)
	reason := ""
	if s.refused != nil {
		reason = "error: " + s.refused.Error()
	}
	lines := s.list.view(t, w, max(maxH-frameH-detailH, 1), s.draw(t, w))
	return box(t, s.title, append(lines, detail(t.Error, reason, w)...), maxW, maxH)
}

func (s *several) draw(t *theme.Theme, w int) func(int, bool) string {
	return func(row int, selected bool) string {
		item := s.items[row]
		mark, style := "  ", t.Base
		if selected {
			mark, style = "› ", t.Selected
		}
		box := "[ ] "
		if s.marked[item.ID] {
			box = "[x] "
		}
		text := mark + box + prose.Fit(item.Label)
		if item.Note != "" {
			text += "  " + prose.Fit(item.Note)
		}
		return style.Render(layout.Cut(text, w))
	}
}

func (s *several) Keys() []Binding {
	return []Binding{
		{Keys: []string{"space"}, Label: "mark", Help: "mark the item, or take its mark away", Footer: true},
		{Keys: []string{"enter"}, Label: "ok", Help: "take what is marked", Footer: true},
		{Keys: []string{"up", "down"}, Label: "move", Help: "move in the list", Footer: true},
		{Keys: []string{"esc"}, Label: "cancel", Help: "leave the list", Footer: true},
	}
}
