package status

import (
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/amplify"
)

// amplifyStatus compares an Amplify CLI project with what was last pushed. The error's
// cause is amplify.ErrKept if that is not on this machine.
func amplifyStatus(p *project.Project, e *model.Environment) (Status, error) {
	deployment, err := p.Pushed(e)
	if err != nil {
		return Status{}, err
	}
	then := deployment.Project
	was := then.Backend.Environment(e.Name)
	if was == nil {
		was = e
	}
	s := Status{Environment: e, Against: amplify.PushedFolder, Was: then.Backend.For(was), Waiting: map[string][]string{}}
	now := p.Backend.For(e)
	access, complete := access.Compare(s.Was.Gate(), now.Gate())
	s.Access, s.MoreAccess = access, !complete
	for _, d := range diff.Backends(s.Was, now) {
		r, err := compareFiles(p, deployment, Resource{Difference: d})
		if err != nil {
			return Status{}, err
		}
		s.Resources = append(s.Resources, r)
	}
	return s, nil
}
