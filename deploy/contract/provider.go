// Package contract has what the providers of deployments and those who call them share: what a push
// deploys, what it tells while it goes on, and the errors that callers decide on.
package contract

import (
	"context"
	"errors"
	"strings"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// Provider deploys environments to one kind of place.
type Provider interface {
	// Push deploys the environment as the project defines it, and calls tell for each
	// resource that it created, updated or deleted. With an error it returns the record
	// of the deployment if that was made all the same, else a record without a Stack.
	Push(ctx context.Context, target Target, tell func(Event)) (project.Record, error)
	// Record returns the record of the deployment of a stack. The error matches
	// index.ErrNoStack, project.ErrNeverDeployed or project.ErrDeploying.
	Record(ctx context.Context, stack string) (project.Record, error)
}

// Target is what a push deploys.
type Target struct {
	Project     *project.Project
	Environment *model.Environment
	// Now is when the push is made.
	Now time.Time
}

// ErrProvider is the cause of a *model.Problem about an environment that another provider deploys.
var ErrProvider = errors.New("another provider deploys it")

// UnknownProvider is the error of an environment whose provider does not exist.
func UnknownProvider(env *model.Environment) error {
	return &model.Problem{
		Of:   model.Ref{Kind: model.KindEnvironment, Name: env.Name},
		Text: "has the provider " + phrase.Quote(string(env.Provider)),
		Fix: "give it one of " + phrase.QuoteList([]string{string(model.Local), string(model.AWS)}) +
			" with: gatewright update env " + phrase.Quote(env.Name) + " --provider " + string(model.Local),
		Cause: ErrProvider,
	}
}

// EventKind is the kind of an Event.
type EventKind uint8

// The kinds. A warning may need action, a note does not.
const (
	Created EventKind = iota
	Updated
	Deleted
	Warned
	Noted
	// Adopted is a resource that was there and is taken over, with its data.
	Adopted
)

// String returns the word that reports use: create, update, delete, warning, note or adopt.
func (k EventKind) String() string {
	return [...]string{"create", "update", "delete", "warning", "note", "adopt"}[k]
}

// Event is one change that a push made to a resource, or a warning or note about it.
type Event struct {
	Kind EventKind
	// Of is the part of the backend that it is about; zero for the deployment as a whole.
	Of model.Ref
	// Text names the resource, or is the whole sentence of a warning or a note, on one line.
	Text string
	// Reasons say what an update changed, a line each; there may be any number.
	Reasons []string
}

// String returns the event as one line, without its kind.
func (e Event) String() string {
	if len(e.Reasons) == 0 {
		return e.Text
	}
	return e.Text + ": " + strings.Join(e.Reasons, "; ")
}

// Elsewhere is the error of an environment that is not deployed to this machine.
func Elsewhere(env *model.Environment) error {
	return &model.Problem{
		Of:   model.Ref{Kind: model.KindEnvironment, Name: env.Name},
		Text: "has the provider " + phrase.Quote(string(env.Provider)) + ", so it is not deployed to this machine",
		Fix:  "push it with: gatewright push --env " + model.ShellWord(env.Name), Cause: ErrProvider,
	}
}
