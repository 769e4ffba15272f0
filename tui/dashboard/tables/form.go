package tables

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/merge"
	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/model/field"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/fieldform"
	"gatewright/tui/dialog"
	"gatewright/tui/outside"
)

// The lines of the forms of a table.
const (
	nameLine = iota
	partitionLine
	partitionType
	sortLine
	sortType
	indexesLine
	triggersLine
	keepingLine
)

// keepsKeys is why the keys of a table are fixed.
const keepsKeys = "cannot change: items are found by it. For another key, make a new table and move the items there: " +
	"x exports, i imports"

const indexHint = "NAME:KEY:TYPE, and :SORTKEY:TYPE after it for a sort key, such as byTitle:title:string"

const triggerHint = "FUNCTION, and after a colon oldest, latest, batch=N, window=SECONDS, attempts=N, bisect, " +
	"failures with commas between them, such as audit:batch=10"

// newForm is the form of a new table.
func newForm() fieldform.Form {
	line := func(field string, q dialog.Question) fieldform.Line { return fieldform.Line{Field: field, Question: q} }
	types := field.Words(model.KeyTypes)
	return fieldform.Form{
		nameLine: line("", dialog.Question{Name: "name", Hint: "3 to 255 of A-Z a-z 0-9 _ . -, such as orders"}),
		partitionLine: line("partitionKey", dialog.Question{
			Name: "partition key", Hint: "the attribute that identifies an item; it cannot change later",
		}),
		partitionType: line("", dialog.Question{Name: "its type", Options: types, Hint: "it cannot change later"}),
		sortLine: line("sortKey", dialog.Question{
			Name: "sort key",
			Hint: "a second attribute that orders items of one partition key; empty for none; it cannot change later",
		}),
		sortType: line("", dialog.Question{
			Name: "its type", Options: types, Hint: "it cannot change later",
			If: func(values []string) bool { return strings.TrimSpace(values[sortLine]) != "" },
		}),
		indexesLine: line("indexes", dialog.Question{Name: "indexes", Hint: indexHint + "; they can change later"}),
		triggersLine: line("triggers", dialog.Question{
			Name: "triggers", Hint: "functions that are called with the changes: " + triggerHint,
		}),
		keepingLine: keepingForm[0],
	}
}

// keepingForm is about how long a table and its items stay, and how it is paid.
var keepingForm = fieldform.Form{
	{Field: "timeToLive", Question: dialog.Question{
		Name: "time to live",
		Hint: "the attribute with the time after which an item is deleted: a number, seconds since 1970; empty: items stay",
	}},
	{Field: "pointInTimeRecovery", None: "no", Question: dialog.Question{
		Name: "recovery", Hint: "AWS can restore any moment of the last 35 days", Options: []string{resource.Yes},
	}},
	{Field: "deletionProtection", None: "no", Question: dialog.Question{
		Name: "protection", Hint: "the table refuses to be deleted", Options: []string{resource.Yes},
	}},
	{Field: "deletion", None: model.Retain, Question: dialog.Question{
		Name: "deletion", Hint: "when the table leaves its stack, it stays in the account with its items, or is deleted",
	}},
	{Field: "billing", None: model.OnDemand, Question: dialog.Question{
		Name: "billing", Hint: "for each request, or for the capacities below",
	}},
	{Field: "readCapacity", Question: dialog.Question{
		Name: "read capacity", Hint: "units of a provisioned table and of each of its indexes",
	}},
	{Field: "writeCapacity", Question: dialog.Question{
		Name: "write capacity", Hint: "units of a provisioned table and of each of its indexes",
	}},
}

// addTable opens the form of a new table, with the values that were typed before; nil for none.
func (t *Tab) addTable(typed []string) tea.Cmd {
	form := newForm()
	if typed == nil {
		typed = []string{partitionLine: "id", keepingLine: ""}
	}
	questions := form.Questions(&model.Table{}, typed)
	d := dialog.Form("Add a table", questions, func(values []string) (int, error) {
		_, err := t.board.Snap.Backend.Edit(addition(form, values))
		return form.LineOf(err, nameLine), err
	}, func(values []string) tea.Cmd {
		name := "table " + prose.PrintableStart(strings.TrimSpace(values[nameLine]))
		return t.board.ProposeEdit(board.ProposedEdit{
			Title: "Add " + name + "?", Yes: "Add", Done: "added " + name,
			Again: func() tea.Cmd { return t.addTable(values) },
			Edit:  func(b *model.Backend) ([]string, error) { return nil, addition(form, values)(b) },
		})
	})
	return t.board.Open(d, func() tea.Cmd { return t.addTable(dialog.Values(d)) })
}

// addition adds the table of a form.
func addition(form fieldform.Form, values []string) func(*model.Backend) error {
	return func(b *model.Backend) error {
		table := &model.Table{
			Name:         strings.TrimSpace(values[nameLine]),
			PartitionKey: model.Key{Name: strings.TrimSpace(values[partitionLine]), Type: model.KeyType(values[partitionType])},
		}
		if name := strings.TrimSpace(values[sortLine]); name != "" {
			table.SortKey = model.Key{Name: name, Type: model.KeyType(values[sortType])}
		}
		if err := form.Set(table, values, func(at int) bool { return at > sortType }); err != nil {
			return err
		}
		return edit.AddTable(b, table)
	}
}

// editForm is the form of a table that exists: of what can change of it, below its keys.
var editForm = append(fieldform.Form{
	{Field: "partitionKey", Question: dialog.Question{Name: "partition key", Fixed: keepsKeys}},
	{Field: "sortKey", None: "none", Question: dialog.Question{Name: "sort key", Fixed: keepsKeys}},
	{Field: "indexes", Question: dialog.Question{Name: "indexes", Hint: indexHint}},
	{Field: "triggers", Question: dialog.Question{Name: "triggers", Hint: triggerHint}},
}, keepingForm...)

func changes(at int) bool { return editForm[at].Fixed == "" }

// editTable opens the form of a table that exists, with what was typed instead of before; nil for
// nothing.
func (t *Tab) editTable(f *shownTable, before, typed []string) tea.Cmd {
	b := t.board.Snap.Backend
	was := b.Table(f.table.Definition.Name)
	if was == nil {
		return nil
	}
	before, shown := editForm.Begin(was, before, typed)
	questions, m := editForm.Questions(was, shown), merge.New()
	d := dialog.Form("Change table "+f.name, questions, func(values []string) (int, error) {
		_, err := t.board.Snap.Backend.Edit(tableEdit(was.Name, before, values, m))
		return editForm.LineOf(err, editForm.Index("indexes")), outside.Later(err)
	}, func(values []string) tea.Cmd {
		name, now := "table "+f.name, *was
		// The form takes only what can be read.
		_ = editForm.Set(&now, values, changes)
		return t.board.ProposeEdit(board.ProposedEdit{
			Title: "Change " + name + "?", Yes: "Write", Done: "changed " + name,
			Says:  append(indexChanges(was.Indexes, now.Indexes), triggerChanges(was, now.Triggers)...),
			Again: func() tea.Cmd { return t.editTable(f, before, values) },
			Edit:  func(b *model.Backend) ([]string, error) { return nil, tableEdit(was.Name, before, values, m)(b) },
		})
	})
	return t.board.Open(d, func() tea.Cmd { return t.editTable(f, before, dialog.Values(d)) })
}

// tableEdit gives a table the values of the form.
func tableEdit(name string, before, values []string, merging *merge.Merge) func(*model.Backend) error {
	return func(b *model.Backend) error {
		have := b.Table(name)
		of := model.Ref{Kind: model.KindTable, Name: name}
		if have == nil {
			return b.Known(of)
		}
		m := merging.Again()
		merged, given := editForm.Merged(m, of, before, have, values)
		if open := m.Err(); open != nil {
			return open
		}
		next := *have
		if err := editForm.Set(&next, merged, func(at int) bool { return changes(at) && given(at) }); err != nil {
			return err
		}
		return edit.UpdateTable(b, &next)
	}
}

// indexChanges says what a change of indexes takes.
func indexChanges(was, now []model.Index) []prose.Line {
	var lines []prose.Line
	say := func(tone prose.Tone, name, text string) {
		lines = append(lines, prose.Line{Tone: tone, Text: prose.PrintableStart("index "+phrase.Quote(name)) + " " + text})
	}
	changes := 0
	for _, i := range was {
		at := resource.IndexNamed(now, i.Name)
		switch {
		case at < 0:
			changes++
			say(prose.Warning, i.Name, "is removed: queries that name it fail after the next push, and at once in the sandbox")
		case now[at] != i:
			changes += 2
			say(prose.Warning, i.Name,
				"has other keys: it is removed and created again; queries that name it fail until it is filled")
		}
	}
	for _, i := range now {
		if resource.IndexNamed(was, i.Name) < 0 {
			changes++
			say(prose.Added, i.Name, "is new: it is filled from the items that have its keys")
		}
	}
	if changes > 1 {
		lines = append(lines,
			prose.Line{Tone: prose.Muted, Text: "in AWS one index changes at a time: a push takes an update for each"})
	}
	if lines != nil {
		lines = append(lines, prose.Line{})
	}
	return lines
}

// triggerChanges says which functions will be called with the changes of the table, in which
// other way, and which no longer.
func triggerChanges(was *model.Table, now []model.StreamTrigger) []prose.Line {
	var lines []prose.Line
	say := func(tone prose.Tone, t model.StreamTrigger, text string) {
		lines = append(lines,
			prose.Line{Tone: tone, Text: prose.PrintableStart("function "+phrase.Quote(t.Function)) + " " + text})
	}
	for _, t := range now {
		switch have := was.Trigger(t.Function); {
		case have == nil:
			say(prose.Added, t, "gets the changes of the table")
		case *have != t:
			say(prose.Changed, t, "gets the changes of the table with other settings")
		}
	}
	next := &model.Table{Triggers: now}
	for _, t := range was.Triggers {
		if next.Trigger(t.Function) == nil {
			say(prose.Warning, t, "no longer gets the changes; if it is added again, it starts over")
		}
	}
	if lines != nil {
		lines = append(lines, prose.Line{})
	}
	return lines
}
