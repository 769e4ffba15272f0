package apis

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/document"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/tui/dashboard/board"
	asked "gatewright/tui/document"
)

// fromDocument asks for a document, and adds its API after a review, which shows its paths first.
func (t *Tab) fromDocument() tea.Cmd {
	return asked.Ask(t.board.Dir, t.board.Snap.Backend, func(d *openapi.Document, label string) tea.Cmd {
		return t.board.Review(board.Reviewed{
			Title: "Add the API " + label + "?", Yes: "Write",
			Done: "added the API " + phrase.Quote(label) + " of " + phrase.QuotePath(d.Name),
			Plan: func(current *project.Project) (*plan.Plan, []prose.Line, error) {
				return document.Plan(current, d, label)
			},
		})
	})
}
