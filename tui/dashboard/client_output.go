package dashboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// outputAsked is an output that a dialog asks for.
type outputAsked struct {
	// name is the output's; "" has it named for its first section.
	name string
	// have says that it is there and is to be changed.
	have bool
}

func (c *clientTab) checkName(name string) error {
	if name == "" {
		return nil
	}
	if c.file.backend.Output(name) != nil {
		return errors.New("there is an output of that name already: E changes it")
	}
	return model.CheckName(model.KindOutput, name)
}

// edit asks for the values of an output that is there.
func (c *clientTab) edit(name string) tea.Cmd {
	o := c.file.backend.Output(name)
	if o == nil {
		return frame.Say(frame.Warn, "output %s is gone", fit(name))
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(o.Values); err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	c.asked = outputAsked{name: name, have: true}
	return c.ask(strings.TrimRight(text.String(), "\n"), false)
}

// ask asks for the values. touched says that the text is not what it was.
func (c *clientTab) ask(text string, touched bool) tea.Cmd {
	title := "New output"
	if c.asked.name != "" {
		title = "Output " + fit(c.asked.name)
	}
	asked := c.asked
	editing := dialog.Editing{ID: outputValuesDialog, Title: title, Text: text, Colour: colour, Check: func(text string) (int, error) {
		return c.check(asked, text)
	}}
	if c.page.noEditor() == "" {
		editing.Editor = c.page.writes.Editor
	}
	if text == emptyOutput {
		editing.Line = emptyLine
	}
	if touched {
		return frame.Open(dialog.EditAgain(editing))
	}
	return frame.Open(dialog.Edit(editing))
}

// emptyOutput is what the form of a new output begins with.
const emptyOutput = "{\n  \"custom\": {\n    \n  }\n}"

// emptyLine is the line of it that waits to be written.
const emptyLine = 3

// check says what is wrong with the values of an output, and in which line: as
// JSON, by the format of the file, and beside everything else that gives values.
func (c *clientTab) check(asked outputAsked, text string) (line int, err error) {
	if line, err := syntaxOf(text); err != nil {
		return line, err
	}
	values, err := outputsIn(text)
	if err != nil {
		return 0, err
	}
	next, err := c.file.backend.Edit(asked.put(values))
	if err == nil {
		_, err = next.ClientFile(c.file.env.defined(), c.file.deployed)
	}
	var problem *model.Problem
	if errors.As(err, &problem) && problem.Pointer != "" {
		line = 1 + lineAt(pointersOf(text), problem.Pointer)
	}
	return line, err
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

// outputsIn reads values, which may have the words of either dialect, in neutral
// words.
func outputsIn(text string) (model.Outputs, error) {
	values, err := model.ParseOutputs([]byte(text))
	if err != nil {
		return nil, err
	}
	neutral, amplify := render.DialectWords(values)
	switch {
	case neutral != "" && amplify != "":
		return nil, errors.New(fit(neutral) + " has the words of one dialect and " + fit(amplify) + " those of the other; use those of one")
	case amplify != "":
		return render.Translate(values, model.Amplify, model.Neutral), nil
	}
	return values, nil
}

// save writes the output that was asked for.
func (c *clientTab) save(text string) tea.Cmd {
	asked := c.asked
	values, err := outputsIn(text)
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	done := "output added"
	if asked.name != "" {
		done = "output " + fit(asked.name) + " added"
	}
	if asked.have {
		done = "output " + fit(asked.name) + " changed"
	}
	key, _ := model.ValueAt(values, []string{"data", "api_key"}).(string)
	if key == "" || key == model.APIKeyPlaceholder {
		return c.page.change(done, asked.put(values))
	}
	return c.page.propose("Write the output", "Write", done, func(current *project.Project) (*project.Plan, string, error) {
		next, err := current.Backend.Edit(asked.put(values))
		if err != nil {
			return nil, "", err
		}
		plan, err := current.Plan(next)
		return plan, "The key of the data API stands in a file that is committed; give " + model.APIKeyPlaceholder + " instead to keep it out.", err
	})
}

// remove removes an output after a yes.
func (c *clientTab) remove(name string) tea.Cmd {
	of := model.Ref{Kind: model.KindOutput, Name: name}
	return c.page.propose("Remove output "+fit(name), "Remove", "output "+fit(name)+" removed", func(current *project.Project) (*project.Plan, string, error) {
		next, err := current.Backend.Edit(func(b *model.Backend) error { return b.Remove(of, false) })
		if err != nil {
			return nil, "", err
		}
		plan, err := current.Plan(next)
		return plan, "", err
	})
}
