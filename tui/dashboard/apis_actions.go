package dashboard

import (
	"cmp"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/console"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/wizard"
)

// actions are what can be done to an API or a path.
func (a *apisTab) actions(i int) []action {
	var r apiRow
	row, onPath, there, source := "there is no row", "there is no row", "there is no row", "there is no row"
	if i != none {
		r = a.rows[i]
		row, onPath, there, source = "", "", "", ""
		if r.of == nil {
			onPath, source = "put the cursor on a path", "put the cursor on a path"
		}
		if !r.there {
			there = "the project does not have it any more"
		}
		if source == "" && there == "" && a.page.snap.backend.Function(r.of.Function) == nil {
			source = "the project has no such function"
		}
	}
	reads := a.page.readOnly()
	change := cmp.Or(reads, row, there)
	bind := func(key, label, help, disabled string, do func() tea.Cmd) action {
		return action{frame.Binding{Keys: []string{key}, Label: label, Help: help, Disabled: disabled}, do}
	}
	return []action{
		bind("a", "add path", "add a path to this API in the wizard", change, func() tea.Cmd {
			return a.page.toWizard(wizard.Route{Task: flow.Task{API: r.api.Label}})
		}),
		bind("E", "edit path", "change this path in the wizard", cmp.Or(reads, onPath, there), func() tea.Cmd {
			return a.page.toWizard(wizard.Route{Task: flow.Task{API: r.api.Label, Path: r.of.Name}})
		}),
		bind("x", "remove", "remove this path or API; what goes with it is said first", change, func() tea.Cmd { return a.remove(r) }),
		bind("c", "console", "send requests to this path or API", cmp.Or(row, there), func() tea.Cmd { return a.toConsole(r) }),
		bind("F", "source", "open the source of this path's function in your editor", cmp.Or(a.page.noEditor(), source, there), func() tea.Cmd {
			return a.page.editFunction(a.page.snap.backend.Function(r.of.Function))
		}),
		bind("v", "difference", "show how the file that defines this API differs from the last push", row, func() tea.Cmd { return a.difference(r) }),
		bind("w", "resume", "go on with the draft of the wizard", a.noDraft(), a.resume),
		bind("n", "new API", "design another API in the wizard", reads, func() tea.Cmd { return a.page.toWizard(wizard.Route{}) }),
	}
}

// noDraft is why there is no draft to go on with; "" where there is one.
func (a *apisTab) noDraft() string {
	if why := a.page.readOnly(); why != "" {
		return why
	}
	if a.page.draft == nil {
		return "there is no draft"
	}
	return ""
}

// resume goes on with the draft.
func (a *apisTab) resume() tea.Cmd {
	return a.page.toWizard(wizard.Route{Task: a.page.draft.Task, Start: wizard.FromDraft})
}

// remove asks whether a path or an API is to go. An API's only path takes the API
// with it.
func (a *apisTab) remove(r apiRow) tea.Cmd {
	of := model.Ref{Kind: model.KindAPI, Name: r.api.Label}
	if r.of != nil {
		of = model.Ref{Kind: model.KindPath, API: r.api.Label, Name: r.of.Name}
	}
	return a.page.propose("Remove "+prose.Fit(of.String())+"?", "Remove", "removed "+prose.Fit(of.String()), func(p *project.Project) (*project.Plan, string, error) {
		return planRemoval(p, of)
	})
}

// planRemoval works out what removing a path or an API means.
func planRemoval(p *project.Project, of model.Ref) (*project.Plan, string, error) {
	var warnings []string
	next, err := p.Backend.Edit(func(b *model.Backend) error { return b.Remove(of, of.Kind == model.KindAPI) })
	if errors.Is(err, model.ErrLastPath) {
		warnings = append(warnings, "It is the only path of its API, so the API goes too.")
		next, err = p.Backend.Edit(func(b *model.Backend) error { return b.Remove(model.Ref{Kind: model.KindAPI, Name: of.API}, true) })
	}
	if err != nil {
		return nil, "", err
	}
	for _, name := range idle(p.Backend, next) {
		warnings = append(warnings, "The function "+model.Quote(name)+" stays, and serves no path then.")
	}
	plan, err := p.Plan(next)
	return plan, strings.Join(warnings, " "), err
}

// idle are the functions that serve a path before and none after.
func idle(was, next *model.Backend) []string {
	var names []string
	for _, f := range next.Functions {
		of := model.Ref{Kind: model.KindFunction, Name: f.Name}
		if len(was.Uses(of)) > 0 && len(next.Uses(of)) == 0 {
			names = append(names, f.Name)
		}
	}
	return names
}

// apiDifference is the difference of the file of an API, as lines.
type apiDifference struct {
	of    *apisTab
	title string
	text  string
}

// difference shows how the file that defines an API differs from what was pushed.
func (a *apisTab) difference(r apiRow) tea.Cmd {
	label := r.api.Label
	untold, resources, never := a.untold, a.page.snap.status.Resources, a.page.snap.status.Deployed == nil
	return func() tea.Msg {
		msg := apiDifference{of: a, title: "api " + prose.Fit(label) + " since the last push"}
		switch {
		case untold != "":
			msg.text = untold
			return msg
		case never:
			msg.text = "nothing was pushed that it could be compared with"
			return msg
		}
		msg.text = "no file of it differs from what was pushed"
		for _, res := range resources {
			if res.Of == (model.Ref{Kind: model.KindAPI, Name: label}) && len(res.Files) > 0 {
				msg.text = strings.TrimRight(res.Diff(), "\n")
			}
		}
		return msg
	}
}

// handle shows a difference that was made.
func (a *apisTab) handle(msg tea.Msg) (tea.Cmd, bool) {
	d, ok := msg.(apiDifference)
	if !ok || d.of != a {
		return nil, false
	}
	return frame.Open(dialog.Text("apis/difference", d.title, d.text)), true
}

// toConsole shows the console for a path, or for the first one of an API.
func (a *apisTab) toConsole(r apiRow) tea.Cmd {
	to := console.Route{API: r.api.Label, Environment: a.page.wanted()}
	if r.of != nil {
		to.Path = r.of.Name
	}
	return frame.Go(to)
}
