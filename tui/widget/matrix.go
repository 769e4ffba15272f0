package widget

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/matrix"
	"gatewright/model/access"
	"gatewright/tui/keys"
	"gatewright/tui/viewer"
)

// Matrix is the editor of who may do what under one path. It keeps the cursor; the access
// itself is in the page that owns it, which gets each change.
type Matrix struct {
	// Change is called with the changed matrix. It is nil where nothing can be changed.
	Change func(matrix.Matrix) tea.Cmd
	// AskToRemove is called for the group whose entry is to be removed.
	AskToRemove func(group string) tea.Cmd
	// Typed is called with the names of groups as they are typed, and with "" when they are
	// added or given up. It may be nil.
	Typed func(names string) tea.Cmd
	// Viewer is whose row is bright, the others quiet; nil makes no difference.
	Viewer *viewer.Viewer

	data matrix.Matrix
	// row is the line of the cursor: the mode, then the rows, then the line that adds
	// groups. col is the column of the action.
	row, col int
	// adding says that names of groups are typed into input.
	adding bool
	input  Field
	// refused is why the last edit could not be done; "" if it could.
	refused string
}

// modeRow is the line of the mode. The rows of callers follow.
const modeRow = 0

// usersRow is the line of signed-in users, after the mode and the guests.
const usersRow = 2

// Show shows a matrix, with the cursor on signed-in users, or on the mode of an open path.
func (m *Matrix) Show(data matrix.Matrix) {
	m.Replace(data)
	m.col, m.adding = 0, false
	if m.row = usersRow; data.Access.Setting == access.Open {
		m.row = modeRow
	}
}

// Replace shows a matrix without moving the cursor.
func (m *Matrix) Replace(data matrix.Matrix) {
	m.data, m.refused = data, ""
	m.row = min(m.row, m.addRow())
}

// Lay shows a matrix with the cursor on the same caller.
func (m *Matrix) Lay(data matrix.Matrix) {
	at, on := m.caller()
	if m.Replace(data); on {
		m.To(at.Who)
	}
}

// Data returns the matrix that is shown.
func (m *Matrix) Data() matrix.Matrix { return m.data }

// Typing reports whether names of groups are typed.
func (m *Matrix) Typing() bool { return m.adding }

// OnAdd reports whether the cursor is on the line that adds groups.
func (m *Matrix) OnAdd() bool { return m.row == m.addRow() && !m.adding }

// addRow is the line that adds groups.
func (m *Matrix) addRow() int { return len(m.data.Rows()) + 1 }

// caller is the row at the cursor; false on the mode and on the line that adds groups.
func (m *Matrix) caller() (matrix.Row, bool) {
	rows := m.data.Rows()
	if m.row == modeRow || m.row > len(rows) {
		return matrix.Row{}, false
	}
	return rows[m.row-1], true
}

// seen is the row of the viewer; false of everybody.
func (m *Matrix) seen() (matrix.Row, bool) {
	if m.Viewer == nil {
		return matrix.Row{}, false
	}
	return m.data.Row(m.Viewer.Principal(append(slices.Clone(m.data.Groups), m.data.Access.Groups()...))), true
}

// To moves the cursor to a caller.
func (m *Matrix) To(who access.Principal) {
	for i, r := range m.data.Rows() {
		if r.Who == who {
			m.row = i + 1
		}
	}
}

// ToChange moves the cursor to the first cell that differs between two matrices, to the
// mode if that differs, or to the group that is new or has another place.
func (m *Matrix) ToChange(was matrix.Matrix) {
	if was.Access.Setting != m.data.Access.Setting {
		m.row = modeRow
		return
	}
	for _, r := range m.data.Rows() {
		if changed := r.Actions ^ was.Row(r.Who).Actions; changed != 0 {
			m.To(r.Who)
			for col, action := range access.AllActions {
				if changed.Has(action) {
					m.col = col
					return
				}
			}
		}
	}
	m.toMoved(was)
}

// toMoved moves the cursor to the group that is new or has another place in the order. If
// the group that was at the cursor has another place, the cursor follows it.
func (m *Matrix) toMoved(was matrix.Matrix) {
	if slices.Equal(was.Groups, m.data.Groups) {
		return
	}
	if rows := was.Rows(); m.row > usersRow && m.row <= len(rows) {
		who := rows[m.row-1].Who
		if to := slices.Index(m.data.Groups, who.Group); to >= 0 && to != slices.Index(was.Groups, who.Group) {
			m.To(who)
			return
		}
	}
	for i, group := range m.data.Groups {
		if i >= len(was.Groups) || was.Groups[i] != group {
			m.To(access.Principal{Kind: access.Group, Group: group})
			return
		}
	}
}

// edit takes the result of an edit.
func (m *Matrix) edit(next matrix.Matrix, err error) tea.Cmd {
	m.refused = ""
	if err != nil {
		m.refused = err.Error()
		return nil
	}
	if next.Equal(m.data) {
		return nil
	}
	m.Replace(next)
	if m.Change == nil {
		return nil
	}
	return m.Change(next)
}

// toggle gives or takes the action at the cursor; on the mode it goes to the next one.
func (m *Matrix) toggle() tea.Cmd {
	r, ok := m.caller()
	switch {
	case m.row == modeRow:
		return m.cycleMode()
	case !ok:
		m.startAdding()
		return nil
	}
	return m.edit(m.data.Toggle(r.Who, access.AllActions[m.col]))
}

func (m *Matrix) cycleMode() tea.Cmd {
	next := m.data.NextMode(1)
	if next.Access.Setting == m.data.Access.Setting {
		next = m.data.WithMode(access.Open)
	}
	return m.edit(next, nil)
}

func (m *Matrix) toggleRow() tea.Cmd {
	if r, ok := m.caller(); ok {
		return m.edit(m.data.ToggleRow(r.Who))
	}
	return nil
}

// sideways moves the cursor to another action, and on the mode changes the mode.
func (m *Matrix) sideways(by int) tea.Cmd {
	if m.row == modeRow {
		return m.edit(m.data.NextMode(by), nil)
	}
	m.col = max(0, min(m.col+by, len(access.AllActions)-1))
	return nil
}

// Down moves the cursor by lines; false if it is at the end.
func (m *Matrix) Down(by int) bool {
	m.refused = ""
	next := m.row + by
	if next < modeRow || next > m.addRow() {
		return false
	}
	m.row = next
	return true
}

// moveGroup moves the group at the cursor in the order of precedence.
func (m *Matrix) moveGroup(by int) tea.Cmd {
	r, _ := m.caller()
	cmd := m.edit(m.data.Move(r.Who.Group, by))
	m.To(r.Who)
	return cmd
}

func (m *Matrix) startAdding() {
	if m.data.Fixed != "" {
		m.refused = m.data.Fixed
		return
	}
	m.Type("")
}

// Type opens the field for names of groups with a text in it.
func (m *Matrix) Type(names string) {
	m.row, m.adding, m.refused = m.addRow(), true, ""
	m.input.SetValue(names)
}

// stopAdding closes the field for names of groups.
func (m *Matrix) stopAdding() tea.Cmd {
	m.adding, m.refused = false, ""
	return m.tellTyped("")
}

func (m *Matrix) tellTyped(names string) tea.Cmd {
	if m.Typed == nil {
		return nil
	}
	return m.Typed(names)
}

// add adds the groups that were typed, and goes to the first of them.
func (m *Matrix) add() tea.Cmd {
	next, first, err := m.data.AddGroups(m.input.Value())
	if err != nil {
		m.refused = err.Error()
		return nil
	}
	typed := m.stopAdding()
	cmd := m.edit(next, nil)
	m.To(access.Principal{Kind: access.Group, Group: first})
	return tea.Batch(typed, cmd)
}

// Update takes a key or a paste for the names of groups. Lines that are pasted are names.
func (m *Matrix) Update(msg tea.Msg) tea.Cmd {
	if paste, ok := msg.(tea.PasteMsg); ok {
		names := ""
		for i, name := range matrix.Names(paste.Content) {
			if i > 0 {
				names += ", "
			}
			names += name
		}
		msg = tea.PasteMsg{Content: names}
	}
	if !m.input.Update(msg) {
		return nil
	}
	m.refused = ""
	return m.tellTyped(m.input.Value())
}

// Bindings are the keys of the editor.
func (m *Matrix) Bindings() []keys.Binding {
	if m.adding {
		return append(keys.InGroup("access", []keys.Binding{
			keys.Open.Does("add", "add the groups, separated by commas", m.add).Shown(),
			keys.Back.Does("cancel", "add no group", m.stopAdding).Shown(),
		}), TextKeys()...)
	}
	r, on := m.caller()
	group := on && r.Who.Kind == access.Group
	noCell := keys.When(!on && m.row != modeRow, "put the cursor on a caller")
	noGroup := keys.When(!group, "put the cursor on a group")
	toggle := "toggle"
	if m.OnAdd() {
		toggle = "add groups"
	}
	all := []keys.Binding{
		keys.Choose.Does(toggle, "allow or deny the action at the cursor; below the rows, add groups", m.toggle).Shown(),
		keys.WholeRow.Does("row", "allow all actions, or deny all", m.toggleRow).Shown().Unless(noCell,
			keys.When(m.row == modeRow, "put the cursor on a caller")),
		keys.PriorMode.Does("mode", "the mode before: open, signed-in, signed-in and guests",
			func() tea.Cmd { return m.edit(m.data.NextMode(-1), nil) }),
		keys.NextMode.Does("mode", "the next mode: open, signed-in, signed-in and guests",
			func() tea.Cmd { return m.edit(m.data.NextMode(1), nil) }),
		keys.Add.Does("groups", "add groups to the user pool, several separated by commas",
			keys.NoCmd(m.startAdding)).Shown().Unless(m.data.Fixed),
		keys.Left.Does("left", "the action to the left; on the mode, the mode before",
			func() tea.Cmd { return m.sideways(-1) }),
		keys.Right.Does("right", "the action to the right; on the mode, the next mode",
			func() tea.Cmd { return m.sideways(1) }),
	}
	if m.OnAdd() {
		all = append(all,
			keys.Open.Does("add groups", "add groups to the user pool, several separated by commas",
				keys.NoCmd(m.startAdding)).Unless(m.data.Fixed))
	}
	if m.AskToRemove != nil {
		all = append(all,
			keys.Remove.Does("remove", "remove the entry of the group, or the group; asks first",
				func() tea.Cmd { return m.AskToRemove(r.Who.Group) }).Unless(noGroup))
	}
	return keys.InGroup("access", append(all,
		keys.MoveUp.Does("group up", "move the group up in the order of precedence",
			func() tea.Cmd { return m.moveGroup(-1) }).Unless(noGroup, m.data.Fixed),
		keys.MoveDown.Does("group down", "move the group down in the order of precedence",
			func() tea.Cmd { return m.moveGroup(1) }).Unless(noGroup, m.data.Fixed),
	))
}

// Cell returns the caller and the action at the cursor; false where the cursor is on no
// cell.
func (m *Matrix) Cell() (access.Principal, access.Action, bool) {
	r, ok := m.caller()
	return r.Who, access.AllActions[m.col], ok
}
