package console

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/request"
	"gatewright/tui/widget"
)

// Bindings are the actions of the page.
func (p *Page) Bindings() []widget.Binding {
	switch {
	case p.finding:
		return p.whileFinding()
	case p.typing:
		return p.whileTyping()
	}
	waiting := cmp.Or(
		widget.When(p.snapshot == nil && p.err != nil, "the project cannot be read"),
		widget.When(p.snapshot == nil, "the project is not read yet"))
	sending := widget.When(p.job.Running() != "", "a request is being sent")
	nothing := widget.When(p.at.Last == nil, "nothing was sent yet")
	first := widget.When(p.at.Last == nil || p.at.Previous == nil && !p.kept(), "there is no other answer to compare with")
	elsewhere := widget.When(p.inAnswer, "the answer has the focus: tab goes to the request")
	inRequest := widget.When(!p.inAnswer, "the request has the focus: it goes to the answer with the key for the next pane")
	mode, other := "TEST", "answer"
	if p.at.Form.Test {
		mode = "CALL"
	}
	if p.inAnswer {
		other = "request"
	}
	readOnly := p.options.ReadOnly
	const aboutMode, aboutChange, aboutPane = "CALL sends like a client, TEST like the console of API Gateway", "change the line: type it, or choose", "move the focus to the request or to the answer"
	pane := widget.NoCmd(func() { p.inAnswer = !p.inAnswer })
	all := widget.InGroup("request", []widget.Binding{
		widget.Call.Does("send", "send the request", func() tea.Cmd { return p.send(p.at.Form) }).Shown().Unless(waiting, sending),
		widget.Filter.Does("find", "search in the answer, or pick a part of it by a JSON path", widget.NoCmd(p.startFinding)).ShownIf(p.inAnswer).Unless(nothing).In("answer"),
		widget.Fold.Does("fold", "fold or unfold the object, the array or the part at the cursor", widget.NoCmd(p.answer.Fold)).ShownIf(p.inAnswer).Unless(nothing, inRequest).In("answer"),
		widget.Open.Does("change", aboutChange, p.changeRow).Shown().Unless(waiting, elsewhere),
		widget.Choose.Does("change", aboutChange, p.changeRow).Unless(waiting, elsewhere),
		widget.NextMode.Does(mode, aboutMode, p.otherMode).ShownIf(!p.inAnswer).Unless(waiting),
		widget.PriorMode.Does(mode, aboutMode, p.otherMode).Unless(waiting),
		widget.Earlier.Does("earlier", "fill in a request that was sent before, from any path", p.chooseEarlier).ShownIf(!p.inAnswer).Unless(waiting),
		widget.NextField.Does(other, aboutPane, pane).Shown().In("move"),
		widget.PriorField.Does(other, aboutPane, pane).In("move"),
		widget.Again.Does("repeat", "send the last request of this path again", func() tea.Cmd { return p.send(p.at.Last.Form) }).Shown().Unless(nothing, sending),
		widget.Difference.Does("compare", "show the difference from the kept answer, from the previous one, or the answer", p.compare).Shown().Unless(first).In("answer"),
		p.copyBinding(waiting),
		widget.CopyAnswer.Does("copy body", "copy the body of the answer", p.copyBody).Unless(nothing).In("answer"),
		widget.Save.Does("save", "save the request as a file of the project, which is committed", p.saveRequest).ShownIf(!p.inAnswer).Unless(waiting, readOnly),
		widget.Import.Does("fill in from", "fill in a saved request, the function's event.json, or a command of curl", p.chooseImport).ShownIf(!p.inAnswer).Unless(waiting),
		p.exportBinding(waiting, nothing, readOnly),
		widget.OpenFile.Does("body in your editor", "open the body of the request in your editor", p.editBody).Unless(waiting, p.noEditor()),
		widget.Environment.Does("environment", "choose the environment that requests go to", func() tea.Cmd { return p.pick(p.rows.Rows()[request.EnvironmentRow]) }).Unless(waiting),
		widget.Remove.Does("clear", "clear the line; asks first", p.clear).Unless(waiting, p.whyNotClear()),
		widget.Read.Does("read again", "read the files and ask the sandbox again", func() tea.Cmd { return p.read }),
	})
	if p.inAnswer {
		all = append(all,
			widget.Back.Does("back", "go back to the whole answer, or to the request", widget.NoCmd(p.leaveAnswer)).In("move"))
		return append(all, p.answer.Bindings()...)
	}
	// A request has few lines, so the keys for pages scroll the answer beside it.
	all = append(all, widget.Only(p.rows.Bindings(), widget.Down, widget.Up, widget.First, widget.Last)...)
	return append(all, widget.Only(p.answer.Bindings(), widget.NextMatch, widget.PriorMatch, widget.PageDown, widget.PageUp, widget.HalfDown, widget.HalfUp)...)
}

// copyBinding copies what is at hand: in the answer the value at the cursor, else the request
// as a command of curl.
func (p *Page) copyBinding(waiting string) widget.Binding {
	if p.inAnswer && p.at.Last != nil {
		return widget.Copy.Does("copy", "copy what was picked, or the value at the cursor", p.copyHere).Shown().In("answer")
	}
	return widget.Copy.Does("curl", "copy the request as a curl command, and show it", p.copyCurl).Shown().Unless(waiting)
}

// exportBinding saves what is at hand to a file that is not committed with the requests.
func (p *Page) exportBinding(waiting, nothing, readOnly string) widget.Binding {
	if p.inAnswer {
		return widget.Export.Does("save body", "save the body of the answer to a file; asks before replacing one", p.saveBody).Shown().Unless(nothing).In("answer")
	}
	return widget.Export.Does("save event.json", "save the request as the function's event.json; asks before replacing one", p.saveEvent).Unless(waiting, readOnly)
}

// whileFinding are the actions while a text or a path is typed.
func (p *Page) whileFinding() []widget.Binding {
	return append(widget.InGroup("text", []widget.Binding{
		widget.Open.Does("find", "search for the text, or pick by the path", p.takeFound).Shown(),
		widget.Back.Does("drop", "forget the search", widget.NoCmd(p.dropFound)).Shown(),
	}), widget.TextKeys()...)
}

// whileTyping are the actions while a row is being typed.
func (p *Page) whileTyping() []widget.Binding {
	const next, before = "take the text and go to the next line", "take the text and go to the previous line"
	taken := func(by int, onward bool) func() tea.Cmd { return func() tea.Cmd { return p.takeText(by, onward) } }
	return append(widget.InGroup("text", []widget.Binding{
		widget.Open.Does("take", next, taken(1, true)).Shown(),
		widget.Back.Does("drop", "leave the text as it was", widget.NoCmd(func() { p.typing = false })).Shown(),
		widget.NextField.Does("next", next, taken(1, true)),
		widget.Down.Does("next", next, taken(1, false)),
		widget.PriorField.Does("previous", before, taken(-1, false)),
		widget.Up.Does("previous", before, taken(-1, false)),
	}), widget.TextKeys()...)
}
