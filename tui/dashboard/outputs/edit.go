package outputs

import (
	"cmp"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/definition"
	"gatewright/prose"
	"gatewright/render"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// outputAsked is an output that a person is asked for.
type outputAsked struct {
	// name is the output's; "" has it named for its first section.
	name string
	// have says that it is there and is to be changed.
	have bool
}

// add asks for the name of a new output, and then for its values.
func (t *Tab) add() tea.Cmd {
	b := t.file.backend
	return frame.Open(dialog.Input("Name of the output", "enter: that of its first section", func(name string) error {
		switch {
		case name == "":
			return nil
		case b.Output(name) != nil:
			return errors.New("there is an output of that name already: e changes it")
		}
		return model.CheckName(model.KindOutput, name)
	}, func(name string) tea.Cmd { return t.ask(outputAsked{name: name}, emptyOutput, emptyLine) }))
}

// edit asks for the values of an output that is there.
func (t *Tab) edit(name string) tea.Cmd {
	if t.file.backend == nil || t.file.backend.Output(name) == nil {
		return frame.Say(frame.Warn, "output %s is gone", prose.Short(name))
	}
	return t.ask(outputAsked{name: name, have: true}, board.JSONText(t.file.backend.Output(name).Values), 0)
}

// emptyOutput is what the form of a new output begins with.
const emptyOutput = "{\n  \"custom\": {\n    \n  }\n}"

// emptyLine is the line of it that waits to be written.
const emptyLine = 3

// ask asks for the values. What is said against them goes by the files as they were
// read last.
func (t *Tab) ask(asked outputAsked, text string, line int) tea.Cmd {
	file := t.file
	if file.backend == nil {
		return frame.Say(frame.Warn, "not available: %s", t.notOurs())
	}
	title := "New output"
	if asked.name != "" {
		title = "Output " + prose.Short(asked.name)
	}
	read := func(text string) (model.Outputs, int, error) { return file.read(asked, text) }
	save := func(values model.Outputs) tea.Cmd { return t.save(asked, values) }
	return board.EditJSON(t.board, dialog.Editing{Title: title, Text: text, Line: line}, "output.json", read, save)
}

// read reads the values of an output, which may have the words of either dialect, in
// neutral words. It says what is wrong with them, and in which line: by the format of the
// file, and beside everything else that gives values.
func (c *clientFile) read(asked outputAsked, text string) (values model.Outputs, line int, err error) {
	if values, err = model.ParseOutputs([]byte(text)); err == nil {
		values, err = definition.NeutralWords(values)
	}
	if err != nil {
		return nil, 0, err
	}
	next, err := c.backend.Edit(asked.put(values))
	if err == nil {
		_, err = next.ClientFile(c.backend.Environment(c.env), c.pushed.Last().Outputs)
	}
	var problem *model.Problem
	if errors.As(err, &problem) && problem.Pointer != "" {
		line = 1 + lineAt(linesOf(text), problem.Pointer)
	}
	return values, line, err
}

// put is the edit that gives an output its values.
func (o outputAsked) put(values model.Outputs) func(*model.Backend) error {
	return func(b *model.Backend) error {
		switch {
		case o.have:
			return b.UpdateOutput(o.name, values)
		case o.name != "":
			return b.AddNamedOutput(o.name, values)
		}
		return b.AddOutput(values)
	}
}

// save writes the output that was asked for. A key that would be committed is asked
// about.
func (t *Tab) save(asked outputAsked, values model.Outputs) tea.Cmd {
	done := "output added"
	switch {
	case asked.have:
		done = "output " + prose.Short(asked.name) + " changed"
	case asked.name != "":
		done = "output " + prose.Short(asked.name) + " added"
	}
	warning := ""
	if key, _ := model.ValueAt(values, []string{"data", "api_key"}).(string); cmp.Or(key, model.APIKeyPlaceholder) != model.APIKeyPlaceholder {
		warning = "The key of the data API stands in a file that is committed; give " + model.APIKeyPlaceholder + " instead to keep it out."
	}
	return t.board.Warn(warning, "Write the output", "Write", done, board.Edited(asked.put(values)))
}

// remove removes an output after a yes.
func (t *Tab) remove(name string) tea.Cmd {
	of := prose.Short(name)
	return t.board.Propose("Remove output "+of, "Remove", "output "+of+" removed", func(current *project.Project) (*project.Plan, string, error) {
		return session.PlanRemoval(current, model.Ref{Kind: model.KindOutput, Name: name})
	})
}

// nothingToWrite is why the file need not be written; "" where it may be.
func (t *Tab) nothingToWrite() string {
	switch f := t.file; {
	case f.backend == nil:
		return ""
	case f.env == "":
		return "the project has no environment that the file could be of"
	case f.untold != "":
		return f.untold
	case f.planned == nil && f.writtenFor == f.env:
		return "a write would change nothing of it"
	}
	return ""
}

// write writes the file for the environment. What that takes away, or which other
// environment the file was of, is asked about.
func (t *Tab) write() tea.Cmd {
	f, warning := t.file, ""
	switch {
	case f.disk == nil:
	case f.writtenFor != "" && f.writtenFor != f.env:
		warning = "The file is of environment " + f.writtenFor + " now, and would be of " + f.env + "."
	case len(f.lost) > 0:
		warning = "The file loses " + model.List(f.lost) + "."
	}
	return t.board.Warn(warning, "Write "+f.name, "Write", f.name+" written for "+f.env, func(current *project.Project) (*project.Plan, error) {
		plan, _, err := current.PlanClientFileOf(f.env, f.pushed.Last().Outputs)
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
	code := deploy.Snippet(text.values, text.dialect, render.JSON, text.name, record)
	return frame.Open(dialog.Text("A client of "+text.name, strings.TrimRight(code, "\n")))
}
