package wizard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// Bindings are the actions of the current step, and those that go to other steps.
func (p *Page) Bindings() []widget.Binding {
	switch {
	case p.done != nil:
		return p.doneBindings()
	case p.step.Kind == flow.Review:
		return append(p.reviewBindings(), p.wizardBindings()...)
	}
	return append(p.questionBindings(), p.wizardBindings()...)
}

// back is the binding of the previous step.
func (p *Page) back() widget.Binding {
	return widget.Back.Does("back", "go to the previous step; nothing is lost", p.previous).Shown().In("wizard")
}

// questionBindings are the actions of a question.
func (p *Page) questionBindings() []widget.Binding {
	move := func(by int) func() tea.Cmd { return widget.NoCmd(func() { p.move(by) }) }
	all := []widget.Binding{
		widget.Open.Does("next", "take the answer and go on", p.take).Shown().In("wizard"),
		p.back(),
		widget.Down.Does("move", "move between choices and fields", move(1)).Shown(),
		widget.Up.Does("move up", "move between choices and fields", move(-1)),
	}
	if !p.onText() {
		several := len(p.rows) > 0 && p.field().Kind == flow.Several
		all = append(all, widget.Choose.Does("choose", "choose or drop the option at the cursor", p.pick).ShownIf(several))
	}
	field := func(by int) func() tea.Cmd { return widget.NoCmd(func() { p.moveField(by) }) }
	all = append(all,
		widget.NextField.Does("field", "go to the next field", field(1)).ShownIf(len(p.question.Fields) > 1),
		widget.PriorField.Does("previous field", "go to the previous field", field(-1)))
	return widget.InGroup("answer", all)
}

// wizardBindings are the actions of every step. In a text field, actions whose keys would
// type a character are left out.
func (p *Page) wizardBindings() []widget.Binding {
	undo := widget.Undo.Does("undo", "undo the last answer", p.undo).Shown()
	if p.onText() {
		const ctrlZ = 1
		undo = widget.Undo.Nth(ctrlZ, "undo", undo.About, p.undo).Shown()
	}
	all := []widget.Binding{undo, widget.Redo.Does("redo", "redo the answer that was undone", p.redo)}
	if p.step.Kind != flow.Review {
		all = append(all, widget.Save.Does("review", "go to the review, or to the first unanswered step", p.toReview).Shown())
	}
	if !p.onText() {
		all = append(all, p.stepBindings()...)
	}
	all = append(all, widget.Action("save draft", "save the answers as a draft, as every step does by itself", func() tea.Cmd {
		return tea.Batch(p.save(), frame.Say(frame.Good, "the draft is saved"))
	}))
	if p.onText() {
		return append(widget.InGroup("wizard", all), widget.TextKeys()...)
	}
	return widget.InGroup("wizard", all)
}

// stepBindings are the actions that go to other steps.
func (p *Page) stepBindings() []widget.Binding {
	before, _ := p.flow.Around(p.step)
	all := []widget.Binding{widget.Before.Does("previous step", "go to the previous step", p.previous).Unless(widget.When(before == flow.ID{}, "this is the first step"))}
	if p.step.Kind != flow.Review {
		all = append(all, widget.After.Does("next step", "go to the next step if this one is answered", p.next))
	}
	ids := p.flow.Steps()
	for i, id := range ids[:min(len(ids), len(widget.Number.Keys()))] {
		all = append(all, widget.Number.Nth(i, "step "+p.stepTitle(id), "go to the step "+p.stepTitle(id), func() tea.Cmd { return p.visit(id) }))
	}
	return all
}

// take is the action of enter: it takes the choice at the cursor and goes to the next
// field or step.
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

// pick chooses the option at the cursor, or says why it cannot be chosen.
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
			p.flow.Set(p.step, f.Key, option.Key, nil)
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
	p.flow.Set(p.step, f.Key, "", chosen)
	p.answered()
	return nil
}

// typeInto gives a key or a paste to the text field. One undo takes back all that was
// typed there in a row.
func (p *Page) typeInto(msg tea.Msg) {
	before := p.input.Value()
	p.input.Update(msg)
	value := p.input.Value()
	if value == before {
		return
	}
	set := p.flow.Amend
	if !p.typed {
		set, p.typed = p.flow.Set, true
	}
	set(p.step, p.field().Key, value, nil)
	p.answered()
}
