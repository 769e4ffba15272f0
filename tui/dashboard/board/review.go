package board

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// Reviewed is a change that a person reviews with the difference of its files.
type Reviewed struct {
	Title string
	// Yes is the label of the button, Done what the status line says then.
	Yes, Done string
	// Plan makes the plan for the project as its files are now, with lines that say what it
	// comes to. It is called outside Update.
	Plan func(*project.Project) (plan *project.Plan, words []prose.Line, err error)
	// Written is called inside Update when it is written.
	Written func() tea.Cmd
}

// Review plans a change, shows what it comes to and the difference of the files, and writes it
// after a yes.
func (b *Board) Review(of Reviewed) tea.Cmd {
	return b.runBusy("planning", func() func() tea.Cmd {
		w := writtenChange{done: of.Done}
		var (
			lines []prose.Line
			err   error
		)
		if w.project, err = b.Session.Read(); err == nil {
			w.plan, lines, err = of.Plan(w.project)
		}
		if err == nil {
			lines = append(lines, differenceOf(w.plan)...)
		}
		return func() tea.Cmd {
			if err != nil {
				w.close()
				return frame.Say(frame.Error, "%v", err)
			}
			return frame.Open(dialog.AgreeWords(of.Title, lines, of.Yes, nil, func() tea.Cmd { return b.commitReviewed(w, of.Written) }, widget.NoCmd(w.close)))
		}
	})
}

// differenceOf is which files a plan changes, and how.
func differenceOf(plan *project.Plan) []prose.Line {
	lines := prose.InTone(prose.Strong, session.Changes(plan)...)
	for _, note := range plan.Notes {
		lines = append(lines, prose.Line{Tone: prose.Note, Text: prose.PrintableStart(note)})
	}
	return append(lines, prose.Diff(plan.Diff())...)
}

// commitReviewed writes a change that was reviewed.
func (b *Board) commitReviewed(w writtenChange, written func() tea.Cmd) tea.Cmd {
	if b.refusal() != "" {
		w.close()
	}
	return b.runBusy("writing", func() func() tea.Cmd {
		err := w.plan.Commit()
		return func() tea.Cmd {
			after := b.afterWrite(w, err)
			if err != nil || written == nil {
				return after
			}
			return tea.Batch(written(), after)
		}
	})
}
