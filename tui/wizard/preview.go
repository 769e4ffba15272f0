package wizard

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/flow/preview"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// otherPaths is how many other paths of an API the preview shows.
const otherPaths = 6

// drawPreview draws what the answers make: what this step adds to its file, what happens to
// a request, and the routes.
func (p *Page) drawPreview(t *theme.Theme, area layout.Rect, focused bool) string {
	w, h := area.W-widget.PaneW, area.H-widget.PaneH
	made, before := preview.Of(p.flow, p.step), preview.Of(p.entered, p.step).Lines
	const endless, ends = 1 << 20, 6 // ends are the corners and what is around the title
	pane := widget.Pane{Title: prose.Printable(p.project.Layout.File(made.Of)), Focused: focused}
	if layout.Width(pane.Title) > area.W-ends {
		pane.Title = strings.TrimPrefix(pane.Title, p.project.Layout.String()+"/")
	}
	if !slices.Equal(p.previewed, made.Lines) {
		p.previewed = made.Lines
		p.whole.ToTop()
	}
	p.whole.ShowDrawn(func(t *theme.Theme, w int) []string { return p.previewLines(t, made, before, w, endless) })
	lines := p.whole.Draw(t, w, h)
	if p.whole.AtTop() {
		lines = widget.Window(t, p.previewLines(t, made, before, w, h), 0, h)
	}
	return pane.Draw(t, lines, area.W, area.H)
}

// scrolling are the keys that scroll the preview, whatever has the others.
func (p *Page) scrolling() []keys.Binding {
	all := keys.Only(p.whole.Bindings(), keys.PageDown, keys.PageUp)
	for i := range all {
		all[i] = all[i].ShownIf(false)
	}
	return keys.InGroup("preview", all)
}

// previewLines are the lines of a preview, in h lines as far as they fit.
func (p *Page) previewLines(t *theme.Theme, made preview.Made, before []string, w, h int) []string {
	const low = 8
	key := ""
	if p.form.now().Kind == flow.Access {
		key = `"permissions"`
	}
	var lines []string
	if sentence := p.sentence(); sentence != "" {
		lines = widget.Wrapped(t, prose.Note, sentence, w)
		if h >= low {
			lines = append(lines, "")
		}
	}
	if len(made.Lines) > h-len(lines) {
		made.Lines, before = compact(made.Lines), compact(before)
	}
	lines = append(lines, fileLines(t, made.Lines, before, key, w, h-len(lines))...)
	const routes = 4
	if left := h - len(lines) - 1; left >= routes {
		lines = append(lines, "")
		lines = append(lines, p.routeLines(t, w)...)
	}
	switch {
	case made.Fault != nil:
		lines = append(widget.Wrapped(t, prose.Bad, prose.Printable(made.Fault.Error()), w), lines...)
	case len(made.Lines) == 0:
		file := prose.Printable(p.project.Layout.File(made.Of))
		about := widget.Wrapped(t, prose.Muted,
			file+" will list the paths of the API, with their functions and who may do what", w)
		lines = append(about, lines...)
	}
	return lines
}

// sentence says what the answer at hand comes to for a request.
func (p *Page) sentence() string {
	if p.form.now().Kind != flow.Access || len(p.form.question.Fields) == 0 {
		return ""
	}
	api, current := p.flow.Sketch(p.step, otherPaths)
	who, action, ok := p.form.matrix.Cell()
	if current.Name == "" || !ok {
		return ""
	}
	gate := access.Gate{Groups: p.flow.Groups(), Terms: p.flow.Base.Terms()}
	text, decided := preview.Answer(api, gate, who, action, current.Name)
	if at := decided.Route.Path; at != nil && at.Name != current.Name {
		text += ", under the rule of " + phrase.Quote(at.Name)
	}
	return prose.Printable(text)
}

// fileLines draw the lines of a file: those that were not in it before have a mark, and are
// in view, or drawn alone, where h lines have no room for all. If none is new, the lines from
// the one that begins with key on are in view.
func fileLines(t *theme.Theme, made, before []string, key string, w, h int) []string {
	had := make(map[string]int)
	for _, line := range before {
		had[uncomma(line)]++
	}
	const mark = "  "
	var all, changed []string
	first, last := -1, -1 // the lines that changed
	from := 0
	for _, line := range narrowed(made, w-len(mark)) {
		if key != "" && strings.HasPrefix(strings.TrimSpace(line.text), key) {
			from = len(all)
		}
		had[uncomma(line.text)]--
		added := had[uncomma(line.text)] < 0
		for i, part := range line.parts {
			begin := mark
			if added && i == 0 {
				begin = t.Added.Render("+ ")
			}
			all = append(all, begin+widget.JSON(t, part))
			if added {
				changed = append(changed, all[len(all)-1])
				last = len(all) - 1
				if first < 0 {
					first = last
				}
			}
		}
	}
	switch {
	case len(all) <= h:
		return all
	case len(changed) > 0 && last-first >= h:
		return widget.Window(t, changed, 0, h)
	case len(changed) > 0:
		// What changed is in view with the lines around it.
		from = first - (h-(last-first+1))/2
	}
	from = max(0, min(from, len(all)-max(h, 0)))
	shown := slices.Clone(all[from:min(from+max(h, 0), len(all))])
	const least = 4 // fewer lines have no room for marks
	if h < least {
		return shown
	}
	if from > 0 && first != from {
		shown[0] = t.Muted.Render(fmt.Sprintf("  ↑ %d more", from+1))
	}
	if rest := len(all) - from - h; rest > 0 && last != from+h-1 {
		shown[h-1] = t.Muted.Render(fmt.Sprintf("  ↓ %d more", rest+1))
	}
	return shown
}

// uncomma is a line without the comma that another line after it brings.
func uncomma(line string) string { return strings.TrimSuffix(line, ",") }

// compact writes each list of JSON that has no inner lists or objects in one line.
func compact(lines []string) []string {
	var short []string
	for i := 0; i < len(lines); i++ {
		end := i + 1
		for strings.HasSuffix(lines[i], "[") && end < len(lines) && !strings.ContainsAny(lines[end], "[]{}") {
			end++
		}
		if end == len(lines) || !strings.HasPrefix(strings.TrimSpace(lines[end]), "]") || !strings.HasSuffix(lines[i], "[") {
			short = append(short, lines[i])
			continue
		}
		line := lines[i]
		for _, item := range lines[i+1 : end] {
			line += strings.TrimSpace(item) + " "
		}
		short = append(short, strings.TrimSuffix(line, " ")+strings.TrimSpace(lines[end]))
		i = end
	}
	return short
}

// fileLine is a line of a file, and the lines it is drawn in.
type fileLine struct {
	text  string
	parts []string
}

// narrowed wraps lines to w cells. If one is longer, all are indented by one space a level.
func narrowed(texts []string, w int) []fileLine {
	long := slices.ContainsFunc(texts, func(text string) bool { return layout.Width(text) > w })
	lines := make([]fileLine, len(texts))
	for i, text := range texts {
		code := strings.TrimLeft(text, " ")
		indent := text[:len(text)-len(code)]
		if long {
			indent = indent[:len(indent)/2]
		}
		lines[i].text = text
		for n, part := range layout.Wrap(prose.PrintableStart(code), max(4, w-len(indent)-1)) {
			if n > 0 {
				part = " " + part
			}
			lines[i].parts = append(lines[i].parts, indent+part)
		}
	}
	return lines
}

// routeLines are the routes of the API.
func (p *Page) routeLines(t *theme.Theme, w int) []string {
	api, _ := p.flow.Sketch(p.step, otherPaths)
	if len(api.Paths) == 0 {
		return nil
	}
	lines := []string{t.PaneTitle.Render("Routes of " + prose.Printable(api.Label))}
	for _, line := range preview.Routes(api) {
		text := prose.Printable(line.Text)
		indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
		for i, part := range layout.Wrap(strings.TrimLeft(text, " "), max(1, w-len(indent)-2)) {
			if i > 0 {
				part = "  " + part
			}
			lines = append(lines, t.Of(line.Tone).Render(indent+part))
		}
	}
	return lines
}
