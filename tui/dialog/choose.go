package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/widget"
)

// Item is one line of a Choose or a Several.
type Item struct {
	ID, Label string
	// Note is shown beside the label and found by the filter.
	Note string
	// Disabled is the reason why it cannot be chosen; "" where it can.
	Disabled string
	// Current has the cursor begin here.
	Current bool
}

// newItems is a list of items with a mark before each label.
func newItems(title string, items []Item, mark func(Item) string) *list[Item] {
	l := &list[Item]{base: base{title: title}, width: textWidth}
	l.table = widget.Table[Item]{
		Columns: []widget.Column[Item]{
			{Least: 12, Most: widestLabel + len(mark(Item{})), Text: func(item Item) string { return mark(item) + prose.Printable(item.Label) }, Tone: func(item Item) prose.Tone {
				if item.Disabled != "" {
					return prose.Muted
				}
				return prose.Plain
			}},
			{Least: 8, Text: func(item Item) string {
				if item.Disabled != "" {
					return notAvailable + prose.Printable(item.Disabled)
				}
				return prose.Printable(item.Note)
			}, Tone: func(Item) prose.Tone { return prose.Muted }},
		},
		ID:       func(item Item) string { return item.ID },
		Searches: true,
	}
	return l
}

// Choose asks for one item of a list. Typing filters it, the arrows move, enter gives
// the ID to take. A disabled item is shown with its reason, which is also below the list
// in full while the cursor is on the item.
func Choose(title string, items []Item, take func(id string) tea.Cmd) Dialog {
	l := newItems(title, items, func(Item) string { return "" })
	l.table.Words = func(item Item) string { return item.Note }
	l.table.SetRows(items)
	if i := slices.IndexFunc(items, func(item Item) bool { return item.Current }); i >= 0 {
		l.table.To(items[i].ID)
	}
	disabled := func(item Item) string { return item.Disabled }
	l.keys = func() []widget.Binding {
		return []widget.Binding{
			l.take("choose", "take the item", disabled, func(item Item) tea.Cmd { return l.end(bind(take, item.ID)) }),
			l.cancel("cancel", "leave the list"),
		}
	}
	if slices.ContainsFunc(items, func(item Item) bool { return item.Disabled != "" }) {
		l.below = func() (prose.Tone, string) {
			item, _ := l.table.Row()
			if item.Disabled == "" {
				return prose.Warning, ""
			}
			return prose.Warning, notAvailable + item.Disabled
		}
	}
	return l
}

// Several asks for any number of items: space marks one, enter gives the IDs of the
// marked ones to take, in the order of the list. Typing filters it. check, which may be
// nil, refuses them with an error that is shown below the list.
func Several(title string, items []Item, chosen []string, check func([]string) error, take func(ids []string) tea.Cmd) Dialog {
	on := make(map[string]bool)
	for _, id := range chosen {
		on[id] = true
	}
	l := newItems(title, items, func(item Item) string {
		if on[item.ID] {
			return "[x] "
		}
		return "[ ] "
	})
	l.table.SetRows(items)
	var refused error // why enter did nothing; cleared by the next mark
	mark := widget.Choose.Does("mark", "mark or unmark the item", widget.NoCmd(func() {
		if item, ok := l.table.Row(); ok {
			on[item.ID] = !on[item.ID]
			refused = nil
		}
	})).Shown()
	mark.OverText = true
	enter := func() tea.Cmd {
		marked := []string{}
		for _, item := range items {
			if on[item.ID] {
				marked = append(marked, item.ID)
			}
		}
		marked = slices.Compact(marked)
		if refused = runCheck(check, marked); refused != nil {
			return nil
		}
		return l.end(bind(take, marked))
	}
	l.keys = func() []widget.Binding {
		return []widget.Binding{mark, widget.Open.Does("ok", "take the marked items", enter).Shown(), l.cancel("cancel", "leave the list")}
	}
	l.below = func() (prose.Tone, string) { return prose.Bad, errorText(refused) }
	return l
}
