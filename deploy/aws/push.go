package aws

import (
	"context"

	"gatewright/deploy/account"
	"gatewright/deploy/contract"
	"gatewright/deploy/refuse"
	"gatewright/project"
)

// PushOptions say how a push to the cloud is prepared.
type PushOptions struct {
	// AllowDestroy are the names of tables and pools whose data may be lost.
	AllowDestroy []string
	// Adopt says that what is in the account already of an environment that is made anew is
	// taken over, with its data. AdoptPool is the id of the user pool to take over, if several
	// could be meant; with it, Adopt is meant too.
	Adopt     bool
	AdoptPool string
	// Allow is asked before something is done that the preview is not about: the account is
	// written down, or a stack that is stuck is fixed. Its error ends the push.
	Allow func(question string) error
	// DryRun says that the push will not be carried out: nothing is uploaded but a template,
	// and nothing at all if the environment was never pushed.
	DryRun bool
}

// Prepare finds what a push to the cloud would change: it checks the account, makes and uploads
// archives and templates, and makes a change set. tell, which may be nil, gets the progress.
// Nothing that is deployed changes before Apply.
func (a Provider) Prepare(
	ctx context.Context, target contract.Target, options PushOptions, tell func(contract.Progress),
) (*Push, error) {
	tell = heard(tell)
	if err := refuse.Push(target); err != nil {
		return nil, err
	}
	options.Adopt = options.Adopt || options.AdoptPool != ""
	l, err := a.look(ctx, target, options, tell)
	if err != nil {
		return nil, err
	}
	d, err := l.compare(ctx, options, tell)
	if err != nil {
		return nil, err
	}
	return d.prepare(ctx, options, tell)
}

// Apply carries out a push that was prepared, and follows it to its end. tell, which may be
// nil, gets the progress, and made the changes of files on this machine. The end of ctx ends
// the following only: the error then matches ErrDetached. After a failure everything is as it
// was before, which the error says. If nothing changes, it only brings this machine up to date.
func (x *Push) Apply(
	ctx context.Context, tell func(contract.Progress), made func(contract.Event),
) (project.Record, error) {
	tell, made = heard(tell), heard(made)
	r := &running{Push: *x, updater: x.newUpdater(tell)}
	if x.Changed() {
		// What cannot be discarded now, the next push discards.
		defer func() { _ = r.updater.discard(ctx) }()
		if err := x.Refusal(); err != nil {
			return project.Record{}, err
		}
	}
	if err := x.writeAccount(made); err != nil {
		return project.Record{}, err
	}
	if x.Changed() {
		if err := r.run(ctx); err != nil {
			return project.Record{}, err
		}
	}
	return r.told(ctx, made)
}

// Push pushes an environment without questions: the account is written down, what is stuck is
// fixed, and data are not lost. tell gets the resources that change.
func (a Provider) Push(ctx context.Context, target contract.Target, tell func(contract.Event)) (project.Record, error) {
	x, err := a.Prepare(ctx, target, PushOptions{Allow: func(string) error { return nil }}, nil)
	if err != nil {
		return project.Record{}, err
	}
	tell = heard(tell)
	for _, c := range x.Changes {
		tell(contract.Event{Kind: c.Kind, Of: c.Of, Text: c.Name})
	}
	return x.Apply(ctx, nil, tell)
}

// heard returns tell, or what takes the same if that is nil.
func heard[T any](tell func(T)) func(T) {
	if tell == nil {
		return func(T) {}
	}
	return tell
}

// errors of an account that a caller tells apart.
var (
	ErrOtherAccount  = account.ErrOtherAccount
	ErrCredentials   = account.ErrCredentials
	ErrNoCredentials = account.ErrNone
)
