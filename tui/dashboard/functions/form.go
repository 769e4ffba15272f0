package functions

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// noTemplate is the choice of a function whose source exists already.
const noTemplate = "none: its source exists"

// The lines of the form of a new function.
const (
	nameLine = iota
	runtimeLine
	templateLine
	tableLine
	partitionLine
	sortLine
)

// add opens the form of a new function, with the values that were typed before; nil for none.
func (t *Tab) add(typed []string) tea.Cmd {
	b := t.board.Snap.Backend
	isCRUD := func(values []string) bool { return values[templateLine] == string(model.CRUD) }
	makesTable := func(values []string) bool { return isCRUD(values) && b.Table(tableOf(values)) == nil }
	questions := []dialog.Question{
		nameLine:    {Name: "name", Hint: "1 to 64 of A-Z a-z 0-9 _ -, such as orders: also the name of its folder"},
		runtimeLine: {Name: "runtime", Options: runtimes()},
		templateLine: {
			Name: "template", Options: append(templates(), noTemplate), Hint: "its source",
			OptionsIf: func(values []string, option string) bool {
				return option == noTemplate || model.Template(option).Runs(model.Runtime(values[runtimeLine]))
			},
		},
		tableLine: {
			Name: "table", If: isCRUD, Suggestions: b.Names(model.KindTable),
			Hint: "empty: one with the name of the function; a table that is not there is added",
		},
		partitionLine: {
			Name: "partition key", Value: "id:string", If: makesTable,
			Hint: "of the new table, as NAME:TYPE; it cannot change later",
		},
		sortLine: {
			Name: "sort key", If: makesTable,
			Hint: "of the new table, as NAME:TYPE; empty for none; it cannot change later",
		},
	}
	for i, value := range typed {
		questions[i].Value = value
	}
	return frame.Open(dialog.Form("Add a function", questions, func(values []string) (int, error) {
		return checkLine(b, newFunctionEdit(values),
			map[string]int{"/runtime": runtimeLine, "/template": templateLine, "/table": tableLine})
	}, func(values []string) tea.Cmd {
		name := prose.PrintableStart(model.Ref{Kind: model.KindFunction, Name: strings.TrimSpace(values[nameLine])}.String())
		edit := newFunctionEdit(values)
		return t.board.ProposeEdit(board.ProposedEdit{
			Title: "Add " + name + "?", Yes: "Add", Done: "added " + name,
			Again: func() tea.Cmd { return t.add(values) },
			Edit: func(b *model.Backend) ([]string, error) {
				notes, _, err := edit(b)
				return notes, err
			},
		})
	}))
}

// tableOf is the name of the table of a new CRUD function.
func tableOf(values []string) string {
	return cmp.Or(strings.TrimSpace(values[tableLine]), flow.SuggestTableName(strings.TrimSpace(values[nameLine])))
}

func templates() (words []string) {
	for _, template := range model.Templates {
		words = append(words, string(template))
	}
	return words
}

// templateOf is the template of a choice.
func templateOf(choice string) model.Template {
	if choice == noTemplate {
		return ""
	}
	return model.Template(choice)
}

func runtimes() (words []string) {
	for _, r := range model.Runtimes {
		words = append(words, string(r))
	}
	return words
}

// lineEdit is an edit that a form makes; at is the line of its error, if the form knows it.
type lineEdit func(b *model.Backend) (notes []string, at int, err error)

// unknownLine says that the line of an error follows from its problem.
const unknownLine = -1

// checkLine tries an edit, and returns the line of its error: pointers are lines by the places
// in the definition.
func checkLine(b *model.Backend, edit lineEdit, pointers map[string]int) (int, error) {
	at := unknownLine
	_, err := b.Edit(func(b *model.Backend) (err error) {
		_, at, err = edit(b)
		return err
	})
	if err == nil || at != unknownLine {
		return max(0, at), err
	}
	var problem *model.Problem
	if errors.As(err, &problem) {
		for pointer, line := range pointers {
			if strings.HasPrefix(cmp.Or(problem.Pointer, "/"+problem.Field), pointer) {
				return line, err
			}
		}
	}
	return 0, err
}

// newFunctionEdit adds the function of a form, as the command add function does.
func newFunctionEdit(values []string) lineEdit {
	return func(b *model.Backend) ([]string, int, error) {
		f := &model.Function{
			Name: strings.TrimSpace(values[nameLine]), Runtime: model.Runtime(values[runtimeLine]),
			Template: templateOf(values[templateLine]),
		}
		f.Handler = f.Runtime.Handler()
		var keys resource.Keys
		if f.Template == model.CRUD {
			f.Table = strings.TrimSpace(values[tableLine])
			if b.Table(tableOf(values)) == nil {
				var err error
				if keys.Partition, err = resource.ParseKey(strings.TrimSpace(values[partitionLine])); err != nil {
					return nil, partitionLine, fmt.Errorf("the partition key %w", err)
				}
				if text := strings.TrimSpace(values[sortLine]); text != "" {
					if keys.Sort, err = resource.ParseKey(text); err != nil {
						return nil, sortLine, fmt.Errorf("the sort key %w", err)
					}
				}
			}
		}
		notes, err := resource.AddFunction(b, f, keys)
		if problem := (*model.Problem)(nil); errors.As(err, &problem) && problem.Of.Kind == model.KindTable {
			if strings.HasPrefix(problem.Pointer, "/sortKey") {
				return nil, sortLine, err
			}
			if strings.HasPrefix(problem.Pointer, "/partitionKey") {
				return nil, partitionLine, err
			}
			return nil, tableLine, err
		}
		return notes, unknownLine, err
	}
}

// number reads a whole number; "" is 0, the default.
func number(text, what string) (int, error) {
	if text = strings.TrimSpace(text); text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("the %s %s is no number: give a whole number", what, phrase.Quote(text))
	case n == 0:
		return 0, fmt.Errorf("leave the %s empty for the default", what)
	}
	return n, nil
}

// entries are the lines of a list that are not empty.
func entries(text string) (list []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// resources are what a function may use, each with an action to begin with.
func resources(b *model.Backend, but string) (list []string) {
	for _, kind := range []model.Kind{model.KindTable, model.KindAPI, model.KindFunction} {
		for _, name := range b.Names(kind) {
			if text := string(kind) + "/" + name; text != but {
				list = append(list, text+"=read")
			}
		}
	}
	return slices.Clip(list)
}
