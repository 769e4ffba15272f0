package route

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/draft"
	"gatewright/flow/session"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// Resumed is the wizard with the answers of a draft.
func Resumed(d draft.Draft) Wizard { return Wizard{Task: d.Task, Start: FromDraft} }

// GoIn opens the wizard for a project. Its answers would overwrite the saved draft, so if
// there is one (saved is not nil), GoIn asks first.
func (w Wizard) GoIn(p *project.Project, saved *session.SavedDraft) tea.Cmd {
	switch {
	case slices.Contains(plan.Legacy(p), w.Task.API):
		return frame.Say(frame.Warn, "%s has an older format; to edit it, run: gatewright migrate",
			prose.Printable(w.Task.API))
	case saved == nil:
		return frame.Go(w)
	case w.Start == FromDraft:
		return w.goOn()
	}
	return frame.Open(dialog.Confirm("There is an unfinished draft",
		"Starting over replaces the draft "+saved.String()+".",
		dialog.Button{Label: "Continue the draft", Do: Resumed(saved.Draft).goOn},
		dialog.Button{Label: "Start over", Do: func() tea.Cmd { return frame.GoAnew(w, isWizard) }},
		dialog.Button{Label: "Cancel", Cancel: true}))
}

// goOn shows the wizard that saved the draft if it is in memory, with its undo, and else one
// that reads the draft. There is one draft for a folder, so there is one such wizard.
func (w Wizard) goOn() tea.Cmd { return frame.GoOn(isWizard, w) }

func isWizard(r frame.Route) bool {
	_, ok := r.(Wizard)
	return ok
}
