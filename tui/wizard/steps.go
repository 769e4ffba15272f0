package wizard

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/internal/text/prose"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
)

// goTo shows a step.
func (p *Page) goTo(at flow.ID) {
	p.step, p.entered, p.previewing, p.previewed = at, p.flow.Copy(), false, nil
	p.form.open(p.flow, at)
}

// visit shows a step; the review only if all steps are answered.
func (p *Page) visit(at flow.ID) tea.Cmd {
	if at.Kind == flow.Review {
		return p.toReview()
	}
	p.goTo(at)
	return p.save()
}

// toReview goes to the review, or to the first step whose answer is not valid. Who goes to
// the review takes the proposals of the steps on the way.
func (p *Page) toReview() tea.Cmd {
	at, err := p.flow.FirstOpen()
	if err != nil && at.Kind != flow.Review {
		if at != p.step {
			p.goTo(at)
			return frame.Say(frame.Info, "the review comes when this is answered")
		}
		p.form.refuse()
		return nil
	}
	for _, step := range p.flow.Steps() {
		p.pass(step)
	}
	p.goTo(flow.ID{Kind: flow.Review})
	return tea.Batch(p.save(), p.plan())
}

// pass notes that a step is answered, for the draft.
func (p *Page) pass(at flow.ID) {
	if !p.flow.Passed(at) {
		p.flow.Pass(at)
		p.draft.version++
	}
}

// next goes to the next step if this one is answered.
func (p *Page) next() tea.Cmd {
	settled := p.form.settle()
	if p.form.refuse() {
		return settled
	}
	p.pass(p.step)
	_, after := p.flow.Around(p.step)
	return tea.Batch(settled, p.visit(after))
}

// previous goes to the previous step even if this one is not answered, and on the first
// step to the previous page. Who comes back goes on with the first open question.
func (p *Page) previous() tea.Cmd {
	before, _ := p.flow.Around(p.step)
	if before == (flow.ID{}) {
		p.goTo(p.flow.Unanswered())
		return frame.GoBack()
	}
	return p.visit(before)
}

// place is where the focus is, and a state of the answers.
type place struct {
	step    flow.ID
	field   int
	version int
}

func (p *Page) at() place { return place{p.step, p.form.field, p.draft.version} }

func (p *Page) undo() tea.Cmd {
	// After the key that types nothing, the other one is a character again.
	goesOn := (!p.Typing() || p.landed == p.at()) && p.context.Pressed == keys.Undo.Keys()[0]
	cmd := p.travel(p.flow.Undo, "undo", "undid: ")
	if p.landed = (place{}); goesOn {
		p.landed = p.at()
	}
	return cmd
}

func (p *Page) redo() tea.Cmd { return p.travel(p.flow.Redo, "redo", "did again: ") }

// travel undoes or redoes, says what, and goes to where it shows, with the cursor on the
// answer that stands.
func (p *Page) travel(step func() (flow.Done, bool), word, said string) tea.Cmd {
	before := p.flow.Copy()
	done, ok := step()
	if !ok {
		return frame.Say(frame.Info, "nothing to %s", word)
	}
	to := done.At
	if !slices.Contains(p.flow.Steps(), to) {
		to = cmp.Or(p.flow.Around(to))
	}
	if to != p.step {
		p.goTo(to)
	}
	p.form.refresh()
	p.form.focusKey(done.Field)
	if p.form.hasMatrix() && to.Path < len(before.Answers().Paths) {
		p.form.matrix.ToChange(before.Matrix(to.Path))
	}
	return tea.Batch(p.changed(), frame.Say(frame.Good, "%s%s", said, prose.Printable(done.Text)))
}
