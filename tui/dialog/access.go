package dialog

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/matrix"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// access is the dialog of Access.
type access struct {
	base
	first   matrix.Matrix
	editor  widget.Matrix
	history []matrix.Matrix
	save    func(matrix.Matrix) tea.Cmd
	// warned says that esc was pressed once although something has changed.
	warned  bool
	refused bool
}

// Access edits who may do what under a path: the same matrix as in the wizard. Enter gives
// the changed matrix to save; esc leaves, and after a change asks for a second esc.
func Access(title string, m matrix.Matrix, save func(matrix.Matrix) tea.Cmd) Dialog {
	a := &access{base: base{title: title}, first: m, save: save}
	a.editor.Change = a.changed
	a.editor.AskToRemove = a.remove
	a.editor.Show(m)
	return a
}

// Typing reports whether names of groups are typed.
func (a *access) Typing() bool { return a.editor.Typing() }

// Update takes what is typed.
func (a *access) Update(msg tea.Msg) tea.Cmd {
	return a.editor.Update(msg)
}

// changed keeps the matrix before an edit for undo.
func (a *access) changed(m matrix.Matrix) tea.Cmd {
	last := a.first
	if n := len(a.history); n > 0 {
		last = a.history[n-1]
	}
	if !m.Equal(last) {
		a.history = append(a.history, m)
	}
	a.warned, a.refused = false, false
	return nil
}

// undo goes back to the matrix before the last edit.
func (a *access) undo() tea.Cmd {
	n := len(a.history)
	if n == 0 {
		return nil
	}
	was := a.editor.Data()
	a.history = a.history[:n-1]
	now := a.first
	if n > 1 {
		now = a.history[n-2]
	}
	a.editor.Replace(now)
	a.editor.ToChange(was)
	return nil
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
	a.editor.Replace(next)
	return a.changed(next)
}

func (a *access) done() tea.Cmd {
	m := a.editor.Data()
	if len(m.Faults()) > 0 {
		a.refused = true
		return nil
	}
	if m.Equal(a.first) {
		return a.end(nil)
	}
	return a.end(bind(a.save, m))
}

func (a *access) leave() tea.Cmd {
	if a.warned || a.editor.Data().Equal(a.first) {
		return a.end(nil)
	}
	a.warned = true
	return nil
}

// Bindings are the keys of the matrix, and those that save and leave.
func (a *access) Bindings() []widget.Binding {
	if a.editor.Typing() {
		return a.editor.Bindings()
	}
	move := func(by int) func() tea.Cmd { return widget.NoCmd(func() { a.editor.Down(by) }) }
	nothing := widget.When(len(a.history) == 0, "nothing was changed")
	all := append([]widget.Binding{
		widget.Down.Does("move", "go to the next row", move(1)),
		widget.Up.Does("move up", "go to the previous row", move(-1)),
	}, a.editor.Bindings()...)
	if !a.editor.OnAdd() { // there enter adds groups
		all = append(all, widget.Open.Does("go on", "show what will be written", a.done).Shown())
	}
	return append(all,
		widget.Save.Does("go on", "show what will be written", a.done),
		widget.Undo.Does("undo", "undo the last change", a.undo).Shown().Unless(nothing),
		widget.Back.Does("leave", "leave without writing", a.leave).Shown(),
	)
}

// View draws the matrix in a box.
func (a *access) View(t *theme.Theme, maxW, maxH int) string {
	w := within(accessWidth, maxW)
	lines := a.editor.Draw(t, w, max(1, maxH-frameH-1), true)
	switch {
	case a.warned:
		lines = append(lines, t.Warning.Render(layout.Cut("! nothing is written yet: esc again drops the changes", w)))
	case a.refused:
		lines = append(lines, t.Error.Render(layout.Cut("! this has to be mended first", w)))
	}
	for i, line := range lines {
		lines[i] = layout.Pad(line, w)
	}
	return box(t, prose.Printable(a.title), lines, maxW, maxH)
}

// accessWidth is the width of a matrix with its words.
const accessWidth = 90
