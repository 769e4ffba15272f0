package project

import (
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/amplify"
	"gatewright/project/read"
)

// Pushed reads what the Amplify CLI last pushed of an environment. The error's cause is
// amplify.ErrKept if that is not on this machine.
func (p *Project) Pushed(e *model.Environment) (*Deployment, error) {
	refuse := func(text, fix string) (*Deployment, error) {
		return nil, &read.Problem{File: amplify.PushedFolder, Text: text, Fix: fix, Cause: amplify.ErrKept}
	}
	name := phrase.Quote(e.Name)
	switch chosen := p.Amplify.Chosen(); {
	case !read.Exists(p.FS, amplify.PushedFolder):
		return refuse("does not exist, so what was pushed of environment "+name+" is unknown",
			"run: amplify pull, or amplify status")
	case chosen != "" && chosen != e.Name:
		return refuse("belongs to environment "+phrase.Quote(chosen)+", not to "+name,
			"give --env "+phrase.Quote(chosen)+", or run: amplify env checkout "+name)
	}
	then, err := Load(amplify.Pushed(p.FS), Amplify)
	if err != nil {
		return nil, err
	}
	if err := read.FirstError(then.Problems); err != nil {
		return nil, err
	}
	return &Deployment{Record: Record{Environment: e.Name}, Project: then}, nil
}
