package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
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

// widestLabel is how many cells a label takes before the note is shown in full.
const widestLabel = 32

// choose is a list of which one item is taken.
type choose struct {
	base
	table widget.Table[Item]
	take  func(string) tea.Cmd
	// reasons tells whether any item has one, which takes room below the list.
	reasons bool
}

// Choose asks for one of a list. Typing filters it, the arrows move, enter gives the
// ID to take. An item that is disabled is shown with its reason, which stands below
// the list in full when the cursor is on the item.
func Choose(title string, items []Item, take func(id string) tea.Cmd) Dialog {
	c := &choose{base: base{title: title}, take: take}
	c.table = itemTable(items)
	c.reasons = slices.ContainsFunc(items, func(item Item) bool { return item.Disabled != "" })
	if i := slices.IndexFunc(items, func(item Item) bool { return item.Current }); i >= 0 {
		c.table.To(items[i].ID)
	}
	return c
}

func itemTable(items []Item) widget.Table[Item] {
	tone := func(usual prose.Tone) func(Item) prose.Tone {
		return func(item Item) prose.Tone {
			if item.Disabled != "" {
				return prose.Muted
			}
			return usual
		}
	}
	table := widget.Table[Item]{
		Columns: []widget.Column[Item]{
			{Least: 12, Most: widestLabel, Text: func(item Item) string { return prose.Fit(item.Label) }, Tone: tone(prose.Plain)},
			{Least: 8, Tone: tone(prose.Muted), Text: func(item Item) string {
				if item.Disabled != "" {
					return notAvailable + prose.Fit(item.Disabled)
				}
				return prose.Fit(item.Note)
			}},
		},
		ID:       func(item Item) string { return item.ID },
		Words:    func(item Item) string { return item.Note },
		Searches: true,
	}
	table.SetRows(items)
	return table
}

func (c *choose) Typing() bool { return true }

func (c *choose) Update(msg tea.Msg) tea.Cmd { return c.table.Type(msg) }

func (c *choose) Bindings() []widget.Binding {
	why := "nothing matches"
	item, ok := c.table.Row()
	if ok {
		why = item.Disabled
	}
	return append([]widget.Binding{
		widget.Open.Does("choose", "take the item", func() tea.Cmd { return c.end(with(c.take, item.ID)) }).Shown().Unless(why),
		c.cancel("cancel", "leave the list"),
	}, c.table.Bindings()...)
}

func (c *choose) View(t *theme.Theme, maxW, maxH int) string {
	w, h := inner(maxW), max(maxH-frameH, 1)
	if !c.reasons {
		return box(t, c.title, listLines(t, &c.table, w, h), maxW, maxH)
	}
	reason := ""
	if item, ok := c.table.Row(); ok && item.Disabled != "" {
		reason = notAvailable + item.Disabled
	}
	lines := listLines(t, &c.table, w, h-detailH)
	return box(t, c.title, append(lines, widget.Detail(t, prose.Warning, reason, w, detailH)...), maxW, maxH)
}

// listLines draws a list with its filter in at most h lines.
func listLines[R any](t *theme.Theme, table *widget.Table[R], w, h int) []string {
	lines := table.Draw(t, w, max(h, 2), true)
	return lines[:len(lines):len(lines)]
}

// marked is an item of a Several.
type marked struct {
	Item
	on *bool
}

// several is a list of which any items are taken.
type several struct {
	base
	items []marked
	table widget.Table[marked]
	check func([]string) error
	take  func([]string) tea.Cmd
	// refused is why enter did nothing; marking takes it away.
	refused error
}

// Several asks for any of a list: space marks, enter gives the IDs of what is marked
// to take, in the order of the list. Typing filters it. check, which may be nil,
// refuses what is marked with an error that is shown below the list.
func Several(title string, items []Item, chosen []string, check func([]string) error, take func(ids []string) tea.Cmd) Dialog {
	if check == nil {
		check = func([]string) error { return nil }
	}
	s := &several{base: base{title: title}, check: check, take: take}
	for _, item := range items {
		on := slices.Contains(chosen, item.ID)
		s.items = append(s.items, marked{item, &on})
	}
	s.table = widget.Table[marked]{
		Columns: []widget.Column[marked]{
			{Least: 12, Most: widestLabel + 4, Text: func(m marked) string {
				if *m.on {
					return "[x] " + prose.Fit(m.Label)
				}
				return "[ ] " + prose.Fit(m.Label)
			}},
			{Least: 8, Text: func(m marked) string { return prose.Fit(m.Note) }, Tone: func(marked) prose.Tone { return prose.Muted }},
		},
		ID:       func(m marked) string { return m.ID },
		Searches: true,
	}
	s.table.SetRows(s.items)
	return s
}

func (s *several) Typing() bool { return true }

func (s *several) Update(msg tea.Msg) tea.Cmd { return s.table.Type(msg) }

// chosen are the IDs of what is marked.
func (s *several) chosen() []string {
	chosen := []string{}
	for _, m := range s.items {
		if *m.on {
			chosen = append(chosen, m.ID)
		}
	}
	return slices.Compact(chosen)
}

func (s *several) enter() tea.Cmd {
	chosen := s.chosen()
	if s.refused = s.check(chosen); s.refused != nil {
		return nil
	}
	return s.end(with(s.take, chosen))
}

func (s *several) mark() {
	if m, ok := s.table.Row(); ok {
		*m.on = !*m.on
		s.refused = nil
	}
}

func (s *several) Bindings() []widget.Binding {
	mark := widget.Choose.Does("mark", "mark the item, or take its mark away", widget.Does(s.mark)).Shown()
	mark.OverText = true
	return append([]widget.Binding{
		mark,
		widget.Open.Does("ok", "take what is marked", s.enter).Shown(),
		s.cancel("cancel", "leave the list"),
	}, s.table.Bindings()...)
}

func (s *several) View(t *theme.Theme, maxW, maxH int) string {
	w := inner(maxW)
	reason := ""
	if s.refused != nil {
		reason = "error: " + s.refused.Error()
	}
	lines := listLines(t, &s.table, w, maxH-frameH-detailH)
	return box(t, s.title, append(lines, widget.Detail(t, prose.Bad, reason, w, detailH)...), maxW, maxH)
}
