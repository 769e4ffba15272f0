package flow

import (
	"cmp"
	"fmt"
	"slices"

	"gatewright/model"
)

// Task says what the wizard was opened for.
type Task struct {
	// API is the API to which a path is added, or in which one is changed. If it is
	// "", the wizard makes a new API.
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

	now        Answers
	undo, redo []Answers
}

// New starts a run of the wizard. newProject is the name to propose for a new
// project, "" if the project exists. If the task is to change a path, the first
// answers are those that would make the path as it is.
func New(base *model.Backend, task Task, newProject string) *Flow {
	f := &Flow{Base: base, Task: task, NewProject: newProject}
	first := f.defaultPath()
	if api := base.API(task.API); api != nil {
		if p := api.Path(task.Path); p != nil {
			first = f.answersOf(p)
		}
	}
	f.now = Answers{Service: REST, Paths: []PathAnswer{first}}
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

// Copy returns a copy without history, for a goroutine that reads the answers
// while the person goes on.
func (f *Flow) Copy() *Flow {
	return &Flow{Base: f.Base, Task: f.Task, NewProject: f.NewProject, now: f.now.clone()}
}

// Steps returns the steps that the answers so far lead to, in order.
func (f *Flow) Steps() []ID {
	var ids []ID
	add := func(list []*step, path int) {
		p := &f.now.Paths[path]
		for _, s := range list {
			switch {
			case s.asked != nil && !s.asked(f, p):
			case s == actionsStep:
				for _, who := range p.principals() {
					ids = append(ids, ID{Kind: s.kind, Path: path, Who: who})
				}
			default:
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
	return Question{Title: title, Help: s.help, Fields: s.fields(f, at, p)}
}

// Name returns a step's name for lists of steps.
func (f *Flow) Name(at ID) string {
	name := at.step().short
	if at.Kind == actionsStep.kind {
		name += " of " + at.Who.String()
	}
	return name
}

// Set stores an answer without checking it. Undo takes back one Set.
func (f *Flow) Set(at ID, field, value string, chosen []string) {
	f.redo = nil
	f.undo = append(f.undo, f.now)
	f.Amend(at, field, value, chosen)
}

// Amend changes the answer that Set stored last: each further character of a text
// belongs to the same answer, and one Undo takes all of them back.
func (f *Flow) Amend(at ID, field, value string, chosen []string) {
	f.now = f.now.clone()
	if answered, ok := f.Ask(at).Field(field); ok {
		answered.store(value, chosen)
	}
	// After a "no" the answers about further paths stay in the list, so that a "yes"
	// brings them back.
	if n := len(f.now.Paths); f.now.Paths[n-1].Another == Yes {
		f.now.Paths = append(f.now.Paths, f.defaultPath())
	}
}

// paths returns the answers about paths, up to the first whose question for another path
// is not answered with Yes.
func (f *Flow) paths() []PathAnswer {
	for i, p := range f.now.Paths {
		if p.Another != Yes {
			return f.now.Paths[:i+1]
		}
	}
	return f.now.Paths
}

// Undo takes back the last Set; false if there is none.
func (f *Flow) Undo() bool { return move(&f.undo, &f.now, &f.redo) }

// Redo restores what the last Undo took back; false if there is nothing.
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

// Check returns what is wrong with the answers of a step; nil if nothing is.
func (f *Flow) Check(at ID) error {
	s := at.step()
	if s.check != nil {
		return s.check(f, at, &f.now.Paths[at.Path])
	}
	field := f.Ask(at).Fields[0]
	return chosen(s.short, slices.ContainsFunc(field.Options, field.Has))
}

// FirstOpen returns the first step that Check refuses, with its error; the error is
// nil if Check accepts all steps.
func (f *Flow) FirstOpen() (ID, error) { return f.firstOf(f.Steps()) }

func (f *Flow) firstOf(steps []ID) (ID, error) {
	for _, at := range steps {
		if err := f.Check(at); err != nil {
			return at, err
		}
	}
	return ID{}, nil
}

// Backend returns the base with the answers applied. The error is the first one that
// Check gives.
func (f *Flow) Backend() (*model.Backend, error) {
	// The check of the last step, the review, would make the backend a second time.
	steps := f.Steps()
	if _, err := f.firstOf(steps[:len(steps)-1]); err != nil {
		return nil, err
	}
	return f.build()
}

// Around returns the steps before and after a step, or the zero ID at either end. If
// the answers no longer lead to the step, they are the neighbours of the place that it
// would have in the order.
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
func (f *Flow) Sketch(at ID, limit int) (api *model.API, current *model.Path) {
	api = &model.API{Label: f.Label()}
	paths := f.paths()
	for i, p := range paths {
		drawn := p.path()
		if i == min(at.Path, len(paths)-1) {
			current = drawn
		}
		if p.Path != "" {
			api.Paths = append(api.Paths, drawn)
		}
	}
	if old := f.Base.API(f.Task.API); old != nil {
		api.Paths = append(api.Paths, nearest(old.Paths, current.Name, f.Task.Path, limit)...)
	}
	return api, current
}

// nearest returns the paths whose names share the longest prefix with name: at most
// limit of them, and never the path called changed.
func nearest(paths []*model.Path, name, changed string, limit int) []*model.Path {
	var best []*model.Path
	for _, p := range paths {
		if p.Name == changed || p.Name == name {
			continue
		}
		shared := sharedPrefix(p.Name, name)
		at, _ := slices.BinarySearchFunc(best, shared, func(have *model.Path, want int) int {
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

// Label returns the label of the API: that of the task, else the answer, else "api"
// if it is free.
func (f *Flow) Label() string { return cmp.Or(f.Task.API, f.now.Label, f.freeLabel()) }

func (f *Flow) freeLabel() string {
	if f.Base.API("api") == nil {
		return "api"
	}
	return ""
}

// Command returns the command line that makes the same API in another project, from
// the cli-inputs.json that was written.
func (f *Flow) Command(file string) string {
	command := "gatewright add api " + f.Label() + " --from " + file
	paths := f.paths()
	if i := slices.IndexFunc(paths, PathAnswer.makesFunction); i >= 0 {
		command += " --create-functions " + paths[i].Function.Template
	}
	return command
}
