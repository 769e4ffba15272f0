package wizard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/document"
	"gatewright/flow/session"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/project/plan"
	"gatewright/tui/dialog"
	asked "gatewright/tui/document"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
)

// documentAction makes an API of a document in place of the answers, which stay in their draft.
func (p *Page) documentAction() keys.Binding {
	return keys.Action("from OpenAPI",
		"make an API of a document of OpenAPI or Swagger, in place of the answers; shows first what is written, and what "+
			"is lost", p.fromDocument).
		Unless(keys.When(p.session.New,
			"there is no project yet: write the answers first, or run gatewright init --name NAME"))
}

func (p *Page) fromDocument() tea.Cmd {
	return asked.Ask(p.session.Root(), p.project.Backend, p.proposeDocument)
}

// proposeDocument shows what an API of a document comes to, and writes it after a yes.
func (p *Page) proposeDocument(d *openapi.Document, label string) tea.Cmd {
	return func() tea.Msg {
		plan, lines, err := document.Plan(p.project, d, label)
		return frame.ThenMsg(func() tea.Cmd {
			if err != nil {
				return frame.Say(frame.Error, "%s", prose.PrintableStart(err.Error()))
			}
			lines = append(lines, prose.InTone(prose.Strong, session.Changes(plan)...)...)
			lines = append(lines, prose.Diff(plan.Diff())...)
			return frame.Open(dialog.AgreeLines("Add the API "+label+"?", lines, "Write", "",
				func() tea.Cmd { return p.writeDocument(plan, d, label) }))
		})
	}
}

func (p *Page) writeDocument(plan *plan.Plan, d *openapi.Document, label string) tea.Cmd {
	return func() tea.Msg {
		err := plan.Commit()
		return frame.ThenMsg(func() tea.Cmd {
			if err != nil {
				return frame.Say(frame.Error, "nothing was written: %s", prose.PrintableStart(err.Error()))
			}
			return tea.Sequence(frame.Replace(p.home),
				frame.Say(frame.Good, "added the API %s of %s", phrase.Quote(label), phrase.QuotePath(d.Name)))
		})
	}
}
