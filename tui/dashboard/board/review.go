package board

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/project/plan"
)

// Reviewed is a change that a person reviews with the difference of its files.
type Reviewed struct {
	Title string
	// Yes is the label of the button, Done what the status line says then.
	Yes, Done string
	// Plan makes the plan for the project as its files are now, with lines that say what it
	// comes to. It is called outside Update.
	Plan func(*project.Project) (plan *plan.Plan, words []prose.Line, err error)
	// Written is called inside Update when it is written.
	Written func() tea.Cmd
}

// Review plans a change, shows what it comes to and the difference of the files, and writes it
// after a yes.
func (b *Board) Review(of Reviewed) tea.Cmd {
	return b.planned(of.Done, nil, func(current *project.Project) (*plan.Plan, func(writtenChange) tea.Cmd, error) {
		plan, lines, err := of.Plan(current)
		if err != nil {
			return nil, nil, err
		}
		return plan, b.agree(of.Title, of.Yes, append(lines, differenceOf(plan)...), of.Written), nil
	})
}

// differenceOf is which files a plan changes, and how.
func differenceOf(plan *plan.Plan) []prose.Line {
	var lines []prose.Line
	for _, broken := range plan.BrokenTests {
		lines = append(lines, prose.Line{Tone: prose.Wider, Text: "! " + prose.PrintableStart(broken)})
	}
	lines = append(lines, prose.InTone(prose.Strong, session.Changes(plan)...)...)
	for _, note := range plan.Notes {
		if slices.Contains(plan.BrokenTests, note) {
			continue
		}
		lines = append(lines, prose.Line{Tone: prose.Note, Text: prose.PrintableStart(note)})
	}
	return append(lines, prose.Diff(plan.Diff())...)
}
