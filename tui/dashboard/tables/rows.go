package tables

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/keys"
)

// tableSet are the tables of the project, and the environment of their items.
type tableSet struct {
	root, environment string
	tables            []*shownTable
	// noItems is why there cannot be items; "" if there can.
	noItems string
	// cloud is set if the tables are those in AWS.
	cloud *board.Reached
}

// shownTable is a table with its texts for the screen. It stays where it is, whatever the tab shows
// later: what was asked about it is done there.
type shownTable struct {
	root, environment string
	// cloud is set if the table is one in AWS.
	cloud *board.Reached
	table sandbox.Table
	name  string
	// key and indexes are for people: "isbn (text), at (number)".
	key     string
	indexes []string
	users   []string
	// triggers are the functions that get the changes.
	triggers []string
	// words are searched by the filter.
	words string
}

// tablesOf are the tables of a snapshot.
func tablesOf(s *board.Snapshot) tableSet {
	set := tableSet{root: s.Root, environment: s.Name()}
	set.noItems = keys.When(set.environment == "", "the project has no environment, and items belong to one")
	set.add(s.Backend, live.TablesOf(s.Backend, &model.Environment{Name: set.environment}))
	return set
}

// add adds tables of a backend.
func (set *tableSet) add(b *model.Backend, tables []sandbox.Table) {
	for _, t := range tables {
		d := t.Definition
		f := &shownTable{
			root: set.root, environment: set.environment, cloud: set.cloud, table: t,
			name: prose.PrintableStart(d.Name), key: keyWords(d.PartitionKey, d.SortKey),
		}
		for _, i := range d.Indexes {
			f.indexes = append(f.indexes, prose.PrintableStart(i.Name)+": "+keyWords(i.PartitionKey, i.SortKey))
		}
		for _, function := range b.Functions {
			if use := useOf(function, d.Name); use != "" {
				f.users = append(f.users, prose.PrintableStart(function.Name)+" ("+use+")")
			}
		}
		for _, trigger := range d.Triggers {
			f.triggers = append(f.triggers, prose.PrintableStart(resource.StreamTriggerText(trigger)))
		}
		f.words = "table " + f.name + " " + f.key + " " + strings.Join(f.indexes, " ")
		set.tables = append(set.tables, f)
	}
	slices.SortFunc(set.tables, func(a, b *shownTable) int { return strings.Compare(a.name, b.name) })
}

// indexCount is how many indexes the table has.
func (f *shownTable) indexCount() string {
	if n := len(f.indexes); n > 0 {
		return fmt.Sprint(n)
	}
	return "-"
}

// keyWords are the attributes of a key with their types.
func keyWords(keys ...model.Key) string {
	var words []string
	for _, k := range keys {
		if k.Name != "" {
			words = append(words, prose.PrintableStart(k.Name)+" ("+string(k.Type)+")")
		}
	}
	return strings.Join(words, ", ")
}

// useOf is what a function may do with a table; "" for nothing.
func useOf(f *model.Function, table string) string {
	if f.Table == table {
		return "its CRUD table"
	}
	for _, a := range f.Access {
		if a.Resource == string(model.KindTable)+"/"+table {
			return a.Actions.String()
		}
	}
	return ""
}

// describe gives the details of a table, or the beginning of an item as indented JSON.
func (t *Tab) describe(r row) []prose.Line {
	if r.item != nil {
		const most = 60
		lines := r.item.lines()
		if more := len(lines) - most; more > 0 {
			return append(lines[:most:most],
				prose.Line{Tone: prose.Muted, Text: fmt.Sprintf("and %d more lines: enter shows all", more)})
		}
		return lines
	}
	f := r.of
	all := []prose.Line{{Tone: prose.Strong, Text: "key " + f.key}}
	add := func(tone prose.Tone, text string) { all = append(all, prose.Line{Tone: tone, Text: text}) }
	if !r.isHead() {
		// The row may be cut.
		all = append([]prose.Line{r.note}, all...)
	}
	for _, index := range f.indexes {
		add(prose.Plain, "index "+index)
	}
	switch _, counted := t.counts.of[f.table.Name]; {
	case t.set.cloud != nil:
		add(prose.Muted, "items of "+prose.PrintableStart(f.table.Name)+" in AWS, "+t.set.cloud.Where()+
			": ctrl+r reads them again, C shows the sandbox")
	case t.set.noItems != "":
		add(prose.Muted, t.set.noItems)
	case t.counts.trouble != "":
		add(prose.Warning, t.counts.trouble)
	case counted:
		add(prose.Muted, "items of "+prose.PrintableStart(t.set.environment)+" in the running sandbox")
	case t.board.Sandbox.Runs():
		add(prose.Muted, "the running sandbox does not have the table in "+prose.PrintableStart(t.set.environment))
	case t.board.ReadOnly() != "":
		add(prose.Muted, errNoAccess.Error())
	default:
		add(prose.Muted, "no sandbox is running: enter reads the stored items")
	}
	if t.set.cloud == nil && t.mayBeInCloud() {
		add(prose.Muted, "C shows the items in AWS")
	}
	if len(f.users) > 0 {
		add(prose.Plain, "used by "+strings.Join(f.users, ", "))
	}
	if len(f.triggers) > 0 {
		add(prose.Plain, "its changes go to "+strings.Join(f.triggers, "; "))
	}
	return all
}

// beside shows the calls whose functions used a table.
func (t *Tab) beside(r row) board.Third {
	if t.set.cloud != nil {
		return board.Third{}
	}
	resource := string(model.KindTable) + "/" + r.of.table.Definition.Name
	return t.board.Calls("calls that used "+r.of.name, func(c *traffic.Call) bool {
		return slices.ContainsFunc(c.Uses, func(u traffic.Use) bool { return u.Resource == resource })
	})
}

// row is a table, one of its items, or a note about them.
type row struct {
	of *shownTable
	// open is the unfolded table; nil if it is folded.
	open *openTable
	item *shownItem
	// note is a sentence; more says that it stands for items that are not fetched yet.
	note prose.Line
	more bool
}

func (r row) isHead() bool { return r.item == nil && r.note.Text == "" }

func (r row) level() int {
	if r.isHead() {
		return 0
	}
	return 1
}

func (r row) id() string {
	switch {
	case r.item != nil:
		return r.of.table.Name + "\x00" + r.item.id
	case !r.isHead():
		// The id changes with the number of items: so the cursor goes to the first new one.
		return fmt.Sprint(r.of.table.Name, "\x00\x00", len(r.open.items))
	}
	return r.of.table.Name
}

// called is the title of the details of a row.
func (t *Tab) called(r row) string {
	text := r.of.name
	if r.item != nil {
		text = "item of " + text
	}
	if t.set.cloud != nil {
		text += ", in AWS"
	}
	return text
}

// sumOf counts the tables.
func (t *Tab) sumOf(rows []row) string {
	tables := 0
	for _, r := range rows {
		if r.isHead() {
			tables++
		}
	}
	if t.set.cloud != nil {
		return phrase.Count(tables, "table") + " in AWS"
	}
	return phrase.Count(tables, "table")
}

// words are searched by the filter in addition to the text: a note is found with its table.
func (r row) words() string {
	if r.item != nil {
		return ""
	}
	return r.of.words
}

func (r row) whole() (line prose.Line, ok bool) {
	line = r.note
	if r.item != nil {
		line = prose.Line{Tone: prose.Code, Text: r.item.text}
	}
	line.Text = "  " + line.Text
	return line, !r.isHead()
}

// copied is what goes to the clipboard.
func (r row) copied() string {
	switch {
	case r.item != nil:
		return r.item.text
	case r.isHead():
		return r.of.name
	}
	return ""
}

// layOut makes the rows.
func (t *Tab) layOut() {
	var rows []row
	for _, f := range t.set.tables {
		o := t.opened[f.table.Name]
		rows = append(rows, row{of: f, open: o})
		if o == nil {
			continue
		}
		for _, item := range o.items {
			rows = append(rows, row{of: f, open: o, item: item})
		}
		for _, item := range o.search.shown() {
			rows = append(rows, row{of: f, open: o, item: item})
		}
		if line, more := o.state(); line.Text != "" {
			rows = append(rows, row{of: f, open: o, note: line, more: more})
		}
	}
	t.List.SetRows(rows)
}

// state is the note below the items, and whether more items can be fetched.
func (o *openTable) state() (line prose.Line, more bool) {
	switch {
	case o.problem != "":
		return prose.Line{Tone: prose.Warning, Text: "! " + o.problem}, false
	case !o.read:
		return prose.Line{Tone: prose.Muted, Text: "reading the items ..."}, false
	case o.next != nil:
		text := fmt.Sprintf("%d of %s; more come when the cursor is here", len(o.items),
			o.about(phrase.Count(int(o.count), "item")))
		return prose.Line{Tone: prose.Muted, Text: text}, true
	case len(o.items) == 0:
		return prose.Line{Tone: prose.Muted, Text: "no item yet: a adds one"}, false
	}
	return prose.Line{}, false
}

// about is a number of items that may be a guess, as that of a table in AWS is until all are read.
func (o *openTable) about(number string) string {
	if o.at.cloud != nil && o.next != nil {
		return "about " + number
	}
	return number
}
