package live

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/read"
	"gatewright/project/validate"
)

// LeftOut are the tables, functions, APIs and environments whose definitions have errors, with the first
// error of each, and functions that are named and not there. The rest of the project is served.
type LeftOut map[model.Ref]*read.Problem

// LeaveOut takes what has errors out of the backend of a project: a table or an environment goes, a
// function is one that cannot run, an API has no paths, so that nothing is open that should not be. The
// error is about something that the rest cannot do without, such as the environment that is chosen.
// Errors of the client configuration file do not count.
func LeaveOut(p *project.Project) (LeftOut, error) {
	left := make(LeftOut)
	for _, problem := range validate.Backend(p) {
		if problem.Level != model.Error || problem.File == clientFileName(p) {
			continue
		}
		of, _ := p.Layout.Ref(problem.File)
		// Only what it answers is amiss then, and not all that is defined where it is named.
		if name := validate.MissingFunction(p, problem); name != "" {
			of = model.Ref{Kind: model.KindFunction, Name: name}
		}
		switch of.Kind {
		case model.KindTable, model.KindFunction, model.KindAPI:
		case model.KindEnvironment:
			if p.Chosen() == of.Name {
				return nil, problem
			}
		default:
			return nil, problem
		}
		if left[of] == nil {
			left[of] = problem
		}
	}
	if len(left) == 0 {
		return nil, nil
	}
	b := *p.Backend
	b.APIs = without(left, model.KindAPI, b.APIs)
	b.Functions = without(left, model.KindFunction, b.Functions)
	b.Tables = without(left, model.KindTable, b.Tables)
	b.Environments = without(left, model.KindEnvironment, b.Environments)
	for _, of := range left.refs() {
		switch of.Kind {
		case model.KindAPI:
			b.APIs = append(b.APIs, &access.API{Label: of.Name})
			// The pool may be there for this API, and its users and addresses stay.
			if file, _ := p.ClientFile(); b.Auth == nil && bytes.Contains(file, []byte(`"auth"`)) {
				b.Auth = new(model.Auth)
			}
		case model.KindFunction:
			b.Functions = append(b.Functions, &model.Function{Name: of.Name})
		case model.KindEnvironment:
			if len(b.Environments) == 0 {
				return nil, left[of]
			}
		}
	}
	p.Backend = &b
	// The client configuration file is written also while these are wrong: it has names and addresses.
	p.Problems = slices.DeleteFunc(slices.Clone(p.Problems), func(problem *read.Problem) bool {
		of, _ := p.Layout.Ref(problem.File)
		return problem.Level == model.Error && left[of] != nil
	})
	return left, nil
}

// without copies a list without what is left out.
func without[T model.Named](left LeftOut, kind model.Kind, list []T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(one T) bool { return left.because(kind, one.Key()) != "" })
}

// refs are the things that are left out, in order.
func (l LeftOut) refs() []model.Ref {
	return slices.SortedFunc(maps.Keys(l), func(a, b model.Ref) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
}

// Err is the error of the first of the things that are left out; nil if nothing is.
func (l LeftOut) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l[l.refs()[0]]
}

// because is why a thing is left out; "" for one that is not.
func (l LeftOut) because(kind model.Kind, name string) string {
	if problem := l[model.Ref{Kind: kind, Name: name}]; problem != nil {
		return problem.Error()
	}
	return ""
}

// text tells what is not served and why, each on a line; "" for nothing.
func (l LeftOut) text() string {
	var lines []string
	for _, of := range l.refs() {
		text := of.String() + " is left out, and the rest is served"
		switch of.Kind {
		case model.KindAPI:
			text = of.String() + " is not served, and its paths return 502"
		case model.KindFunction:
			text = of.String() + " does not run, and its paths return 502"
		}
		lines = append(lines, text+": "+l[of].Error())
	}
	return strings.Join(lines, "\n")
}
