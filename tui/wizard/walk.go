package wizard

import (
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
	p.row = p.firstRow()
	p.focus()
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
	p.side.stale = true
}

// firstRow is the chosen option of a single choice, else the first row.
func (p *Page) firstRow() int {
	for i, r := range p.rows {
		f := p.question.Fields[r.field]
		if f.Kind != flow.Choice || r.field > 0 {
			break
		}
		if f.Options[r.option].Key == f.Value {
			return i
		}
	}
	return 0
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
	want := p.rows[p.row].field + by
	i := slices.IndexFunc(p.rows, func(r row) bool { return r.field == want })
	if i < 0 {
		return false
	}
	p.row = i
	f := p.question.Fields[want]
	for j, r := range p.rows {
		if r.field == want && f.Kind == flow.Choice && f.Options[r.option].Key == f.Value {
			p.row = j
		}
	}
	p.focus()
	return true
}

// next goes on to the next step, if this one lets it.
func (p *Page) next() tea.Cmd {
	if err := p.flow.Check(p.at); err != nil {
		p.error = err.Error()
		return nil
	}
	_, after, _, more := p.flow.Around(p.at)
	if !more {
		return nil
	}
	p.goTo(after)
	return tea.Batch(p.save(), p.enter())
}

// back goes to the step before, whatever the answers; from the first it leaves.
func (p *Page) back() tea.Cmd {
	before, _, ok, _ := p.flow.Around(p.at)
	if !ok {
		return frame.Back()
	}
	p.goTo(before)
	return nil
}

// enter starts what a step needs: the review its plan.
func (p *Page) enter() tea.Cmd {
	if p.at.Kind != flow.Review {
		return nil
	}
	p.review = review{waiting: true}
	return p.makePlan()
}

// answered says that an answer changed.
func (p *Page) answered() {
	p.version++
	p.error = ""
	p.refresh()
}

// history undoes or redoes, and says so.
func (p *Page) history(step func() bool, word string) tea.Cmd {
	if !step() {
		return frame.Say(frame.Info, "nothing to %s", word)
	}
	p.version++
	if !slices.Contains(p.flow.Steps(), p.at) {
		before, after, hasBefore, _ := p.flow.Around(p.at)
		if p.at = after; hasBefore {
			p.at = before
		}
	}
	p.refresh()
	p.focus()
	return p.enter()
}

// place says where in the walk the page is.
func (p *Page) place() string {
	ids := p.flow.Steps()
	text := fmt.Sprintf("step %d of %d", slices.Index(ids, p.at)+1, len(ids))
	if answers := p.flow.Answers(); p.at.OfPath() && p.at.Path < len(answers.Paths) && strings.TrimSpace(answers.Paths[p.at.Path].Path) != "" {
		text += " - " + prose.Fit(answers.Paths[p.at.Path].Path)
	}
	return text + " - " + p.flow.Name(p.at)
}
