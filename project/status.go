package project

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/journal"
)

// Status is the difference between the project and the last deployment of one
// environment.
type Status struct {
	Environment *model.Environment
	// Deployed is the record of the last deployment; nil if there was none.
	Deployed *Record
	// Against is the folder that the project is compared with, if that is no deployment of
	// this program's own.
	Against string
	// Was is the deployed backend, as (*model.Backend).For makes it; nil if there was
	// none.
	Was       *model.Backend
	Resources []ResourceStatus
	// Access is what differs in access: who may send requests after a push and not before,
	// or the other way round.
	Access []access.Difference
	// MoreAccess says that Access leaves some out (see model.Compare).
	MoreAccess bool
	// Waiting are the missing fields of the client configuration file, by section: of
	// sections that have values and of those that a first push fills. It is never nil.
	Waiting map[string][]string
}

// ResourceStatus is what a push would do to one resource.
type ResourceStatus struct {
	model.Difference
	// Files are the resource's files that differ: Old is deployed, New is on disk.
	Files []journal.Change
}

// Diff returns the unified diff of the resource's files.
func (r ResourceStatus) Diff() string {
	var b strings.Builder
	for _, c := range r.Files {
		b.WriteString(Diff(c))
	}
	return b.String()
}

// Changed reports whether a push would change anything.
func (s Status) Changed() bool {
	return slices.ContainsFunc(s.Resources, func(r ResourceStatus) bool { return r.Operation != model.NoChange })
}

// Count returns the number of resources with that operation.
func (s Status) Count(o model.Operation) int {
	n := 0
	for _, r := range s.Resources {
		if r.Operation == o {
			n++
		}
	}
	return n
}

// Status compares the project with the last deployment of an environment. The
// error's cause is model.ErrUnknown for an environment that does not exist and
// ErrAmplifyCLI for one that the Amplify CLI deploys and whose copy is not here.
func (p *Project) Status(env string) (Status, error) {
	e := p.Backend.Environment(env)
	switch {
	case e == nil:
		return Status{}, p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: env})
	case p.Layout == Amplify:
		return p.amplifyStatus(e)
	}
	var (
		s   Status
		err error
	)
	p.whileUnchanged(env, func() {
		var deployment *Deployment
		deployment, err = p.deployed(env)
		if err == nil || errors.Is(err, ErrNeverDeployed) {
			s, err = p.StatusAgainst(e, deployment)
		}
	})
	return s, err
}

// StatusAgainst compares the project with a deployment of an environment of it; nil is none.
func (p *Project) StatusAgainst(e *model.Environment, deployment *Deployment) (s Status, err error) {
	s.Environment = e
	if deployment != nil {
		s.Deployed = &deployment.Record
		then := deployment.Project.Backend
		s.Was = then.For(then.Environment(e.Name))
	}
	now := p.Backend.For(e)
	access, complete := access.Compare(s.Was.Gate(), now.Gate())
	s.Access, s.MoreAccess = access, !complete
	for _, d := range model.Diff(s.Was, now) {
		r := ResourceStatus{Difference: d}
		if deployment != nil {
			if r, err = p.compareFiles(deployment, r); err != nil {
				return Status{}, err
			}
		}
		s.Resources = append(s.Resources, r)
	}
	s.Waiting, err = p.waiting(s)
	return s, err
}

// definitionChange returns the change of a definition file since the deployment, if any.
func (p *Project) definitionChange(then *Deployment, name string) []journal.Change {
	was, is := then.Project.files[name], p.files[name]
	c := journal.Change{Path: name, Existed: was != nil, Delete: is == nil}
	if was != nil {
		c.Old = was.Doc.Bytes()
	}
	if is != nil {
		c.New = is.Doc.Bytes()
	}
	return p.differs(then, c)
}

// differs returns the change of a file, unless neither state has it, or both have the same one, as
// git would commit it.
func (p *Project) differs(then *Deployment, c journal.Change) []journal.Change {
	if !c.Existed && c.Delete || c.Existed && !c.Delete &&
		(bytes.Equal(c.Old, c.New) || isCheckedOut(then.Project.fsys, p.fsys, c.Path)) {
		return nil
	}
	return []journal.Change{c}
}

// compareFiles adds the files of a resource that differ. A function with changed
// sources is updated, even if its definition did not change.
func (p *Project) compareFiles(then *Deployment, r ResourceStatus) (ResourceStatus, error) {
	name := p.Layout.File(r.Of)
	if r.Operation != model.NoChange {
		r.Files = p.definitionChange(then, name)
		switch r.Of.Kind {
		case model.KindEnvironment:
			r.Files = append(r.Files, p.definitionChange(then, p.Layout.File(model.Ref{Kind: model.KindProject}))...)
		case model.KindAPI, model.KindFunction, model.KindData, model.KindStorage:
			// An environment leaves out APIs and overrides the other definitions.
			if len(r.Files) == 0 {
				r.Files = p.definitionChange(then, p.Layout.File(model.Ref{Kind: model.KindEnvironment, Name: then.Environment}))
			}
		}
	}
	if r.Of.Kind != model.KindFunction {
		return r, nil
	}
	folder := path.Dir(name)
	if p.Layout == Amplify {
		folder = p.Layout.FunctionFolder(r.Of.Name)
	}
	sources, err := p.changedSources(then, r.Of.Name, folder, name)
	if err != nil {
		return r, err
	}
	r.Files = append(r.Files, sources...)
	if r.Operation != model.NoChange && r.Operation != model.ToUpdate {
		return r, nil
	}
	for _, c := range sources {
		r.Operation = model.ToUpdate
		verb := map[string]string{"create": "is new", "update": "changed", "delete": "is gone"}[Kind(c)]
		r.Reasons = append(r.Reasons, phrase.QuotePath(strings.TrimPrefix(c.Path, folder+"/"))+" "+verb)
	}
	return r, nil
}
