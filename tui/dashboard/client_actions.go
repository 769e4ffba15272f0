package dashboard

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/render"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// The dialogs of the tab.
const (
	outputNameDialog   = "outputs/name"
	outputValuesDialog = "outputs/values"
	outputEditDialog   = "outputs/edit"
	outputRemoveDialog = "outputs/remove"
)

func (c *clientTab) actions(i int) []action {
	readOnly, other, own := c.page.readOnly(), "", ""
	if c.file.backend == nil {
		own = cmp.Or(c.file.untold, "the Amplify CLI writes the file of this project, and knows no outputs of a definition")
		if c.page.snap != nil && len(c.page.snap.broken) > 0 {
			own = "files of the project cannot be read"
		}
	}
	given, snippet := "", ""
	if own == "" && len(c.file.backend.Outputs) == 0 {
		given = "there is no output yet: A adds one"
	}
	if text := c.own(); text == nil || text.other == nil {
		other = "there is nothing that could be said in the words of the other dialect"
	}
	if text := c.text(); text == nil || text.values == nil {
		snippet = "there is no file that a client could read"
	}
	bind := func(key, label, help string, reasons ...string) frame.Binding {
		return frame.Binding{Keys: []string{key}, Label: label, Help: help, Disabled: cmp.Or(reasons...)}
	}
	return []action{
		{bind("A", "add output", "add values to the client configuration file (addOutput)", readOnly, own), func() tea.Cmd {
			c.asked = outputAsked{}
			return frame.Open(dialog.Input(outputNameDialog, "Name of the output", "enter: that of its first section", c.checkName))
		}},
		{bind("E", "edit output", "change the values of an output: that of the line, or one of all", readOnly, own, given), func() tea.Cmd {
			if name := c.outputAt(i); name != "" {
				return c.edit(name)
			}
			return frame.Open(dialog.Choose(outputEditDialog, "Edit an output", c.outputs()))
		}},
		{bind("x", "remove output", "remove an output: that of the line, or one of all", readOnly, own, given), func() tea.Cmd {
			if name := c.outputAt(i); name != "" {
				return c.remove(name)
			}
			return frame.Open(dialog.Choose(outputRemoveDialog, "Remove an output", c.outputs()))
		}},
		{bind("V", "write now", "write the file for the environment, as generate outputs --env does", readOnly, own, c.nothingToWrite()), c.write},
		{bind("D", "dialect", "show the file in the words of the other dialect", other), func() tea.Cmd {
			c.translated = !c.translated
			return nil
		}},
		{bind("S", "snippet", "show the code that configures a client from the file", snippet), c.snippet},
		{bind("F", "file", "open the file of the line's output in your editor, or that of the client", c.page.noEditor(), c.noFile(i)), func() tea.Cmd {
			return c.page.editFile(c.fileAt(i))
		}},
	}
}

// outputAt is the one output that a line is from; "" where there is none, or more
// than one.
func (c *clientTab) outputAt(i int) string {
	if i == none || len(c.text().lines[i].outputs) != 1 {
		return ""
	}
	return c.text().lines[i].outputs[0]
}

// fileAt is the file that a line is from: that of its output, else the client
// configuration file itself.
func (c *clientTab) fileAt(i int) string {
	if name := c.outputAt(i); name != "" {
		return c.page.snap.layout.File(model.Ref{Kind: model.KindOutput, Name: name})
	}
	return c.file.name
}

// noFile is why there is no file to open for a line; "" where there is one.
func (c *clientTab) noFile(i int) string {
	if c.outputAt(i) == "" && c.file.disk == nil && c.file.untold == "" {
		return "the file is not there yet: V writes it"
	}
	return ""
}

// outputs are the outputs of the project, to choose from.
func (c *clientTab) outputs() []dialog.Item {
	var items []dialog.Item
	for _, o := range c.file.backend.Outputs {
		var sections []string
		for name := range o.Values {
			sections = append(sections, fit(name))
		}
		slices.Sort(sections)
		items = append(items, dialog.Item{ID: o.Name, Label: fit(o.Name), Note: strings.Join(sections, ", ")})
	}
	return items
}

// nothingToWrite is why the file need not be written; "" where it may be.
func (c *clientTab) nothingToWrite() string {
	switch {
	case c.file.backend == nil:
		return ""
	case c.env == "":
		return "the project has no environment that the file could be of"
	case c.file.untold != "":
		return c.file.untold
	case c.file.planned == nil && c.file.of == c.env:
		return "a write would change nothing of it"
	}
	return ""
}

// write writes the file for the environment. What that takes away, or which other
// environment the file was of, is asked about.
func (c *clientTab) write() tea.Cmd {
	env, deployed := c.file.env.named(), c.file.deployed
	plan := func(current *project.Project) (*project.Plan, error) {
		content, err := current.Backend.ClientFile(current.Backend.Environment(env), deployed)
		if err != nil {
			return nil, err
		}
		return current.PlanClientFile(env, content.Values)
	}
	done := c.file.name + " written for " + fit(env)
	warning := ""
	switch {
	case c.file.disk == nil:
	case c.file.of != "" && c.file.of != c.env:
		warning = "The file is of environment " + c.file.of + " now, and would be of " + c.env + "."
	case len(c.file.lost) > 0:
		warning = "The file loses " + model.List(c.file.lost) + "."
	}
	if warning == "" {
		return c.page.commit(done, plan)
	}
	return c.page.propose("Write "+c.file.name, "Write", done, func(current *project.Project) (*project.Plan, string, error) {
		plan, err := plan(current)
		return plan, warning, err
	})
}

// snippet shows the code that configures a client from the file.
func (c *clientTab) snippet() tea.Cmd {
	text := c.text()
	var pools render.PoolEndpoints
	examples := make(map[string]string)
	if e := c.file.env; e != nil && e.record != nil && c.file.of == c.env {
		pools.User, pools.Identity = deploy.PoolEndpoints(*e.record)
		for _, endpoint := range e.record.APIs {
			examples[endpoint.API] = endpoint.Example
		}
	} else {
		pools.User, pools.Identity = deploy.PoolEndpointsIn(text.values)
	}
	code := render.Snippet(text.values, text.dialect, render.JSON, text.name, examples, pools)
	return frame.Open(dialog.Text("outputs/snippet", "A client of "+text.name, strings.TrimRight(code, "\n")))
}

func (c *clientTab) handle(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case elsewhere:
		if msg.of != c.page || msg.id != outputValuesDialog {
			return nil, false
		}
		again := c.ask(msg.text, true)
		if msg.err != nil {
			again = tea.Batch(again, frame.Say(frame.Error, "the editor %s: %v", prose.Fit(c.page.writes.Editor), msg.err))
		}
		return again, true
	case dialog.Result:
		if !strings.HasPrefix(msg.ID, "outputs/") {
			return nil, false
		}
		if c.page.readOnly() != "" || c.file.backend == nil {
			return nil, true
		}
		return c.concluded(msg), true
	}
	return nil, false
}

// concluded does what a dialog was answered with.
func (c *clientTab) concluded(r dialog.Result) tea.Cmd {
	switch a := r.Action.(type) {
	case dialog.Entered:
		if r.ID == outputNameDialog {
			c.asked = outputAsked{name: string(a)}
			return c.ask(emptyOutput, false)
		}
		return c.save(string(a))
	case dialog.Picked:
		if r.ID == outputEditDialog {
			return c.edit(string(a))
		}
		return c.remove(string(a))
	case dialog.Elsewhere:
		return c.page.editElsewhere(outputValuesDialog, string(a), "output.json")
	}
	return nil
}
