package wizard

import (
	"cmp"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/preview"
	"gatewright/flow/session"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/outside"
	"gatewright/tui/viewer"
	"gatewright/tui/widget"
)

// review is the last step: what will be, and the files that will be written.
type review struct {
	waiting, writing bool
	// ahead is by how many files the keys moved while the plan was not there yet.
	ahead int
	// version is the version of the answers that are planned.
	version  int
	plan     *plan.Plan
	overview preview.Overview
	files    []*prose.FileDiff
	next     *model.Backend
	// tests are the access tests that are written too.
	tests []string
	// failed is why there is no plan; "" if there is one.
	failed string
	tree   tree
	// keeps says that access tests are wanted.
	keeps bool
	// inDetail says that the keys scroll the detail and not the list.
	inDetail bool
	diff     widget.Diff
	// whole is the detail of the first row: all that will be. text is that of the row at the cursor.
	whole widget.Pager
	text  widget.Pager
	// shown is the row whose detail is shown.
	shown node
	// as is the viewer to whom the details are drawn.
	as *viewer.Viewer
}

// outcome is the result of writing.
type outcome struct {
	plan  *plan.Plan
	steps []session.Step
	// first is the request that can be sent at once; nil for none.
	first    *session.Call
	commands []string
	// source is the main file of a new function; "" for none.
	source string
	pager  widget.Pager
}

// plan plans the files outside Update if the review is the current step, and shows the
// plan unless answers have changed since.
func (p *Page) plan() tea.Cmd {
	if p.step.Kind != flow.Review {
		return nil
	}
	version, answers, was, keeps := p.draft.version, p.flow.Copy(), p.project, p.keepsTests
	if p.review.version != version || p.review.keeps != keeps || p.review.plan == nil {
		p.review = review{waiting: true, version: version, keeps: keeps}
	}
	return func() tea.Msg {
		now, news, err := p.session.Since(was)
		if news.Changed {
			return frame.ThenMsg(func() tea.Cmd { return p.take(was, now, news, err) })
		}
		made := review{version: version, keeps: keeps}
		var (
			next *model.Backend
			plan *plan.Plan
		)
		if err == nil {
			next, plan, err = session.Plan(now, answers)
		}
		if err == nil {
			made.overview = preview.OverviewOf(now.Backend, next, answers.Task.Path)
			if keeps {
				made.tests = made.overview.AccessTests(next)
				err = plan.AddAccessTests(made.tests...)
			}
		}
		if err != nil {
			made.failed = err.Error()
		} else {
			made.plan, made.next = plan, next
			made.overview.Warnings = append(made.overview.Warnings, plan.Notes...)
			for _, change := range plan.Changes {
				made.files = append(made.files, project.FileDiff(change))
			}
			made.tree = newTree(made.overview, plan)
		}
		return frame.ThenMsg(func() tea.Cmd {
			switch r := &p.review; {
			case version != p.draft.version || keeps != p.keepsTests || p.step.Kind != flow.Review || was != p.project ||
				r.writing:
			case r.plan != nil && made.plan != nil && r.plan.Diff() == made.plan.Diff():
				r.plan = made.plan // the cursor stays
			default:
				made.toFile(r.ahead)
				p.review = made
			}
			return nil
		})
	}
}

// keepTests has the access of the paths kept as access tests too, or not any more.
func (p *Page) keepTests() tea.Cmd {
	p.keepsTests = !p.keepsTests
	return p.plan()
}

// Asks is the plan that would be written; nil in the other steps.
func (p *Page) Asks() any {
	if p.done != nil || p.step.Kind != flow.Review || p.review.whyNoWrite() != "" {
		return nil
	}
	return p.review.plan
}

// Unseen is how many lines about what is opened were not in view yet.
func (p *Page) Unseen() int { return p.review.whole.Unseen() }

// toFile moves by so many files; while the plan is being made, as soon as it is there.
func (r *review) toFile(by int) {
	if r.waiting {
		r.ahead += by
		return
	}
	for ; by != 0; by -= cmp.Compare(by, 0) {
		r.tree.toFile(cmp.Compare(by, 0))
	}
}

// whyNoWrite is why nothing can be written now; "" if it can.
func (r *review) whyNoWrite() string {
	switch {
	case r.waiting:
		return "the plan is being made"
	case r.writing:
		return "the files are being written"
	case r.plan == nil:
		return "the problem shown has to be fixed first"
	case r.plan.Empty():
		return "there is nothing to write"
	}
	return ""
}

func (p *Page) reviewBindings() []keys.Binding {
	r := &p.review
	write := "write"
	if r.plan != nil && !r.plan.Empty() {
		write = "write " + phrase.Count(len(r.plan.Changes), "file")
	}
	back := p.back()
	if r.inDetail {
		back = keys.Back.Does("list", "go back to the list", keys.NoCmd(func() { r.inDetail = false })).Shown()
	}
	noFile := keys.When(len(r.files) == 0 && !r.waiting, "no file changes")
	all := []keys.Binding{
		keys.Save.Does(write, "write all files, or none", p.write).Shown().Unless(r.whyNoWrite()).Answers(true),
		keys.Edit.Does("change an answer", "choose a step to change its answers", p.openSteps).Shown(),
		back,
		p.testsKey(),
		keys.NextField.Does("list or detail", "go to the detail, or back to the list",
			keys.NoCmd(func() { r.inDetail = !r.inDetail })),
		keys.PriorField.Does("list or detail", "go to the detail, or back to the list",
			keys.NoCmd(func() { r.inDetail = !r.inDetail })),
		keys.NextMatch.Does("next file", "show the next file",
			keys.NoCmd(func() { r.toFile(1) })).Unless(noFile).Shown(),
		keys.PriorMatch.Does("previous file", "show the previous file",
			keys.NoCmd(func() { r.toFile(-1) })).Unless(noFile),
	}
	if r.inDetail {
		all = append(all, keys.Open.Does("list", "go back to the list", keys.NoCmd(func() { r.inDetail = false })))
		return append(keys.InGroup("review", all),
			keys.Only(r.detailBindings(), keys.Up, keys.Down, keys.PageUp, keys.PageDown, keys.HalfUp, keys.HalfDown,
				keys.First, keys.Last)...)
	}
	all = append(all, r.tree.bindings(func() { r.inDetail = true })...)
	return append(keys.InGroup("review", all),
		keys.Only(r.detailBindings(), keys.PageUp, keys.PageDown, keys.HalfUp, keys.HalfDown)...)
}

// testsKey keeps the access as tests.
func (p *Page) testsKey() keys.Binding {
	label, about := "add access tests", "write access tests too, which fail when this access changes"
	if p.keepsTests {
		label, about = "without access tests", "write no access tests"
	}
	return keys.Test.Does(label, about, p.keepTests).Shown().Unless(p.review.whyNoWrite(),
		keys.When(len(p.review.overview.Paths) == 0, "no path changes"))
}

// detailBindings scroll the detail.
func (r *review) detailBindings() []keys.Binding {
	if r.shown.kind == fileNode {
		return r.diff.Bindings()
	}
	return r.detail().Bindings()
}

// detail is the text next to the list, unless that is a file.
func (r *review) detail() *widget.Pager {
	if r.shown.kind == overviewNode {
		return &r.whole
	}
	return &r.text
}

// wheel scrolls the detail.
func (r *review) wheel(msg tea.MouseWheelMsg) {
	if r.shown.kind == fileNode {
		r.diff.Wheel(msg)
		return
	}
	r.detail().Wheel(msg)
}

// write commits the plan and discards the draft.
func (p *Page) write() tea.Cmd {
	p.review.writing = true
	done := outcome{
		plan: p.review.plan, source: newSource(p.review.plan),
		commands: p.flow.Commands(),
	}
	if len(p.review.tests) > 0 {
		command := "gatewright add test"
		for _, text := range p.review.tests {
			command += " " + model.ShellWord(text)
		}
		done.commands = append(done.commands, command)
	}
	was, answers := p.project, p.flow.Copy()
	return func() tea.Msg {
		now, news, err := p.session.Commit(was, done.plan)
		if news.Changed {
			return frame.ThenMsg(func() tea.Cmd {
				p.review.writing = false
				return tea.Batch(p.lay(now), outside.Say("nothing was written yet: ", news))
			})
		}
		if err == nil {
			_ = p.session.Drafts.Discard()
			done.steps, done.first = p.session.NextSteps(answers)
		}
		return frame.ThenMsg(func() tea.Cmd { return p.written(done, err) })
	}
}

// newSource is the main file of a new function; "" for none.
func newSource(plan *plan.Plan) string {
	source := ""
	for _, c := range plan.Changes {
		name := filepath.Base(c.Path)
		if !c.Existed && (name == "app.js" || source == "" && strings.HasPrefix(name, "index.") || name == "main.go") {
			source = c.Path
		}
	}
	return source
}
