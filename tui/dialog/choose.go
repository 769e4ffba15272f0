package dialog

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Item is one line of a Choose.
type Item struct {
	ID, Label string
	// Note is shown beside the label and found by the filter.
	Note string
	// Disabled is the reason why it cannot be chosen; "" where it can.
	Disabled string
	// Current has the cursor begin here.
	Current bool
}

// choose is a list of which one item is taken.
type choose struct {
	id, title string
	items     []Item
	list      list
	labelW    int
	// reasons tells whether any item has one, which takes room below the list.
	reasons bool
}

// Choose asks for one of a list. Typing filters it, the arrows move, enter ends
// it with Picked, esc with Cancelled. An item that is disabled is shown with its
// reason, which stands below the list in full when the cursor is on the item.
func Choose(id, title string, items []Item) Dialog {
	texts := make([]string, len(items))
	c := &choose{id: id, title: title, items: items}
	for i, item := range items {
		texts[i] = item.Label + " " + item.Note
		c.labelW = max(c.labelW, layout.Width(prose.Fit(item.Label)))
		c.reasons = c.reasons || item.Disabled != ""
	}
	const widestLabel = 32
	c.labelW = min(c.labelW, widestLabel)
	c.list = newList(texts)
	c.list.at = max(0, slices.IndexFunc(items, func(item Item) bool { return item.Current }))
	return c
}

func (c *choose) ID() string { return c.id }

func (c *choose) Update(msg tea.Msg) (Action, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			return Cancelled{}, nil
		case "enter":
			if row, ok := c.list.selected(); ok && c.items[row].Disabled == "" {
				return Picked(c.items[row].ID), nil
			}
			return nil, nil
		}
	}
	c.list.update(msg)
	return nil, nil
}

func (c *choose) View(t *theme.Theme, maxW, maxH int) string {
	w := inner(maxW)
	h := max(maxH-frameH, 1)
	if !c.reasons {
		return box(t, c.title, c.list.view(t, w, h, c.draw(t, w)), maxW, maxH)
	}
	reason := ""
	if row, ok := c.list.selected(); ok && c.items[row].Disabled != "" {
		reason = notAvailable + c.items[row].Disabled
	}
	lines := c.list.view(t, w, h-detailH, c.draw(t, w))
	return box(t, c.title, append(lines, detail(t.Warning, reason, w)...), maxW, maxH)
}

const notAvailable = "not available: "

func (c *choose) draw(t *theme.Theme, w int) func(int, bool) string {
	return func(row int, selected bool) string {
		item := c.items[row]
		label, note := prose.Fit(item.Label), prose.Fit(item.Note)
		mark, style, noteStyle := "  ", t.Base, t.Muted
		if item.Disabled != "" {
			style, noteStyle = t.Disabled, t.Disabled
			note = notAvailable + prose.Fit(item.Disabled)
		}
		if selected {
			mark, style, noteStyle = "› ", t.Selected, t.Selected
		}
		line := style.Render(mark + layout.Pad(label, c.labelW))
		if note != "" {
			line += noteStyle.Render("  " + note)
		}
		return layout.Cut(line, w)
	}
}

func (c *choose) Keys() []Binding {
	return []Binding{
		{Keys: []string{"enter"}, Label: "choose", Help: "take the item", Footer: true},
		{Keys: []string{"up", "down"}, Label: "move", Help: "move in the list", Footer: true},
		{Keys: []string{"esc"}, Label: "cancel", Help: "leave the list", Footer: true},
	}
}

// spanOf says which part of how many is in view; to is 0 where the part is a
// number and not a span.
func spanOf(from, to, of int) string {
	if to > 0 {
		return fmt.Sprintf("%d to %d of %d", from, to, of)
	}
	return fmt.Sprintf("%d of %d", from, of)
}
