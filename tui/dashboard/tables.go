package dashboard

import (
	"encoding/json"
	"fmt"
	"sync"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
)

// tablesTab shows the tables, and the items of those that are unfolded.
type tablesTab struct {
	page *Page
	set  tableSet
	// opened are the unfolded tables by deployed name; they stay when files are
	// read again.
	opened map[string]*openTable
	// counts are what the sandbox said last, by deployed name.
	counts   map[string]int64
	counting bool
	// served says that a sandbox runs, trouble why it could not be asked.
	served  bool
	trouble string
	lines   []tableLine
	list    []entry
	// nameW, itemsW and keyW are as wide as the widest of the tables.
	nameW, itemsW, keyW int
	// asked is what the dialog on top is about.
	asked asking
	// stale says that something long writes items: they are fetched when it ended.
	stale bool
	one   sync.Mutex
}

// openTable is a table whose items are looked at.
type openTable struct {
	at       itemsAt
	items    []shownItem
	next     json.RawMessage
	count    int64
	read     bool
	fetching bool
	// again says that items have changed since they were asked for.
	again   bool
	problem string
}

// tableLine is a row: of a table, of one of its items, or of what is to be said
// of them.
type tableLine struct {
	kind  tableLineKind
	table int
	item  int
	text  string
}

type tableLineKind uint8

const (
	tableHead tableLineKind = iota
	itemLine
	moreLine
	sayLine
)

func (tt *tablesTab) title() string { return "Tables" }

func (tt *tablesTab) take(s *snapshot) tea.Cmd {
	if tt.opened == nil || tt.set.environment != s.tables.environment {
		tt.opened, tt.counts = make(map[string]*openTable), nil
	}
	tt.set = s.tables
	var cmds []tea.Cmd
	known := make(map[string]*openTable)
	for _, f := range tt.set.tables {
		o := tt.opened[f.table.Name]
		if o == nil {
			continue
		}
		known[f.table.Name] = o
		o.at = tt.at(f)
		if tt.served || tt.stale && tt.page.working == nil {
			cmds = append(cmds, o.fetch(true))
		}
	}
	tt.stale = tt.stale && tt.page.working != nil
	tt.opened = known
	tt.layOut()
	if tt.served {
		cmds = append(cmds, tt.count())
	}
	return tea.Batch(cmds...)
}

// observe counts the items while a sandbox runs.
func (tt *tablesTab) observe(o *observed) tea.Cmd {
	tt.served = o.running
	if !tt.served {
		tt.counts, tt.trouble = nil, ""
		return nil
	}
	return tt.count()
}

// at says which items are those of a table.
func (tt *tablesTab) at(f tableFact) itemsAt {
	return itemsAt{root: tt.set.root, environment: tt.set.environment, table: f.table, holds: tt.page.readOnly() == "", one: &tt.one}
}

// layOut makes the rows.
func (tt *tablesTab) layOut() {
	tt.lines, tt.list = tt.lines[:0:0], tt.list[:0:0]
	add := func(id, text string, head int, line tableLine) {
		tt.lines = append(tt.lines, line)
		tt.list = append(tt.list, entry{id: id, text: text, head: head})
	}
	tt.nameW, tt.itemsW, tt.keyW = len("table"), len("items"), len("key")
	for i, f := range tt.set.tables {
		tt.nameW, tt.itemsW, tt.keyW = max(tt.nameW, layout.Width(f.name)), max(tt.itemsW, len(tt.counted(f))), max(tt.keyW, layout.Width(f.key))
		head := len(tt.lines)
		add(f.table.Name, f.text, none, tableLine{kind: tableHead, table: i})
		o := tt.opened[f.table.Name]
		if o == nil {
			continue
		}
		for j := range o.items {
			add(f.table.Name+"\x00"+o.items[j].id, o.items[j].low, head, tableLine{kind: itemLine, table: i, item: j})
		}
		say := func(kind tableLineKind, text string) {
			// With more items it is another row: the cursor comes to the first of those.
			add(fmt.Sprint(f.table.Name, "\x00\x00", len(o.items)), f.text, head, tableLine{kind: kind, table: i, text: text})
		}
		switch {
		case o.problem != "":
			say(sayLine, "! "+o.problem)
		case !o.read:
			say(sayLine, "reading the items ...")
		case o.next != nil:
			say(moreLine, fmt.Sprintf("%d of %s; more come when the cursor is here", len(o.items), model.Count(int(o.count), "item")))
		case len(o.items) == 0:
			say(sayLine, "no item yet: n adds one")
		}
	}
}

func (tt *tablesTab) entries() []entry { return tt.list }

func (tt *tablesTab) empty() string {
	return "no table yet; make one with: gatewright add table NAME --partition-key id:string"
}

func (tt *tablesTab) copied(i int) string {
	line := tt.lines[i]
	f := tt.set.tables[line.table]
	switch line.kind {
	case tableHead:
		return f.name
	case itemLine:
		return tt.opened[f.table.Name].items[line.item].text
	}
	return ""
}

func (tt *tablesTab) opening(i int) frame.Binding {
	if i == none {
		return frame.Binding{Label: "items", Help: "show the items of the table"}
	}
	line := tt.lines[i]
	switch {
	case line.kind == itemLine:
		return showing
	case line.kind == moreLine:
		return frame.Binding{Label: "more", Help: "fetch more items"}
	case tt.opened[tt.set.tables[line.table].table.Name] != nil:
		return frame.Binding{Label: "fold", Help: "hide the items of the table"}
	}
	return frame.Binding{Label: "items", Help: "show the items of the table", Disabled: tt.set.why}
}

func (tt *tablesTab) open(i int) (row int, cmd tea.Cmd) {
	line := tt.lines[i]
	f := tt.set.tables[line.table]
	switch line.kind {
	case itemLine:
		item := &tt.opened[f.table.Name].items[line.item]
		var all []said
		for _, line := range item.lines() {
			all = append(all, said{plain, line})
		}
		return i, show("item of "+f.name, all)
	case moreLine:
		return i, tt.reached(i)
	}
	if tt.opened[f.table.Name] != nil {
		delete(tt.opened, f.table.Name)
	} else {
		o := &openTable{at: tt.at(f)}
		tt.opened[f.table.Name] = o
		cmd = o.fetch(true)
	}
	tt.layOut()
	for row := range tt.lines {
		if tt.lines[row].kind == tableHead && tt.lines[row].table == line.table {
			return row, cmd
		}
	}
	return i, cmd
}

// reached fetches more items where the cursor comes to the end of those that are
// there.
func (tt *tablesTab) reached(i int) tea.Cmd {
	if i == none || tt.lines[i].kind != moreLine {
		return nil
	}
	return tt.opened[tt.set.tables[tt.lines[i].table].table.Name].fetch(false)
}
