package welcome

import (
	"errors"
	"fmt"
	"strings"

	"gatewright/flow/preview"
	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

func isLast(err error) bool { return errors.Is(err, model.ErrLastPath) }

// View draws the rows around the cursor, and beside them, where there is room,
// what the cursor is on.
func (p *Page) View() string {
	t, main := p.context.Theme, p.layout.Main
	if p.layout.Body().Empty() {
		return ""
	}
	lines := []string{"", " " + t.Title.Render("gatewright") + t.Muted.Render("  "+layout.Cut(prose.Fit(p.summary()), max(1, main.W-16))), ""}
	room := max(1, main.H-len(lines))
	from := max(0, min(p.row-room/2, len(p.rows)-room))
	for i := from; i < min(len(p.rows), from+room); i++ {
		lines = append(lines, layout.Cut(p.rowLine(t, i), main.W))
	}
	text := layout.Block(strings.Join(lines, "\n"), main.W, main.H)
	if p.layout.Side.Empty() {
		return text
	}
	return layout.Beside(text, p.side(t))
}

func (p *Page) rowLine(t *theme.Theme, i int) string {
	r := p.rows[i]
	style, pointer, indent := t.Base, "  ", ""
	switch {
	case i == p.row:
		style, pointer = t.Selected, t.BorderFocused.Render("> ")
	case r.kind == apiRow:
		style = t.Accent
	}
	detail := r.detail
	switch r.kind {
	case apiRow:
		detail = "api"
	case pathRow:
		indent = "  "
		if api := p.session.Project.Backend.API(r.api); api != nil && api.Path(r.path) != nil {
			path := api.Path(r.path)
			detail = model.Quote(path.Function) + ", " + path.Access.String()
		}
	}
	return " " + pointer + indent + style.Render(prose.Fit(r.text)) + "  " + t.Muted.Render(prose.Fit(detail))
}

// side draws what the cursor is on.
func (p *Page) side(t *theme.Theme) string {
	side := p.layout.Side
	var lines []string
	r := p.at()
	api := p.session.Project.Backend.API(r.api)
	switch {
	case r.kind == pathRow && api != nil && api.Path(r.path) != nil:
		path := api.Path(r.path)
		lines = append(lines, t.Title.Render(prose.Fit(path.Name)), "")
		for _, line := range append(preview.Routes(&model.API{Paths: []*model.Path{path}}), append([]prose.Line{{}}, preview.Matrix(path)...)...) {
			lines = append(lines, t.Base.Render(prose.Fit(line.Text)))
		}
	case r.kind == apiRow && api != nil:
		const shown = 8
		some := &model.API{Label: api.Label, Paths: api.Paths[:min(shown, len(api.Paths))]}
		lines = append(lines, t.Title.Render(prose.Fit(api.Label)), "")
		for _, line := range preview.Routes(some) {
			lines = append(lines, t.Base.Render(prose.Fit(line.Text)))
		}
		if more := len(api.Paths) - shown; more > 0 {
			lines = append(lines, t.Muted.Render(fmt.Sprintf("and %s more", model.Count(more, "path"))))
		}
	case r.detail != "":
		for _, line := range layout.Wrap(prose.Fit(r.detail), max(1, side.W-4)) {
			lines = append(lines, t.Muted.Render(line))
		}
	}
	bar := t.Border.Render("│") + " "
	for i := range max(side.H, len(lines)) {
		if i < len(lines) {
			lines[i] = bar + layout.Cut(lines[i], side.W-3)
		} else {
			lines = append(lines, bar)
		}
	}
	return layout.Block(strings.Join(lines, "\n"), side.W, side.H)
}
