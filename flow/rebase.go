package flow

import (
	"maps"
	"reflect"
	"slices"

	"gatewright/flow/matrix"
	"gatewright/flow/merge"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// origin is what the base has of what the answers may change.
func (f *Flow) origin() *Origin {
	from := &Origin{Groups: f.Base.Groups}
	if api := f.Base.API(f.Task.API); api != nil {
		if p := api.Path(f.Task.Path); p != nil {
			as := f.answersOf(p)
			from.Path = &as
		}
	}
	return from
}

// Rebase lays the answers on a base that was read later: what the person answered stays, and everything else is that
// of the base. newProject is as New takes it. While a conflict is open, nothing changes.
func (f *Flow) Rebase(base *model.Backend, newProject string, m *merge.Merge) {
	onto := &Flow{Base: base, Task: f.Task, NewProject: newProject}
	to := onto.origin()
	next := onto.merged(f.now, to, m)
	task := f.Task
	if to.Path == nil && f.readPath() && base.API(task.API) != nil {
		const as, gone = "as it was", "removed"
		mine := as
		if !reflect.DeepEqual(f.now.Paths[0], *f.now.From.Path) {
			mine = "with your answers"
		}
		of := model.Ref{Kind: model.KindPath, API: task.API, Name: task.Path}
		if merge.Text(m, of.String(), as, gone, mine) == mine && mine != as {
			task.Path = ""
		}
	}
	if len(m.Open) > 0 {
		return
	}
	f.Base, f.Task, f.NewProject, f.now = base, task, newProject, next
	for _, past := range [][]entry{f.undo, f.redo} {
		for i := range past {
			// What an earlier answer had of a value that was never decided stays.
			past[i].answers = onto.merged(past[i].answers, to, m.Again())
		}
	}
}

// merged lays answers on what the base has now.
func (f *Flow) merged(a Answers, to *Origin, m *merge.Merge) Answers {
	a = a.clone()
	was := a.From
	if was == nil {
		was = to
	}
	a.Groups = matrix.MergedGroups(m, was.Groups, to.Groups, a.Groups)
	a.From = to
	switch {
	case to.Path == nil:
		a.From = &Origin{Path: was.Path, Groups: to.Groups}
	case was.Path != nil:
		a.Paths[0] = f.mergedPath(m, *was.Path, *to.Path, a.Paths[0])
	}
	return a
}

// readPath reports whether the path of the task was there when the answers began.
func (f *Flow) readPath() bool {
	return f.Task.Path != "" && f.now.From != nil && f.now.From.Path != nil
}

func (f *Flow) mergedPath(m *merge.Merge, was, now, mine PathAnswer) PathAnswer {
	type handler struct{ source, existing string }
	of := func(p PathAnswer) handler { return handler{p.Source, p.Existing} }
	served := merge.Value(m, "the function of "+phrase.Quote(now.Path), of(was), of(now), of(mine),
		func(a, b handler) bool { return a == b }, func(h handler) string {
			if h.source == NewFunction {
				return "a new function"
			}
			return "function " + phrase.Quote(h.existing)
		})
	mine.Source, mine.Existing = served.source, served.existing
	rules := func(p PathAnswer) access.Access {
		return p.Access.access(slices.Concat(f.Base.Groups, slices.Sorted(maps.Keys(p.Access.Groups))), nil)
	}
	mine.Access = accessAnswer(matrix.Merged(m, now.Path, rules(was), rules(now), rules(mine)))
	return mine
}
