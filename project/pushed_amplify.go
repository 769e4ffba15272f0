package project

import (
	"os"
	"strings"

	"github.com/spf13/afero"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/read"
)

// PushedFolder is the folder with the backend of the chosen environment as the Amplify CLI
// last pushed or pulled it. It is in the form of amplify/backend.
const PushedFolder = "amplify/#current-cloud-backend"

// AmplifyPushed reads what the Amplify CLI last pushed of an environment. The error's cause is
// ErrAmplifyCLI if that is not on this machine.
func (p *Project) AmplifyPushed(e *model.Environment) (*Deployment, error) {
	refuse := func(text, fix string) (*Deployment, error) {
		return nil, &read.Problem{File: PushedFolder, Text: text, Fix: fix, Cause: ErrAmplifyCLI}
	}
	name := phrase.Quote(e.Name)
	switch chosen := p.amplifyChosen(); {
	case !Exists(p.FS, PushedFolder):
		return refuse("does not exist, so what was pushed of environment "+name+" is not known here",
			"run: amplify pull, or amplify status")
	case chosen != "" && chosen != e.Name:
		return refuse("is of environment "+phrase.Quote(chosen)+", not of "+name,
			"give --env "+phrase.Quote(chosen)+", or run: amplify env checkout "+name)
	}
	then, err := Load(pushedFs{p.FS}, Amplify)
	if err != nil {
		return nil, err
	}
	if err := read.FirstError(then.Problems); err != nil {
		return nil, err
	}
	return &Deployment{Record: Record{Environment: e.Name}, Project: then}, nil
}

// pushedFs shows the copy of a pushed backend where the project's own backend is.
type pushedFs struct{ afero.Fs }

func (f pushedFs) at(name string) string {
	own := Amplify.Folder()
	slashed := strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/")
	if slashed == own || strings.HasPrefix(slashed, own+"/") {
		return PushedFolder + slashed[len(own):]
	}
	return name
}

// Open opens a file of the copy.
func (f pushedFs) Open(name string) (afero.File, error) { return f.Fs.Open(f.at(name)) }

// OpenFile opens a file of the copy.
func (f pushedFs) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	return f.Fs.OpenFile(f.at(name), flag, perm)
}

// Stat looks at a file of the copy.
func (f pushedFs) Stat(name string) (os.FileInfo, error) { return f.Fs.Stat(f.at(name)) }
