package wizard

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/widget"
)

// Bindings are the actions of the current step, and those that go to other steps.
func (p *Page) Bindings() []keys.Binding {
	switch {
	case p.done != nil:
		return p.doneBindings()
	case p.step.Kind == flow.Review:
		return append(p.reviewBindings(), p.wizardBindings()...)
	case p.onPreview():
		return p.previewBindings()
	case p.form.hasMatrix() && p.form.matrix.Typing():
		return p.form.matrix.Bindings()
	}
	return slices.Concat(p.form.bindings(p.next, p.showPreview(), p.back()), p.scrolling(), p.wizardBindings())
}

// onPreview reports whether the preview has the place of the question, whose keys then do
// nothing: nobody edits what is not seen.
func (p *Page) onPreview() bool { return p.previewing && p.hidesPreview() }

func (p *Page) previewBindings() []keys.Binding {
	close := keys.NoCmd(func() { p.previewing = false })
	return keys.InGroup("preview", append(p.scrolling(), []keys.Binding{
		keys.Back.Does("question", "go back to the question", close).Shown(),
		keys.Preview.Does("question", "go back to the question", close).Shown(),
		keys.Open.Does("question", "go back to the question", close),
	}...))
}

func (p *Page) showPreview() keys.Binding {
	return keys.Preview.Does("preview", "show the preview, where there is no room for it next to the question",
		keys.NoCmd(func() { p.previewing = true })).ShownIf(p.hidesPreview()).In("wizard")
}

// back is the binding of the previous step.
func (p *Page) back() keys.Binding {
	return keys.Back.Does("back", "go to the previous step; nothing is lost", p.previous).Shown().In("wizard")
}

// bindings are the actions of a question. next goes to the next step.
func (f *form) bindings(next func() tea.Cmd, preview, back keys.Binding) []keys.Binding {
	now := f.now()
	goOn := keys.Open.Does("next", "take the answers and go on", next).Shown().In("wizard")
	up := keys.Up.Does("move up", "move between choices and fields", func() tea.Cmd { return f.vertical(-1) })
	down := keys.Down.Does("move", "move between choices and fields", func() tea.Cmd { return f.vertical(1) })
	if now.Kind == flow.Access {
		all := append(keys.InGroup("answer", []keys.Binding{down, up}), f.matrix.Bindings()...)
		for i, b := range all {
			// A line of the matrix says that groups can be added.
			all[i].Footer = b.Footer && !(preview.Footer && b.Label() == "groups")
		}
		if !f.matrix.OnAdd() { // there enter adds groups
			all = append(all, goOn)
		}
		return append(all, preview, back)
	}
	all := []keys.Binding{goOn, back}
	several := len(f.question.Fields) > 1
	field := func(by int) func() tea.Cmd { return keys.NoCmd(func() { f.moveField(by) }) }
	all = append(all,
		keys.NextField.Does("field", "go to the next field", field(1)).ShownIf(several),
		keys.PriorField.Does("previous field", "go to the previous field", field(-1)),
		down.ShownIf(!several && len(now.Options) > 0), up)
	if len(now.Suggestions) > 0 {
		all = append(all,
			keys.NextSuggestion.Does("suggestion", "take the next suggestion", func() tea.Cmd { return f.suggest(1) }).Shown(),
			keys.PriorSuggestion.Does("previous suggestion", "take the previous suggestion",
				func() tea.Cmd { return f.suggest(-1) }))
	}
	if now.Kind == flow.Text {
		return keys.InGroup("answer", append(all, preview))
	}
	if now.Kind == flow.Choice && !f.isList(now) {
		all = append(all,
			keys.Right.Does("choose", "choose the next option", func() tea.Cmd { return f.horizontal(1) }).Shown(),
			keys.Left.Does("choose", "choose the previous option", func() tea.Cmd { return f.horizontal(-1) }))
	}
	label, about := "choose", "choose the next option"
	if now.Kind == flow.Several {
		label, about = "mark", "choose the option at the cursor, or drop it"
	}
	all = append(all, keys.Choose.Does(label, about, f.pick).ShownIf(now.Kind == flow.Several), preview)
	return keys.InGroup("answer", all)
}

// wizardBindings are the actions of every step. In a text field, actions whose keys would
// type a character are left out.
func (p *Page) wizardBindings() []keys.Binding {
	undo := keys.Undo.Does("undo", "undo the last answer, and go to where it shows", p.undo).Shown()
	if p.Typing() && p.landed == p.at() {
		undo.OverText = true
	} else if p.Typing() {
		const ctrlZ = 1
		undo = keys.Undo.Nth(ctrlZ, "undo", undo.About, p.undo).Shown()
	}
	all := []keys.Binding{undo, keys.Redo.Does("redo", "do again what was undone", p.redo)}
	if p.step.Kind != flow.Review {
		all = append(all,
			keys.Save.Does("review", "go to the review, or to the first step without a valid answer", p.toReview).Shown())
	}
	if !p.Typing() {
		all = append(all, p.stepBindings()...)
	}
	all = append(all,
		p.documentAction(),
		keys.Action("go to a step", "choose a step to change its answers", p.openSteps),
		keys.Action("save draft", "save the answers as a draft, as every answer does by itself", func() tea.Cmd {
			return tea.Batch(p.save(), frame.Say(frame.Good, "the draft is saved"))
		}))
	if p.Typing() {
		return append(keys.InGroup("wizard", all), widget.TextKeys()...)
	}
	return keys.InGroup("wizard", all)
}

// stepBindings are the actions that go to other steps.
func (p *Page) stepBindings() []keys.Binding {
	before, _ := p.flow.Around(p.step)
	all := []keys.Binding{keys.Before.Does("previous step", "go to the previous step",
		p.previous).Unless(keys.When(before == flow.ID{}, "this is the first step"))}
	if p.step.Kind != flow.Review {
		all = append(all, keys.After.Does("next step", "go to the next step if this one is answered", p.next))
	}
	ids := p.flow.Steps()
	for i, id := range ids[:min(len(ids), len(keys.Number.Keys()))] {
		all = append(all,
			keys.Number.Nth(i, "step "+p.stepTitle(id), "go to the step "+p.stepTitle(id),
				func() tea.Cmd { return p.visit(id) }))
	}
	return all
}

// openSteps offers all steps except the review, each with its answers.
func (p *Page) openSteps() tea.Cmd {
	ids, byKey := p.flow.Steps(), make(map[string]flow.ID)
	options := make([]prose.Option, len(ids)-1)
	for i := range options {
		options[i] = prose.Option{Key: p.stepTitle(ids[i]), Title: p.stepTitle(ids[i]), Detail: p.flow.Summary(ids[i])}
		byKey[options[i].Key] = ids[i]
	}
	return frame.Open(dialog.Choose("Go to a step", options, p.stepTitle(p.step),
		func(key string) tea.Cmd { return p.visit(byKey[key]) }))
}

// stepTitle names a step, with its path if there are several.
func (p *Page) stepTitle(id flow.ID) string {
	title := p.flow.Name(id)
	if paths := p.flow.Answers().Paths; len(paths) > 1 && id.OfPath() {
		title = prose.Printable(shownPath(paths[id.Path].Path)) + ": " + title
	}
	return title
}

// shownPath is a path, or what stands for one that is not answered yet.
func shownPath(path string) string {
	if path == "" {
		return "next path"
	}
	return path
}

// askToRemove asks whether to remove the entry of a group on this path, or a group that was
// made here.
func (f *form) askToRemove(group string) tea.Cmd {
	m := f.matrix.Data()
	name := prose.Printable(group)
	buttons := []dialog.Button{{Label: "Cancel", Cancel: true}}
	text := ""
	if r := m.Row(access.Principal{Kind: access.Group, Group: group}); r.Own {
		text = "Without its own entry, its members may do what signed-in users may.\n"
		if m.Terms.GroupAlone {
			text = "Without its own entry, its members may do nothing: they act only as their group here.\n"
		}
		buttons = append(buttons,
			dialog.Button{Label: "Remove its entry here", Do: func() tea.Cmd { return f.setMatrix(m.WithoutEntry(group)) }})
	}
	without, err := m.WithoutGroup(group)
	if err == nil {
		text += "The group was added in this draft. Removing it removes it from all paths."
		buttons = append(buttons,
			dialog.Button{Label: "Remove the group", Do: func() tea.Cmd { return f.setMatrix(without) }})
	}
	if len(buttons) == 1 {
		return frame.Say(frame.Info, "%s has no entry here; %v", name, err)
	}
	return frame.Open(dialog.Confirm("Remove "+name+"?", text, buttons...))
}
