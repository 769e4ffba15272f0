package dialog

import (
	"strings"

	"gatewright/internal/text/prose"
)

// Values are what an open dialog has so far: of a form a value for each line, of Several one with
// the keys of the marked options.
func Values(d Dialog) []string {
	switch d := d.(type) {
	case *form:
		return d.values()
	case *input:
		return []string{d.field.Value()}
	case *edit:
		return []string{d.area.Value()}
	case *list[prose.Option]:
		if d.marked != nil {
			return []string{strings.Join(d.marked(), ", ")}
		}
	}
	return nil
}

// Renewed is next, which takes the place of an open dialog of the same kind, with the cursor of that.
func Renewed(next, open Dialog) Dialog {
	switch next := next.(type) {
	case *form:
		if open, ok := open.(*form); ok && len(open.fields) == len(next.fields) {
			for i, value := range open.values() {
				if value == next.values()[i] {
					next.fields[i], next.areas[i], next.choices[i] = open.fields[i], open.areas[i], open.choices[i]
				}
			}
			next.cursor = open.cursor
		}
	case *edit:
		if open, ok := open.(*edit); ok && open.area.Value() == next.area.Value() {
			next.area, next.touched = open.area, open.touched
		}
	case *list[prose.Option]:
		if open, ok := open.(*list[prose.Option]); ok {
			columns, rows := next.table.Columns, next.table.Rows()
			next.table = open.table
			next.table.SetColumns(columns)
			next.table.SetRows(rows)
		}
	}
	return next
}
