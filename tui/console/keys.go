package console

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"gatewright/request"
	"gatewright/tui/widget"
)

// Bindings are what can be done now.
func (p *Page) Bindings() []widget.Binding {
	if p.typing {
		return p.whileTyping()
	}
	waiting := cmp.Or(
		widget.When(p.world == nil && p.err != nil, "the project cannot be read"),
		widget.When(p.world == nil, "the project is not read yet"))
	sending := widget.When(p.job.Running() != "", "a request is under way")
	nothing := widget.When(p.last == nil, "nothing was sent yet")
	first := widget.When(p.before == nil, "there is no answer before")
	elsewhere := widget.When(p.inAnswer, "the keys are with the answer: tab goes to the request")
	mode, other := "TEST", "answer"
	if p.form.Test {
		mode = "CALL"
	}
	if p.inAnswer {
		other = "request"
	}
	const aboutMode, aboutChange, aboutPane = "CALL is what a client sends, TEST the test of the gateway's console", "change the line: type it, or choose", "let the keys go to the request, or to the answer"
	pane := widget.NoCmd(func() { p.inAnswer = !p.inAnswer })
	all := widget.InGroup("request", []widget.Binding{
		widget.Call.Does("send", "send the request", func() tea.Cmd { return p.send(p.form) }).Shown().Unless(waiting, sending),
		widget.Open.Does("change", aboutChange, p.change).Shown().Unless(waiting, elsewhere),
		widget.Choose.Does("change", aboutChange, p.change).Unless(waiting, elsewhere),
		widget.NextMode.Does(mode, aboutMode, p.otherMode).Shown().Unless(waiting),
		widget.PriorMode.Does(mode, aboutMode, p.otherMode).Unless(waiting),
		widget.Earlier.Does("last ones", "fill in what was sent before, or the function's event.json", p.chooseEarlier).Shown().Unless(waiting),
		widget.NextField.Does(other, aboutPane, pane).Shown().In("move"),
		widget.PriorField.Does(other, aboutPane, pane).In("move"),
		widget.Again.Does("repeat", "send the last request again as it was", func() tea.Cmd { return p.send(p.last.Form) }).Shown().Unless(nothing, sending),
		widget.Difference.Does("compare", "show in what the answer differs from the one before, or the answer", widget.NoCmd(p.compare)).Shown().Unless(first).In("answer"),
		widget.Copy.Does("curl", "send the request as a command of curl to the terminal's clipboard, and show it", p.copyCurl).Shown().Unless(waiting),
		widget.CopyAnswer.Does("copy body", "send the body of the answer to the terminal's clipboard", p.copyBody).Unless(nothing).In("answer"),
		widget.Save.Does("save event.json", "save the request as the function's event.json; asks before it replaces one", p.save).Unless(waiting, p.options.ReadOnly),
		widget.Environment.Does("environment", "choose the environment that requests go to", func() tea.Cmd { return p.pick(p.rows.Rows()[request.EnvironmentRow]) }).Unless(waiting),
		widget.Remove.Does("clear", "empty the line, without a question", widget.NoCmd(p.empty)).Unless(waiting, p.lineless()),
		widget.Read.Does("read again", "read the files and ask the sandbox again", func() tea.Cmd { return p.look }),
	})
	if p.inAnswer {
		all = append(all, widget.Back.Does("request", "let the keys go to the request", pane).In("move"))
		return append(all, p.answer.Bindings()...)
	}
	// A request has few lines: what moves by pages moves the answer beside it.
	all = append(all, widget.Only(p.rows.Bindings(), widget.Down, widget.Up, widget.First, widget.Last)...)
	return append(all, widget.Only(p.answer.Bindings(), widget.NextMatch, widget.PriorMatch, widget.PageDown, widget.PageUp, widget.HalfDown, widget.HalfUp)...)
}

// whileTyping is what can be done while a line is typed.
func (p *Page) whileTyping() []widget.Binding {
	const next, before = "take the text and go to the next line", "take the text and go to the line before"
	taken := func(by int, onward bool) func() tea.Cmd { return func() tea.Cmd { return p.taken(by, onward) } }
	return append(widget.InGroup("text", []widget.Binding{
		widget.Open.Does("take", next, taken(1, true)).Shown(),
		widget.Back.Does("drop", "leave the text as it was", widget.NoCmd(func() { p.typing = false })).Shown(),
		widget.NextField.Does("next", next, taken(1, true)),
		widget.Down.Does("next", next, taken(1, false)),
		widget.PriorField.Does("before", before, taken(-1, false)),
		widget.Up.Does("before", before, taken(-1, false)),
	}), widget.TextKeys()...)
}
