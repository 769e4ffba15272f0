package wizard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// Bindings are what can be done at the step at hand, and the ways to the others.
func (p *Page) Bindings() []widget.Binding {
	switch {
	case p.done != nil:
		return p.doneBindings()
	case p.at.Kind == flow.Review:
		return append(p.reviewBindings(), p.walking()...)
	}
	return append(p.answering(), p.walking()...)
}

// back is the binding to the step before.
func (p *Page) back() widget.Binding {
	return widget.Back.Does("back", "go to the step before; nothing is lost", p.toBefore).Shown().In("walk")
}

// answering are the bindings of a question.
func (p *Page) answering() []widget.Binding {
	move := func(by int) func() tea.Cmd { return widget.NoCmd(func() { p.move(by) }) }
	all := []widget.Binding{
		widget.Open.Does("next", "take the answer and go on", p.take).Shown().In("walk"),
		p.back(),
		widget.Down.Does("move", "move between choices and fields", move(1)).Shown(),
		widget.Up.Does("move up", "move between choices and fields", move(-1)),
	}
	if !p.onText() {
		several := len(p.rows) > 0 && p.field().Kind == flow.Several
		all = append(all, widget.Choose.Does("choose", "choose or drop what the cursor is on", p.pick).ShownIf(several))
	}
	field := func(by int) func() tea.Cmd { return widget.NoCmd(func() { p.moveField(by) }) }
	all = append(all,
		widget.NextField.Does("field", "go to the next field", field(1)).ShownIf(len(p.question.Fields) > 1),
		widget.PriorField.Does("field before", "go to the field before", field(-1)))
	return widget.InGroup("answer", all)
}

// walking are the ways through the walk, from wherever one is. In a text field the
// keys that are characters are left out.
func (p *Page) walking() []widget.Binding {
	undo := widget.Undo.Does("undo", "take the last answer back", p.undo).Shown()
	if p.onText() {
		const ctrlZ = 1
		undo = widget.Undo.Nth(ctrlZ, "undo", undo.About, p.undo).Shown()
	}
	all := []widget.Binding{undo, widget.Redo.Does("redo", "give back what undo took", p.redo)}
	if p.at.Kind != flow.Review {
		all = append(all, widget.Save.Does("review", "go to the review, or to the first step that is not answered yet", p.toReview).Shown())
	}
	if !p.onText() {
		all = append(all, p.steps()...)
	}
	all = append(all, widget.Action("save draft", "keep the answers for another time, as every step does by itself", func() tea.Cmd {
		return tea.Batch(p.save(), frame.Say(frame.Good, "the draft is saved"))
	}))
	if p.onText() {
		return append(widget.InGroup("walk", all), widget.TextKeys()...)
	}
	return widget.InGroup("walk", all)
}

// steps are the ways to other steps.
func (p *Page) steps() []widget.Binding {
	before, _ := p.flow.Around(p.at)
	all := []widget.Binding{widget.Before.Does("step before", "go to the step before", p.toBefore).Unless(widget.When(before == flow.ID{}, "this is the first step"))}
	if p.at.Kind != flow.Review {
		all = append(all, widget.After.Does("step after", "go to the step after, where this one is answered", p.next))
	}
	ids := p.flow.Steps()
	for i, id := range ids[:min(len(ids), len(widget.Number.Keys()))] {
		all = append(all, widget.Number.Nth(i, "step "+p.stepTitle(id), "go to the step "+p.stepTitle(id), func() tea.Cmd { return p.visit(id) }))
	}
	return all
}

// take is what enter does: it takes the choice at hand and goes on, to the next
// field or the next step.
func (p *Page) take() tea.Cmd {
	if len(p.rows) > 0 && p.field().Kind == flow.Choice {
		if refused := p.pick(); refused != nil {
			return refused
		}
	}
	if p.moveField(1) {
		return nil
	}
	return p.next()
}

// pick chooses what the cursor is on; something that cannot be chosen says why.
func (p *Page) pick() tea.Cmd {
	if len(p.rows) == 0 || p.onText() {
		return nil
	}
	f := p.field()
	option := f.Options[p.rows[p.row].option]
	switch {
	case option.Disabled != "":
		return frame.Say(frame.Warn, "%s: %s", option.Title, option.Disabled)
	case f.Kind == flow.Choice:
		if f.Value != option.Key {
			p.flow.Set(p.at, f.Key, option.Key, nil)
			p.answered()
		}
		return nil
	}
	chosen := []string{}
	for _, o := range f.Options {
		if f.Has(o) != (o.Key == option.Key) {
			chosen = append(chosen, o.Key)
		}
	}
	p.flow.Set(p.at, f.Key, "", chosen)
	p.answered()
	return nil
}

// typeInto gives a key or a paste to the text field at hand. What is typed into it
// in a row is one thing to undo.
func (p *Page) typeInto(msg tea.Msg) {
	before := p.input.Value()
	p.input.Update(msg)
	value := p.input.Value()
	if value == before {
		return
	}
	set := p.flow.Keep
	if !p.typed {
		set, p.typed = p.flow.Set, true
	}
	set(p.at, p.field().Key, value, nil)
	p.answered()
}
