package wizard

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/preview"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// review is the last step: the plan of the files that will be written.
type review struct {
	waiting, writing bool
	plan             *project.Plan
	lines            []prose.Line
	pager            widget.Pager
}

// show shows lines from their beginning.
func (r *review) show(lines []prose.Line) {
	r.lines = lines
	r.pager.Show(lines)
}

// outcome is the result of writing.
type outcome struct {
	plan    *project.Plan
	command string
	// source is the main file of a new function; "" for none.
	source string
}

// plan plans the files outside Update if the review is the current step, and shows the
// plan unless answers have changed since.
func (p *Page) plan() tea.Cmd {
	if p.step.Kind != flow.Review {
		return nil
	}
	p.review = review{waiting: true}
	version, answers := p.version, p.flow.Copy()
	return func() tea.Msg {
		next, plan, err := session.Plan(p.project, answers)
		var lines []prose.Line
		if err != nil {
			lines = failure(err.Error())
		} else {
			lines = planLines(p.project.Backend, next, plan)
		}
		return frame.ThenMsg(func() tea.Cmd {
			if version == p.version && p.step.Kind == flow.Review {
				p.review = review{plan: plan}
				p.review.show(lines)
			}
			return nil
		})
	}
}

// planLines say what a plan creates and writes, with the diff of each file.
func planLines(was, next *model.Backend, plan *project.Plan) []prose.Line {
	var lines []prose.Line
	section := func(title string, tone prose.Tone, texts []string) {
		if len(texts) == 0 {
			return
		}
		lines = append(lines, prose.Line{Tone: prose.Title, Text: title})
		for _, text := range texts {
			lines = append(lines, prose.Line{Tone: tone, Text: "  " + prose.PrintableStart(text)})
		}
		lines = append(lines, prose.Line{})
	}
	section("What will be created", prose.Plain, prose.Texts(preview.Resources(was, next)))
	section("Worth a look", prose.Warning, append(preview.Problems(was, next), plan.Notes...))
	section(model.Count(len(plan.Changes), "file")+" will be written, all or none", prose.Plain, session.Changes(plan))
	lines = append(lines, prose.Line{Tone: prose.Title, Text: "The difference"})
	return append(lines, prose.Diff(plan.Diff())...)
}

// failure are the lines of an error.
func failure(text string) []prose.Line {
	return []prose.Line{{Tone: prose.Bad, Text: prose.Printable(text)}, {}}
}

func (p *Page) reviewBindings() []widget.Binding {
	waiting := ""
	switch {
	case p.review.waiting:
		waiting = "the plan is being made"
	case p.review.writing:
		waiting = "the files are being written"
	case p.review.plan == nil:
		waiting = "the problem shown has to be fixed first"
	case p.review.plan.Empty():
		waiting = "there is nothing to write"
	}
	all := []widget.Binding{
		widget.Open.Does("write", "write all files, or none", p.write).Shown().Unless(waiting),
		widget.Save.Does("write", "write all files, or none", p.write).Unless(waiting),
		p.back(),
		widget.Edit.Does("go to a step", "choose a step to change its answer", p.openSteps).Shown(),
	}
	return append(widget.InGroup("review", all), p.review.pager.Bindings()...)
}

// write commits the plan and discards the draft.
func (p *Page) write() tea.Cmd {
	p.review.writing = true
	done := outcome{plan: p.review.plan, source: newSource(p.review.plan), command: p.flow.Command(p.project.Layout.APIFile(p.flow.Label()))}
	return func() tea.Msg {
		err := done.plan.Commit()
		if err == nil {
			_ = p.session.Drafts.Discard()
		}
		return frame.ThenMsg(func() tea.Cmd { return p.written(done, err) })
	}
}

// newSource is the main file of a new function; "" for none.
func newSource(plan *project.Plan) string {
	source := ""
	for _, c := range plan.Changes {
		name := filepath.Base(c.Path)
		if !c.Existed && (name == "app.js" || source == "" && strings.HasPrefix(name, "index.") || name == "main.go") {
			source = c.Path
		}
	}
	return source
}

// openSteps offers all steps except the review.
func (p *Page) openSteps() tea.Cmd {
	ids, names := p.flow.Steps(), make(map[string]flow.ID)
	options := make([]prose.Option, len(ids)-1)
	for i := range options {
		options[i] = prose.Option{Key: fmt.Sprint(i), Title: p.stepTitle(ids[i])}
		names[options[i].Key] = ids[i]
	}
	return frame.Open(dialog.Choose("Go to a step", options, "", func(name string) tea.Cmd { return p.visit(names[name]) }))
}

func (p *Page) stepTitle(id flow.ID) string {
	title := p.flow.Name(id)
	if paths := p.flow.Answers().Paths; len(paths) > 1 && id.OfPath() {
		title = prose.Printable(paths[id.Path].Path) + ": " + title
	}
	return title
}

// reviewLines draws the review in h lines.
func (p *Page) reviewLines(w, h int) []string {
	t := p.context.Theme
	lines := []string{t.Muted.Render(p.position()), t.Title.Render("Review") + t.Muted.Render("  nothing is on disk yet"), ""}
	switch r := &p.review; {
	case r.waiting:
		lines = append(lines, t.Muted.Render("making the plan ..."))
	case r.writing:
		lines = append(lines, t.Muted.Render("writing ..."))
	default:
		lines = append(lines, r.pager.Draw(t, w-2, h-len(lines))...)
	}
	return lines
}
