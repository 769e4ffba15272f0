package dialog

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Command is one line of a Palette.
type Command struct {
	// Label is a word or two, Help a sentence; "" where the label says it all.
	ID, Label, Help string
	// Key does the same without the palette; "" for none.
	Key string
	// Where is what it belongs to, in a word or two.
	Where string
	// Disabled is the reason why it cannot be done; "" where it can.
	Disabled string
}

// palette is a list of commands of which one is done.
type palette struct {
	id, title string
	commands  []Command
	list      list
	// the widths of the columns
	keyW, whereW, labelW int
}

// Palette asks for one of all the things that can be done, found by typing words
// of what it does, its place or its key. Enter ends it with Picked, esc with
// Cancelled. What cannot be done is listed with its reason, which stands in full
// below the list when the cursor is on it, and is not picked.
func Palette(id, title string, commands []Command) Dialog {
	const widestKey, widestWhere, widestLabel = 9, 12, 32
	p := &palette{id: id, title: title, commands: commands}
	texts := make([]string, len(commands))
	for i, c := range commands {
		texts[i] = strings.Join([]string{c.Label, c.Help, c.Where, c.Key}, " ")
		p.keyW = max(p.keyW, layout.Width(KeyName(c.Key)))
		p.whereW = max(p.whereW, layout.Width(prose.Fit(c.Where)))
		if c.Help != "" {
			p.labelW = max(p.labelW, layout.Width(prose.Fit(c.Label))+len("()"))
		}
	}
	p.keyW, p.whereW, p.labelW = min(p.keyW, widestKey), min(p.whereW, widestWhere), min(p.labelW, widestLabel)
	p.list = newList(texts)
	return p
}

func (p *palette) ID() string { return p.id }

func (p *palette) Update(msg tea.Msg) (Action, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			return Cancelled{}, nil
		case "enter":
			if row, ok := p.list.selected(); ok && p.commands[row].Disabled == "" {
				return Picked(p.commands[row].ID), nil
			}
			return nil, nil
		}
	}
	before := p.list.filter.Value()
	p.list.update(msg)
	if after := p.list.filter.Value(); after != before {
		p.rank(strings.Fields(strings.ToLower(after)))
	}
	return nil, nil
}

// rank puts what has the words in its label before what has them elsewhere.
func (p *palette) rank(words []string) {
	slices.SortStableFunc(p.list.shown, func(a, b int) int {
		return cmp.Compare(p.worth(b, words), p.worth(a, words))
	})
}

// worth is how well the label of a command fits words.
func (p *palette) worth(row int, words []string) int {
	label := strings.ToLower(p.commands[row].Label)
	switch {
	case label == strings.Join(words, " "):
		return 3
	case strings.HasPrefix(label, strings.Join(words, " ")):
		return 2
	case hasAll(label, words):
		return 1
	}
	return 0
}

func (p *palette) View(t *theme.Theme, maxW, maxH int) string {
	w := listed(maxW)
	lines := p.list.view(t, w, max(maxH-frameH-detailH, 1), func(row int, selected bool) string {
		return layout.Cut(p.draw(t, row, selected), w)
	})
	sentence, style := "", t.Base
	if row, ok := p.list.selected(); ok {
		c := p.commands[row]
		if sentence = c.Help; sentence == "" {
			sentence = c.Label
		}
		if c.Disabled != "" {
			sentence, style = notAvailable+c.Disabled, t.Warning
		}
	}
	return box(t, p.title, append(lines, detail(style, sentence, w)...), maxW, maxH)
}

func (p *palette) draw(t *theme.Theme, row int, selected bool) string {
	c := p.commands[row]
	mark, keyStyle, whereStyle, style := "  ", t.Key, t.Muted, t.Base
	if c.Disabled != "" {
		keyStyle, whereStyle, style = t.Disabled, t.Disabled, t.Disabled
	}
	if selected {
		mark, keyStyle, whereStyle, style = "› ", t.Selected, t.Selected, t.Selected
	}
	label := prose.Fit(c.Label)
	if c.Disabled != "" {
		label = "(" + label + ")"
	}
	fixed := func(text string, w int) string { return layout.Pad(layout.Cut(text, w), w) + "  " }
	line := keyStyle.Render(mark+fixed(KeyName(c.Key), p.keyW)) + whereStyle.Render(fixed(prose.Fit(c.Where), p.whereW))
	if c.Help == "" {
		return line + style.Render(label)
	}
	return line + style.Render(fixed(label, p.labelW)) + whereStyle.Render(prose.Fit(c.Help))
}

func (p *palette) Keys() []Binding {
	return []Binding{
		{Keys: []string{"enter"}, Label: "do it", Help: "do what the line says", Footer: true},
		{Keys: []string{"up", "down"}, Label: "move", Help: "move in the list", Footer: true},
		{Keys: []string{"esc"}, Label: "cancel", Help: "leave the list", Footer: true},
	}
}
