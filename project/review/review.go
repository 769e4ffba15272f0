// Package review says what a change of a project opens, closes and changes: it compares two states of it, such as two
// commits, or what is deployed with the working tree. It is plain data for reports; it prints nothing.
package review

import (
	"cmp"
	"slices"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/project/status"
)

// State is a project at one time. Deployment.Project is nil for a time at which there was none.
type State struct {
	// Name is how a report calls it: "main (1a2b3c4)", "the working tree".
	Name string
	*project.Deployment
	// Notes are sentences about files that were not looked at.
	Notes []string

	// unread are sentences about files of the definition that were not looked at.
	unread []string
	// whole says that it has all files of the project, and not only what is deployed.
	whole bool
}

// StateOf returns the state of a project that was read; nil for none.
func StateOf(name string, p *project.Project) State {
	return State{Name: name, Deployment: &project.Deployment{Project: p}, whole: true}
}

// project returns the project, or nil.
func (s State) project() *project.Project {
	if s.Deployment == nil {
		return nil
	}
	return s.Deployment.Project
}

// Review is what differs between two states.
type Review struct {
	Base, Head string
	// Environment is the one whose backends are compared; "" for the whole definition.
	Environment string
	// Access is who may send which requests in Head and not in Base, which comes first, or the other way round.
	Access []Access
	// Complete is false if there may be more of what is opened than Access and Opened say; Why has the reasons.
	Complete bool
	Why      []string
	// Opened is what opens access next to who may send which requests.
	Opened []Opening
	// Tests are the access tests that the change breaks.
	Tests []Test
	// Resources are the resources that differ, Files the files of the project.
	Resources []Resource
	Files     []File
	// Notes are sentences about what was not looked at.
	Notes []string

	// base and head are what is compared.
	base, head *model.Backend
}

// Test is an access test that the change breaks, or that is new and does not hold.
type Test struct {
	// Name is the sentence of the test, Text says why it does not hold.
	Name, Text string
	Place      Place
}

// Resource is a resource that differs.
type Resource struct {
	diff.Difference
	// Environment is the environment in which it differs; "" for the definition.
	Environment string
	// Sources are the files of a function's source that differ, by their names below its folder.
	Sources []File
	// ManySources says that more files differ than are known by name.
	ManySources bool
}

// File is a file that differs.
type File struct {
	// Path is slash-separated and relative to the project. Change is create, update or delete.
	Path, Change string
}

// Place is a place in a file of the project. Line and Column count from 1; 0 where they are not
// known. Before says that it is in Base.
type Place struct {
	File         string
	Line, Column int
	Before       bool
}

// Widened reports whether somebody may do more in Head than in Base, or might.
func (r *Review) Widened() bool {
	return !r.Complete || len(r.Opened) > 0 || len(r.Access) > 0 && r.Access[0].Gained
}

// Same reports whether nothing differs.
func (r *Review) Same() bool {
	return r.Complete && len(r.Access)+len(r.Opened)+len(r.Tests)+len(r.Resources)+len(r.Files) == 0
}

// Backends returns what is compared.
func (r *Review) Backends() (base, head *model.Backend) { return r.base, r.head }

// Compare compares two states. With an environment, it compares what that deploys, which it may
// lack in one of the two states. The error is that a file cannot be read.
func Compare(base, head State, environment string) (*Review, error) {
	r := &Review{Base: base.Name, Head: head.Name, Environment: environment, Complete: true}
	r.base, r.head = backendOf(base, environment), backendOf(head, environment)
	// What the base has more opens less; what the head has more may open all.
	r.Notes = slices.Concat(base.Notes, base.unread, head.Notes)
	for _, why := range head.unread {
		r.incomplete(why + "; what they allow is unknown")
	}
	differences, complete := access.Compare(r.base.Gate(), r.head.Gate())
	if !complete {
		r.incomplete(access.More)
	}
	if p := base.project(); p != nil {
		for _, problem := range p.Problems {
			if problem.Level == model.Error {
				r.incomplete("in " + base.Name + " the project has an error, and was compared without the unreadable parts: " +
					problem.Error())
			}
		}
	}
	at := places{base: base.project(), head: head.project(), was: r.base.Routers(), now: r.head.Routers()}
	for _, d := range differences {
		r.Access = append(r.Access, Access{Difference: d, Place: at.of(d)})
	}
	r.opened(at, base, head)
	r.tests(base, head)
	return r, r.changes(base, head)
}

func (r *Review) incomplete(why string) {
	r.Complete = false
	r.Why = append(r.Why, why)
}

// backendOf returns the backend of a state, of an environment or as a whole. It is never nil.
func backendOf(s State, environment string) *model.Backend {
	p := s.project()
	if p == nil {
		return &model.Backend{}
	}
	if environment == "" {
		return p.Backend.For(nil)
	}
	e := p.Backend.Environment(environment)
	if e == nil && p.Amplify == nil {
		return &model.Backend{}
	}
	// All environments of an Amplify CLI project have the same, whatever this state says of them.
	return p.Backend.For(e)
}

// changes adds the resources and the files that differ.
func (r *Review) changes(base, head State) error {
	for _, d := range diff.WithoutValues(r.base, r.head) {
		one := Resource{Difference: d}
		if err := one.sources(base, head); err != nil {
			return err
		}
		if one.Operation != diff.NoChange {
			r.Resources = append(r.Resources, one)
		}
	}
	if r.Environment == "" {
		r.inEnvironments(base, head)
	}
	r.files(base, head)
	return nil
}

// sources adds the files of a function that both states have.
func (one *Resource) sources(base, head State) error {
	if one.Of.Kind != model.KindFunction || one.Operation == diff.ToCreate || one.Operation == diff.ToDelete ||
		base.Layout() != head.Layout() {
		return nil
	}
	changes, err := status.SourcesSince(head.project(), base.Deployment, one.Of.Name)
	if err != nil || len(changes) == 0 {
		return err
	}
	folder := head.Layout().FunctionFolder(one.Of.Name)
	for _, c := range changes {
		if c.Path == folder+"/src" {
			one.ManySources = true
			continue
		}
		one.Sources = append(one.Sources, File{Path: c.Path, Change: plan.Kind(c)})
	}
	one.Operation = diff.ToUpdate
	return nil
}

// Layout returns the layout of the project; that of a new project if there is none.
func (s State) Layout() project.Layout {
	if p := s.project(); p != nil {
		return p.Layout
	}
	return project.Native
}

// inEnvironments adds what differs in environments that both states have, and not in the definition that they share.
func (r *Review) inEnvironments(base, head State) {
	if base.project() == nil || head.project() == nil {
		return
	}
	was, now := base.project().Backend, head.project().Backend
	shared := make(map[model.Ref][]string)
	for _, one := range r.Resources {
		shared[one.Of] = one.Reasons
	}
	for _, e := range now.Environments {
		if was.Environment(e.Name) == nil {
			r.Resources = append(r.Resources,
				Resource{Difference: diff.Difference{
					Of:        model.Ref{Kind: model.KindEnvironment, Name: e.Name},
					Operation: diff.ToCreate,
				}})
			continue
		}
		for _, d := range diff.WithoutValues(was.For(was.Environment(e.Name)), now.For(e)) {
			d.Reasons = slices.DeleteFunc(d.Reasons, func(reason string) bool { return slices.Contains(shared[d.Of], reason) })
			if d.Of.Kind == model.KindAPI && d.Operation == diff.ToUpdate || len(d.Reasons) == 0 &&
				(d.Operation == diff.ToUpdate || d.Operation == diff.NoChange) {
				continue
			}
			if _, known := shared[d.Of]; known && d.Operation != diff.ToUpdate {
				continue
			}
			r.Resources = append(r.Resources, Resource{Difference: d, Environment: e.Name})
		}
	}
	for _, e := range was.Environments {
		if now.Environment(e.Name) == nil {
			r.Resources = append(r.Resources,
				Resource{Difference: diff.Difference{
					Of:        model.Ref{Kind: model.KindEnvironment, Name: e.Name},
					Operation: diff.ToDelete,
				}})
		}
	}
}

// files lists the files of the definition and of the sources, each once.
func (r *Review) files(base, head State) {
	seen := make(map[string]bool)
	add := func(f File) {
		if !seen[f.Path] {
			seen[f.Path] = true
			r.Files = append(r.Files, f)
		}
	}
	now, then := head.Deployment, base.Deployment
	empty := &project.Deployment{Project: &project.Project{}}
	if head.project() == nil {
		now = empty
	}
	if base.project() == nil {
		then = empty
	}
	changed := make(map[string]bool)
	for _, one := range r.Resources {
		changed[head.Layout().File(one.Of)] = true
	}
	for _, c := range status.DefinitionSince(now.Project, then) {
		// AWS keeps what a definition says, and not how its files are written.
		if then.Sources == nil || changed[c.Path] {
			add(File{Path: c.Path, Change: plan.Kind(c)})
		}
	}
	for _, one := range r.Resources {
		for _, f := range one.Sources {
			add(f)
		}
	}
	if base.readsTests() && head.readsTests() {
		beside := []string{project.AccessTestFile}
		for _, api := range slices.Concat(r.base.APIs, r.head.APIs) {
			beside = append(beside, head.Layout().ContractFile(api.Label))
		}
		slices.Sort(beside)
		for _, name := range slices.Compact(beside) {
			for _, c := range status.FileSince(now.Project, then, name) {
				add(File{Path: c.Path, Change: plan.Kind(c)})
			}
		}
	}
	slices.SortFunc(r.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
}
