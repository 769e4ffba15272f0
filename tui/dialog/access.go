package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/flow/matrix"
	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/viewer"
	"gatewright/tui/widget"
)

// access is the dialog of Access.
type access struct {
	base
	editor widget.Matrix
	// around adds what other paths take.
	around func(matrix.Matrix) matrix.Matrix
	// states are the matrix at first and after each edit; now is the index of the one shown.
	states []matrix.Matrix
	now    int
	then   AccessThen
	// done says what was undone or done again last.
	done string
	// warned says that esc was pressed once although something has changed.
	warned  bool
	refused bool
}

// AccessThen is what follows the dialog of Access, with the matrix as it was left.
type AccessThen struct {
	// Keep takes a changed matrix, Review takes it and shows what will be written.
	Keep, Review func(matrix.Matrix) tea.Cmd
	// Next and Prior take it and go to the path after it, or before it.
	Next, Prior func(matrix.Matrix) tea.Cmd
}

// Access edits who may do what under a path: the same matrix as in the wizard, as a viewer sees it. around adds to
// it, after each edit, what other paths take. Enter gives the changed matrix to keep, so that
// more can be changed before anything is written; saving gives it to review, and other keys go
// to another path with it. Esc leaves, and after a change asks for a second esc.
func Access(
	title string, m matrix.Matrix, as *viewer.Viewer, around func(matrix.Matrix) matrix.Matrix, then AccessThen,
) Dialog {
	m = around(m)
	a := &access{base: base{title: title}, states: []matrix.Matrix{m}, around: around, then: then}
	a.editor.Viewer, a.editor.Change = as, a.changed
	a.editor.AskToRemove = a.remove
	a.editor.Show(m)
	return a
}

// Laid is next, a dialog of Access, instead of an open one of the same path: with the edits of that,
// each laid on the matrix of next by onto.
func Laid(next, open Dialog, onto func(m, now, began matrix.Matrix) matrix.Matrix) Dialog {
	a, isAccess := next.(*access)
	was, wasAccess := open.(*access)
	if !isAccess || !wasAccess {
		return next
	}
	now, change, remove := a.states[0], a.editor.Change, a.editor.AskToRemove
	a.states, a.now = nil, was.now
	for _, state := range was.states {
		a.states = append(a.states, a.around(onto(state, now, was.states[0])))
	}
	a.editor = was.editor
	a.editor.Change, a.editor.AskToRemove = change, remove
	a.editor.Lay(a.states[a.now])
	return a
}

// Typing reports whether names of groups are typed.
func (a *access) Typing() bool { return a.editor.Typing() }

// Update takes what is typed.
func (a *access) Update(msg tea.Msg) tea.Cmd {
	return a.editor.Update(msg)
}

// changed keeps the matrix after an edit, for undo.
func (a *access) changed(m matrix.Matrix) tea.Cmd {
	if !m.Equal(a.states[a.now]) {
		m = a.around(m)
		a.editor.Replace(m)
		a.states = append(a.states[:a.now+1:a.now+1], m)
		a.now++
	}
	a.warned, a.refused, a.done = false, false, ""
	return nil
}

// undo goes back to the matrix before the last edit.
func (a *access) undo() tea.Cmd {
	if a.now > 0 {
		a.travel(-1, "undid: "+a.states[a.now].Since(a.states[a.now-1]))
	}
	return nil
}

// redo does again what was undone last.
func (a *access) redo() tea.Cmd {
	if a.now+1 < len(a.states) {
		a.travel(1, "did again: "+a.states[a.now+1].Since(a.states[a.now]))
	}
	return nil
}

// travel shows the state before or after the one shown, at the cell that differs.
func (a *access) travel(by int, done string) {
	was := a.editor.Data()
	a.now += by
	a.editor.Replace(a.states[a.now])
	a.editor.ToChange(was)
	a.warned, a.refused, a.done = false, false, done
}

// remove removes the entry of a group, or a group that was made here. Undo brings it back.
func (a *access) remove(group string) tea.Cmd {
	m := a.editor.Data()
	next := m.WithoutEntry(group)
	if next.Equal(m) {
		without, err := m.WithoutGroup(group)
		if err != nil {
			return nil
		}
		next = without
	}
	return a.changed(next)
}

// goOn ends the dialog with what then does with the matrix, unless it has faults.
func (a *access) goOn(then func(matrix.Matrix) tea.Cmd) tea.Cmd {
	m := a.editor.Data()
	if len(m.Faults()) > 0 {
		a.refused = true
		return nil
	}
	return a.end(bind(then, m))
}

// stage keeps what was changed.
func (a *access) stage() tea.Cmd {
	if a.editor.Data().Equal(a.states[0]) {
		return a.end(nil)
	}
	return a.goOn(a.then.Keep)
}

func (a *access) leave() tea.Cmd {
	if a.warned || a.editor.Data().Equal(a.states[0]) {
		return a.end(nil)
	}
	a.warned = true
	return nil
}

// Bindings are the keys of the matrix, and those that save and leave.
func (a *access) Bindings() []keys.Binding {
	if a.editor.Typing() {
		return a.editor.Bindings()
	}
	move := func(by int) func() tea.Cmd { return keys.NoCmd(func() { a.editor.Down(by) }) }
	nothing := keys.When(a.now == 0, "nothing was changed")
	last := keys.When(a.now+1 == len(a.states), "nothing was undone")
	all := append([]keys.Binding{
		keys.Down.Does("move", "go to the next row", move(1)),
		keys.Up.Does("move up", "go to the previous row", move(-1)),
	}, a.editor.Bindings()...)
	if !a.editor.OnAdd() { // there enter adds groups
		all = append(all,
			keys.Open.Does("stage", "keep what is changed, so that more can be changed before anything is written",
				a.stage).Shown())
	}
	return append(all,
		keys.Save.Does("review", "show what will be written", func() tea.Cmd { return a.goOn(a.then.Review) }).Shown(),
		keys.NextMatch.Does("next path", "keep what is changed, and go to the next path",
			func() tea.Cmd { return a.goOn(a.then.Next) }),
		keys.PriorMatch.Does("previous path", "keep what is changed, and go to the previous path",
			func() tea.Cmd { return a.goOn(a.then.Prior) }),
		keys.Undo.Does("undo", "undo the last change", a.undo).Shown().Unless(nothing),
		keys.Redo.Does("redo", "do again what was undone", a.redo).Unless(last),
		keys.Back.Does("leave", "leave without writing", a.leave).Shown().Answers(a.warned),
	)
}

// Copied is the matrix with its words.
func (a *access) Copied() string {
	lines := widget.MatrixLines(theme.New(theme.None), a.editor.Data(), a.editor.Viewer, accessWidth)
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Join(lines, "\n")
}

// View draws the matrix in a box.
func (a *access) View(t *theme.Theme, maxW, maxH int) string {
	w := within(accessWidth, maxW)
	said := prose.Line{Tone: prose.Good, Text: prose.Printable(a.done)}
	switch {
	case a.warned:
		said = prose.Line{Tone: prose.Warning, Text: "! nothing of this is staged: esc again drops the changes"}
	case a.refused:
		said = prose.Line{Tone: prose.Bad, Text: "! this has to be fixed first"}
	}
	var below []string
	if said.Text != "" {
		below = widget.Wrapped(t, said.Tone, said.Text, w)
	}
	lines := append(a.editor.Draw(t, w, max(1, maxH-frameH-max(1, len(below))), true), below...)
	for i, line := range lines {
		lines[i] = layout.Pad(line, w)
	}
	return box(t, prose.Printable(a.title), lines, maxW, maxH)
}

// accessWidth is the width of a matrix with its words.
const accessWidth = 90
