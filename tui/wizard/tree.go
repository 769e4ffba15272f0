package wizard

import (
	"fmt"
	"path"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/preview"
	"gatewright/internal/text/prose"
	"gatewright/project/plan"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// nodeKind is what a row of the review's list is about.
type nodeKind uint8

const (
	overviewNode nodeKind = iota
	pathNode
	thingNode
	warningsNode
	warningNode
	filesNode
	folderNode
	fileNode
)

// node is a row of the review's list. index is that of its path, warning or file.
type node struct {
	kind  nodeKind
	index int
	// folder is the folder that the row is, or is in; "" for none.
	folder string
	text   string
	tone   prose.Tone
	sign   string
	count  int
}

// folds reports whether the rows below a row can be hidden.
func (n node) folds() bool {
	switch n.kind {
	case overviewNode, warningsNode, filesNode, folderNode:
		return true
	}
	return false
}

// tree is the list of the review: what will be, what is worth a look, and the files by
// folder.
type tree struct {
	all    []node
	folded map[node]bool
	at     int
}

// manyFiles is the number of files from which on a folder is folded.
const manyFiles = 3

func newTree(o preview.Overview, plan *plan.Plan) tree {
	t := tree{folded: make(map[node]bool)}
	add := func(n node) { t.all = append(t.all, n) }
	add(node{kind: overviewNode, text: "result"})
	for i, p := range o.Paths {
		add(node{kind: pathNode, index: i, text: p.Name})
	}
	for i, thing := range o.Things {
		short, _, _ := strings.Cut(thing, ": ")
		add(node{kind: thingNode, index: i, text: short})
	}
	if n := len(o.Warnings); n > 0 {
		add(node{kind: warningsNode, text: "worth a look", count: n, tone: prose.Warning})
		for i, warning := range o.Warnings {
			add(node{kind: warningNode, index: i, text: warning})
		}
	}
	if len(plan.Changes) > 0 {
		add(node{kind: filesNode, text: "files", count: len(plan.Changes)})
	}
	t.addFiles(plan)
	return t
}

// addFiles adds the files; those of a folder with many follow a row for the folder.
func (t *tree) addFiles(planned *plan.Plan) {
	counts := make(map[string]int)
	for _, c := range planned.Changes {
		counts[folderOf(c.Path)]++
	}
	last := ""
	for i, c := range planned.Changes {
		folder := folderOf(c.Path)
		if counts[folder] <= manyFiles {
			folder = ""
		}
		if folder != last && folder != "" {
			row := node{kind: folderNode, text: folder, folder: folder, count: counts[folder], sign: "+", tone: prose.Added}
			t.all = append(t.all, row)
			t.folded[row] = true
		}
		last = folder
		row := node{
			kind: fileNode, index: i, text: strings.TrimPrefix(strings.TrimPrefix(c.Path, folder), "/"),
			folder: folder,
		}
		switch plan.Kind(c) {
		case "create":
			row.sign, row.tone = "+", prose.Added
		case "delete":
			row.sign, row.tone = "-", prose.Removed
		default:
			row.sign, row.tone = "~", prose.Updated
		}
		t.all = append(t.all, row)
	}
}

// folderOf is the folder of a function's files, or the folder of a file.
func folderOf(name string) string {
	parts := strings.Split(name, "/")
	if i := slices.Index(parts, "function"); i >= 0 && i+2 < len(parts) {
		return strings.Join(parts[:i+2], "/")
	}
	return path.Dir(name)
}

// visible are the rows that no folded row hides.
func (t *tree) visible() []node {
	var rows []node
	section, folder := false, false
	for _, n := range t.all {
		switch n.kind {
		case overviewNode, warningsNode, filesNode:
			section, folder = t.folded[n], false
			rows = append(rows, n)
			continue
		case folderNode:
			folder = t.folded[n]
			if !section {
				rows = append(rows, n)
			}
			continue
		}
		if !section && (n.folder == "" || !folder) {
			rows = append(rows, n)
		}
	}
	return rows
}

// row is the row at the cursor.
func (t *tree) row() node {
	rows := t.visible()
	if len(rows) == 0 {
		return node{}
	}
	return rows[min(t.at, len(rows)-1)]
}

func (t *tree) move(by int) { t.at = max(0, min(t.at+by, len(t.visible())-1)) }

// fold hides the rows below the row at the cursor, or shows them. On a row that hides
// nothing it folds the folder of the row.
func (t *tree) fold() {
	n := t.row()
	if !n.folds() {
		for i, other := range t.visible() {
			if other.kind == folderNode && other.folder == n.folder && n.folder != "" {
				t.at, n = i, other
			}
		}
	}
	if n.folds() {
		t.folded[n] = !t.folded[n]
	}
}

// toFile moves to the next file, or to the previous one, and unfolds its folder.
func (t *tree) toFile(by int) {
	var files []node
	for _, n := range t.all {
		if n.kind == fileNode {
			files = append(files, n)
		}
	}
	now, to := t.row(), -1
	switch i := slices.Index(files, now); {
	case len(files) == 0:
		return
	case i >= 0:
		to = i + by
	case now.kind == folderNode:
		to = slices.IndexFunc(files, func(n node) bool { return n.folder == now.folder })
		if by < 0 {
			to--
		}
	case by > 0 && now.kind < folderNode:
		to = 0
	}
	if to < 0 || to >= len(files) {
		return
	}
	for row := range t.folded {
		if row.kind == filesNode || row.kind == folderNode && row.folder == files[to].folder {
			t.folded[row] = false
		}
	}
	t.at = slices.Index(t.visible(), files[to])
}

func (t *tree) bindings(open func()) []keys.Binding {
	move := func(by int) func() tea.Cmd { return keys.NoCmd(func() { t.move(by) }) }
	n := t.row()
	label, do := "read", open
	if n.folds() && n.kind != overviewNode {
		label, do = "fold", t.fold
	}
	return []keys.Binding{
		keys.Down.Does("move", "go to the next row", move(1)),
		keys.Up.Does("move up", "go to the previous row", move(-1)),
		keys.First.Does("first", "go to the first row", move(-len(t.all))),
		keys.Last.Does("last", "go to the last row", move(len(t.all))),
		keys.Open.Does(label, "read the detail of the row, or fold a folder", keys.NoCmd(do)),
		keys.Fold.Does("fold", "hide the rows below this one, or show them", keys.NoCmd(t.fold)).ShownIf(len(t.folded) > 0),
	}
}

// draw draws the rows in at most h lines of w cells.
func (t *tree) draw(th *theme.Theme, w, h int, focused bool) []string {
	var lines []string
	rows := t.visible()
	for i, n := range rows {
		here := i == min(t.at, len(rows)-1)
		lines = append(lines, drawNode(th, n, t.folded[n], here, focused, w))
	}
	return widget.Window(th, lines, t.at, h)
}

func drawNode(t *theme.Theme, n node, folded, here, focused bool, w int) string {
	indent, style := "  ", t.Base
	switch n.kind {
	case overviewNode, warningsNode, filesNode:
		indent, style = "", t.PaneTitle.Bold(true)
	case fileNode:
		if n.folder != "" {
			indent = "    "
		}
	}
	arrow := "▾ "
	if folded {
		arrow = "▸ "
	}
	if !n.folds() {
		arrow = "  "
	}
	mark := "  "
	if here {
		mark = t.Border.Render(cursorMark)
		if focused {
			mark = t.BorderFocused.Render(cursorMark)
		}
		style = t.Accent
	}
	line := mark + indent + t.Muted.Render(arrow)
	if n.sign != "" {
		line += t.Of(n.tone).Render(n.sign) + " "
	} else if n.kind == warningsNode && !here {
		style = t.Warning
	}
	count := ""
	if n.count > 0 {
		count = fmt.Sprint(n.count)
	}
	room := w - layout.Width(line) - layout.Width(count) - 1
	line = layout.Pad(line+style.Render(layout.Cut(prose.PrintableStart(n.text), room)), w-layout.Width(count))
	return line + t.Muted.Render(count)
}
