package wizard

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
)

// takeOutcome shows what writing did. What could not be written leaves the
// answers as they are.
func (p *Page) takeOutcome(msg outcome) tea.Cmd {
	p.review.writing = false
	if msg.err != nil {
		p.review.lines = append(p.failure("nothing was written: "+msg.err.Error()), p.review.lines...)
		p.review.scroll = 0
		return frame.Say(frame.Error, "nothing was written")
	}
	p.done = &msg
	p.session.Stale = true
	announce := func() tea.Msg { return Written{} }
	return tea.Batch(announce, frame.Say(frame.Good, "%s written", model.Count(len(msg.plan.Changes), "file")))
}

func (p *Page) doneKeys() []frame.Binding {
	edit := frame.Binding{Keys: []string{"e"}, Label: "edit the function", Help: "open the new function in your editor", Footer: true, Group: "done"}
	switch {
	case p.done.source == "":
		edit.Disabled = "no function was made"
	case p.session.Editor == "":
		edit.Disabled = "set EDITOR to the command of your editor"
	}
	return []frame.Binding{
		{Keys: []string{"enter", "esc"}, Label: "go on", Help: "go to the project", Footer: true, Group: "done"},
		edit,
	}
}

func (p *Page) doneKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter", "esc":
		return frame.Replace(p.home)
	case "e":
		return p.openEditor(p.done.source)
	}
	return nil
}

// doneLines draws in h lines what was written, what can be done next first.
func (p *Page) doneLines(w, h int) []string {
	t := p.theme()
	lines := []string{"", margin + t.Good.Render("Written"), ""}
	if p.done.source != "" {
		lines = append(lines, margin+t.Base.Render("Edit the function now? ")+t.Key.Render("e")+t.KeyText.Render(" opens "+prose.Fit(p.done.source)), "")
	}
	lines = append(lines, margin+t.Muted.Render("The same API in another project:"))
	for _, line := range layout.Wrap(prose.Fit(p.done.command), max(1, w-4)) {
		lines = append(lines, margin+"  "+t.Accent.Render(line))
	}
	lines = append(lines, "")
	changes := p.done.plan.Changes
	room := max(0, h-len(lines)-1)
	for i, c := range changes {
		if i == room && len(changes) > room+1 {
			return append(lines, margin+t.Muted.Render(fmt.Sprintf("  and %d more", len(changes)-room)))
		}
		lines = append(lines, margin+t.Base.Render(layout.Cut(fmt.Sprintf("  %-6s %s", project.Kind(c), prose.Fit(c.Path)), w-2)))
	}
	return lines
}
