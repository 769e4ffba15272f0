package status

import (
	"slices"

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
	left := p.Amplify.Unregistered()
	s := Status{
		Environment: e, Against: amplify.PushedFolder, Was: deploys(then, was, then.Amplify.Unregistered()),
		Waiting: map[string][]string{},
	}
	if err := s.compare(p, deployment, deploys(p, e, left)); err != nil {
		return Status{}, err
	}
	for _, label := range left {
		if s.Was.API(label) == nil {
			s.Resources = append(s.Resources, undeployed(label, amplify.BackendConfig+
				" does not register it; run: amplify update api"))
		}
	}
	return s, nil
}

// undeployed is the resource of an API that no push deploys.
func undeployed(label, why string) Resource {
	return Resource{Difference: diff.Difference{
		Of: model.Ref{Kind: model.KindAPI, Name: label}, Reasons: []string{"no push deploys it: " + why},
	}}
}

// deploys returns what a push of an environment deploys, without the APIs that none does.
func deploys(p *project.Project, e *model.Environment, left []string) *model.Backend {
	b := *p.Backend.For(e)
	b.APIs = slices.DeleteFunc(slices.Clone(b.APIs),
		func(api *access.API) bool { return slices.Contains(left, api.Label) })
	return &b
}
