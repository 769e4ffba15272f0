package access

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/assertion"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// keepAsTests offers sentences that say what the access of a path is, and adds those that are chosen
// to the access tests after a review.
func (t *Tab) keepAsTests(label, path string) tea.Cmd {
	backend := t.board.Snap.Backend
	return func() tea.Msg {
		sentences := assertion.Describe(backend, label, path)
		return frame.ThenMsg(func() tea.Cmd {
			if len(sentences) == 0 {
				return frame.Say(frame.Info, "no access test covers it: other paths serve all requests of %s", phrase.Quote(path))
			}
			options := make([]prose.Option, len(sentences))
			for i, text := range sentences {
				options[i] = prose.Option{Key: text, Title: text}
			}
			return frame.Open(dialog.Several("Add which access tests?", options, sentences, nil, t.addTests))
		})
	}
}

// addTests adds access tests to the project, after a review.
func (t *Tab) addTests(sentences []string) tea.Cmd {
	if len(sentences) == 0 {
		return nil
	}
	return t.board.Review(board.Reviewed{
		Title: "Write these tests?", Yes: "Write",
		Done: "added " + phrase.Count(len(sentences), "access test") + "; run them with: gatewright test",
		Plan: func(current *project.Project) (*plan.Plan, []prose.Line, error) {
			plan, err := plan.AccessTests(current, sentences...)
			return plan, nil, err
		},
	})
}
