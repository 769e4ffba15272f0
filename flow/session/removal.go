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

// PlanRemoval returns the plan that removes a thing and all references to it. The only
// path of an API is removed with its API. The warning says what else is removed and
// what nothing uses any more; it may be "".
func PlanRemoval(p *project.Project, of model.Ref) (plan *project.Plan, warning string, err error) {
	var warnings []string
	remove := func(of model.Ref) (*model.Backend, error) {
		return p.Backend.Edit(func(b *model.Backend) error { return b.Remove(of, of.Kind != model.KindPath) })
	}
	next, err := remove(of)
	if errors.Is(err, model.ErrLastPath) {
		warnings = append(warnings, "It is the only path of its API, so the API is removed too.")
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
			warnings = append(warnings, "Its entries on "+model.Count(n, "path")+" are removed too.")
		}
		warnings = append(warnings, "Its members will act as other signed-in users.")
	default:
		for _, name := range next.Names(model.KindFunction) {
			function := model.Ref{Kind: model.KindFunction, Name: name}
			if len(p.Backend.Uses(function)) > 0 && len(next.Uses(function)) == 0 {
				warnings = append(warnings, "The function "+model.Quote(name)+" stays, but will serve no path.")
			}
		}
	}
	plan, err = p.Plan(next)
	return plan, strings.Join(warnings, " "), err
}

// refuseGuarded returns an error if a guarded environment would change: there is no
// field here to type its name in.
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

// lostWith describes what is removed with a function.
func lostWith(was, next *model.Backend, of model.Ref) (warnings []string) {
	var names []string
	for _, use := range was.Uses(of) {
		names = append(names, use.String())
	}
	if len(names) > 0 {
		warnings = append(warnings, "It is used by "+model.List(names)+". The paths that it serves are removed too; everything else loses its reference to it.")
	}
	for _, api := range was.APIs {
		if next.API(api.Label) == nil {
			warnings = append(warnings, "The API "+model.Quote(api.Label)+" is removed too, because it has no other path.")
		}
	}
	return warnings
}

// Changes lists the files that a plan writes, a line each, safe for the terminal.
func Changes(plan *project.Plan) []string {
	lines := make([]string, len(plan.Changes))
	for i, c := range plan.Changes {
		lines[i] = project.Kind(c) + " " + prose.Printable(c.Path)
	}
	return lines
}

// Explain returns the text of the question about a plan: the warning, the files, the
// notes.
func Explain(plan *project.Plan, warning string) string {
	lines := Changes(plan)
	for _, note := range plan.Notes {
		lines = append(lines, prose.Printable(note))
	}
	if warning != "" {
		lines = slices.Insert(lines, 0, warning, "")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
