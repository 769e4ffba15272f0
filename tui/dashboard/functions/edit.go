package functions

import (
	"fmt"
	"slices"
	"strconv"
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

// The lines of the form of a function.
const (
	editRuntime = iota
	editTemplate
	editTimeout
	editMemory
	editSchedule
	editVariables
	editSecrets
	editAccess
	editLayers
	editHandler
	editTable
)

// lineNames are the names of the lines.
var lineNames = []string{
	editRuntime: "runtime", editTemplate: "template", editTimeout: "timeout", editMemory: "memory",
	editSchedule: "schedule", editVariables: "variables",
	editSecrets: "secrets", editAccess: "access", editLayers: "layers", editHandler: "handler", editTable: "table",
}

// editPointers are the lines of the places in a function's definition.
var editPointers = map[string]int{
	"/runtime": editRuntime, "/template": editTemplate, "/timeout": editTimeout, "/memory": editMemory,
	"/schedule": editSchedule, "/environment": editVariables,
	"/secrets": editSecrets, "/access": editAccess, "/layers": editLayers, "/handler": editHandler, "/table": editTable,
}

// edit opens the form of a function. typed are values that were typed before, where they differ
// from those that the function had; nil for none.
func (t *Tab) edit(r *row, typed map[int]string) tea.Cmd {
	b := t.board.Snap.Backend
	f := b.Function(r.key)
	if f == nil {
		return nil
	}
	of := model.Ref{Kind: model.KindFunction, Name: r.key}
	values := valuesOf(f)
	for at, value := range typed {
		values[at] = value
	}
	list := func(at int, hint string, suggestions ...string) dialog.Question {
		return dialog.Question{Name: lineNames[at], Value: values[at], List: true, Hint: hint, Suggestions: suggestions}
	}
	text := func(at int, hint string) dialog.Question {
		return dialog.Question{Name: lineNames[at], Value: values[at], Hint: hint}
	}
	variables := list(editVariables, "NAME=VALUE; an environment may override a value")
	if slices.ContainsFunc(f.Environment, func(v model.Variable) bool { return strings.Contains(v.Value, "\n") }) {
		variables.List, variables.Fixed = false, "a value has line breaks: change it in the file"
	}
	runtime := dialog.Question{
		Name: lineNames[editRuntime], Value: values[editRuntime], Options: runtimes(),
		Hint: "its source does not change with it",
	}
	isCRUD := func(values []string) bool { return values[editTemplate] == string(model.CRUD) }
	return frame.Open(dialog.Form("Change "+r.name, []dialog.Question{
		editRuntime: runtime,
		editTemplate: {
			Name: lineNames[editTemplate], Value: values[editTemplate], Options: append(templates(), noTemplate),
			Hint: "what its source was made from; its source does not change with it",
		},
		editTimeout: text(editTimeout,
			fmt.Sprintf("%d to %d seconds; empty: %d. Behind an API, a call has 29 seconds", model.MinTimeout, model.MaxTimeout,
				model.DefaultTimeout)),
		editMemory: text(editMemory,
			fmt.Sprintf("%d to %d megabytes; empty: %d", model.MinMemory, model.MaxMemory, model.DefaultMemory)),
		editSchedule:  text(editSchedule, "when it is called by itself: rate(5 minutes) or cron(0 12 * * ? *); empty: never"),
		editVariables: variables,
		editSecrets:   list(editSecrets, "names only: values are in the file of secrets of each environment, never here"),
		editAccess: list(editAccess, "what it may use: RESOURCE=ACTIONS such as table/items=create,read",
			resources(b, string(of.Kind)+"/"+of.Name)...),
		editLayers: list(editLayers,
			fmt.Sprintf("the ARN of each, or its folder in the project; at most %d", model.MaxLayers)),
		editHandler: text(editHandler, "its entry point, such as index.handler"),
		editTable: {
			Name: lineNames[editTable], Value: values[editTable], Suggestions: b.Names(model.KindTable),
			Hint: "the table that it was made for", If: isCRUD,
		},
	}, func(values []string) (int, error) {
		return checkLine(b, functionEdit(f, values), editPointers)
	}, func(values []string) tea.Cmd {
		edit := functionEdit(f, values)
		name := prose.PrintableStart(of.String())
		return t.board.ProposeEdit(board.ProposedEdit{
			Title: "Change " + name + "?", Yes: "Write", Done: "changed " + name,
			Again: func() tea.Cmd { return t.edit(r, typedIn(f, values)) },
			Edit: func(b *model.Backend) ([]string, error) {
				notes, _, err := edit(b)
				return notes, err
			},
		})
	}))
}

// typedIn are the values that differ from those that a function had.
func typedIn(f *model.Function, values []string) map[int]string {
	typed := make(map[int]string)
	for at, was := range valuesOf(f) {
		if values[at] != was {
			typed[at] = values[at]
		}
	}
	return typed
}

// valuesOf are the values of the form of a function.
func valuesOf(f *model.Function) []string {
	size := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	template := noTemplate
	if f.Template != "" {
		template = string(f.Template)
	}
	var variables, access []string
	for _, v := range f.Environment {
		variables = append(variables, v.Name+"="+v.Value)
	}
	for _, a := range f.Access {
		access = append(access, resource.AccessText(a))
	}
	return []string{
		editRuntime: string(f.Runtime), editTemplate: template, editTimeout: size(f.Timeout), editMemory: size(f.Memory),
		editSchedule:  f.Schedule,
		editVariables: strings.Join(variables, "\n"), editSecrets: strings.Join(f.Secrets, "\n"),
		editAccess: strings.Join(access, "\n"),
		editLayers: strings.Join(f.Layers, "\n"), editHandler: f.Handler, editTable: f.Table,
	}
}

// functionEdit gives a function the values of the form that differ from those that it had when
// the form was opened, as the command update function does.
func functionEdit(was *model.Function, values []string) lineEdit {
	before := valuesOf(was)
	return func(b *model.Backend) ([]string, int, error) {
		have := b.Function(was.Name)
		if have == nil {
			return nil, unknownLine, b.Known(model.Ref{Kind: model.KindFunction, Name: was.Name})
		}
		f := *have
		given := func(at int) bool { return values[at] != before[at] }
		for at, set := range functionSetters {
			if !given(at) {
				continue
			}
			if now := valuesOf(have)[at]; now != before[at] {
				return nil, at,
					fmt.Errorf("somebody changed the %s meanwhile, and the form shows yours: ctrl+s again shows the difference",
						lineNames[at])
			}
			if err := set(&f, values[at]); err != nil {
				return nil, at, err
			}
		}
		notes, err := resource.UpdateFunction(b, &f, given(editHandler))
		if f.Template == model.CRUD && f.Table == "" && err != nil {
			return nil, editTable, err
		}
		return notes, unknownLine, err
	}
}

// functionSetters put the value of each line into a function.
var functionSetters = []func(*model.Function, string) error{
	editRuntime: func(f *model.Function, text string) error {
		f.Runtime = model.Runtime(text)
		return nil
	},
	editTemplate: func(f *model.Function, text string) error {
		f.Template = templateOf(text)
		return nil
	},
	editTimeout: func(f *model.Function, text string) (err error) {
		f.Timeout, err = number(text, "timeout")
		return err
	},
	editMemory: func(f *model.Function, text string) (err error) {
		f.Memory, err = number(text, "memory")
		return err
	},
	editSchedule: func(f *model.Function, text string) error {
		f.Schedule = strings.TrimSpace(text)
		return nil
	},
	editVariables: setVariables,
	editSecrets: func(f *model.Function, text string) error {
		f.Secrets = entries(text)
		for _, name := range f.Secrets {
			if err := resource.CheckSecret(name); err != nil {
				return fmt.Errorf("the line %w", err)
			}
		}
		return nil
	},
	editAccess: func(f *model.Function, text string) error {
		f.Access = nil
		for _, line := range entries(text) {
			access, err := resource.ParseAccess(line)
			if err != nil {
				return fmt.Errorf("the line %w", err)
			}
			if resource.Grants(f.Access, access.Resource) {
				return fmt.Errorf("%s is named twice; give its actions once, separated by commas", phrase.Quote(access.Resource))
			}
			f.Access = append(f.Access, access)
		}
		return nil
	},
	editLayers: func(f *model.Function, text string) error {
		f.Layers = entries(text)
		return nil
	},
	editHandler: func(f *model.Function, text string) error {
		f.Handler = strings.TrimSpace(text)
		return nil
	},
	editTable: func(f *model.Function, text string) error {
		f.Table = strings.TrimSpace(text)
		return nil
	},
}

// setVariables replaces the variables of a function. Values keep their spaces.
func setVariables(f *model.Function, text string) error {
	f.Environment = nil
	names := make(map[string]bool)
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); strings.TrimSpace(line) == "" {
			continue
		}
		v, err := resource.ParseVariable(strings.TrimLeft(line, " "))
		if err != nil {
			return fmt.Errorf("the line %w", err)
		}
		if names[v.Name] {
			return fmt.Errorf("the variable %s is named twice", phrase.Quote(v.Name))
		}
		names[v.Name] = true
		f.Environment = append(f.Environment, v)
	}
	return nil
}
