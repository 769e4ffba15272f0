package wizard

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/project/journal"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/route"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// written is called after the files were written. If that failed, the review stays.
func (p *Page) written(done outcome, err error) tea.Cmd {
	p.review.writing = false
	if err != nil {
		said := frame.Say(frame.Error, "nothing was written: %v", err)
		if errors.As(err, new(*journal.StaleError)) {
			return tea.Batch(p.plan(), said)
		}
		return said
	}
	p.done = &done
	p.session.Stale, p.session.Unseen = true, true
	return tea.Batch(frame.Announce(session.WrittenMsg{}),
		frame.Say(frame.Good, "%s written", phrase.Count(len(done.plan.Changes), "file")))
}

func (p *Page) doneBindings() []keys.Binding {
	noFile := keys.When(p.done.source == "", "no function was made")
	goOn := func() tea.Cmd { return frame.Replace(p.home) }
	to := "go to " + p.home.Title()
	leave := keys.Open.Does(to, "leave the wizard", goOn)
	if first := p.done.first; first != nil {
		leave = keys.Open.Does("run it", "start the sandbox and send "+first.Request()+first.Who(), p.run)
	}
	all := keys.InGroup("done", []keys.Binding{
		leave.Shown(),
		keys.Back.Does(to, "leave the wizard", goOn).ShownIf(p.done.first != nil),
		keys.OpenFile.Does("edit the function", "open the new function in your editor", p.openEditor).Shown().Unless(noFile,
			p.session.NoEditor()),
	})
	return append(all, p.done.pager.Bindings()...)
}

// run has the dashboard start the sandbox and send the first request. It asks first if that may
// change data.
func (p *Page) run() tea.Cmd {
	first := p.done.first
	start := func() tea.Cmd {
		p.session.First = first
		return frame.Replace(route.Dashboard{})
	}
	if !first.Changes() {
		return start()
	}
	text := fmt.Sprintf("Nobody may read what the wizard made, so the first request is %s%s, with an empty object. It "+
		"may change data of %s on this machine.", first.Request(), first.Who(), first.Environment)
	return frame.Open(dialog.Sure("Send "+first.Method+"?", prose.Printable(text), "Send "+first.Method, start))
}

// openEditor opens the new function in the editor.
func (p *Page) openEditor() tea.Cmd {
	return frame.Exec(p.session.Edit(p.done.source), func(err error) tea.Msg {
		if err == nil {
			return nil
		}
		return frame.Say(frame.Error, "the editor failed: %v", err)()
	})
}

// drawDone draws what can be done next, and which files were written.
func (p *Page) drawDone(t *theme.Theme, w, h int) string {
	if !p.done.pager.Drawn() {
		p.done.pager.ShowDrawn(p.doneLines)
	}
	pane := widget.Pane{Title: "Written: " + phrase.Count(len(p.done.plan.Changes), "file"), Focused: true}
	return pane.Draw(t, p.done.pager.Draw(t, w-widget.PaneW, h-widget.PaneH), w, h)
}

func (p *Page) doneLines(t *theme.Theme, w int) []string {
	lines := []string{t.Title.Render("What to do next"), ""}
	if first := p.done.first; first != nil {
		sentence := prose.Printable("starts the sandbox and sends " + first.Request() + first.Who())
		key := keys.Open.Keys()[0]
		for i, line := range widget.Wrapped(t, prose.Strong, sentence, w-len("  "+key+"  ")) {
			begin := strings.Repeat(" ", len("  "+key+"  "))
			if i == 0 {
				begin = "  " + t.Key.Render(key) + "  "
			}
			lines = append(lines, begin+line)
		}
		lines = append(lines, "", t.Muted.Render("  Or in a terminal:"))
	}
	steps := p.done.steps
	widest := 0
	for _, step := range steps {
		widest = max(widest, layout.Width(step.Command))
	}
	for _, step := range steps {
		command := "  " + t.Accent.Render(prose.Printable(step.Command))
		if widest+layout.Width(step.About)+5 <= w {
			lines = append(lines, layout.Pad(command, widest+4)+t.Muted.Render(step.About))
			continue
		}
		lines = append(lines, commandLines(t, step.Command, w)...)
		lines = append(lines, widget.Indent(widget.Wrapped(t, prose.Muted, step.About, w-6), "      ")...)
	}
	if p.done.source != "" {
		key := keys.OpenFile.Keys()[0]
		how := " opens it in " + p.session.EditorName()
		if p.session.NoEditor() != "" {
			how = ": " + p.session.NoEditor()
		}
		lines = append(lines, "",
			t.Base.Render("  Edit the function now?  ")+t.Key.Render(key)+t.Muted.Render(prose.Printable(how)))
		lines = append(lines, "  "+t.Muted.Render(layout.Cut(prose.Printable(p.done.source), w-2)))
	}
	lines = append(lines, "", t.Title.Render("The same in another project"), "")
	for _, command := range p.done.commands {
		lines = append(lines, commandLines(t, command, w)...)
	}
	lines = append(lines, "", t.Title.Render("Files"), "")
	for _, change := range session.Changes(p.done.plan) {
		kind, name, _ := strings.Cut(change, " ")
		lines = append(lines, layout.Cut("  "+t.Muted.Render(fmt.Sprintf("%-6s ", kind))+t.Base.Render(name), w))
	}
	return lines
}

// commandLines draw a command line. A long one is broken where a shell can read it.
func commandLines(t *theme.Theme, command string, w int) []string {
	lines := brokenCommand(prose.Printable(command), max(1, w-len("       \\")))
	for i, line := range lines {
		indent := "  "
		if i > 0 {
			indent = "      "
		}
		lines[i] = indent + t.Accent.Render(line)
	}
	return lines
}

// brokenCommand breaks a command line between its words into lines of w cells and a
// backslash. A word that is longer stays whole: a shell would read two.
func brokenCommand(command string, w int) []string {
	var lines []string
	line := ""
	for _, word := range shellWords(command) {
		switch {
		case line == "":
			line = word
		case layout.Width(line)+1+layout.Width(word) > w:
			lines = append(lines, line+` \`)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// shellWords splits a command line, made of words as model.ShellWord makes them, at the
// spaces that are not in quotes.
func shellWords(command string) []string {
	var words []string
	quoted, escaped, from := false, false, 0
	for i, r := range command {
		switch {
		case escaped:
			escaped = false
		case r == '\\' && !quoted:
			escaped = true
		case r == '\'':
			quoted = !quoted
		case r == ' ' && !quoted:
			words, from = append(words, command[from:i]), i+1
		}
	}
	return append(words, command[from:])
}
