package dashboard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/table/attribute"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// asking is what a dialog of the tab is about.
type asking struct {
	fact tableFact
	// item is the one that is edited or deleted; nil for a new one.
	item attribute.Item
	// file is the one that is to be replaced.
	file string
}

// The dialogs of the tab.
const (
	itemDialog    = "tables/item"
	deleteDialog  = "tables/delete"
	importDialog  = "tables/import"
	exportDialog  = "tables/export"
	replaceDialog = "tables/replace"
)

func (tt *tablesTab) actions(i int) []action {
	readOnly, there, table, item := tt.page.readOnly(), "", "", ""
	var f tableFact
	var of *shownItem
	switch {
	case i == none:
		there, table, item = "there is no table", "there is no table", "there is no item"
	default:
		f = tt.set.tables[tt.lines[i].table]
		table, item = tt.set.why, "put the cursor on an item"
		if tt.lines[i].kind == itemLine {
			of, item = &tt.opened[f.table.Name].items[tt.lines[i].item], ""
		}
	}
	bind := func(key, label, help string, reasons ...string) frame.Binding {
		return frame.Binding{Keys: []string{key}, Label: label, Help: help, Disabled: cmp.Or(reasons...)}
	}
	return []action{
		{bind("n", "new item", "write a new item into the table", readOnly, table), func() tea.Cmd {
			return tt.edit(asking{fact: f}, newItem(f.table), false)
		}},
		{bind("E", "edit item", "change the item", readOnly, item), func() tea.Cmd {
			return tt.edit(asking{fact: f, item: of.item}, formattedItem(of.item), false)
		}},
		{bind("x", "delete item", "delete the item", readOnly, item), func() tea.Cmd {
			tt.asked = asking{fact: f, item: of.item}
			return frame.Open(dialog.Confirm(deleteDialog, "Delete the item of "+f.name, fit(of.id)+" is gone for good then.",
				dialog.Button{ID: "cancel", Label: "Cancel", Cancel: true}, dialog.Button{ID: "yes", Label: "Delete"}))
		}},
		{bind("i", "import", "write the items of a file into the table", readOnly, table), func() tea.Cmd {
			tt.asked = asking{fact: f}
			return frame.Open(dialog.Input(importDialog, "Import into "+f.name+": which file?", f.name+".jsonl", nameOfFile))
		}},
		{bind("w", "export", "write the items of the table into a file", readOnly, table), func() tea.Cmd {
			tt.asked = asking{fact: f}
			return frame.Open(dialog.Input(exportDialog, "Export "+f.name+": into which file?", f.name+".jsonl", nameOfFile))
		}},
		{bind("F", "file", "open the definition of the table in your editor", tt.page.noEditor(), there), func() tea.Cmd {
			return tt.page.editFile(tt.page.snap.layout.File(model.Ref{Kind: model.KindTable, Name: f.table.Definition.Name}))
		}},
	}
}

// newItem is an item with nothing but the key of its table.
func newItem(t sandbox.Table) string {
	var lines []string
	for _, k := range t.Keys() {
		name, _ := json.Marshal(k.Name)
		value := `""`
		switch k.Type {
		case model.NumberKey:
			value = "0"
		case model.BinaryKey:
			value = `{"B": ""}`
		}
		lines = append(lines, "  "+string(name)+": "+value)
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}"
}

// edit asks for an item. touched says that the text is not what it was.
func (tt *tablesTab) edit(of asking, text string, touched bool) tea.Cmd {
	tt.asked = of
	title := "New item of " + of.fact.name
	if of.item != nil {
		title = "Item of " + of.fact.name
	}
	editing := dialog.Editing{ID: itemDialog, Title: title, Text: text, Colour: colour, Check: func(text string) (int, error) {
		_, line, err := of.read(text)
		return line, err
	}}
	if tt.page.noEditor() == "" {
		editing.Editor = tt.page.writes.Editor
	}
	if touched {
		return frame.Open(dialog.EditAgain(editing))
	}
	return frame.Open(dialog.Edit(editing))
}

// read is the item that a person wrote, or what is wrong with it and in which line.
func (of asking) read(text string) (attribute.Item, int, error) {
	if line, err := syntaxOf(text); err != nil {
		return nil, line, err
	}
	item, err := attribute.ParsePlainItem([]byte(strings.TrimSpace(text)))
	if err == nil {
		err = of.fact.table.Check(item)
	}
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("the item %w", err)
	case of.item != nil && !of.fact.table.KeyOf(item).Equal(of.fact.table.KeyOf(of.item)):
		return nil, 0, errors.New("the key of an item stays: n writes another item, x deletes this one")
	}
	return item, 0, nil
}

// syntaxOf says what keeps a text from being JSON, and in which of its lines.
func syntaxOf(text string) (line int, err error) {
	var any json.RawMessage
	err = json.Unmarshal([]byte(text), &any)
	if err == nil {
		return 0, nil
	}
	at := len(text)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = min(int(syntax.Offset), len(text))
	}
	line = 1 + strings.Count(strings.TrimRight(text[:at], "\n"), "\n")
	return line, fmt.Errorf("line %d is no JSON: %w", line, err)
}

func (tt *tablesTab) handle(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case itemsRead:
		return tt.takeItems(msg)
	case itemCounts:
		return tt.takeCounts(msg)
	case exportAsked:
		if msg.of != tt {
			return nil, false
		}
		return tt.takeExport(msg), true
	case elsewhere:
		if msg.of != tt.page || msg.id != itemDialog {
			return nil, false
		}
		return tt.takeElsewhere(msg), true
	case dialog.Result:
		if !strings.HasPrefix(msg.ID, "tables/") {
			return nil, false
		}
		return tt.concluded(msg), true
	}
	return nil, false
}

func (tt *tablesTab) takeItems(msg itemsRead) (tea.Cmd, bool) {
	o := tt.opened[msg.of.at.table.Name]
	if o != msg.of {
		return nil, false
	}
	o.fetching, o.read, o.problem = false, true, ""
	switch {
	case msg.err != nil:
		o.problem = fit(msg.err.Error())
	case msg.first:
		o.items, o.next, o.count = msg.items, msg.next, msg.count
	default:
		o.items, o.next, o.count = append(o.items, msg.items...), msg.next, msg.count
	}
	tt.layOut()
	if again := o.again; again {
		o.again = false
		return o.fetch(true), true
	}
	return nil, true
}

// takeCounts keeps what the sandbox counted, and fetches the items of a table that
// has more or fewer than before.
func (tt *tablesTab) takeCounts(msg itemCounts) (tea.Cmd, bool) {
	if msg.of != tt {
		return nil, false
	}
	tt.counting, tt.trouble = false, ""
	if msg.err != nil && !errors.Is(msg.err, sandbox.ErrNotRunning) {
		tt.trouble = fit(msg.err.Error())
	}
	tt.counts = msg.counts
	tt.layOut()
	var cmds []tea.Cmd
	for name, o := range tt.opened {
		if n, ok := msg.counts[name]; ok && o.read && (n != o.count || o.problem != "") {
			cmds = append(cmds, o.fetch(true))
		}
	}
	return tea.Batch(cmds...), true
}

// concluded does what a dialog was answered with.
func (tt *tablesTab) concluded(r dialog.Result) tea.Cmd {
	of := tt.asked
	if tt.page.readOnly() != "" {
		return nil
	}
	switch a := r.Action.(type) {
	case dialog.Elsewhere:
		return tt.page.editElsewhere(itemDialog, string(a), "item.json")
	case dialog.Entered:
		switch r.ID {
		case itemDialog:
			return tt.put(of, string(a))
		case importDialog:
			return tt.load(of.fact, string(a))
		case exportDialog:
			return tt.askExport(of.fact, string(a))
		}
	case dialog.Pressed:
		switch {
		case a != "yes":
		case r.ID == deleteDialog:
			return tt.delete(of)
		case r.ID == replaceDialog:
			return tt.save(of.fact, of.file)
		}
	}
	return nil
}

// put writes an item. One that was edited must still be what it was.
func (tt *tablesTab) put(of asking, text string) tea.Cmd {
	item, _, err := of.read(text)
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	return tt.write("writing into "+of.fact.name, of.fact, func(ctx context.Context, x sandbox.Items) (string, error) {
		if of.item != nil {
			now, err := x.Get(ctx, x.Table.KeyOf(of.item))
			if err != nil {
				return "", err
			}
			if !now.Equal(of.item) {
				return "", errors.New("nothing was written: somebody changed the item meanwhile; r reads it again")
			}
		}
		replaced, err := x.Put(ctx, item)
		if replaced {
			return "1 item of " + of.fact.name + " is replaced", err
		}
		return "1 item is added to " + of.fact.name, err
	})
}

func (tt *tablesTab) delete(of asking) tea.Cmd {
	return tt.write("deleting an item of "+of.fact.name, of.fact, func(ctx context.Context, x sandbox.Items) (string, error) {
		there, err := x.Delete(ctx, x.Table.KeyOf(of.item))
		if err == nil && !there {
			return "", errors.New("the item is gone already")
		}
		return "1 item of " + of.fact.name + " is deleted", err
	})
}
