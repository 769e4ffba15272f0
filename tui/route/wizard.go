package route

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/draft"
	"gatewright/flow/session"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// Resumed is the wizard with the answers of a draft.
func Resumed(d draft.Draft) Wizard { return Wizard{Task: d.Task, Start: FromDraft} }

// GoIn opens the wizard for a project. Its answers would overwrite the saved draft, so if
// there is one (saved is not nil), GoIn asks first.
func (w Wizard) GoIn(p *project.Project, saved *session.SavedDraft) tea.Cmd {
	switch {
	case slices.Contains(p.Legacy(), w.Task.API):
		return frame.Say(frame.Warn, "%s has an older format; to edit it, run: gatewright migrate", prose.Printable(w.Task.API))
	case saved == nil || w.Start == FromDraft:
		return frame.Go(w)
	}
	return frame.Open(dialog.Confirm("There is a draft", "Starting over replaces the draft "+saved.String()+".",
		dialog.Button{Label: "Go on with the draft", Do: func() tea.Cmd { return frame.Go(Resumed(saved.Draft)) }},
		dialog.Button{Label: "Start over", Do: func() tea.Cmd { return frame.Go(w) }},
		dialog.Button{Label: "Cancel", Cancel: true}))
}
