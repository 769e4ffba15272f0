package functions

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/merge"
	"gatewright/flow/resource"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/fieldform"
	"gatewright/tui/dialog"
	"gatewright/tui/outside"
)

// formOf is the form of a function.
func formOf(b *model.Backend, f *model.Function) fieldform.Form {
	line := func(field, hint string, suggestions ...string) fieldform.Line {
		return fieldform.Line{
			Field: field, Question: dialog.Question{Name: field, Hint: hint, Suggestions: suggestions},
		}
	}
	template := line("template", "the template of its source; a change here leaves the source as it is")
	template.None = noTemplate
	architecture := line("architecture", "the processor that it runs on in the cloud")
	architecture.Name, architecture.None = "processor", "not given: "+string(model.X86)
	variables := line("environment", "NAME=VALUE; an environment may override a value")
	variables.Name = "variables"
	if slices.ContainsFunc(f.Environment, func(v model.Variable) bool { return strings.Contains(v.Value, "\n") }) {
		variables.Fixed = "a value has line breaks: change it in the file"
	}
	form := fieldform.Form{
		line("runtime", "a change here leaves the source as it is"),
		template,
		line("timeout",
			fmt.Sprintf("%d to %d seconds; empty: %d. Behind an API, a call has 29 seconds", model.MinTimeout, model.MaxTimeout,
				model.DefaultTimeout)),
		line("memory", fmt.Sprintf("%d to %d megabytes; empty: %d", model.MinMemory, model.MaxMemory, model.DefaultMemory)),
		line("schedule", "when it runs on a schedule: rate(5 minutes) or cron(0 12 * * ? *); empty: never"),
		variables,
		line("secrets", "names only: the values are in each environment's file of secrets, never here"),
		line("access", "what it may use: RESOURCE=ACTIONS such as table/items=create,read",
			resources(b, string(model.KindFunction)+"/"+f.Name)...),
		line("layers", fmt.Sprintf("the ARN of each, or its folder in the project; at most %d", model.MaxLayers)),
		line("handler", "its entry point, such as index.handler"),
		architecture,
		line("table", "the table that it was made for", b.Names(model.KindTable)...),
		line("policies", "what else its role may do: ACTIONS on RESOURCES such as ses:SendEmail on *, or as JSON"),
	}
	form[form.Index("table")].If = func(values []string) bool {
		return values[form.Index("template")] == string(model.CRUD)
	}
	return form
}

// edit opens the form of a function, with what was typed instead of before; nil for nothing.
func (t *Tab) edit(r *row, before, typed []string) tea.Cmd {
	b := t.board.Snap.Backend
	f := b.Function(r.key)
	if f == nil {
		return nil
	}
	form := formOf(b, f)
	before, shown := form.Begin(f, before, typed)
	m := merge.New()
	d := dialog.Form("Change "+r.name, form.Questions(f, shown), func(values []string) (int, error) {
		line, err := checkLine(t.board.Snap.Backend, functionEdit(form, f.Name, before, values, m), form)
		return line, outside.Later(err)
	}, func(values []string) tea.Cmd {
		name := prose.PrintableStart(model.Ref{Kind: model.KindFunction, Name: f.Name}.String())
		return t.board.ProposeEdit(board.ProposedEdit{
			Title: "Change " + name + "?", Yes: "Write", Done: "changed " + name,
			Again: func() tea.Cmd { return t.edit(r, before, values) },
			Edit:  functionEdit(form, f.Name, before, values, m),
		})
	})
	return t.board.Open(d, func() tea.Cmd { return t.edit(r, before, dialog.Values(d)) })
}

// functionEdit gives a function the values of the form that differ from those that it had when
// the form was opened, as the command update function does.
func functionEdit(form fieldform.Form, name string, before, values []string, merging *merge.Merge) board.Edit {
	return func(b *model.Backend) ([]string, error) {
		have, of := b.Function(name), model.Ref{Kind: model.KindFunction, Name: name}
		if have == nil {
			return nil, b.Known(of)
		}
		m := merging.Again()
		merged, given := form.Merged(m, of, before, have, values)
		if open := m.Err(); open != nil {
			return nil, open
		}
		f := *have
		if err := form.Set(&f, merged, given); err != nil {
			return nil, err
		}
		notes, err := resource.UpdateFunction(b, &f, given(form.Index("handler")))
		if f.Template == model.CRUD && f.Table == "" && err != nil {
			return nil, fieldform.At("table", err)
		}
		return notes, err
	}
}
