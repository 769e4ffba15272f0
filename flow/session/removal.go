package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
)

// PlanRemoval works out what removing something means for a project's files, with all
// that refers to it. An API's only path takes the API with it. The warning says what
// goes with it, and what is left without a use; "" where there is nothing to say.
func PlanRemoval(p *project.Project, of model.Ref) (plan *project.Plan, warning string, err error) {
	var warnings []string
	remove := func(of model.Ref) (*model.Backend, error) {
		return p.Backend.Edit(func(b *model.Backend) error { return b.Remove(of, of.Kind != model.KindPath) })
	}
	next, err := remove(of)
	if errors.Is(err, model.ErrLastPath) {
		warnings = append(warnings, "It is the only path of its API, so the API goes too.")
		next, err = remove(model.Ref{Kind: model.KindAPI, Name: of.API})
	}
	if err == nil && of.Kind == model.KindFunction {
		err = refuseGuarded(p.Backend, next, of)
	}
	if err != nil {
		return nil, "", err
	}
	switch of.Kind {
	case model.KindFunction:
		warnings = lostWith(p.Backend, next, of)
	case model.KindGroup:
		if n := len(p.Backend.Uses(of)); n > 0 {
			warnings = append(warnings, "The entries of "+model.Count(n, "path")+" for it go with it.")
		}
		warnings = append(warnings, "Its members act as other signed-in users then.")
	default:
		for _, name := range next.Names(model.KindFunction) {
			function := model.Ref{Kind: model.KindFunction, Name: name}
			if len(p.Backend.Uses(function)) > 0 && len(next.Uses(function)) == 0 {
				warnings = append(warnings, "The function "+model.Quote(name)+" stays, and serves no path then.")
			}
		}
	}
	plan, err = p.Plan(next)
	return plan, strings.Join(warnings, " "), err
}

// refuseGuarded refuses what changes a guarded environment: its name cannot be typed here.
func refuseGuarded(was, next *model.Backend, of model.Ref) error {
	for _, e := range was.Environments {
		if e.Guarded && next.Environment(e.Name) != e {
			return &model.Problem{
				Of: of, Text: "changes environment " + model.Quote(e.Name) + ", which is guarded",
				Fix: fmt.Sprintf("run: gatewright remove %s %s --cascade --confirm %s", of.Kind, model.Quote(of.Name), model.Quote(e.Name)),
			}
		}
	}
	return nil
}

// lostWith says what goes with a function.
func lostWith(was, next *model.Backend, of model.Ref) (warnings []string) {
	var names []string
	for _, use := range was.Uses(of) {
		names = append(names, use.String())
	}
	if len(names) > 0 {
		warnings = append(warnings, "It is used by "+model.List(names)+": paths that it serves go with it, the rest loses it.")
	}
	for _, api := range was.APIs {
		if next.API(api.Label) == nil {
			warnings = append(warnings, "The API "+model.Quote(api.Label)+" goes too, since no path is left in it.")
		}
	}
	return warnings
}

// Changes say which files a plan writes, a line each, fit for the screen.
func Changes(plan *project.Plan) []string {
	lines := make([]string, len(plan.Changes))
	for i, c := range plan.Changes {
		lines[i] = project.Kind(c) + " " + prose.Printable(c.Path)
	}
	return lines
}

// Explained is a plan as a question tells of it: the warning, the files, the notes.
func Explained(plan *project.Plan, warning string) string {
	lines := Changes(plan)
	for _, note := range plan.Notes {
		lines = append(lines, prose.Printable(note))
	}
	if warning != "" {
		lines = slices.Insert(lines, 0, warning, "")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
