package welcome

import (
	"fmt"
	"strings"

	"gatewright/flow/preview"
	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// View draws the rows, and beside them, if there is room, details of the cursor's row.
func (p *Page) View() string {
	t, main, side := p.context.Theme, p.layout.Main, p.layout.Side
	if p.layout.Body().Empty() {
		return ""
	}
	const title = "gatewright"
	lines := []string{"", t.Title.Render(title) + t.Muted.Render("  "+layout.Cut(prose.Printable(p.summary()), max(1, main.W-len(title)-6))), ""}
	lines = append(lines, p.table.Draw(t, main.W-1, max(1, main.H-len(lines)), true)...)
	text := layout.Block(strings.Join(widget.Indent(lines, " "), "\n"), main.W, main.H)
	if side.Empty() {
		return text
	}
	return layout.Beside(text, widget.Side(t, p.sideLines(side.W-4), side.W, side.H))
}

// sideLines are the details of the cursor's row in lines of w cells.
func (p *Page) sideLines(w int) []string {
	t := p.context.Theme
	r, _ := p.table.Row()
	if r.api == nil {
		return widget.Wrapped(t, prose.Muted, prose.Printable(r.detail), w)
	}
	const shown = 8
	lines := []string{t.Title.Render(prose.Printable(r.text)), ""}
	details := preview.Routes(&model.API{Label: r.api.Label, Paths: r.api.Paths[:min(shown, len(r.api.Paths))]})
	if r.path != nil {
		details = append(preview.Routes(&model.API{Paths: []*model.Path{r.path}}), append([]prose.Line{{}}, preview.Matrix(r.path)...)...)
	}
	for _, line := range details {
		lines = append(lines, t.Base.Render(prose.Printable(line.Text)))
	}
	if more := len(r.api.Paths) - shown; r.path == nil && more > 0 {
		lines = append(lines, t.Muted.Render(fmt.Sprintf("and %s more", model.Count(more, "path"))))
	}
	return lines
}
