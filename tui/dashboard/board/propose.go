package board

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/preview"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// Edit is an edit of the backend that also does something else, which the notes say.
type Edit func(*model.Backend) (notes []string, err error)

// ProposeEdit plans an edit, shows what it does and how the files change, and writes it after
// a yes. says are sentences about what follows from it, such as what is lost.
func (b *Board) ProposeEdit(title, yes, done string, says []prose.Line, edit Edit) tea.Cmd {
	return b.runBusy("planning", func() func() tea.Cmd {
		w := writtenChange{done: done}
		var problems []*model.Problem
		var err error
		if w.project, err = b.Session.Read(); err == nil {
			w.plan, problems, err = planEdit(w.project, edit)
		}
		return func() tea.Cmd {
			switch {
			case err != nil:
				w.close()
				return frame.Say(frame.Error, "%v", err)
			case w.plan.Empty():
				w.close()
				return frame.Say(frame.Info, "nothing changes")
			}
			lines := append(append([]prose.Line{}, says...), linesOfPlan(w.plan, problems)...)
			return frame.Open(dialog.AgreeWords(title, lines, yes, nil, func() tea.Cmd { return b.commitProposed(w) }, widget.NoCmd(w.close)))
		}
	})
}

// planEdit makes the plan of an edit, as commands do, and finds the problems that it brings.
func planEdit(current *project.Project, edit Edit) (*project.Plan, []*model.Problem, error) {
	var notes []string
	next, err := current.Backend.Edit(func(b *model.Backend) (err error) {
		notes, err = edit(b)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	plan, err := current.Plan(next)
	if err != nil {
		return nil, nil, err
	}
	plan.Notes = append(notes, plan.Notes...)
	return plan, preview.NewProblems(current.Backend, next), nil
}

// linesOfPlan are what a plan does in words, the files that it writes, and their diffs.
func linesOfPlan(plan *project.Plan, problems []*model.Problem) []prose.Line {
	var lines []prose.Line
	for _, p := range problems {
		if p.Level != model.Note {
			lines = append(lines, prose.Line{Tone: prose.Warning, Text: "! " + prose.PrintableStart(p.Error())})
		}
	}
	for _, note := range plan.Notes {
		lines = append(lines, prose.Line{Text: prose.PrintableStart(note)})
	}
	if len(lines) > 0 {
		lines = append(lines, prose.Line{})
	}
	for _, change := range session.Changes(plan) {
		lines = append(lines, prose.Line{Tone: prose.Muted, Text: change})
	}
	return append(append(lines, prose.Line{}), prose.Diff(plan.Diff())...)
}
