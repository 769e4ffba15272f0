package dashboard

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/console"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// actions are what can be done to a function.
func (f *functionsTab) actions(i int) []action {
	var r functionRow
	row, there, path, log := "there is no row", "", "", ""
	if i != none {
		r, row = f.rows[i], ""
		if r.of == nil {
			there = "the project does not have it any more"
		}
		if len(r.paths) == 0 {
			path = "no path is served by it; run: gatewright mock function " + r.name
		}
	}
	if f.environment == "" {
		log = project.ErrNoEnvironments.Error()
	}
	foreign := ""
	if f.layout == project.Amplify {
		foreign = "functions of this project are the Amplify CLI's: run amplify remove function"
	}
	bind := func(key, label, help, disabled string, do func() tea.Cmd) action {
		return action{frame.Binding{Keys: []string{key}, Label: label, Help: help, Disabled: disabled}, do}
	}
	return []action{
		bind("F", "source", "open its source in your editor", cmp.Or(f.page.noEditor(), row, there), func() tea.Cmd { return f.page.editFunction(r.of) }),
		bind("L", "log", "show its log, and follow it", cmp.Or(row, log), func() tea.Cmd { return f.readLog(r) }),
		bind("t", "test", "send a test event in the console", cmp.Or(row, there, path), func() tea.Cmd { return f.test(r) }),
		bind("x", "remove", "remove it with its files; what goes with it is said first", cmp.Or(f.page.readOnly(), row, there, foreign), func() tea.Cmd { return f.remove(r) }),
	}
}

// test shows the console for the first path of a function.
func (f *functionsTab) test(r functionRow) tea.Cmd {
	return frame.Go(console.Route{API: r.paths[0].api, Path: r.paths[0].path, Environment: f.page.wanted(), Test: true})
}

// remove asks whether a function is to go, with all that refers to it.
func (f *functionsTab) remove(r functionRow) tea.Cmd {
	of := model.Ref{Kind: model.KindFunction, Name: r.of.Name}
	return f.page.propose("Remove "+fit(of.String())+"?", "Remove", "removed "+fit(of.String()), func(p *project.Project) (*project.Plan, string, error) {
		return planWithout(p, of)
	})
}

// planWithout works out what removing a thing means with all that refers to it. A
// guarded environment that would change refuses it: its name cannot be typed here.
func planWithout(p *project.Project, of model.Ref) (*project.Plan, string, error) {
	uses := p.Backend.Uses(of)
	next, err := p.Backend.Edit(func(b *model.Backend) error { return b.Remove(of, true) })
	if err != nil {
		return nil, "", err
	}
	for _, e := range p.Backend.Environments {
		if e.Guarded && next.Environment(e.Name) != e {
			return nil, "", &model.Problem{
				Of: of, Text: "changes environment " + model.Quote(e.Name) + ", which is guarded",
				Fix: fmt.Sprintf("run: gatewright remove %s %s --cascade --confirm %s", of.Kind, model.Quote(of.Name), model.Quote(e.Name)),
			}
		}
	}
	warning := ""
	if len(uses) > 0 {
		names := make([]string, len(uses))
		for i, use := range uses {
			names[i] = use.String()
		}
		warning = "It is used by " + model.List(names) + ": paths that it serves go with it, the rest loses it."
	}
	for _, api := range p.Backend.APIs {
		if next.API(api.Label) == nil {
			warning += " The API " + model.Quote(api.Label) + " goes too, since no path is left in it."
		}
	}
	plan, err := p.Plan(next)
	return plan, warning, err
}

// handle takes the messages of the tab.
func (f *functionsTab) handle(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case logged:
		if msg.of != nil && msg.of == f.reading {
			return f.takeLog(msg), true
		}
	case dialog.Result:
		if msg.ID == logDialog {
			f.endLog()
		}
		return nil, strings.HasPrefix(msg.ID, "functions/")
	}
	return nil, false
}
