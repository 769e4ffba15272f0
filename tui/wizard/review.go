package wizard

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
)

// review is the last step: what will be written, and where the cursor is in it.
type review struct {
	waiting bool
	writing bool
	plan    *project.Plan
	lines   []reviewLine
	scroll  int
	// height is how many lines were shown last.
	height int
}

// reviewLine is a line of the review; mark tells how it is drawn.
type reviewLine struct {
	mark byte
	text string
}

func (p *Page) reviewKeys() []frame.Binding {
	waiting := ""
	switch {
	case p.review.waiting:
		waiting = "the plan is being made"
	case p.review.writing:
		waiting = "it is being written"
	case p.review.plan == nil:
		waiting = "there is something to mend first"
	case p.review.plan.Empty():
		waiting = "there is nothing to write"
	}
	return []frame.Binding{
		{Keys: []string{"w", "enter"}, Label: "write", Help: "write all files, or none", Footer: true, Disabled: waiting, Group: "review"},
		{Keys: []string{"esc"}, Label: "back", Help: "go to the step before; nothing is lost", Footer: true, Group: "walk"},
		{Keys: []string{"e"}, Label: "go to a step", Help: "choose a step to change its answer", Footer: true, Group: "review"},
		{Keys: []string{"down", "j"}, Label: "scroll", Help: "scroll down", Footer: true, Group: "review"},
		{Keys: []string{"up", "k"}, Label: "scroll up", Help: "scroll up", Group: "review"},
		{Keys: []string{"pgdown", "space"}, Label: "page down", Help: "scroll a page down", Group: "review"},
		{Keys: []string{"pgup"}, Label: "page up", Help: "scroll a page up", Group: "review"},
		{Keys: []string{"g", "home"}, Label: "top", Help: "go to the top", Group: "review"},
		{Keys: []string{"G", "end"}, Label: "end", Help: "go to the end", Group: "review"},
		{Keys: []string{"ctrl+z"}, Label: "undo", Help: "take the last answer back", Footer: true, Group: "walk"},
		{Keys: []string{"ctrl+y"}, Label: "redo", Help: "give back what undo took", Group: "walk"},
		{Keys: []string{"ctrl+s"}, Label: "save draft", Help: "keep the answers for another time", Group: "walk"},
	}
}

func (p *Page) reviewKey(msg tea.KeyPressMsg) tea.Cmd {
	r := &p.review
	switch msg.String() {
	case "w", "enter":
		r.writing = true
		return p.write()
	case "e":
		return p.openSteps()
	case "down", "j":
		r.scroll++
	case "up", "k":
		r.scroll--
	case "pgdown", "space":
		r.scroll += max(1, r.height-1)
	case "pgup":
		r.scroll -= max(1, r.height-1)
	case "g", "home":
		r.scroll = 0
	case "G", "end":
		r.scroll = len(r.lines)
	}
	r.scroll = max(0, min(r.scroll, len(r.lines)-r.height))
	return nil
}

const stepsDialog = "steps"

// openSteps offers every step that is asked.
func (p *Page) openSteps() tea.Cmd {
	var items []dialog.Item
	for i, id := range p.flow.Steps() {
		if id.Kind != flow.Review {
			items = append(items, dialog.Item{ID: fmt.Sprint(i), Label: p.stepTitle(id)})
		}
	}
	return frame.Open(dialog.Choose(stepsDialog, "Go to a step", items))
}

func (p *Page) stepTitle(id flow.ID) string {
	title := p.flow.Name(id)
	if answers := p.flow.Answers(); len(answers.Paths) > 1 && id.OfPath() && id.Path < len(answers.Paths) {
		title = prose.Fit(answers.Paths[id.Path].Path) + ": " + title
	}
	return title
}

// takeStep goes to the step that was chosen in the dialog.
func (p *Page) takeStep(result dialog.Result) tea.Cmd {
	picked, ok := result.Action.(dialog.Picked)
	if result.ID != stepsDialog || !ok {
		return nil
	}
	for i, id := range p.flow.Steps() {
		if fmt.Sprint(i) == string(picked) {
			p.goTo(id)
		}
	}
	return nil
}

// takePlan shows the plan, unless answers changed since it was asked for.
func (p *Page) takePlan(msg planned) tea.Cmd {
	if msg.of != p || msg.version != p.version || p.at.Kind != flow.Review {
		return nil
	}
	p.review = review{plan: msg.plan}
	if msg.err != nil {
		p.review.plan = nil
		p.review.lines = p.failure(msg.err.Error())
		return nil
	}
	add := func(mark byte, text string) { p.review.lines = append(p.review.lines, reviewLine{mark, text}) }
	section := func(title string, mark byte, lines []string) {
		if len(lines) == 0 {
			return
		}
		add('=', title)
		for _, line := range lines {
			add(mark, "  "+line)
		}
		add(' ', "")
	}
	var made, written []string
	for _, line := range msg.resources {
		made = append(made, line.Text)
	}
	for _, c := range msg.plan.Changes {
		written = append(written, fmt.Sprintf("%-6s %s", project.Kind(c), c.Path))
	}
	section("What comes into being", ' ', made)
	section("Worth a look", '?', append(msg.warnings, msg.plan.Notes...))
	section(model.Count(len(msg.plan.Changes), "file")+" will be written, all or none", ' ', written)
	add('=', "The difference")
	for _, line := range msg.diff {
		mark := byte(' ')
		if line != "" && strings.IndexByte("+-@", line[0]) >= 0 {
			mark = line[0]
		}
		add(mark, line)
	}
	return nil
}

// failure are the lines that say what went wrong, all of it.
func (p *Page) failure(text string) []reviewLine {
	var lines []reviewLine
	for _, line := range layout.Wrap(prose.Fit(text), max(1, p.layout.Body().W-2)) {
		lines = append(lines, reviewLine{'!', line})
	}
	return append(lines, reviewLine{' ', ""})
}

// reviewLines draws the review in h lines.
func (p *Page) reviewLines(w, h int) []string {
	t := p.theme()
	lines := []string{margin + t.Muted.Render(p.place()), margin + t.Title.Render("Review") + t.Muted.Render("  nothing is on disk yet"), ""}
	r := &p.review
	if r.waiting || r.writing {
		word := "making the plan ..."
		if r.writing {
			word = "writing ..."
		}
		return append(lines, margin+t.Muted.Render(word))
	}
	r.height = max(1, h-len(lines)-1)
	r.scroll = max(0, min(r.scroll, len(r.lines)-r.height))
	for _, line := range r.lines[r.scroll:min(len(r.lines), r.scroll+r.height)] {
		style := t.Base
		switch line.mark {
		case '=':
			style = t.Title
		case '+':
			style = t.Added
		case '-':
			style = t.Removed
		case '@':
			style = t.Changed
		case '?':
			style = t.Warning
		case '!':
			style = t.Error
		}
		lines = append(lines, margin+style.Render(layout.Cut(prose.Fit(line.text), w-2)))
	}
	if shown := r.scroll + r.height; shown < len(r.lines) {
		lines = append(lines, margin+t.Muted.Render(fmt.Sprintf("%d lines more below", len(r.lines)-shown)))
	}
	return lines
}
