package wizard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/document"
	"gatewright/flow/session"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/tui/dialog"
	asked "gatewright/tui/document"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/outside"
)

// documentAction makes an API of a document instead of the answers, which stay in their draft.
func (p *Page) documentAction() keys.Binding {
	return keys.Action("from OpenAPI",
		"make an API from an OpenAPI or Swagger document, instead of the answers; shows first what is written and what "+
			"is lost", p.fromDocument).
		Unless(keys.When(p.session.New,
			"there is no project yet: write the answers first, or run gatewright init --name NAME"))
}

func (p *Page) fromDocument() tea.Cmd {
	return asked.Ask(p.session.Root(), p.project.Backend, func(d *openapi.Document, label string) tea.Cmd {
		return p.proposeDocument(d, label, frame.Open)
	})
}

// proposeDocument shows what an API of a document comes to in the files that were read last, and
// writes it after a yes.
func (p *Page) proposeDocument(d *openapi.Document, label string, show func(dialog.Dialog) tea.Cmd) tea.Cmd {
	p.renewProposal = func() tea.Cmd { return p.proposeDocument(d, label, frame.Renew) }
	current := p.project
	return func() tea.Msg {
		plan, lines, err := document.Plan(current, d, label)
		return frame.ThenMsg(func() tea.Cmd {
			if err != nil {
				return frame.Say(frame.Error, "%s", prose.PrintableStart(err.Error()))
			}
			lines = append(lines, prose.InTone(prose.Strong, session.Changes(plan)...)...)
			lines = append(lines, prose.Diff(plan.Diff())...)
			return show(dialog.AgreeLines("Add the API "+label+"?", lines, "Write", "",
				func() tea.Cmd { return p.writeDocument(current, plan, d, label) }))
		})
	}
}

func (p *Page) writeDocument(of *project.Project, plan *plan.Plan, d *openapi.Document, label string) tea.Cmd {
	return func() tea.Msg {
		now, news, err := p.session.Commit(of, plan)
		if news.Changed {
			return frame.ThenMsg(func() tea.Cmd {
				return tea.Sequence(p.lay(now), outside.Say("nothing was written yet: ", news),
					p.proposeDocument(d, label, frame.Open))
			})
		}
		return frame.ThenMsg(func() tea.Cmd {
			if err != nil {
				return frame.Say(frame.Error, "nothing was written: %s", prose.PrintableStart(err.Error()))
			}
			return tea.Sequence(frame.Replace(p.home),
				frame.Say(frame.Good, "added the API %s of %s", phrase.Quote(label), phrase.QuotePath(d.Name)))
		})
	}
}
