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

// goTo shows a step with the cursor on the chosen option or the first row.
func (p *Page) goTo(at flow.ID) {
	p.step, p.error = at, ""
	p.refresh()
	p.row = max(0, p.rowOf(0))
	p.focus()
}

// visit shows a step and saves the draft; the review only if all steps are answered.
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

// refresh asks the question again, because an answer may have changed it.
func (p *Page) refresh() {
	p.question = p.flow.Ask(p.step)
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

// rowOf is the row to which the cursor goes in a field: the row of the chosen option, else
// the first row; -1 if the field has no rows.
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

// focus puts the text of the field at the cursor into the input.
func (p *Page) focus() {
	p.typed = false
	if p.onText() {
		p.input.SetValue(p.field().Value)
	}
}

// move moves the cursor by rows if there is such a row.
func (p *Page) move(by int) {
	if next := p.row + by; next >= 0 && next < len(p.rows) {
		p.row = next
		p.focus()
	}
}

// moveField moves the cursor to the next or the previous field; false if there is none.
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

// next goes to the next step if this one is answered.
func (p *Page) next() tea.Cmd {
	if err := p.flow.Check(p.step); err != nil {
		p.error = err.Error()
		return nil
	}
	_, after := p.flow.Around(p.step)
	return p.visit(after)
}

// previous goes to the previous step even if this one is not answered, and on the first
// step to the previous page.
func (p *Page) previous() tea.Cmd {
	before, _ := p.flow.Around(p.step)
	if before == (flow.ID{}) {
		return frame.GoBack()
	}
	return p.visit(before)
}

// answered is called after an answer has changed.
func (p *Page) answered() {
	p.version++
	p.error = ""
	p.refresh()
}

func (p *Page) undo() tea.Cmd { return p.history(p.flow.Undo, "undo") }

func (p *Page) redo() tea.Cmd { return p.history(p.flow.Redo, "redo") }

// history undoes or redoes, or says that there is nothing to do.
func (p *Page) history(step func() bool, word string) tea.Cmd {
	if !step() {
		return frame.Say(frame.Info, "nothing to %s", word)
	}
	p.version++
	if !slices.Contains(p.flow.Steps(), p.step) {
		p.step = cmp.Or(p.flow.Around(p.step))
	}
	p.refresh()
	p.focus()
	return p.plan()
}

// position says which step this is, such as "step 2 of 7".
func (p *Page) position() string {
	ids := p.flow.Steps()
	text := fmt.Sprintf("step %d of %d", slices.Index(ids, p.step)+1, len(ids))
	if path := p.flow.Answers().Paths[p.step.Path].Path; p.step.OfPath() && strings.TrimSpace(path) != "" {
		text += " - " + prose.Printable(path)
	}
	return text + " - " + p.flow.Name(p.step)
}
