package wizard

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/tui/frame"
)

// Keys are the page's keys as they are now.
func (p *Page) Keys() []frame.Binding {
	if p.done != nil {
		return p.doneKeys()
	}
	if p.at.Kind == flow.Review {
		return p.reviewKeys()
	}
	several := len(p.rows) > 0 && p.field().Kind == flow.Several
	toggle := frame.Binding{Keys: []string{"space"}, Label: "choose", Help: "choose or drop what the cursor is on", Footer: several, Group: "answer"}
	if p.onText() {
		toggle.Disabled = "a space belongs to the text"
	}
	return []frame.Binding{
		{Keys: []string{"enter"}, Label: "next", Help: "take the answer and go on", Footer: true, Group: "walk"},
		{Keys: []string{"esc"}, Label: "back", Help: "go to the step before; nothing is lost", Footer: true, Group: "walk"},
		{Keys: []string{"up", "down"}, Label: "move", Help: "move between choices and fields", Footer: true, Group: "answer"},
		toggle,
		{Keys: []string{"tab", "shift+tab"}, Label: "field", Help: "move between fields", Footer: len(p.question.Fields) > 1, Group: "answer"},
		{Keys: []string{"ctrl+z"}, Label: "undo", Help: "take the last answer back", Footer: true, Group: "walk"},
		{Keys: []string{"ctrl+y"}, Label: "redo", Help: "give back what undo took", Group: "walk"},
		{Keys: []string{"ctrl+r"}, Label: "review", Help: "go to the review, or to the first step that is not answered yet", Footer: true, Group: "walk"},
		{Keys: []string{"ctrl+s"}, Label: "save draft", Help: "keep the answers for another time", Group: "walk"},
	}
}

// key takes a key press.
func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	if p.done != nil {
		return p.doneKey(msg)
	}
	switch msg.String() {
	case "esc":
		return p.back()
	case "ctrl+z":
		return p.history(p.flow.Undo, "undo")
	case "ctrl+y":
		return p.history(p.flow.Redo, "redo")
	case "ctrl+s":
		return tea.Batch(p.save(), frame.Say(frame.Good, "the draft is saved"))
	case "ctrl+r":
		return p.toReview()
	}
	if p.at.Kind == flow.Review {
		return p.reviewKey(msg)
	}
	switch msg.String() {
	case "enter":
		return p.take()
	case "up":
		p.move(-1)
		return nil
	case "down":
		p.move(1)
		return nil
	case "tab":
		p.moveField(1)
		return nil
	case "shift+tab":
		p.moveField(-1)
		return nil
	}
	if p.onText() {
		return p.typeInto(msg)
	}
	return p.choose(msg.String())
}

// choose takes the keys of choices: vi's movements, space, and numbers.
func (p *Page) choose(key string) tea.Cmd {
	switch key {
	case "j":
		p.move(1)
	case "k":
		p.move(-1)
	case "space":
		return p.pick()
	}
	if len(key) == 1 && key[0] >= '1' && key[0] <= '9' {
		field := p.rows[p.row].field
		if i := slices.Index(p.rows, row{field, int(key[0] - '1')}); i >= 0 {
			p.row = i
			return p.pick()
		}
	}
	return nil
}

// take is what enter does: it takes the choice at hand and goes on, to the next
// field or the next step.
func (p *Page) take() tea.Cmd {
	if len(p.rows) == 0 {
		return p.next()
	}
	f := p.field()
	if f.Kind == flow.Choice {
		if f.Options[p.rows[p.row].option].Disabled != "" {
			return p.pick()
		}
		p.pick()
	}
	if p.rows[p.row].field < len(p.question.Fields)-1 && p.moveField(1) {
		return nil
	}
	return p.next()
}

// pick chooses what the cursor is on; something that cannot be chosen says why.
func (p *Page) pick() tea.Cmd {
	r := p.rows[p.row]
	f := p.question.Fields[r.field]
	if r.option == noOption {
		return nil
	}
	option := f.Options[r.option]
	if option.Disabled != "" {
		return frame.Say(frame.Warn, "%s: %s", option.Title, option.Disabled)
	}
	if f.Kind == flow.Choice {
		if f.Value != option.Key {
			p.flow.Set(p.at, f.Key, option.Key, nil)
			p.answered()
		}
		return nil
	}
	chosen := []string{}
	for _, o := range f.Options {
		if slices.Contains(f.Chosen, o.Key) != (o.Key == option.Key) {
			chosen = append(chosen, o.Key)
		}
	}
	p.flow.Set(p.at, f.Key, "", chosen)
	p.answered()
	return nil
}

// typeInto gives a key to the text field at hand.
func (p *Page) typeInto(msg tea.Msg) tea.Cmd {
	before := p.input.Value()
	p.input.Update(msg)
	if value := p.input.Value(); value != before {
		set := p.flow.Keep
		if !p.typed {
			set, p.typed = p.flow.Set, true
		}
		set(p.at, p.field().Key, value, nil)
		p.answered()
	}
	return nil
}

func (p *Page) paste(msg tea.PasteMsg) tea.Cmd {
	if p.done != nil || !p.onText() {
		return nil
	}
	return p.typeInto(msg)
}

// toReview goes to the review, or to the first step that is not answered.
func (p *Page) toReview() tea.Cmd {
	at, err, open := p.flow.FirstOpen()
	if open && at.Kind != flow.Review {
		p.goTo(at)
		p.error = err.Error()
		return nil
	}
	p.goTo(flow.ID{Kind: flow.Review})
	return tea.Batch(p.save(), p.enter())
}
