package wizard

import (
	"fmt"
	"strings"

	"gatewright/flow/preview"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/viewer"
	"gatewright/tui/widget"
)

// drawReview draws the list and, next to or below it, the detail of the row at the cursor. In a
// low window the detail has all of it while it has the keys.
func (p *Page) drawReview(t *theme.Theme, w, h int) string {
	r := &p.review
	switch {
	case r.waiting:
		return widget.Pane{Title: "Review", Focused: true}.Draw(t, []string{t.Muted.Render("making the plan ...")}, w, h)
	case r.failed != "":
		lines := widget.Wrapped(t, prose.Bad, "! "+prose.Printable(r.failed), w-widget.PaneW)
		return widget.Pane{Title: "Review", Focused: true}.Draw(t,
			append(lines, "", t.Muted.Render("e goes to the answers")), w, h)
	}
	if as := p.context.Viewer; !as.Equal(r.as) {
		r.as, r.whole, r.text = as, widget.Pager{}, widget.Pager{}
	}
	r.show(t)
	state := "nothing is written yet"
	switch {
	case r.writing:
		state = "writing ..."
	case r.plan != nil && r.plan.Empty():
		state = "there is nothing to write"
	}
	list := widget.Pane{Title: "Review", Focused: !r.inDetail, Right: t.Muted.Render(state)}
	if w >= besideW {
		side := w * 3 / 5
		left := list.Draw(t, r.tree.draw(t, w-side-widget.PaneW, h-widget.PaneH, !r.inDetail), w-side, h)
		return layout.Beside(left, r.drawDetail(t, side, h))
	}
	const low, fewest = 16, 5
	top := max(fewest, min(h*2/5, len(r.tree.visible())+widget.PaneH))
	switch {
	case r.inDetail && h < low:
		return r.drawDetail(t, w, h)
	case r.inDetail:
		top = fewest
	}
	return list.Draw(t, r.tree.draw(t, w-widget.PaneW, top-widget.PaneH, !r.inDetail), w, top) + "\n" +
		r.drawDetail(t, w, h-top)
}

// show makes the detail of the row at the cursor, unless it is shown already.
func (r *review) show(t *theme.Theme) {
	n := r.tree.row()
	if n == r.shown && (r.detail().Len() > 0 || r.detail().Drawn() || n.kind == fileNode) {
		return
	}
	r.shown, r.text = n, widget.Pager{}
	switch n.kind {
	case fileNode:
		r.diff.Show(r.files[n.index])
	case pathNode:
		path, as := r.overview.Paths[n.index], r.as
		r.text.ShowDrawn(func(t *theme.Theme, w int) []string { return pathLines(t, path, as, w) })
	case thingNode:
		things, at := r.overview.Things, n.index
		r.text.ShowDrawn(func(t *theme.Theme, w int) []string { return thingLines(t, things, at, w) })
	case warningsNode, warningNode:
		r.text.Show(warningLines(r.overview.Warnings))
	case folderNode, filesNode:
		r.text.Show(r.fileNames(n.folder))
	default:
		if overview, as := r.overview, r.as; !r.whole.Drawn() {
			r.whole.ShowDrawn(func(t *theme.Theme, w int) []string { return overviewLines(t, overview, as, w) })
		}
	}
}

func (r *review) drawDetail(t *theme.Theme, w, h int) string {
	n := r.tree.row()
	pane := widget.Pane{Focused: r.inDetail}
	inner, room := w-widget.PaneW, h-widget.PaneH
	if n.kind == fileNode {
		pane.Title = prose.Printable(r.plan.Changes[n.index].Path)
		pane.Right = t.Muted.Render(fmt.Sprintf("%d of %s", n.index+1, phrase.Count(len(r.files), "file")))
		return pane.Draw(t, r.diff.Draw(t, inner, room), w, h)
	}
	pane.Title = map[nodeKind]string{
		overviewNode: "Result", thingNode: "Result", pathNode: "Result", warningsNode: "Worth a look",
		warningNode: "Worth a look",
		filesNode:   "Files", folderNode: "Files",
	}[n.kind]
	return pane.Draw(t, r.detail().Draw(t, inner, room), w, h)
}

// fileNames are the files of a folder, or all for "".
func (r *review) fileNames(folder string) []prose.Line {
	var lines []prose.Line
	for i, c := range r.plan.Changes {
		if folder == "" || strings.HasPrefix(c.Path, folder+"/") {
			added, removed := counts(r.files[i])
			counts := fmt.Sprintf("+%d", added)
			if removed > 0 {
				counts += fmt.Sprintf(" -%d", removed)
			}
			lines = append(lines, prose.Line{Text: prose.Printable(c.Path) + "  " + counts})
		}
	}
	return lines
}

// counts is how many lines of a file are added and removed.
func counts(file *prose.FileDiff) (added, removed int) {
	for _, line := range file.Lines {
		switch line.Tone {
		case prose.Added:
			added++
		case prose.Removed:
			removed++
		}
	}
	return added, removed
}

func warningLines(warnings []string) []prose.Line {
	var lines []prose.Line
	for _, warning := range warnings {
		lines = append(lines, prose.Line{Tone: prose.Warning, Text: "! " + prose.Printable(warning)}, prose.Line{})
	}
	return lines
}

// overviewLines draw what will be: each path with its function and its matrix, what differs
// in access, the other things, and what is worth a look, with an empty line between.
func overviewLines(t *theme.Theme, o preview.Overview, as *viewer.Viewer, w int) []string {
	var lines []string
	part := func(of []string) {
		if len(lines) > 0 && len(of) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, of...)
	}
	for _, p := range o.Paths {
		part(pathLines(t, p, as, w))
	}
	var access, things, warnings []string
	for _, change := range o.AccessLines() {
		access = append(access, wrapHanging(t, change.Tone, change.Text, w)...)
	}
	for _, thing := range o.Things {
		things = append(things, wrapHanging(t, prose.Plain, thing, w)...)
	}
	for _, warning := range o.Warnings {
		warnings = append(warnings, wrapHanging(t, prose.Warning, "! "+warning, w)...)
	}
	part(access)
	part(things)
	part(warnings)
	return lines
}

// thingLines draw what comes into being besides paths, the one at the cursor first.
func thingLines(t *theme.Theme, things []string, at, w int) []string {
	lines := wrapHanging(t, prose.Strong, things[at], w)
	for i, thing := range things {
		if i != at {
			lines = append(lines, wrapHanging(t, prose.Muted, thing, w)...)
		}
	}
	return lines
}

// wrapHanging wraps a text; its further lines are indented.
func wrapHanging(t *theme.Theme, tone prose.Tone, text string, w int) []string {
	lines := widget.Wrapped(t, tone, prose.Printable(text), max(1, w-2))
	for i := range lines {
		if i > 0 {
			lines[i] = "  " + lines[i]
		}
	}
	return lines
}

// pathLines draw one path: its name, its function, its access.
func pathLines(t *theme.Theme, p preview.Path, as *viewer.Viewer, w int) []string {
	name := prose.Printable(p.Name)
	if p.Was != "" && p.Was != p.Name {
		name = prose.Printable(p.Was) + " becomes " + name
	}
	lines := []string{t.Title.Render(layout.Cut(name, w))}
	lines = append(lines, widget.Wrapped(t, prose.Muted, prose.Printable(p.Served), w)...)
	return append(lines, widget.MatrixLines(t, p.Access, as, w)...)
}
