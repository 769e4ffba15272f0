package console

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/request"
	"gatewright/tui/keys"
	"gatewright/tui/widget"
)

// Bindings are the actions of the page.
func (p *Page) Bindings() []keys.Binding {
	switch {
	case p.finding:
		return p.whileFinding()
	case p.typing:
		return p.whileTyping()
	}
	waiting := cmp.Or(
		keys.When(p.snapshot == nil && p.err != nil, "the project cannot be read"),
		keys.When(p.snapshot == nil, "the project is not read yet"))
	sending := keys.When(p.job.Running() != "", "a request is being sent")
	nothing := keys.When(p.at.Last == nil, "nothing was sent yet")
	first := keys.When(p.at.Last == nil || p.at.Previous == nil && !p.kept(), "there is no other response to compare with")
	elsewhere := keys.When(p.inAnswer, "the response has the focus: tab goes to the request")
	inRequest := keys.When(!p.inAnswer, "the request has the focus: tab goes to the response")
	mode, other := "TEST", "response"
	if p.at.Form.Test {
		mode = "CALL"
	}
	if p.inAnswer {
		other = "request"
	}
	readOnly := p.options.ReadOnly
	const aboutMode, aboutChange, aboutPane = "CALL sends like a client, TEST like the console of API Gateway",
		"change the line: type it, or choose", "move the focus to the request or to the response"
	pane := keys.NoCmd(func() { p.inAnswer = !p.inAnswer })
	all := keys.InGroup("request", []keys.Binding{
		keys.Call.Does("send", "send the request", func() tea.Cmd { return p.send(p.at.Form) }).Shown().Unless(waiting,
			sending),
		keys.Filter.Does("find", "search the response, or pick a part of it by a JSON path",
			keys.NoCmd(p.startFinding)).ShownIf(p.inAnswer).Unless(nothing).In("answer"),
		keys.Fold.Does("fold", "fold or unfold the object, the array or the part at the cursor",
			keys.NoCmd(p.answer.Fold)).ShownIf(p.inAnswer).Unless(nothing, inRequest).In("answer"),
		keys.Open.Does("change", aboutChange, p.changeRow).Shown().Unless(waiting, elsewhere),
		keys.Choose.Does("change", aboutChange, p.changeRow).Unless(waiting, elsewhere),
		keys.NextMode.Does(mode, aboutMode, p.otherMode).ShownIf(!p.inAnswer).Unless(waiting),
		keys.PriorMode.Does(mode, aboutMode, p.otherMode).Unless(waiting),
		keys.Earlier.Does("earlier", "fill in a request that was sent before, from any path",
			p.chooseEarlier).ShownIf(!p.inAnswer).Unless(waiting),
		keys.NextField.Does(other, aboutPane, pane).Shown().In("move"),
		keys.PriorField.Does(other, aboutPane, pane).In("move"),
		keys.Again.Does("repeat", "send the last request of this path again",
			func() tea.Cmd { return p.send(p.at.Last.Form) }).Shown().Unless(nothing, sending),
		keys.Difference.Does("compare", "show the difference from the kept response, from the previous one, or the response",
			p.compare).Shown().Unless(first).In("answer"),
		p.copyBinding(waiting),
		keys.CopyAnswer.Does("copy body", "copy the body of the response", p.copyBody).Unless(nothing).In("answer"),
		keys.Save.Does("save", "save the request as a file of the project, which is committed",
			p.saveRequest).ShownIf(!p.inAnswer).Unless(waiting, readOnly),
		keys.Import.Does("fill in from", "fill in a saved request, the function's event.json, or a curl command",
			p.chooseImport).ShownIf(!p.inAnswer).Unless(waiting),
		p.exportBinding(waiting, nothing, readOnly),
		keys.OpenFile.Does("body in your editor", "open the body of the request in your editor", p.editBody).Unless(waiting,
			p.noEditor()),
		keys.Environment.Does("environment", "choose the environment that requests go to",
			func() tea.Cmd { return p.pick(p.rows.Rows()[request.EnvironmentRow]) }).Unless(waiting),
		keys.Remove.Does("clear", "clear the line; asks first", p.clear).Unless(waiting, p.whyNotClear()),
		keys.Read.Does("read again", "read the files and ask the sandbox again", func() tea.Cmd { return p.read }),
	})
	if p.inAnswer {
		all = append(all,
			keys.Back.Does("back", "go back to the whole response, or to the request", keys.NoCmd(p.leaveAnswer)).In("move"))
		return append(all, p.answer.Bindings()...)
	}
	// A request has few lines, so the keys for pages scroll the answer next to it.
	all = append(all, keys.Only(p.rows.Bindings(), keys.Down, keys.Up, keys.First, keys.Last)...)
	return append(all,
		keys.Only(p.answer.Bindings(), keys.NextMatch, keys.PriorMatch, keys.PageDown, keys.PageUp, keys.HalfDown,
			keys.HalfUp)...)
}

// copyBinding copies what is at hand: in the answer the value at the cursor, else the request
// as a command of curl.
func (p *Page) copyBinding(waiting string) keys.Binding {
	if p.inAnswer && p.at.Last != nil {
		return keys.Copy.Does("copy", "copy what was picked, or the value at the cursor", p.copyHere).Shown().In("answer")
	}
	return keys.Copy.Does("curl", "copy the request as a curl command, and show it", p.copyCurl).Shown().Unless(waiting)
}

// exportBinding saves what is at hand to a file that is not committed with the requests.
func (p *Page) exportBinding(waiting, nothing, readOnly string) keys.Binding {
	if p.inAnswer {
		return keys.Export.Does("save body", "save the body of the response to a file; asks before replacing one",
			p.saveBody).Shown().Unless(nothing).In("answer")
	}
	return keys.Export.Does("save event.json", "save the request as the function's event.json; asks before replacing one",
		p.saveEvent).Unless(waiting, readOnly)
}

// whileFinding are the actions while a text or a path is typed.
func (p *Page) whileFinding() []keys.Binding {
	return append(keys.InGroup("text", []keys.Binding{
		keys.Open.Does("find", "search for the text, or pick by the path", p.takeFound).Shown(),
		keys.Back.Does("drop", "forget the search", keys.NoCmd(p.dropFound)).Shown(),
	}), widget.TextKeys()...)
}

// whileTyping are the actions while a row is being typed.
func (p *Page) whileTyping() []keys.Binding {
	const next, before = "take the text and go to the next line", "take the text and go to the previous line"
	taken := func(by int, onward bool) func() tea.Cmd { return func() tea.Cmd { return p.takeText(by, onward) } }
	return append(keys.InGroup("text", []keys.Binding{
		keys.Open.Does("take", next, taken(1, true)).Shown(),
		keys.Back.Does("drop", "leave the text as it was", keys.NoCmd(func() { p.typing = false })).Shown(),
		keys.NextField.Does("next", next, taken(1, true)),
		keys.Down.Does("next", next, taken(1, false)),
		keys.PriorField.Does("previous", before, taken(-1, false)),
		keys.Up.Does("previous", before, taken(-1, false)),
	}), widget.TextKeys()...)
}
