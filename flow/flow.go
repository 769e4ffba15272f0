package flow

import (
	"fmt"
	"slices"

	"gatewright/model"
	"gatewright/model/access"
)

// Task says what the wizard was opened for.
type Task struct {
	// API is the API to which a path is added, or in which one is changed. If it is "", the wizard makes a new API.
	API string
	// Path is the path to change; "" adds one.
	Path string
}

// Flow is one run of the wizard: its task, the answers so far and their history.
type Flow struct {
	// Base is the backend as it was read; it is never changed.
	Base *model.Backend
	Task Task
	// NewProject is the name to propose for a new project; "" if the project exists.
	NewProject string

	// begun is the base when the run began.
	begun      *model.Backend
	now        Answers
	undo, redo []entry
}

// New starts a run of the wizard. newProject is the name to propose for a new project, "" if the project exists. If
// the task is to change a path, the first answers are those that would make the path as it is.
func New(base *model.Backend, task Task, newProject string) *Flow {
	f := &Flow{Base: base, Task: task, NewProject: newProject, begun: base}
	first, from := f.defaultPath(), f.origin()
	if from.Path != nil {
		first = *from.Path
	}
	f.now = Answers{Service: REST, Paths: []PathAnswer{first}, From: from}
	return f
}

// Answers returns a copy of the answers so far.
func (f *Flow) Answers() Answers { return f.now.clone() }

// Restore replaces the answers with those of a draft and forgets the history.
func (f *Flow) Restore(a Answers) {
	if len(a.Paths) == 0 {
		a.Paths = []PathAnswer{{}}
	}
	f.now, f.undo, f.redo = a.clone(), nil, nil
}

// Copy returns a copy without history, for a goroutine that reads the answers while the person goes on.
func (f *Flow) Copy() *Flow {
	return &Flow{Base: f.Base, Task: f.Task, NewProject: f.NewProject, begun: f.begun, now: f.now.clone()}
}

// Steps returns the steps that the answers so far lead to, in order.
func (f *Flow) Steps() []ID {
	var ids []ID
	add := func(list []*step, path int) {
		p := &f.now.Paths[path]
		for _, s := range list {
			if s.asked == nil || s.asked(f, p) {
				ids = append(ids, ID{Kind: s.kind, Path: path})
			}
		}
	}
	add(once, 0)
	for i := range f.paths() {
		add(perPath, i)
	}
	add(last, 0)
	return ids
}

// Ask returns the question of a step, with its present answers and options.
func (f *Flow) Ask(at ID) Question {
	s, p := at.step(), &f.now.Paths[at.Path]
	title := s.title
	if s.about != nil {
		title = fmt.Sprintf(title, s.about(at, p))
	}
	if s.ofAPI != nil {
		title = s.ofAPI(f)
	}
	return Question{Title: title, Help: s.help, Fields: s.fields(f, at, p)}
}

// Name returns a step's name for lists of steps.
func (f *Flow) Name(at ID) string { return at.step().short }

// paths returns the answers about paths, up to the first whose question for another path is not answered with Yes.
func (f *Flow) paths() []PathAnswer {
	for i, p := range f.now.Paths {
		if p.Another != Yes {
			return f.now.Paths[:i+1]
		}
	}
	return f.now.Paths
}

// Faults returns what is wrong with the answers of a step, in the order of its fields.
func (f *Flow) Faults(at ID) []Fault {
	s := at.step()
	if s.check != nil {
		return s.check(f, at, &f.now.Paths[at.Path])
	}
	var all faults
	field := f.Ask(at).Fields[0]
	all.add(field.Key, chosen(s.short, slices.ContainsFunc(field.Options, field.Has)))
	return all
}

// Check returns the first of the Faults of a step; nil if nothing is wrong.
func (f *Flow) Check(at ID) error {
	if found := f.Faults(at); len(found) > 0 {
		return found[0].Err
	}
	return nil
}

// FirstOpen returns the first step that Check refuses, with its error; the error is nil if Check accepts all steps.
func (f *Flow) FirstOpen() (ID, error) { return f.firstOf(f.Steps()) }

func (f *Flow) firstOf(steps []ID) (ID, error) {
	for _, at := range steps {
		if err := f.Check(at); err != nil {
			return at, err
		}
	}
	return ID{}, nil
}

// Backend returns the base with the answers applied. The error is the first one that Check gives.
func (f *Flow) Backend() (*model.Backend, error) {
	// The check of the last step, the review, would make the backend a second time.
	steps := f.Steps()
	if _, err := f.firstOf(steps[:len(steps)-1]); err != nil {
		return nil, err
	}
	return f.build()
}

// Around returns the steps before and after a step, or the zero ID at either end. If the answers no longer lead to
// the step, they are the neighbours of the place that it would have in the order.
func (f *Flow) Around(at ID) (before, after ID) {
	ids := f.Steps()
	i := slices.Index(ids, at)
	next := i + 1
	if i < 0 {
		i, _ = slices.BinarySearchFunc(ids, at, compare)
		next = i
	}
	if i > 0 {
		before = ids[i-1]
	}
	if next < len(ids) {
		after = ids[next]
	}
	return before, after
}

// Sketch returns the API that the answers describe so far, for a preview. It has the
// answered paths, and at most limit of the API's other paths, those most like the current
// one, so that its cost does not grow with the API. It checks nothing.
func (f *Flow) Sketch(at ID, limit int) (api *access.API, current *access.Path) {
	api = &access.API{Label: f.Label()}
	paths := f.paths()
	for i, p := range paths {
		drawn := f.path(i)
		if i == min(at.Path, len(paths)-1) {
			current = drawn
		}
		if p.Path != "" {
			api.Paths = append(api.Paths, drawn)
		}
	}
	if old := f.Base.API(f.Task.API); old != nil {
		api.Paths = append(api.Paths, Nearest(old.Paths, current.Name, f.Task.Path, limit)...)
	}
	return api, current
}

// Nearest returns the paths whose names share the longest prefix with name: at most
// limit of them, and never the path called changed.
func Nearest(paths []*access.Path, name, changed string, limit int) []*access.Path {
	var best []*access.Path
	for _, p := range paths {
		if p.Name == changed || p.Name == name {
			continue
		}
		shared := sharedPrefix(p.Name, name)
		at, _ := slices.BinarySearchFunc(best, shared, func(have *access.Path, want int) int {
			if sharedPrefix(have.Name, name) >= want {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, p)
		best = best[:min(limit, len(best))]
	}
	return best
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
