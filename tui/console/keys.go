package console

import (
	"cmp"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"gatewright/request"
	"gatewright/tui/frame"
)

// noSandbox is how a sandbox is started where none runs.
const noSandbox = "no sandbox is running: start it with gatewright sandbox, or with s on the dashboard's tab Activity"

// Keys are the page's keys as they are now.
func (p *Page) Keys() []frame.Binding {
	if p.typing {
		return []frame.Binding{
			{Keys: []string{"enter"}, Label: "take", Help: "take the text and go to the next line", Footer: true, Group: "text"},
			{Keys: []string{"ctrl+s"}, Label: "send", Help: "take the text and send", Footer: true, Group: "text"},
			{Keys: []string{"esc"}, Label: "drop", Help: "leave the text as it was", Footer: true, Group: "text"},
			{Keys: []string{"tab", "down"}, Label: "next", Help: "take the text and go to the next line", Group: "text"},
			{Keys: []string{"shift+tab", "up"}, Label: "before", Help: "take the text and go to the line before", Group: "text"},
		}
	}
	waiting, sending, nothing, first := "", "", "", ""
	switch {
	case p.world == nil && p.err != nil:
		waiting = "the project cannot be read"
	case p.world == nil:
		waiting = "the project is not read yet"
	}
	if p.sending != nil {
		sending = "a request is under way"
	}
	if p.last == nil {
		nothing = "nothing was sent yet"
	}
	if p.before == nil {
		first = "there is no answer before"
	}
	mode := "TEST"
	if p.form.Test {
		mode = "CALL"
	}
	change := frame.Binding{Keys: []string{"enter", "space"}, Label: "change", Help: "change the line: type it, or choose", Footer: !p.inAnswer, Disabled: waiting, Group: "request"}
	if p.inAnswer {
		change.Disabled = cmp.Or(waiting, "the keys are with the answer: tab goes to the request")
	}
	other := "answer"
	if p.inAnswer {
		other = "request"
	}
	keys := []frame.Binding{
		{Keys: []string{"s", "ctrl+s"}, Label: "send", Help: "send the request", Footer: true, Disabled: cmp.Or(waiting, sending), Group: "request"},
		change,
		{Keys: []string{"m"}, Label: mode, Help: "CALL is what a client sends, TEST the test of the gateway's console", Footer: true, Disabled: waiting, Group: "request"},
		{Keys: []string{"l"}, Label: "last ones", Help: "fill in what was sent before, or the function's event.json", Footer: true, Disabled: waiting, Group: "request"},
		{Keys: []string{"tab", "shift+tab"}, Label: other, Help: "let the keys go to the request, or to the answer", Footer: true, Group: "move"},
		{Keys: []string{"r"}, Label: "repeat", Help: "send the last request again as it was", Footer: nothing == "", Disabled: cmp.Or(nothing, sending), Group: "request"},
		{Keys: []string{"d"}, Label: "compare", Help: "show in what the answer differs from the one before, or the answer", Footer: first == "", Disabled: first, Group: "answer"},
		{Keys: []string{"y"}, Label: "curl", Help: "send the request as a command of curl to the terminal's clipboard, and show it", Footer: true, Disabled: waiting, Group: "request"},
		{Keys: []string{"Y"}, Label: "copy body", Help: "send the body of the answer to the terminal's clipboard", Disabled: nothing, Group: "answer"},
		{Keys: []string{"w"}, Label: "save event.json", Help: "save the request as the function's event.json; asks before it replaces one", Disabled: cmp.Or(waiting, p.options.ReadOnly), Group: "request"},
		{Keys: []string{"delete", "backspace"}, Label: "clear", Help: "empty the line", Disabled: cmp.Or(waiting, p.clearable()), Group: "request"},
		{Keys: []string{"ctrl+r"}, Label: "read again", Help: "read the files and ask the sandbox again", Group: "request"},
		{Keys: []string{"down", "j"}, Label: "down", Help: "move down", Group: "move"},
		{Keys: []string{"up", "k"}, Label: "up", Help: "move up", Group: "move"},
		{Keys: []string{"pgdown", "ctrl+d"}, Label: "page down", Help: "move the answer a page down", Disabled: nothing, Group: "move"},
		{Keys: []string{"pgup", "ctrl+u"}, Label: "page up", Help: "move the answer a page up", Disabled: nothing, Group: "move"},
		{Keys: []string{"n"}, Label: "next part", Help: "go to the next part of the answer: body, headers, log", Disabled: nothing, Group: "answer"},
		{Keys: []string{"N"}, Label: "part before", Help: "go to the part of the answer before", Disabled: nothing, Group: "answer"},
		{Keys: []string{"g", "home"}, Label: "top", Help: "move to the top", Group: "move"},
		{Keys: []string{"G", "end"}, Label: "end", Help: "move to the end", Group: "move"},
	}
	switch {
	case p.sending != nil:
		keys = append(keys, frame.Binding{Keys: []string{"esc"}, Label: "stop waiting", Help: "wait no longer for the answer; the function may go on", Footer: true, Group: "request"})
	case p.inAnswer:
		keys = append(keys, frame.Binding{Keys: []string{"esc"}, Label: "request", Help: "let the keys go to the request", Group: "move"})
	}
	return keys
}

// clearable is why the line at hand cannot be emptied; "" where it can.
func (p *Page) clearable() string {
	if p.inAnswer || p.at >= len(p.rows) || !p.rows[p.at].IsText() && p.rows[p.at].Kind != request.BodyRow {
		return "the line is no text"
	}
	return ""
}

// key takes a key press.
func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	if p.typing {
		return p.typeKey(msg)
	}
	name := msg.String()
	if p.move(name) {
		return nil
	}
	switch name {
	case "ctrl+r":
		return p.read()
	case "tab", "shift+tab":
		p.inAnswer = !p.inAnswer
		return nil
	case "esc":
		return p.escape()
	}
	if p.world == nil {
		return nil
	}
	switch name {
	case "s", "ctrl+s":
		return p.send(p.form)
	case "r":
		if p.last != nil {
			return p.send(p.last.Form)
		}
	case "m":
		p.form.Test = !p.form.Test
		if p.inAnswer && p.layout.Side.Empty() {
			// The line that shows it is out of sight.
			return frame.Say(frame.Info, "the next request is %s", p.form.Shown(request.Row{Kind: request.ModeRow}))
		}
	case "l":
		return p.chooseEarlier()
	case "d":
		p.compare()
	case "y":
		return p.copyCurl()
	case "Y":
		return p.copyBody()
	case "w":
		return p.plan()
	case "delete", "backspace":
		p.clear()
	case "enter", "space":
		if !p.inAnswer {
			return p.change()
		}
	}
	return nil
}

// escape stops waiting, or goes back to the request.
func (p *Page) escape() tea.Cmd {
	if p.sending != nil {
		p.sending.cancel()
		return nil
	}
	p.inAnswer = false
	return nil
}

// move takes the keys that move in the request, or in the answer.
func (p *Page) move(name string) bool {
	page := max(1, p.answer.height-1)
	steps := map[string]int{"down": 1, "j": 1, "up": -1, "k": -1}
	by, isStep := steps[name]
	switch {
	case name == "pgdown", name == "ctrl+d":
		p.answer.scroll(page)
	case name == "pgup", name == "ctrl+u":
		p.answer.scroll(-page)
	case name == "n":
		p.answer.toPart(1)
	case name == "N":
		p.answer.toPart(-1)
	case isStep && p.inAnswer:
		p.answer.scroll(by)
	case isStep:
		p.at = max(0, min(p.at+by, len(p.rows)-1))
	case name == "g", name == "home":
		if p.inAnswer {
			p.answer.top = 0
		} else {
			p.at = 0
		}
	case name == "G", name == "end":
		if p.inAnswer {
			p.answer.scroll(len(p.answer.folded))
		} else {
			p.at = max(0, len(p.rows)-1)
		}
	default:
		return false
	}
	return true
}

// typeKey takes a key while a line is typed.
func (p *Page) typeKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		p.typing = false
	case "enter", "tab", "down":
		p.taken()
		return p.goOn(1, msg.String() != "down")
	case "shift+tab", "up":
		p.taken()
		return p.goOn(-1, false)
	case "ctrl+s":
		p.taken()
		return p.send(p.form)
	default:
		p.field.Update(msg)
	}
	return nil
}

// taken puts what was typed into the form.
func (p *Page) taken() {
	r := p.rows[p.at]
	p.form.Set(r, p.field.Value())
	p.typing = false
	if r.Kind == request.HeaderRow {
		// An empty one goes, and there is always an empty one below.
		p.rows = p.form.Rows()
	}
}

// goOn moves to the line beside, and goes on typing there where it is text.
func (p *Page) goOn(by int, typing bool) tea.Cmd {
	p.at = max(0, min(p.at+by, len(p.rows)-1))
	if p.rows[p.at].Kind == request.HeaderRow && p.form.Text(p.rows[p.at]) == "" {
		// Whoever is done with headers goes on with enter.
		typing = false
	}
	if r := p.rows[p.at]; typing && r.IsText() {
		p.begin(r)
	}
	return nil
}

// begin begins to type a line.
func (p *Page) begin(r request.Row) {
	p.typing = true
	p.field.SetValue(p.form.Text(r))
}

// clear empties the line at hand.
func (p *Page) clear() {
	if p.clearable() != "" {
		return
	}
	if r := p.rows[p.at]; r.Kind == request.BodyRow {
		p.form.Body = ""
	} else {
		p.form.Set(r, "")
	}
	p.refresh()
}

// paste takes a paste: into the line at hand, the body with its line breaks.
func (p *Page) paste(msg tea.PasteMsg) tea.Cmd {
	if p.world == nil || p.inAnswer || p.at >= len(p.rows) {
		return nil
	}
	switch r := p.rows[p.at]; {
	case p.typing:
		p.field.Update(msg)
	case r.IsText():
		p.begin(r)
		p.field.Update(msg)
	case r.Kind == request.BodyRow && len(msg.Content) <= longestTyped:
		p.form.Body = msg.Content
	case r.Kind == request.BodyRow:
		return frame.Say(frame.Warn, "a body that is pasted has at most %s bytes", strconv.Itoa(longestTyped))
	}
	return nil
}

// longestTyped is how many bytes a body has that is typed or pasted.
const longestTyped = 1 << 20
