package dashboard

import (
	"fmt"
	"strings"

	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// counted is how many items a table has, as far as that is known.
func (tt *tablesTab) counted(f tableFact) string {
	if n, ok := tt.counts[f.table.Name]; ok {
		return fmt.Sprint(n)
	}
	if o := tt.opened[f.table.Name]; o != nil && o.read && o.problem == "" {
		return fmt.Sprint(o.count)
	}
	return "?"
}

// columns are the widths of a table's columns in w cells.
func (tt *tablesTab) columns(w int) (name, items, key int) {
	widths := []int{tt.nameW, tt.keyW}
	narrowed(widths, []int{12, 12}, w-tt.itemsW-len("indexes")-3*len(gap))
	return widths[0], tt.itemsW, widths[1]
}

func (tt *tablesTab) heading(t *theme.Theme, w int) string {
	name, items, key := tt.columns(w)
	return t.Muted.Render(layout.Cut(cell("table", name)+gap+cell("items", items)+gap+cell("key", key)+gap+"indexes", w))
}

func (tt *tablesTab) row(t *theme.Theme, i int, selected bool, w int) string {
	line := tt.lines[i]
	f := tt.set.tables[line.table]
	switch line.kind {
	case itemLine:
		text := layout.Cut("  "+tt.opened[f.table.Name].items[line.item].text, w)
		if selected {
			return t.Selected.Render(text)
		}
		return colour(t, text)
	case moreLine, sayLine:
		style := t.Muted
		if strings.HasPrefix(line.text, "!") {
			style = t.Warning
		}
		if selected {
			style = t.Selected
		}
		return style.Render(layout.Cut("  "+line.text, w))
	}
	name, items, key := tt.columns(w)
	indexes := "-"
	if n := len(f.indexes); n > 0 {
		indexes = fmt.Sprint(n)
	}
	head, rest := cell(f.name, name), gap+cell(tt.counted(f), items)+gap+cell(f.key, key)+gap+indexes
	if selected {
		return t.Selected.Render(layout.Cut(head+rest, w))
	}
	return layout.Cut(t.Accent.Render(head)+t.Base.Render(rest), w)
}

func (tt *tablesTab) detail(t *theme.Theme, i, w int) []string {
	if i == none {
		return nil
	}
	line := tt.lines[i]
	f := tt.set.tables[line.table]
	if line.kind != itemLine {
		return draw(t, tt.told(f), w)
	}
	const most = 60
	lines := tt.opened[f.table.Name].items[line.item].lines()
	var drawn []string
	for _, line := range lines[:min(len(lines), most)] {
		for _, part := range layout.Wrap(line, max(1, w)) {
			drawn = append(drawn, colour(t, part))
		}
	}
	return drawn
}

// told is what is to be said of a table.
func (tt *tablesTab) told(f tableFact) []said {
	all := []said{{strong, "key " + f.key}}
	for _, index := range f.indexes {
		all = append(all, said{plain, "index " + index})
	}
	switch _, counted := tt.counts[f.table.Name]; {
	case tt.set.why != "":
		all = append(all, said{muted, tt.set.why})
	case tt.trouble != "":
		all = append(all, said{warning, tt.trouble})
	case counted:
		all = append(all, said{muted, "items of " + fit(tt.set.environment) + " as the running sandbox has them"})
	case tt.served:
		all = append(all, said{muted, "the running sandbox does not have the table in " + fit(tt.set.environment)})
	case tt.page.readOnly() != "":
		all = append(all, said{muted, errNotHeld.Error()})
	default:
		all = append(all, said{muted, "no sandbox runs: enter reads what it keeps"})
	}
	if len(f.users) > 0 {
		all = append(all, said{plain, "used by " + strings.Join(f.users, ", ")})
	}
	return all
}
