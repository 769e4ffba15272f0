package session

import (
	"time"

	"gatewright/flow"
	"gatewright/flow/draft"
	"gatewright/model"
	"gatewright/project"
)

// Plan works out what the answers of a walk mean for a project's files. A project
// that is not there yet gets its application id.
func Plan(p *project.Project, walk *flow.Flow) (*model.Backend, *project.Plan, error) {
	next, err := walk.Backend()
	if err == nil && walk.NewProject {
		named := next.Project
		named.ApplicationID = project.NewApplicationID()
		next, err = next.Edit(func(b *model.Backend) error { return b.SetProject(named) })
	}
	if err != nil {
		return nil, nil, err
	}
	plan, err := p.Plan(next)
	if err != nil {
		return nil, nil, err
	}
	return next, plan, nil
}

// Draft is what is kept of a walk over a project. It reads every file of the
// project once more, in memory.
func Draft(p *project.Project, walk *flow.Flow) draft.Draft {
	return draft.Draft{Saved: time.Now(), Task: walk.Task, Answers: walk.Answers(), Read: p.Fingerprint()}
}
