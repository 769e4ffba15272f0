package deploy

import (
	"context"
	"errors"
	"fmt"
	"os"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
)

// Local is the provider of this machine. What it deploys is kept in the
// project's folder (project.Deploy) and found through the index; nothing has to
// run for it.
type Local struct {
	Index Index
	// Here is the project that somebody stands in; what it holds is found even
	// where the index does not know it. It may be nil.
	Here *project.Project
}

// Push deploys an environment to this machine: it keeps the definition and the
// record, writes the client configuration file, and puts the stack into the
// index. It refuses while the project has an error. Addresses and ids are the
// same in every push of an environment.
func (l Local) Push(ctx context.Context, target Target, tell func(Event)) (project.Record, error) {
	if tell == nil {
		tell = func(Event) {}
	}
	if err := refuse(target); err != nil {
		return project.Record{}, err
	}
	p, env := target.Project, target.Environment
	record, waiting, err := recordOf(p.Backend, env, target.Now)
	if err != nil {
		return project.Record{}, err
	}
	before, err := compare(p, env, tell)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return project.Record{}, err
	}
	if err := p.Deploy(record); err != nil {
		return project.Record{}, err
	}
	// From here on it is deployed: what fails does not take that back.
	tellChanges(before, p.Backend.For(env), tell)
	clientFile := writeClientFile(ctx, p, record, tell)
	index := l.remember(p, record, before.Deployed, tell)
	tellWaiting(waiting, tell)
	switch {
	case clientFile != nil:
		return record, fmt.Errorf("environment %s is deployed, but its client configuration file is not written: %w", model.Quote(env.Name), clientFile)
	case index != nil:
		return record, fmt.Errorf("environment %s is deployed, but is found from its own folder only: %w", model.Quote(env.Name), index)
	}
	return record, nil
}

// refuse is why an environment cannot be pushed; nil where it can.
func refuse(target Target) error {
	p, env := target.Project, target.Environment
	switch {
	case p.Layout == project.Amplify:
		return &model.Problem{
			Of: model.Ref{Kind: model.KindEnvironment, Name: env.Name}, Text: "is deployed by the Amplify CLI, whose project this is",
			Fix: "run: amplify push", Cause: project.ErrAmplifyCLI,
		}
	case env.Provider != model.Local:
		return providerProblem(env)
	}
	if p.Backend.Project.ApplicationID == "" {
		return &model.Problem{
			Of: model.Ref{Kind: model.KindProject}, Text: "has no application id, which the name of its stack is made from",
			Fix: "give it one with: gatewright update project --app-id " + project.NewApplicationID(),
		}
	}
	var wrong []error
	for _, problem := range p.Validate() {
		if problem.Level == model.Error {
			wrong = append(wrong, problem)
		}
	}
	switch len(wrong) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("nothing is deployed while the project has an error: %w", wrong[0])
	}
	return fmt.Errorf("nothing is deployed while the project has errors: %w (and %d more; see them with: gatewright validate)", wrong[0], len(wrong)-1)
}

// compare finds what a push changes: the status before it. A deployment before
// that cannot be read is told of and in nobody's way: the push replaces it.
func compare(p *project.Project, env *model.Environment, tell func(Event)) (project.Status, error) {
	before, err := p.Status(env.Name)
	if err == nil || errors.Is(err, project.ErrDeploying) {
		return before, err
	}
	tell(Event{Kind: Warned, Text: "what was deployed before cannot be read and counts as nothing: " + err.Error()})
	for _, d := range model.Diff(nil, p.Backend.For(env)) {
		before.Resources = append(before.Resources, project.ResourceStatus{Difference: d})
	}
	return before, nil
}

// writeClientFile writes the project's client configuration file as the record
// says.
func writeClientFile(ctx context.Context, p *project.Project, record project.Record, tell func(Event)) error {
	// Another command may be writing the project's files: the file is planned anew then.
	var plan *project.Plan
	err := journal.WhenFree(ctx, func() (err error) {
		if plan, err = p.PlanClientFile(record.Environment, record.Values); err == nil {
			err = plan.Commit()
		}
		return err
	}, model.ErrExists)
	if err != nil {
		return err
	}
	for _, c := range plan.Changes {
		kind := Created
		switch {
		case c.Delete:
			kind = Deleted
		case c.Existed:
			kind = Updated
		}
		tell(Event{Kind: kind, Text: "client configuration file " + project.QuotePath(c.Path)})
	}
	for _, note := range plan.Notes {
		tell(Event{Kind: Noted, Text: note})
	}
	return nil
}

// remember puts the stack into the index, in the place of the one that the
// environment was before, if its name is another now.
func (l Local) remember(p *project.Project, record project.Record, before *project.Record, tell func(Event)) error {
	if before != nil && before.Stack != record.Stack {
		if err := l.Index.ForgetOf(p.Root, record.Environment, before.Stack); err != nil {
			return err
		}
	}
	if e, err := l.Index.Find(record.Stack); err == nil && !sameFolder(e.Root, p.Root) && isFolder(e.Root) {
		tell(Event{Kind: Noted, Text: fmt.Sprintf("the stack %s was deployed from %s before; it is found here from now on", record.Stack, project.QuotePath(e.Root))})
	}
	return l.Index.Put(Entry{
		Stack: record.Stack, ApplicationID: record.ApplicationID, Branch: record.Branch,
		Environment: record.Environment, Root: p.Root, Deployed: record.Deployed,
	})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sameFolder reports whether two paths are one folder, whatever links lead there.
func sameFolder(a, b string) bool {
	if a == b {
		return true
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
