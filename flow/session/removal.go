package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
)

// Removal is the removal of a thing: the backend before it, and after it without the thing and the references to it.
type Removal struct {
	Of            model.Ref
	Before, After *model.Backend
}

// PlanRemoval returns the plan that removes a thing and all references to it. The only path of an API is removed with
// its API. The warning says what else changes; it may be "". The removal is refused if it changes a guarded
// environment, because the screens do not ask for its name here.
func PlanRemoval(p *project.Project, of model.Ref) (planned *plan.Plan, warning string, err error) {
	var warnings []string
	remove := func(of model.Ref) (*model.Backend, error) {
		return p.Backend.Edit(func(b *model.Backend) error { return edit.Remove(b, of, of.Kind != model.KindPath) })
	}
	next, err := remove(of)
	if errors.Is(err, model.ErrLastPath) {
		warnings = append(warnings, "It is the only path of its API, so the API is removed too.")
		of = model.Ref{Kind: model.KindAPI, Name: of.API}
		next, err = remove(of)
	}
	if err != nil {
		return nil, "", err
	}
	r := Removal{of, p.Backend, next}
	if guarded := r.Guarded(); len(guarded) > 0 {
		name := phrase.Quote(guarded[0].Name)
		return nil, "", &model.Problem{
			Of: of, Text: "removing it changes environment " + name + ", which is guarded",
			Fix: fmt.Sprintf("run: gatewright remove %s %s --cascade --confirm %s", of.Kind, phrase.Quote(of.Name), name),
		}
	}
	for _, line := range r.Consequences() {
		warnings = append(warnings, prose.Printable(line))
	}
	switch of.Kind {
	case model.KindGroup:
		warnings = append(warnings, "Its members will have the same access as other signed-in users.")
	case model.KindPath, model.KindAPI:
		for _, name := range next.Names(model.KindFunction) {
			function := model.Ref{Kind: model.KindFunction, Name: name}
			if len(edit.Uses(p.Backend, function)) > 0 && len(edit.Uses(next, function)) == 0 {
				warnings = append(warnings, "The function "+phrase.Quote(name)+" stays, but will serve no path.")
			}
		}
	}
	planned, err = plan.Of(p, next)
	return planned, strings.Join(warnings, "\n"), err
}

// Guarded returns the guarded environments that the removal removes or changes.
func (r Removal) Guarded() []*model.Environment {
	return slices.DeleteFunc(slices.Clone(r.Before.Environments), func(e *model.Environment) bool {
		return !e.Guarded || r.After.Environment(e.Name) == e
	})
}

// Consequences describes what else the removal removes or changes, a line each.
func (r Removal) Consequences() (lines []string) {
	for _, was := range r.Before.APIs {
		now := r.After.API(was.Label)
		of := model.Ref{Kind: model.KindAPI, Name: was.Label}
		switch {
		case of == r.Of || r.Of.Kind == model.KindPath || now == was:
		case now == nil:
			lines = append(lines, of.String()+" is removed too: it has no other path")
		default:
			lines = append(lines, r.changedPaths(was, now)...)
		}
	}
	for _, was := range r.Before.Functions {
		if now := r.After.Function(was.Name); now != nil && now != was {
			lines = append(lines, model.Ref{Kind: model.KindFunction, Name: was.Name}.String()+" loses its access to "+
				phrase.QuoteList(lostResources(was, now)))
		}
	}
	for _, was := range r.Before.Environments {
		if now := r.After.Environment(was.Name); now != nil && now != was {
			lines = append(lines,
				model.Ref{Kind: model.KindEnvironment, Name: was.Name}.String()+" loses "+strings.Join(lostParts(was, now), ", "))
		}
	}
	for _, was := range r.Before.Outputs {
		of := model.Ref{Kind: model.KindOutput, Name: was.Name}
		switch now := r.After.Output(was.Name); {
		case of == r.Of || now == was:
		case now == nil:
			lines = append(lines, of.String()+" is removed too: it has no other values")
		default:
			lines = append(lines, of.String()+" loses its entry for the removed API")
		}
	}
	return lines
}

// changedPaths describes the paths of an API that are removed, or lose their entry for a group.
func (r Removal) changedPaths(was, now *access.API) (lines []string) {
	for _, p := range was.Paths {
		of := model.Ref{Kind: model.KindPath, API: was.Label, Name: p.Name}.String()
		switch left := now.Path(p.Name); left {
		case p:
		case nil:
			lines = append(lines, of+" is removed too")
		default:
			lines = append(lines, of+" loses its entry for "+r.Of.String()+" and keeps "+left.Access.String())
		}
	}
	return lines
}

// lostResources lists the resources, such as table/items, that a function no longer uses.
func lostResources(was, now *model.Function) (lost []string) {
	for _, a := range was.Access {
		if !slices.ContainsFunc(now.Access, func(left model.ResourceAccess) bool { return left.Resource == a.Resource }) {
			lost = append(lost, a.Resource)
		}
	}
	if table := string(model.KindTable) + "/" + was.Table; was.Table != now.Table && !slices.Contains(lost, table) {
		lost = append(lost, table)
	}
	return lost
}

// lostParts lists the APIs and the variables of functions that an environment loses.
func lostParts(was, now *model.Environment) (lost []string) {
	for _, label := range was.APIs {
		if !slices.Contains(now.APIs, label) {
			lost = append(lost, model.Ref{Kind: model.KindAPI, Name: label}.String())
		}
	}
	for _, v := range was.Variables {
		if slices.ContainsFunc(now.Variables,
			func(left model.FunctionVariables) bool { return left.Function == v.Function }) {
			continue
		}
		var names []string
		for _, value := range v.Values {
			names = append(names, value.Name)
		}
		lost = append(lost, "its variables "+phrase.QuoteList(names)+" for function "+phrase.Quote(v.Function))
	}
	return lost
}

// Changes lists the files that a plan writes, a line each, safe for the terminal.
func Changes(planned *plan.Plan) []string {
	lines := make([]string, len(planned.Changes))
	for i, c := range planned.Changes {
		lines[i] = plan.Kind(c) + " " + prose.Printable(c.Path)
	}
	return lines
}

// Explain returns the text of the question about a plan: the warning, the files, the notes.
func Explain(plan *plan.Plan, warning string) string {
	lines := Changes(plan)
	for _, note := range plan.Notes {
		lines = append(lines, prose.Printable(note))
	}
	if warning != "" {
		lines = slices.Insert(lines, 0, warning, "")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
