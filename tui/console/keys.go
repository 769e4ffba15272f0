package console

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"gatewright/request"
	"gatewright/tui/widget"
)

// Bindings are the actions of the page.
func (p *Page) Bindings() []widget.Binding {
	if p.typing {
		return p.whileTyping()
	}
	waiting := cmp.Or(
		widget.When(p.snapshot == nil && p.err != nil, "the project cannot be read"),
		widget.When(p.snapshot == nil, "the project is not read yet"))
	sending := widget.When(p.job.Running() != "", "a request is being sent")
	nothing := widget.When(p.at.Last == nil, "nothing was sent yet")
	first := widget.When(p.at.Previous == nil, "there is no previous answer")
	elsewhere := widget.When(p.inAnswer, "the answer has the focus: tab goes to the request")
	mode, other := "TEST", "answer"
	if p.at.Form.Test {
		mode = "CALL"
	}
	if p.inAnswer {
		other = "request"
	}
	const aboutMode, aboutChange, aboutPane = "CALL sends like a client, TEST like the console of API Gateway", "change the line: type it, or choose", "move the focus to the request or to the answer"
	pane := widget.NoCmd(func() { p.inAnswer = !p.inAnswer })
	all := widget.InGroup("request", []widget.Binding{
		widget.Call.Does("send", "send the request", func() tea.Cmd { return p.send(p.at.Form) }).Shown().Unless(waiting, sending),
		widget.Open.Does("change", aboutChange, p.changeRow).Shown().Unless(waiting, elsewhere),
		widget.Choose.Does("change", aboutChange, p.changeRow).Unless(waiting, elsewhere),
		widget.NextMode.Does(mode, aboutMode, p.otherMode).Shown().Unless(waiting),
		widget.PriorMode.Does(mode, aboutMode, p.otherMode).Unless(waiting),
		widget.Earlier.Does("earlier", "fill in an earlier request, or the function's event.json", p.chooseEarlier).Shown().Unless(waiting),
		widget.NextField.Does(other, aboutPane, pane).Shown().In("move"),
		widget.PriorField.Does(other, aboutPane, pane).In("move"),
		widget.Again.Does("repeat", "send the last request again", func() tea.Cmd { return p.send(p.at.Last.Form) }).Shown().Unless(nothing, sending),
		widget.Difference.Does("compare", "show the difference from the previous answer, or the answer", widget.NoCmd(p.compare)).Shown().Unless(first).In("answer"),
		widget.Copy.Does("curl", "copy the request as a curl command, and show it", p.copyCurl).Shown().Unless(waiting),
		widget.CopyAnswer.Does("copy body", "copy the body of the answer", p.copyBody).Unless(nothing).In("answer"),
		widget.Save.Does("save event.json", "save the request as the function's event.json; asks before replacing one", p.save).Unless(waiting, p.options.ReadOnly),
		widget.Environment.Does("environment", "choose the environment that requests go to", func() tea.Cmd { return p.pick(p.rows.Rows()[request.EnvironmentRow]) }).Unless(waiting),
		widget.Remove.Does("clear", "clear the line, without asking", widget.NoCmd(p.clear)).Unless(waiting, p.whyNotClear()),
		widget.Read.Does("read again", "read the files and ask the sandbox again", func() tea.Cmd { return p.read }),
	})
	if p.inAnswer {
		all = append(all, widget.Back.Does("request", "move the focus to the request", pane).In("move"))
		return append(all, p.answer.Bindings()...)
	}
	// A request has few lines, so the keys for pages scroll the answer beside it.
	all = append(all, widget.Only(p.rows.Bindings(), widget.Down, widget.Up, widget.First, widget.Last)...)
	return append(all, widget.Only(p.answer.Bindings(), widget.NextMatch, widget.PriorMatch, widget.PageDown, widget.PageUp, widget.HalfDown, widget.HalfUp)...)
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
