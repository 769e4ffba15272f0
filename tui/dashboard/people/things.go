package people

import (
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
)

// Things are the users, for the palette; it knows the groups from the project.
func (t *Tab) Things() []dialog.Thing {
	var all []dialog.Thing
	for _, r := range t.List.Rows() {
		if r.kind == userRow {
			all = append(all,
				dialog.Thing{Kind: "user", Name: r.name, About: r.groups, To: board.RowOf{Tab: t.TabName, ID: r.id}})
		}
	}
	return all
}
