package board

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/preview"
	"gatewright/flow/session"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/tui/frame"
)

// Edit is an edit of the backend that also does something else, which the notes say.
type Edit func(*model.Backend) (notes []string, err error)

// ProposedEdit is an edit that a person agrees to after seeing what it does.
type ProposedEdit struct {
	Title string
	// Yes is the label of the button, Done what the status line says then.
	Yes, Done string
	// Says are sentences about what follows from the edit, such as what is lost.
	Says []prose.Line
	Edit Edit
	// Again opens the form of the edit again, with what was typed: nothing was written.
	Again func() tea.Cmd
}

// ProposeEdit plans an edit, shows what it does and how the files change, and writes it after
// a yes. Without one, and if it fails, the form of the edit is opened again.
func (b *Board) ProposeEdit(of ProposedEdit) tea.Cmd {
	return b.planned(of.Done, of.Again, func(current *project.Project) (*plan.Plan, func(writtenChange) tea.Cmd, error) {
		plan, problems, err := planEdit(current, of.Edit)
		if err != nil {
			return nil, nil, err
		}
		if plan.Empty() {
			return plan, func(w writtenChange) tea.Cmd {
				w.close()
				return frame.Say(frame.Info, "nothing changes")
			}, nil
		}
		lines := append(append([]prose.Line{}, of.Says...), linesOfPlan(plan, problems)...)
		return plan, b.agree(of.Title, of.Yes, lines, nil), nil
	})
}

// planEdit makes the plan of an edit, as commands do, and finds the problems that it brings.
func planEdit(current *project.Project, edit Edit) (*plan.Plan, []*model.Problem, error) {
	var notes []string
	next, err := current.Backend.Edit(func(b *model.Backend) (err error) {
		notes, err = edit(b)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	plan, err := plan.Of(current, next)
	if err != nil {
		return nil, nil, err
	}
	plan.Notes = append(notes, plan.Notes...)
	return plan, preview.NewProblems(current.Backend, next), nil
}

// linesOfPlan are what a plan does in words, the files that it writes, and their diffs.
func linesOfPlan(plan *plan.Plan, problems []*model.Problem) []prose.Line {
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
