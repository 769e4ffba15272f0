// Package status says what differs between a project and what is deployed of it.
package status

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/plan"
)

// Status is the difference between the project and the last deployment of one environment.
type Status struct {
	Environment *model.Environment
	// Deployed is the record of the last deployment; nil if there was none.
	Deployed *project.Record
	// Against is the folder that the project is compared with, if that is no deployment of this program's own.
	Against string
	// Was is the deployed backend, as (*model.Backend).For makes it; nil if there was none.
	Was       *model.Backend
	Resources []Resource
	// Access is what differs in access: who may send requests after a push and not before, or the other way round.
	Access []access.Difference
	// MoreAccess says that Access leaves some out (see access.Compare).
	MoreAccess bool
	// Waiting are the missing fields of the client configuration file, by section: of
	// sections that have values and of those that a first push fills. It is never nil.
	Waiting map[string][]string
}

// Resource is what a push would do to one resource.
type Resource struct {
	diff.Difference
	// Files are the resource's files that differ: Old is deployed, New is on disk.
	Files []journal.Change
}

// Diff returns the unified diff of the resource's files.
func (r Resource) Diff() string {
	var b strings.Builder
	for _, c := range r.Files {
		b.WriteString(project.Diff(c))
	}
	return b.String()
}

// Changed reports whether a push would change anything.
func (s Status) Changed() bool {
	return slices.ContainsFunc(s.Resources, func(r Resource) bool { return r.Operation != diff.NoChange })
}

// Count returns the number of resources with that operation.
func (s Status) Count(o diff.Operation) int {
	n := 0
	for _, r := range s.Resources {
		if r.Operation == o {
			n++
		}
	}
	return n
}

// Of compares the project with the last deployment of an environment. The
// error's cause is model.ErrUnknown for an environment that does not exist and
// amplify.ErrKept for one that the Amplify CLI deploys and whose copy is not here.
func Of(p *project.Project, env string) (Status, error) {
	e := p.Backend.Environment(env)
	switch {
	case e == nil:
		return Status{}, p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: env})
	case p.Amplify != nil:
		return amplifyStatus(p, e)
	}
	var (
		s   Status
		err error
	)
	p.WhileUnchanged(env, func() {
		var deployment *project.Deployment
		deployment, err = p.LoadDeployed(env)
		if err == nil || errors.Is(err, project.ErrNeverDeployed) {
			s, err = Against(p, e, deployment)
		}
	})
	return s, err
}

// Against compares the project with a deployment of an environment of it; nil is none.
func Against(p *project.Project, e *model.Environment, deployment *project.Deployment) (s Status, err error) {
	s.Environment = e
	if deployment != nil {
		s.Deployed = &deployment.Record
		then := deployment.Project.Backend
		s.Was = then.For(then.Environment(e.Name))
	}
	if err := s.compare(p, deployment, p.Backend.For(e)); err != nil {
		return Status{}, err
	}
	for _, api := range p.Backend.APIs {
		has := func(env *model.Environment) bool { return env.Has(api.Label) }
		if (s.Was == nil || s.Was.API(api.Label) == nil) && !slices.ContainsFunc(p.Backend.Environments, has) {
			s.Resources = append(s.Resources, undeployed(api.Label, "no environment has it; give it to one with: "+
				"gatewright update env NAME --api LABEL"))
		}
	}
	s.Waiting, err = waiting(p, s)
	return s, err
}

// compare adds what differs between what was deployed, if anything was, and now.
func (s *Status) compare(p *project.Project, deployment *project.Deployment, now *model.Backend) error {
	differences, complete := access.Compare(s.Was.Gate(), now.Gate())
	s.Access, s.MoreAccess = differences, !complete
	for _, d := range diff.Backends(s.Was, now) {
		r, err := Resource{Difference: d}, error(nil)
		if deployment != nil {
			if r, err = compareFiles(p, deployment, r); err != nil {
				return err
			}
		}
		s.Resources = append(s.Resources, r)
	}
	return nil
}

// definitionChange returns the change of a definition file since the deployment, if any.
func definitionChange(p *project.Project, then *project.Deployment, name string) []journal.Change {
	was, is := then.Project.Definitions[name], p.Definitions[name]
	c := journal.Change{Path: name, Existed: was != nil, Delete: is == nil}
	if was != nil {
		c.Old = was.Doc.Bytes()
	}
	if is != nil {
		c.New = is.Doc.Bytes()
	}
	return differs(p, then, c)
}

// differs returns the change of a file, unless neither state has it, or both have the same one, as
// git would commit it.
func differs(p *project.Project, then *project.Deployment, c journal.Change) []journal.Change {
	if !c.Existed && c.Delete || c.Existed && !c.Delete &&
		(bytes.Equal(c.Old, c.New) || project.IsCheckedOut(then.Project.FS, p.FS, c.Path)) {
		return nil
	}
	return []journal.Change{c}
}

// compareFiles adds the files of a resource that differ. A function with changed
// sources is updated, even if its definition did not change.
func compareFiles(p *project.Project, then *project.Deployment, r Resource) (Resource, error) {
	name := p.Layout.File(r.Of)
	if r.Operation != diff.NoChange {
		r.Files = definitionChange(p, then, name)
		switch r.Of.Kind {
		case model.KindEnvironment:
			r.Files = append(r.Files, definitionChange(p, then, p.Layout.File(model.Ref{Kind: model.KindProject}))...)
		case model.KindAPI:
			settings := p.Layout.File(model.Ref{Kind: model.KindSettings, Name: r.Of.Name})
			r.Files = append(r.Files, definitionChange(p, then, settings)...)
			fallthrough
		case model.KindFunction, model.KindData, model.KindStorage:
			// An environment leaves out APIs and overrides the other definitions.
			if len(r.Files) == 0 {
				r.Files = definitionChange(p, then, p.Layout.File(model.Ref{Kind: model.KindEnvironment, Name: then.Environment}))
			}
		}
	}
	if r.Of.Kind != model.KindFunction {
		return r, nil
	}
	folder := path.Dir(name)
	if p.Amplify != nil {
		folder = p.Layout.FunctionFolder(r.Of.Name)
	}
	sources, err := p.ChangedSources(then, r.Of.Name, folder, name)
	if err != nil {
		return r, err
	}
	r.Files = append(r.Files, sources...)
	if r.Operation != diff.NoChange && r.Operation != diff.ToUpdate {
		return r, nil
	}
	for _, c := range sources {
		r.Operation = diff.ToUpdate
		verb := map[string]string{"create": "is new", "update": "changed", "delete": "is gone"}[plan.Kind(c)]
		r.Reasons = append(r.Reasons, phrase.QuotePath(strings.TrimPrefix(c.Path, folder+"/"))+" "+verb)
	}
	return r, nil
}
