package functions

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/resource"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/fieldform"
	"gatewright/tui/dialog"
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

// newForm is the form of a new function.
func newForm(b *model.Backend) fieldform.Form {
	isCRUD := func(values []string) bool { return values[templateLine] == string(model.CRUD) }
	makesTable := func(values []string) bool { return isCRUD(values) && b.Table(tableOf(values)) == nil }
	return fieldform.Form{
		nameLine: {Question: dialog.Question{
			Name: "name", Hint: "1 to 64 of A-Z a-z 0-9 _ -, such as orders: also the name of its folder",
		}},
		runtimeLine: {Field: "runtime", Question: dialog.Question{Name: "runtime"}},
		templateLine: {Field: "template", None: noTemplate, Question: dialog.Question{
			Name: "template", Hint: "its source",
			OptionsIf: func(values []string, option string) bool {
				return option == noTemplate || model.Template(option).Runs(model.Runtime(values[runtimeLine]))
			},
		}},
		tableLine: {Field: "table", Question: dialog.Question{
			Name: "table", If: isCRUD, Suggestions: b.Names(model.KindTable),
			Hint: "empty: a table named after the function; a missing table is added",
		}},
		partitionLine: {Field: "partitionKey", Question: dialog.Question{
			Name: "partition key", If: makesTable,
			Hint: "of the new table, as NAME:TYPE; it cannot change later",
		}},
		sortLine: {Field: "sortKey", Question: dialog.Question{
			Name: "sort key", If: makesTable,
			Hint: "of the new table, as NAME:TYPE; empty for none; it cannot change later",
		}},
	}
}

// add opens the form of a new function, with the values that were typed before; nil for none.
func (t *Tab) add(typed []string) tea.Cmd {
	b := t.board.Snap.Backend
	form := newForm(b)
	if typed == nil {
		typed = []string{runtimeLine: "", partitionLine: "id:string", sortLine: ""}
	}
	questions := form.Questions(&model.Function{}, typed)
	d := dialog.Form("Add a function", questions, func(values []string) (int, error) {
		return checkLine(t.board.Snap.Backend, newFunctionEdit(values), form)
	}, func(values []string) tea.Cmd {
		name := prose.PrintableStart(model.Ref{Kind: model.KindFunction, Name: strings.TrimSpace(values[nameLine])}.String())
		return t.board.ProposeEdit(board.ProposedEdit{
			Title: "Add " + name + "?", Yes: "Add", Done: "added " + name,
			Again: func() tea.Cmd { return t.add(values) },
			Edit:  newFunctionEdit(values),
		})
	})
	return t.board.Open(d, func() tea.Cmd { return t.add(dialog.Values(d)) })
}

// tableOf is the name of the table of a new CRUD function.
func tableOf(values []string) string {
	return cmp.Or(strings.TrimSpace(values[tableLine]), resource.SuggestTableName(strings.TrimSpace(values[nameLine])))
}

// checkLine tries an edit, and returns the line of its error.
func checkLine(b *model.Backend, edit board.Edit, form fieldform.Form) (int, error) {
	_, err := b.Edit(func(b *model.Backend) error {
		_, err := edit(b)
		return err
	})
	return form.LineOf(err, 0), err
}

// newFunctionEdit adds the function of a form, as the command add function does.
func newFunctionEdit(values []string) board.Edit {
	return func(b *model.Backend) ([]string, error) {
		f := &model.Function{Name: strings.TrimSpace(values[nameLine])}
		form := newForm(b)
		if err := form.Set(f, values, func(at int) bool {
			return at != tableLine || values[templateLine] == string(model.CRUD)
		}); err != nil {
			return nil, err
		}
		f.Runtime = f.Runtime.Newest()
		f.Handler = f.Runtime.Handler()
		var keys resource.Keys
		if f.Template == model.CRUD && b.Table(tableOf(values)) == nil {
			var err error
			if keys.Partition, err = resource.ParseKey(strings.TrimSpace(values[partitionLine])); err != nil {
				return nil, fieldform.At("partitionKey", fmt.Errorf("the partition key %w", err))
			}
			if text := strings.TrimSpace(values[sortLine]); text != "" {
				if keys.Sort, err = resource.ParseKey(text); err != nil {
					return nil, fieldform.At("sortKey", fmt.Errorf("the sort key %w", err))
				}
			}
		}
		notes, err := resource.AddFunction(b, f, keys)
		if problem := (*model.Problem)(nil); errors.As(err, &problem) && problem.Of.Kind == model.KindTable &&
			!strings.HasPrefix(problem.Pointer, "/sortKey") && !strings.HasPrefix(problem.Pointer, "/partitionKey") {
			return nil, fieldform.At("table", err)
		}
		return notes, err
	}
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
	return append(slices.Clip(list), "pool=read", "parameter/NAME", "secret/NAME", "mail")
}
