package flow

import (
	"cmp"
	"fmt"
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
	// NewProject is the name to propose for a project that is not there yet; "" where
	// there is one.
	NewProject string

	now        Answers
	undo, redo []Answers
}

// New starts a walk. newProject is the name to propose for a project that is not
// there yet, "" where there is one. For a path that is changed the answers are
// what it is now.
func New(base *model.Backend, task Task, newProject string) *Flow {
	f := &Flow{Base: base, Task: task, NewProject: newProject}
	first := f.usualPath()
	if api := base.API(task.API); api != nil {
		if p := api.Path(task.Path); p != nil {
			first = f.answered(p)
		}
	}
	f.now = Answers{Service: REST, Paths: []PathAnswer{first}}
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
	return &Flow{Base: f.Base, Task: f.Task, NewProject: f.NewProject, now: f.now.clone()}
}

// Steps are the steps that are asked, in order, given what was said so far.
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

// Ask is a step as it is asked now.
func (f *Flow) Ask(at ID) Question {
	s, p := at.step(), &f.now.Paths[at.Path]
	title := s.title
	if s.about != nil {
		title = fmt.Sprintf(title, s.about(at, p))
	}
	return Question{Title: title, Help: s.help, Fields: s.fields(f, at, p)}
}

// Name is a step's name in a list of steps.
func (f *Flow) Name(at ID) string {
	name := at.step().short
	if at.Kind == actionsStep.kind {
		name += " of " + keyOf(at.Who)
	}
	return name
}

// Set keeps an answer as it is, without checking it. Answers that are set in a
// row to one field are one thing to undo.
func (f *Flow) Set(at ID, field, value string, chosen []string) {
	f.redo = nil
	f.undo = append(f.undo, f.now)
	f.Keep(at, field, value, chosen)
}

// Keep is Set for what belongs to the last answer: typing one more character is
// not one more thing to undo.
func (f *Flow) Keep(at ID, field, value string, chosen []string) {
	f.now = f.now.clone()
	if asked, ok := f.Ask(at).Field(field); ok {
		asked.keep(value, chosen)
	}
	// A path that is not asked for any more keeps its answers behind the last one's
	// "no".
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
	s := at.step()
	if s.check != nil {
		return s.check(f, at, &f.now.Paths[at.Path])
	}
	field := f.Ask(at).Fields[0]
	return chosen(s.short, slices.ContainsFunc(field.Options, field.Has))
}

// FirstOpen is the first step that Check refuses, and why; the error is nil when
// there is none.
func (f *Flow) FirstOpen() (ID, error) { return f.firstOf(f.Steps()) }

func (f *Flow) firstOf(steps []ID) (ID, error) {
	for _, at := range steps {
		if err := f.Check(at); err != nil {
			return at, err
		}
	}
	return ID{}, nil
}

// Backend is what the answers make of the base. The error is the first thing
// that is wrong with them.
func (f *Flow) Backend() (*model.Backend, error) {
	// To check the last step, the review, is to make the backend.
	steps := f.Steps()
	if _, err := f.firstOf(steps[:len(steps)-1]); err != nil {
		return nil, err
	}
	return f.build()
}

// Around gives the steps before and after one, the zero ID where there is none; a
// step that is asked no more has those around the place where it was.
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

// Sketch is the API as the answers have it so far, finished or not: the answered
// paths, and up to around of its other paths that stand nearest to the one at
// hand. It checks nothing and costs little however many paths the API has.
func (f *Flow) Sketch(at ID, around int) (api *model.API, current *model.Path) {
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
		api.Paths = append(api.Paths, nearest(old.Paths, current.Name, f.Task.Path, around)...)
	}
	return api, current
}

// nearest picks the paths that share the longest beginning with a name, leaving
// out the one that is being changed.
func nearest(paths []*model.Path, name, but string, most int) []*model.Path {
	var best []*model.Path
	for _, p := range paths {
		if p.Name == but || p.Name == name {
			continue
		}
		shared := sharedBeginning(p.Name, name)
		at, _ := slices.BinarySearchFunc(best, shared, func(have *model.Path, want int) int {
			if sharedBeginning(have.Name, name) >= want {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, p)
		best = best[:min(most, len(best))]
	}
	return best
}

func sharedBeginning(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Label is the label of the API that the walk is about.
// A new one has what was said, or a usual one that is free.
func (f *Flow) Label() string { return cmp.Or(f.Task.API, f.now.Label, f.freeLabel()) }

func (f *Flow) freeLabel() string {
	if f.Base.API("api") == nil {
		return "api"
	}
	return ""
}

// Command is the command line that makes the same API elsewhere, from the file
// that was written.
func (f *Flow) Command(file string) string {
	command := "gatewright add api " + f.Label() + " --from " + file
	paths := f.paths()
	if i := slices.IndexFunc(paths, PathAnswer.makesFunction); i >= 0 {
		command += " --create-functions " + paths[i].Function.Template
	}
	return command
}
