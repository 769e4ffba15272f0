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

// Resumed is the wizard that goes on with a draft.
func Resumed(d draft.Draft) Wizard { return Wizard{Task: d.Task, Start: FromDraft} }

// GoIn begins a walk of the wizard in a project. The draft that is kept, nil for none,
// would be lost to another walk, so where there is one it asks first.
func (w Wizard) GoIn(p *project.Project, kept *session.SavedDraft) tea.Cmd {
	switch {
	case slices.Contains(p.Legacy(), w.Task.API):
		return frame.Say(frame.Warn, "%s is an older format, read and not edited; run: gatewright migrate", prose.Printable(w.Task.API))
	case kept == nil || w.Start == FromDraft:
		return frame.Go(w)
	}
	return frame.Open(dialog.Confirm("There is a draft", "A new walk takes the place of the draft "+kept.String()+".",
		dialog.Button{Label: "Go on with the draft", Do: func() tea.Cmd { return frame.Go(Resumed(kept.Draft)) }},
		dialog.Button{Label: "Begin anew", Do: func() tea.Cmd { return frame.Go(w) }},
		dialog.Button{Label: "Cancel", Cancel: true}))
}
