package deploy

import (
	"context"
	"errors"
	"strings"
	"time"

	"gatewright/model"
	"gatewright/project"
)

// Provider is where environments are deployed to.
type Provider interface {
	// Push deploys the environment as the project defines it, and tells of each
	// thing that it made, changed or removed. Beside an error it returns the record
	// of a deployment that stands all the same, or one without a Stack.
	Push(ctx context.Context, target Target, tell func(Event)) (project.Record, error)
	// Record is what is known of the deployment of a stack. The error matches
	// ErrNoStack, project.ErrNeverDeployed or project.ErrDeploying.
	Record(ctx context.Context, stack string) (project.Record, error)
}

// Target is what a push deploys.
type Target struct {
	Project     *project.Project
	Environment *model.Environment
	// Now is when the push is made.
	Now time.Time
}

// ErrProvider is the cause of a *model.Problem about an environment whose
// provider this version does not deploy to.
var ErrProvider = errors.New("not deployed by this version")

// ProviderOf is the provider of an environment. The error matches ErrProvider.
func ProviderOf(env *model.Environment, index Index) (Provider, error) {
	if env.Provider == model.Local {
		return Local{Index: index}, nil
	}
	return nil, providerProblem(env)
}

func providerProblem(env *model.Environment) error {
	return &model.Problem{
		Of:    model.Ref{Kind: model.KindEnvironment, Name: env.Name},
		Text:  "has the provider " + model.Quote(string(env.Provider)) + ", and this version deploys environments of the provider local only",
		Fix:   "deploy another one, or run: gatewright update env " + model.Quote(env.Name) + " --provider local",
		Cause: ErrProvider,
	}
}

// EventKind is what an Event tells of.
type EventKind uint8

// The kinds. Warned is worth a look, Noted is merely said.
const (
	Created EventKind = iota
	Updated
	Deleted
	Warned
	Noted
)

// String is the word that reports use: create, update, delete, warning or note.
func (k EventKind) String() string {
	return [...]string{"create", "update", "delete", "warning", "note"}[k]
}

// Event is one thing that a push did to a resource, or has to say.
type Event struct {
	Kind EventKind
	// Of is the thing of the backend that it is about; zero for the deployment as
	// a whole.
	Of model.Ref
	// Text names the resource, or is the whole sentence of a warning or a note. It
	// is fit for a line of text.
	Text string
	// Reasons say of an update what changed, a line each. There is no limit to
	// them.
	Reasons []string
}

// String is the event as one line, without its kind.
func (e Event) String() string {
	if len(e.Reasons) == 0 {
		return e.Text
	}
	return e.Text + ": " + strings.Join(e.Reasons, "; ")
}
