package flow

import (
	"slices"

	"gatewright/model"
)

// Task is what the wizard is to do.
type Task struct {
	// API is the API that a path is added to or changed in; "" makes a new one.
	API string
	// Path is the path to change; "" adds.
	Path string
}

// Flow is one walk through the questions.
type Flow struct {
	// Base is the backend as it was read; it is never changed.
	Base *model.Backend
	Task Task
	// NewProject says that there is no project yet.
	NewProject bool

	proposed   string
	now        Answers
	undo, redo []Answers
}

// New starts a walk. newProject is the name to propose for a project that is not
// there yet, "" where there is one. For a path that is changed the answers are
// what it is now.
func New(base *model.Backend, task Task, newProject string) *Flow {
	f := &Flow{Base: base, Task: task, NewProject: newProject != "", proposed: newProject}
	f.now = f.start()
	return f
}

// Answers are what was said so far, as a copy.
func (f *Flow) Answers() Answers { return f.now.clone() }

// Restore takes the answers of a draft.
func (f *Flow) Restore(a Answers) {
	if len(a.Paths) == 0 {
		a.Paths = []PathAnswer{{}}
	}
	f.now, f.undo, f.redo = a.clone(), nil, nil
}

// Copy is the walk as it is now, for a command that runs beside it; it has no
// history.
func (f *Flow) Copy() *Flow {
	return &Flow{Base: f.Base, Task: f.Task, NewProject: f.NewProject, proposed: f.proposed, now: f.now.clone()}
}

// Changed reports whether anything was said that is not on disk.
func (f *Flow) Changed() bool { return len(f.undo) > 0 }

// Steps are the steps that are asked, in order, given what was said so far.
func (f *Flow) Steps() []ID {
	var ids []ID
	for _, s := range once {
		if at := (ID{Kind: s.kind}); s.applies(f, at) {
			ids = append(ids, at)
		}
	}
	for i := range f.now.Paths {
		for _, s := range perPath {
			at := ID{Kind: s.kind, Path: i}
			if !s.applies(f, at) {
				continue
			}
			if s != actionsStep {
				ids = append(ids, at)
				continue
			}
			for _, p := range f.now.Paths[i].principals() {
				ids = append(ids, ID{Kind: s.kind, Path: i, Of: p.key})
			}
		}
	}
	for _, s := range last {
		if at := (ID{Kind: s.kind}); s.applies(f, at) {
			ids = append(ids, at)
		}
	}
	return ids
}

// Ask is a step as it is asked now.
func (f *Flow) Ask(at ID) Question {
	q := stepOf(at.Kind).ask(f, at)
	q.ID = at
	return q
}

// Name is a step's name in a list of steps.
func (f *Flow) Name(at ID) string {
	name := stepOf(at.Kind).short
	if at.Of != "" {
		name += " of " + at.Of
	}
	return name
}

// Set keeps an answer as it is, without checking it. Answers that are set in a
// row to one field are one thing to undo.
func (f *Flow) Set(at ID, field, value string, chosen []string) {
	next := f.now.clone()
	stepOf(at.Kind).set(&next, at, field, value, chosen)
	f.redo = nil
	f.undo = append(f.undo, f.now)
	f.now = next
	f.fitPaths()
}

// Keep is Set for what belongs to the last answer: typing one more character is
// not one more thing to undo.
func (f *Flow) Keep(at ID, field, value string, chosen []string) {
	next := f.now.clone()
	stepOf(at.Kind).set(&next, at, field, value, chosen)
	f.now = next
	f.fitPaths()
}

// fitPaths makes room for one more path where one was asked for. A path that is
// not asked for any more keeps its answers behind the last one's "no".
func (f *Flow) fitPaths() {
	if n := len(f.now.Paths); f.now.Paths[n-1].Another == Yes {
		f.now.Paths = append(f.now.Paths, f.usualPath())
	}
}

// paths are the paths that are asked for: up to the first after which no other
// is wanted.
func (f *Flow) paths() []PathAnswer {
	for i, p := range f.now.Paths {
		if p.Another != Yes {
			return f.now.Paths[:i+1]
		}
	}
	return f.now.Paths
}

// Undo takes the last answer back; false when there is none.
func (f *Flow) Undo() bool { return move(&f.undo, &f.now, &f.redo) }

// Redo gives back what Undo took; false when there is nothing.
func (f *Flow) Redo() bool { return move(&f.redo, &f.now, &f.undo) }

func move(from *[]Answers, now *Answers, to *[]Answers) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, *now)
	*now = (*from)[n-1]
	*from = (*from)[:n-1]
	return true
}

// Check says why one cannot go on from a step; nil when one can.
func (f *Flow) Check(at ID) error {
	if at.Kind == Review {
		_, err := f.Backend()
		return err
	}
	return stepOf(at.Kind).check(f, at)
}

// FirstOpen is the first step that Check refuses; ok is false when there is none.
func (f *Flow) FirstOpen() (at ID, err error, ok bool) {
	for _, id := range f.Steps() {
		if err := stepOf(id.Kind).check(f, id); err != nil {
			return id, err, true
		}
	}
	if _, err := f.build(); err != nil {
		return ID{Kind: Review}, err, true
	}
	return ID{}, nil, false
}

// Around gives the steps before and after one; a step that is asked no more has
// those around the place where it was.
func (f *Flow) Around(at ID) (before, after ID, hasBefore, hasAfter bool) {
	ids := f.Steps()
	i := slices.Index(ids, at)
	if i < 0 {
		i = 0
		for i < len(ids) && f.precedes(ids[i], at) {
			i++
		}
		if i > 0 {
			before, hasBefore = ids[i-1], true
		}
		if i < len(ids) {
			after, hasAfter = ids[i], true
		}
		return before, after, hasBefore, hasAfter
	}
	if i > 0 {
		before, hasBefore = ids[i-1], true
	}
	if i+1 < len(ids) {
		after, hasAfter = ids[i+1], true
	}
	return before, after, hasBefore, hasAfter
}

// precedes orders steps by where they are asked.
func (f *Flow) precedes(a, b ID) bool {
	rank := func(id ID) (part, path, place int) {
		for i, s := range once {
			if s.kind == id.Kind {
				return 0, 0, i
			}
		}
		for i, s := range perPath {
			if s.kind == id.Kind {
				return 1, id.Path, i
			}
		}
		return 2, 0, slices.IndexFunc(last, func(s *step) bool { return s.kind == id.Kind })
	}
	partA, pathA, placeA := rank(a)
	partB, pathB, placeB := rank(b)
	return slices.Compare([]int{partA, pathA, placeA}, []int{partB, pathB, placeB}) < 0
}
