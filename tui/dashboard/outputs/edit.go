package outputs

import (
	"cmp"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/outputs"
	"gatewright/flow/merge"
	"gatewright/flow/session"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/definition"
	"gatewright/project/plan"
	"gatewright/render"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// outputForm is the form of an output.
type outputForm struct {
	// name is the name; "" names it after its first section.
	name string
	// exists says that it is changed, not added; was are its values then.
	exists  bool
	was     model.Outputs
	merging *merge.Merge
}

// add asks for the name of a new output, and then for its values.
func (t *Tab) add() tea.Cmd {
	b := t.file.backend
	return frame.Open(dialog.Input("Name of the output", "empty: named after its first section", func(name string) error {
		switch {
		case name == "":
			return nil
		case b.Output(name) != nil:
			return errors.New("this output exists already: e changes it")
		}
		return model.CheckName(model.KindOutput, name)
	}, func(name string) tea.Cmd { return t.ask(outputForm{name: name}, emptyOutput, emptyLine) }))
}

// edit asks for the new values of an output.
func (t *Tab) edit(name string) tea.Cmd {
	if t.file.backend == nil || t.file.backend.Output(name) == nil {
		return frame.Say(frame.Warn, "the output %s no longer exists", prose.PrintableStart(name))
	}
	was := t.file.backend.Output(name).Values
	return t.ask(outputForm{name: name, exists: true, was: was, merging: merge.New()}, board.JSONText(was), 0)
}

// emptyOutput is what the form of a new output begins with.
const emptyOutput = "{\n  \"custom\": {\n    \n  }\n}"

// emptyLine is the number of its empty line, where the cursor begins.
const emptyLine = 3

// ask asks for the values. They are checked against the files as they were last read.
func (t *Tab) ask(form outputForm, text string, line int) tea.Cmd {
	file := t.file
	if file.backend == nil {
		return frame.Say(frame.Warn, "not available: %s", t.whyFixed())
	}
	title := "New output"
	if form.name != "" {
		title = "Output " + prose.PrintableStart(form.name)
	}
	read := func(text string) (model.Outputs, int, error) { return file.read(form, text) }
	save := func(values model.Outputs) tea.Cmd { return t.save(form, values) }
	return board.EditJSON(t.board, dialog.Editing{Title: title, Text: text, Line: line}, "output.json", read, save,
		func(typed string) tea.Cmd {
			if b := t.file.backend; typed == text && form.exists && b != nil && b.Output(form.name) != nil {
				return t.edit(form.name)
			}
			return t.ask(form, typed, line)
		})
}

// read parses the values of an output, in either dialect, into the neutral one. It checks them by the format
// of the file and against all other values in it, and gives the wrong line.
func (c *clientFile) read(form outputForm, text string) (values model.Outputs, line int, err error) {
	if values, err = model.ParseOutputs([]byte(text)); err == nil {
		values, err = definition.NeutralWords(values)
	}
	if err != nil {
		return nil, 0, err
	}
	next, err := c.backend.Edit(form.put(values))
	if err == nil {
		_, err = clientfile.Of(next, c.backend.Environment(c.env), c.pushed.Last().Outputs)
	}
	var problem *model.Problem
	if errors.As(err, &problem) && problem.Pointer != "" {
		line = 1 + lineAt(linesOf(text), problem.Pointer)
	}
	return values, line, err
}

// put is the edit that gives an output its values.
func (o outputForm) put(values model.Outputs) func(*model.Backend) error {
	return func(b *model.Backend) error {
		switch {
		case o.exists:
			now := b.Output(o.name)
			if now == nil {
				return b.Known(model.Ref{Kind: model.KindOutput, Name: o.name})
			}
			m := o.merging.Again()
			merged, _ := merge.JSON(m, "output "+o.name, map[string]any(o.was), map[string]any(now.Values),
				map[string]any(values)).(map[string]any)
			if open := m.Err(); open != nil {
				return open
			}
			return edit.UpdateOutput(b, o.name, merged)
		case o.name != "":
			return edit.AddNamedOutput(b, o.name, values)
		}
		return edit.AddOutput(b, values)
	}
}

// save writes the output. It asks first if that would put an API key into a committed file.
func (t *Tab) save(form outputForm, values model.Outputs) tea.Cmd {
	done := "output added"
	switch {
	case form.exists:
		done = "output " + prose.PrintableStart(form.name) + " changed"
	case form.name != "":
		done = "output " + prose.PrintableStart(form.name) + " added"
	}
	warning := ""
	if key, _ := model.ValueAt(values, []string{"data", "api_key"}).(string); cmp.Or(key,
		model.APIKeyPlaceholder) != model.APIKeyPlaceholder {
		warning = "This puts the key of the data API into a file that is committed; write " + model.APIKeyPlaceholder +
			" instead to keep it out."
	}
	return t.board.Warn(warning, "Write the output", "Write", done, board.Edited(form.put(values)))
}

// remove removes an output after a yes.
func (t *Tab) remove(name string) tea.Cmd {
	of := prose.PrintableStart(name)
	return t.board.Propose("Remove output "+of, "Remove", "output "+of+" removed",
		func(current *project.Project) (*plan.Plan, string, error) {
			return session.PlanRemoval(current, model.Ref{Kind: model.KindOutput, Name: name})
		})
}

// nothingToWrite is why the file need not be written; "" if it may be.
func (t *Tab) nothingToWrite() string {
	switch f := t.file; {
	case f.backend == nil:
		return ""
	case f.env == "":
		return "the project has no environment to write the file for"
	case f.missing != "":
		return f.missing
	case f.planned == nil && f.writtenFor == f.env:
		return "a write would not change the file"
	}
	return ""
}

// write writes the file for the environment. It asks first if values would be lost, or if the
// file is for another environment.
func (t *Tab) write() tea.Cmd {
	f, warning := t.file, ""
	switch {
	case f.disk == nil:
	case f.writtenFor != "" && f.writtenFor != f.env:
		warning = "The file is for environment " + f.writtenFor + " now, and would be for " + f.env + "."
	case len(f.lost) > 0:
		warning = "The file loses " + phrase.List(f.lost) + "."
	}
	return t.board.Warn(warning, "Write "+f.name, "Write", f.name+" written for "+f.env,
		func(current *project.Project) (*plan.Plan, error) {
			plan, _, err := plan.ClientFileOf(current, f.env, f.pushed.Last().Outputs)
			return plan, err
		})
}

// snippet shows the code that configures a client from the file.
func (t *Tab) snippet() tea.Cmd {
	text := t.text()
	var record *project.Record
	if f := t.file; f.pushed != nil && f.writtenFor == f.env {
		record = f.pushed.Record
	}
	code := outputs.Snippet(text.values, text.dialect, render.JSON, text.name, record)
	return frame.Open(dialog.Text("Client code for "+text.name, strings.TrimRight(code, "\n")))
}
