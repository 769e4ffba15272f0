package aws

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gatewright/deploy/archive"
	"gatewright/deploy/assets"
	"gatewright/deploy/contract"
	"gatewright/deploy/refuse"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/diff"
)

// HotPush gives the deployed functions of an environment the code that their sources have now, and changes nothing
// else. It takes seconds, since the stack is not updated; the next push brings stack and code together.
type HotPush struct {
	Place
	// Functions are those whose code differs, Same the names of those whose code is the same.
	Functions []HotFunction
	Same      []string
	// Waiting says what differs in the definition and takes a push, a line each.
	Waiting []string

	reached *Reached
}

// HotFunction is a deployed function with other code than its source.
type HotFunction struct {
	// Name is its resource name, Deployed the name of the deployed function.
	Name, Deployed string
	// Size is the size of the new archive in bytes.
	Size int64

	asset assets.Asset
}

// ErrGuarded is the cause of the error of what is not done to a guarded environment.
var ErrGuarded = errors.New("the environment is guarded")

// PrepareHot makes the archives of the functions and finds those whose code differs from what is deployed. The error
// matches ErrGuarded for a guarded environment, project.ErrNeverDeployed for one that was never pushed, and
// ErrStackBusy while a push goes on. Nothing is changed before Apply.
func (a Provider) PrepareHot(
	ctx context.Context, target contract.Target, tell func(contract.Progress),
) (*HotPush, error) {
	tell = heard(tell)
	env := target.Environment
	if env.Guarded {
		return nil, guardedFromHot(env)
	}
	p, err := a.at(ctx, target.Project, env)
	if err != nil {
		return nil, err
	}
	reached, err := p.reach(ctx)
	if err != nil {
		return nil, err
	}
	if !reached.Stack.Status.Settled() {
		return nil, p.busy(ctx, reached.Stack)
	}
	if reached.Deployment.Project.Backend.Environment(env.Name).Guarded {
		return nil, guardedFromHot(env)
	}
	x := &HotPush{Place: p, reached: reached}
	return x, x.compare(ctx, target, tell)
}

func guardedFromHot(env *model.Environment) error {
	return &model.Problem{
		Of:   model.Ref{Kind: model.KindEnvironment, Name: env.Name},
		Text: "is guarded, and --hot changes code without an update of its stack",
		Fix:  "push it with: gatewright push --env " + model.ShellWord(env.Name), Cause: ErrGuarded,
	}
}

// compare makes the archives, and compares the hashes of functions with those that Lambda has,
// those of layers with those that the stack names: a layer changes with a push.
func (x *HotPush) compare(ctx context.Context, target contract.Target, tell func(contract.Progress)) error {
	now, then := target.Project.Backend.For(target.Environment), x.reached.Backend()
	waits := x.waiting(then, now)
	inStack, err := x.layers(ctx, then)
	if err != nil {
		return err
	}
	var sources []archive.Source
	for _, s := range refuse.Sources(target) {
		if s.Layer && inStack[s.Name] != "" || !s.Layer && then.Function(s.Name) != nil && !waits[s.Name] {
			sources = append(sources, s)
		}
	}
	made, err := x.cloud.provider.build(ctx, sources, tell)
	if err != nil {
		return err
	}
	// Layers come last.
	functions := slices.IndexFunc(sources, func(s archive.Source) bool { return s.Layer })
	if functions < 0 {
		functions = len(sources)
	}
	for i, s := range sources[functions:] {
		if archive.Key(s, made[functions+i]) != inStack[s.Name] {
			x.Waiting = append(x.Waiting, "layer "+phrase.Quote(s.Name)+" changes")
		}
	}
	sources = sources[:functions]
	found := make([]string, len(sources))
	deployed := make([]string, len(sources))
	for i, s := range sources {
		if deployed[i], err = x.reached.Function(s.Name); err != nil {
			return err
		}
	}
	if err := atOnce(ctx, len(sources), func(ctx context.Context, i int) error {
		state, err := x.cloud.codeOf(ctx, deployed[i])
		found[i] = state.CodeSha256
		return err
	}); err != nil {
		return err
	}
	for i, s := range sources {
		if found[i] == codeHash(made[i].SHA256) {
			x.Same = append(x.Same, s.Name)
			continue
		}
		x.Functions = append(x.Functions,
			HotFunction{Name: s.Name, Deployed: deployed[i], Size: made[i].Size, asset: assetOf(s, made[i])})
	}
	return nil
}

// layers are the keys of the archives that the stack has of a backend's layers, by their folders.
func (x *HotPush) layers(ctx context.Context, then *model.Backend) (map[string]string, error) {
	if !slices.ContainsFunc(then.Functions, func(f *model.Function) bool { return len(f.Layers) > 0 }) {
		return nil, nil
	}
	templates, err := x.cloud.templates(ctx, x.reached.Stack)
	if err != nil {
		return nil, err
	}
	return deployedLayers(then, templates.Root), nil
}

// waiting finds what only a push changes, and the functions whose code cannot change without
// it: those that run in another way than the deployed ones.
func (x *HotPush) waiting(then, now *model.Backend) map[string]bool {
	waits := make(map[string]bool)
	for _, d := range diff.Backends(then, now) {
		if d.Operation == diff.NoChange || d.Of.Kind == model.KindEnvironment {
			continue
		}
		line := d.Of.String() + " changes"
		switch d.Operation {
		case diff.ToCreate:
			line = d.Of.String() + " is new"
		case diff.ToDelete:
			line = d.Of.String() + " is removed"
		}
		if was, is := then.Function(d.Of.Name), now.Function(d.Of.Name); d.Of.Kind == model.KindFunction && was != nil &&
			is != nil {
			waits[d.Of.Name] = was.Runtime.InCloud() != is.Runtime.InCloud() ||
				was.Architecture != is.Architecture || was.Handler != is.Handler || !slices.Equal(was.Layers, is.Layers)
			if waits[d.Of.Name] {
				line = d.Of.String() + " has other settings than the deployed one, and keeps its code until then"
			}
		}
		if d.Operation == diff.ToUpdate {
			line += " (" + phrase.List(d.Reasons) + ")"
		}
		x.Waiting = append(x.Waiting, line)
	}
	return waits
}

// Apply uploads the archives and gives each function its code. tell, which may be nil, gets the
// progress. With an error, some functions may have their code already.
func (x *HotPush) Apply(ctx context.Context, tell func(contract.Progress)) error {
	tell = heard(tell)
	if len(x.Functions) == 0 {
		return nil
	}
	if _, err := x.cloud.bucket.Ensure(ctx); err != nil {
		return err
	}
	all := make([]assets.Asset, len(x.Functions))
	for i, f := range x.Functions {
		all[i] = f.asset
	}
	if _, err := x.cloud.bucket.Upload(ctx, all, func(p assets.Progress) {
		tell(contract.Progress{Text: "uploading", Done: p.Done, Total: p.Total})
	}); err != nil {
		return err
	}
	return atOnce(ctx, len(x.Functions), func(ctx context.Context, i int) error {
		f := x.Functions[i]
		// Before the code changes, so that the next push always knows of it.
		if err := x.cloud.bucket.Put(ctx, hotKey(x.Stack, f.Name), []byte(f.asset.SHA256+"\n")); err != nil {
			return err
		}
		tell(contract.Progress{Text: "function " + phrase.Quote(f.Name) + ": changing its code"})
		if err := x.cloud.swap(ctx, f.Deployed, f.asset.Key); err != nil {
			return fmt.Errorf("function %s: %w", phrase.Quote(f.Name), err)
		}
		return nil
	})
}
