package tables

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
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
)

// keepsKeys is why the keys of a table are fixed.
const keepsKeys = "cannot change: items are found by it. For another key, make a new table and move the items there: " +
	"x exports, i imports"

const indexHint = "NAME:KEY:TYPE, and :SORTKEY:TYPE after it for a sort key, such as byTitle:title:string"

const triggerHint = "FUNCTION, and after a colon oldest, latest, batch=N, window=SECONDS, attempts=N, bisect, " +
	"failures with commas between them, such as audit:batch=10"

func keyTypes() (words []string) {
	for _, kind := range model.KeyTypes {
		words = append(words, string(kind))
	}
	return words
}

// addTable opens the form of a new table, with the values that were typed before; nil for none.
func (t *Tab) addTable(typed []string) tea.Cmd {
	b := t.board.Snap.Backend
	questions := []dialog.Question{
		nameLine: {Name: "name", Hint: "3 to 255 of A-Z a-z 0-9 _ . -, such as orders"},
		partitionLine: {
			Name: "partition key", Value: "id",
			Hint: "the attribute that tells items apart; it cannot change later",
		},
		partitionType: {Name: "its type", Options: keyTypes(), Hint: "it cannot change later"},
		sortLine: {
			Name: "sort key",
			Hint: "a second attribute that orders items of one partition key; empty for none; it cannot change later",
		},
		sortType: {
			Name: "its type", Options: keyTypes(), Hint: "it cannot change later",
			If: func(values []string) bool { return strings.TrimSpace(values[sortLine]) != "" },
		},
		indexesLine:  {Name: "indexes", List: true, Hint: indexHint + "; they can change later"},
		triggersLine: {Name: "triggers", List: true, Hint: "functions that are called with the changes: " + triggerHint},
	}
	for i, value := range typed {
		questions[i].Value = value
	}
	return frame.Open(dialog.Form("Add a table", questions, func(values []string) (int, error) {
		lines := map[string]int{
			"/partitionKey": partitionLine, "/sortKey": sortLine, listOfIndexes: indexesLine,
			listOfTriggers: triggersLine,
		}
		return checkTable(b, lines, nameLine, func(b *model.Backend) error {
			table, err := tableOf(values)
			if err != nil {
				return err
			}
			return b.AddTable(table)
		})
	}, func(values []string) tea.Cmd {
		name := "table " + prose.PrintableStart(strings.TrimSpace(values[nameLine]))
		return t.board.ProposeEdit(board.ProposedEdit{
			Title: "Add " + name + "?", Yes: "Add", Done: "added " + name,
			Again: func() tea.Cmd { return t.addTable(values) },
			Edit: func(b *model.Backend) ([]string, error) {
				table, err := tableOf(values)
				if err != nil {
					return nil, err
				}
				return nil, b.AddTable(table)
			},
		})
	}))
}

// tableOf is the table of a form.
func tableOf(values []string) (*model.Table, error) {
	table := &model.Table{
		Name:         strings.TrimSpace(values[nameLine]),
		PartitionKey: model.Key{Name: strings.TrimSpace(values[partitionLine]), Type: model.KeyType(values[partitionType])},
	}
	if name := strings.TrimSpace(values[sortLine]); name != "" {
		table.SortKey = model.Key{Name: name, Type: model.KeyType(values[sortType])}
	}
	var err error
	if table.Indexes, err = indexesOf(values[indexesLine]); err != nil {
		return table, err
	}
	table.Triggers, err = triggersOf(values[triggersLine])
	return table, err
}

// The lists of a form, by where they are in the file of a table.
const (
	listOfIndexes  = "/indexes"
	listOfTriggers = "/triggers"
)

// listError is an error of one of the lists.
type listError struct {
	list string
	error
}

// entries reads a list with an entry on each line.
func entries[T any](list, text string, parse func(string) (T, error)) (all []T, err error) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		entry, err := parse(line)
		if err != nil {
			return nil, listError{list, fmt.Errorf("the line %w", err)}
		}
		all = append(all, entry)
	}
	return all, nil
}

func triggersOf(text string) ([]model.StreamTrigger, error) {
	return entries(listOfTriggers, text, resource.ParseStreamTrigger)
}

func indexesOf(text string) ([]model.Index, error) {
	indexes, err := entries(listOfIndexes, text, resource.ParseIndex)
	for n, index := range indexes {
		if resource.IndexNamed(indexes[:n], index.Name) >= 0 {
			return nil, listError{listOfIndexes, fmt.Errorf("the index %s is named twice", phrase.Quote(index.Name))}
		}
	}
	return indexes, err
}

// checkTable tries an edit, and returns the line of its error: by the place in the table's
// file that it is about, else the line other.
func checkTable(b *model.Backend, lines map[string]int, other int, edit func(*model.Backend) error) (int, error) {
	_, err := b.Edit(edit)
	var (
		list    listError
		problem *model.Problem
		place   string
	)
	if errors.As(err, &list) {
		place = list.list
	} else if errors.As(err, &problem) {
		place = problem.Pointer
	}
	for pointer, line := range lines {
		if strings.HasPrefix(place, pointer) {
			return line, err
		}
	}
	return other, err
}

// editTable opens the form of a table that exists: of what can change of it. typed are what
// was typed before; nil for what it has.
func (t *Tab) editTable(f *shownTable, typed []string) tea.Cmd {
	b := t.board.Snap.Backend
	was := b.Table(f.table.Definition.Name)
	if was == nil {
		return nil
	}
	sort := resource.KeyText(was.SortKey)
	if sort == "" {
		sort = "none"
	}
	var lines []string
	for _, i := range was.Indexes {
		lines = append(lines, resource.IndexText(i))
	}
	var calls []string
	for _, trigger := range was.Triggers {
		calls = append(calls, resource.StreamTriggerText(trigger))
	}
	shown := []string{"", "", strings.Join(lines, "\n"), strings.Join(calls, "\n")}
	if typed != nil {
		shown = typed
	}
	const partition, sortKey, indexes, triggers = 0, 1, 2, 3
	return frame.Open(dialog.Form("Change table "+f.name, []dialog.Question{
		partition: {Name: "partition key", Value: resource.KeyText(was.PartitionKey), Fixed: keepsKeys},
		sortKey:   {Name: "sort key", Value: sort, Fixed: keepsKeys},
		indexes:   {Name: "indexes", Value: shown[indexes], List: true, Hint: indexHint},
		triggers:  {Name: "triggers", Value: shown[triggers], List: true, Hint: triggerHint},
	}, func(values []string) (int, error) {
		lines := map[string]int{listOfIndexes: indexes, listOfTriggers: triggers}
		return checkTable(b, lines, indexes, tableEdit(was, values[indexes], values[triggers]))
	}, func(values []string) tea.Cmd {
		name := "table " + f.name
		// The form takes only what can be read.
		now, _ := indexesOf(values[indexes])
		calls, _ := triggersOf(values[triggers])
		return t.board.ProposeEdit(board.ProposedEdit{
			Title: "Change " + name + "?", Yes: "Write", Done: "changed " + name,
			Says:  append(indexChanges(was.Indexes, now), triggerChanges(was, calls)...),
			Again: func() tea.Cmd { return t.editTable(f, values) },
			Edit: func(b *model.Backend) ([]string, error) {
				return nil, tableEdit(was, values[indexes], values[triggers])(b)
			},
		})
	}))
}

// tableEdit gives a table the indexes and the triggers of two lists. It refuses to overwrite
// those that somebody else changed since.
func tableEdit(was *model.Table, text, calls string) func(*model.Backend) error {
	return func(b *model.Backend) error {
		have := b.Table(was.Name)
		of := model.Ref{Kind: model.KindTable, Name: was.Name}
		if have == nil {
			return b.Known(of)
		}
		if !slices.Equal(have.Indexes, was.Indexes) {
			return &model.Problem{
				Of: of, Text: "its indexes were changed meanwhile, and the form shows yours",
				Fix: "ctrl+s again shows the difference",
			}
		}
		if !slices.Equal(have.Triggers, was.Triggers) {
			return &model.Problem{
				Of: of, Text: "its triggers were changed meanwhile, and the form shows yours",
				Fix: "ctrl+s again shows the difference",
			}
		}
		indexes, err := indexesOf(text)
		if err != nil {
			return err
		}
		triggers, err := triggersOf(calls)
		if err != nil {
			return err
		}
		next := *have
		next.Indexes, next.Triggers = indexes, triggers
		return b.UpdateTable(&next)
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
			say(prose.Warning, i.Name, "goes: queries that name it fail from the next push on, and at once in the sandbox")
		case now[at] != i:
			changes += 2
			say(prose.Warning, i.Name,
				"has other keys: it is removed and made again, and queries that name it fail until it is filled")
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
			say(prose.Changed, t, "gets the changes of the table in another way")
		}
	}
	next := &model.Table{Triggers: now}
	for _, t := range was.Triggers {
		if next.Trigger(t.Function) == nil {
			say(prose.Warning, t, "no longer gets the changes; if it comes back, it begins anew")
		}
	}
	if lines != nil {
		lines = append(lines, prose.Line{})
	}
	return lines
}
