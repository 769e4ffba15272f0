package wizard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/prose"
	"gatewright/tui/frame"
)

// goTo shows a step with the cursor where it is most useful.
func (p *Page) goTo(at flow.ID) {
	p.at, p.error = at, ""
	p.refresh()
	p.row = max(0, p.rowOf(0))
	p.focus()
}

// visit shows a step and keeps the answers; the review is shown when all is answered.
func (p *Page) visit(at flow.ID) tea.Cmd {
	if at.Kind == flow.Review {
		return p.toReview()
	}
	p.goTo(at)
	return p.save()
}

// toReview goes to the review, or to the first step that is not answered.
func (p *Page) toReview() tea.Cmd {
	at, err := p.flow.FirstOpen()
	if err != nil && at.Kind != flow.Review {
		p.goTo(at)
		p.error = err.Error()
		return nil
	}
	p.goTo(flow.ID{Kind: flow.Review})
	return tea.Batch(p.save(), p.plan())
}

// refresh asks the question anew, after an answer may have changed it.
func (p *Page) refresh() {
	p.question = p.flow.Ask(p.at)
	p.rows = p.rows[:0]
	for i, f := range p.question.Fields {
		if f.Kind == flow.Text {
			p.rows = append(p.rows, row{i, noOption})
		}
		for j := range f.Options {
			p.rows = append(p.rows, row{i, j})
		}
	}
	p.row = max(0, min(p.row, len(p.rows)-1))
}

// rowOf is the row of a field that is most wanted: the option that is chosen, where
// there can be one, else its first; -1 where it has none.
func (p *Page) rowOf(field int) int {
	first := -1
	for i, r := range p.rows {
		if r.field != field {
			continue
		}
		if first < 0 {
			first = i
		}
		if f := p.question.Fields[field]; f.Kind == flow.Choice && f.Has(f.Options[r.option]) {
			return i
		}
	}
	return first
}

func (p *Page) onText() bool { return len(p.rows) > 0 && p.rows[p.row].option == noOption }

func (p *Page) field() flow.Field { return p.question.Fields[p.rows[p.row].field] }

// focus brings the text field at hand into the input.
func (p *Page) focus() {
	p.typed = false
	if p.onText() {
		p.input.SetValue(p.field().Value)
	}
}

// move puts the cursor on another row, if there is one.
func (p *Page) move(by int) {
	if next := p.row + by; next >= 0 && next < len(p.rows) {
		p.row = next
		p.focus()
	}
}

// moveField puts the cursor on the next or the previous field; false where there
// is none.
func (p *Page) moveField(by int) bool {
	if len(p.rows) == 0 {
		return false
	}
	i := p.rowOf(p.rows[p.row].field + by)
	if i < 0 {
		return false
	}
	p.row = i
	p.focus()
	return true
}

// next goes on to the next step, if this one lets it.
func (p *Page) next() tea.Cmd {
	if err := p.flow.Check(p.at); err != nil {
		p.error = err.Error()
		return nil
	}
	_, after := p.flow.Around(p.at)
	return p.visit(after)
}

// toBefore goes to the step before, whatever the answers; from the first it leaves.
func (p *Page) toBefore() tea.Cmd {
	before, _ := p.flow.Around(p.at)
	if before == (flow.ID{}) {
		return frame.GoBack()
	}
	return p.visit(before)
}

// answered says that an answer changed.
func (p *Page) answered() {
	p.version++
	p.error = ""
	p.refresh()
}

func (p *Page) undo() tea.Cmd { return p.history(p.flow.Undo, "undo") }

func (p *Page) redo() tea.Cmd { return p.history(p.flow.Redo, "redo") }

// history undoes or redoes, and says so where there is nothing.
func (p *Page) history(step func() bool, word string) tea.Cmd {
	if !step() {
		return frame.Say(frame.Info, "nothing to %s", word)
	}
	p.version++
	if !slices.Contains(p.flow.Steps(), p.at) {
		p.at = cmp.Or(p.flow.Around(p.at))
	}
	p.refresh()
	p.focus()
	return p.plan()
}

// place says where in the walk the page is.
func (p *Page) place() string {
	ids := p.flow.Steps()
	text := fmt.Sprintf("step %d of %d", slices.Index(ids, p.at)+1, len(ids))
	if path := p.flow.Answers().Paths[p.at.Path].Path; p.at.OfPath() && strings.TrimSpace(path) != "" {
		text += " - " + prose.Printable(path)
	}
	return text + " - " + p.flow.Name(p.at)
}
