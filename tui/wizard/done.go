package wizard

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// written is called after the files were written. If that failed, the review stays.
func (p *Page) written(done outcome, err error) tea.Cmd {
	p.review.writing = false
	if err != nil {
		p.review.show(append(failure("nothing was written: "+err.Error()), p.review.lines...))
		return frame.Say(frame.Error, "nothing was written")
	}
	p.done = &done
	p.session.Stale = true
	return tea.Batch(frame.Announce(session.WrittenMsg{}), frame.Say(frame.Good, "%s written", model.Count(len(done.plan.Changes), "file")))
}

func (p *Page) doneBindings() []widget.Binding {
	noFile := widget.When(p.done.source == "", "no function was made")
	goOn := func() tea.Cmd { return frame.Replace(p.home) }
	return widget.InGroup("done", []widget.Binding{
		widget.Open.Does("go on", "go to the project", goOn).Shown(),
		widget.Back.Does("go on", "go to the project", goOn),
		widget.OpenFile.Does("edit the function", "open the new function in your editor", p.openEditor).Shown().Unless(noFile, p.session.NoEditor()),
	})
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

// doneLines draws in h lines what can be done next and which files were written.
func (p *Page) doneLines(w, h int) []string {
	t := p.context.Theme
	lines := []string{"", t.Good.Render("Written"), ""}
	if p.done.source != "" {
		key := widget.OpenFile.Keys()[0]
		lines = append(lines, t.Base.Render("Edit the function now? ")+t.Key.Render(key)+t.KeyText.Render(" opens "+prose.Printable(p.done.source)), "")
	}
	lines = append(lines, t.Muted.Render("The same API in another project:"))
	lines = append(lines, widget.Indent(widget.Wrapped(t, prose.Strong, prose.Printable(p.done.command), w-4), "  ")...)
	lines = append(lines, "")
	changes := session.Changes(p.done.plan)
	room := max(0, h-len(lines)-1)
	for i, change := range changes {
		if i == room && len(changes) > room+1 {
			lines = append(lines, t.Muted.Render(fmt.Sprintf("  and %d more", len(changes)-room)))
			break
		}
		lines = append(lines, t.Base.Render(layout.Cut("  "+change, w-2)))
	}
	return lines
}
