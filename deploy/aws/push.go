package aws

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"gatewright/deploy/account"
	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/deploy/refuse"
	"gatewright/deploy/stack"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/status"
	"gatewright/render/template"
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
	// written down, or a stack that is stuck is mended. Its error ends the push.
	Allow func(question string) error
	// DryRun says that the push will not be carried out: nothing is uploaded but a template,
	// and nothing at all if the environment was never pushed.
	DryRun bool
}

// Push is a push that is prepared, and not carried out.
type Push struct {
	// Environment is the environment as it will be, with its account.
	Environment *model.Environment
	// Account, Who, Region and Stack say where it goes, and as whom.
	Account, Who, Region, Stack string
	// Status is what differs from what is deployed.
	Status status.Status
	// Changes are the resources that are made, changed or removed, in words.
	Changes []Change
	// Adopted is what is taken over from the account.
	Adopted []Found
	// Losses are what would lose its data.
	Losses []Loss
	// Updates is how many updates it takes; 0 if there is nothing to do.
	Updates int
	// Notes are remarks for people: what is refused in AWS, what is interrupted.
	Notes []string

	provider Provider
	cloud    *session
	project  *project.Project
	// asRead is the project without the account, if that is new.
	asRead *project.Project
	first  bool
	// half says that the stack has nothing but what an earlier push took over.
	half bool
	// imports are what the first update takes over, if there is something. taken is 1 if this
	// push began with such an update.
	imports []stack.Import
	taken   int
	// begun says that an update of the push is done.
	begun  bool
	before *stack.Stack
	// seen is the last event of the stack before it was read.
	seen    string
	old     template.Deployed
	made    *template.Template
	steps   []template.Step
	set     *stack.ChangeSet
	words   words
	given   map[string]string
	kept    []string
	allowed []string
	random  string
	// archiveKeys are the keys of the functions' archives in the bucket, by function; hot are
	// the functions whose code a hot push changed.
	archiveKeys map[string]string
	hot         []string
}

// Change is what happens to a resource.
type Change struct {
	Kind contract.EventKind
	Of   model.Ref
	Name string
	// Replaced says that it is made anew; what it held is lost, unless it is kept.
	Replaced bool
}

// Changed reports whether there is anything to do.
func (x *Push) Changed() bool { return x.Updates > 0 || len(x.hot) > 0 }

// First reports whether the environment is pushed for the first time.
func (x *Push) First() bool { return x.first || x.half }

// Prepare finds what a push to the cloud would change: it checks the account, makes and uploads
// archives and templates, and makes a change set. tell, which may be nil, gets the progress.
// Nothing that is deployed changes before Apply.
func (a Provider) Prepare(
	ctx context.Context, target contract.Target, options PushOptions, tell func(contract.Progress),
) (*Push, error) {
	if tell == nil {
		tell = func(contract.Progress) {}
	}
	if err := refuse.Push(target); err != nil {
		return nil, err
	}
	options.Adopt = options.Adopt || options.AdoptPool != ""
	x := &Push{
		Environment: target.Environment, provider: a, project: target.Project, allowed: options.AllowDestroy,
		random: randomText() + markOf(target.Project.Backend, target.Environment),
	}
	if err := x.openAccount(ctx, options); err != nil {
		return nil, err
	}
	if err := x.findStack(ctx, options, tell); err != nil {
		return nil, err
	}
	if err := x.render(ctx, options, tell); err != nil {
		return nil, err
	}
	if err := x.preview(ctx, options, tell); err != nil {
		return nil, err
	}
	return x, nil
}

// openAccount opens the account of the environment. If it has none yet, the one that answers
// becomes its own, after asking.
func (x *Push) openAccount(ctx context.Context, options PushOptions) error {
	opened, err := x.provider.open(ctx, x.provider.Options(x.project, x.Environment))
	if err != nil {
		return err
	}
	x.cloud, x.Account, x.Who, x.Region, x.Stack = opened, opened.ID, opened.Who(), opened.Region,
		index.StackOf(x.project.Backend, x.Environment)
	if x.Environment.Account != "" {
		return nil
	}
	if !options.DryRun {
		question := fmt.Sprintf("environment %s has no account yet; does it belong to the account %s, %s, where you are %s",
			phrase.Quote(x.Environment.Name), opened.ID, opened.Region, x.Who)
		if err := allow(options, question); err != nil {
			return err
		}
	}
	next := *x.Environment
	next.Account = opened.ID
	backend, err := x.project.Backend.Edit(func(b *model.Backend) error { return b.UpdateEnvironment(&next) })
	if err != nil {
		return err
	}
	with := *x.project
	with.Backend = backend
	x.asRead, x.project, x.Environment = x.project, &with, backend.Environment(next.Name)
	return nil
}

func allow(options PushOptions, question string) error {
	if options.Allow == nil {
		return fmt.Errorf("nobody could be asked: %s? nothing is pushed", question)
	}
	return options.Allow(question)
}

// render compares with what is deployed, makes the archives, and renders the template.
func (x *Push) render(ctx context.Context, push PushOptions, tell func(contract.Progress)) error {
	var deployment *project.Deployment
	if !x.first {
		var err error
		if x.seen, err = x.cloud.client.LastEvent(ctx, x.before.ARN); err != nil {
			return err
		}
		if !x.half {
			if deployment, _, err = x.cloud.deployment(ctx, x.before); err != nil {
				return err
			}
		}
		if x.old, err = x.cloud.templates(ctx, x.before); err != nil {
			return err
		}
	}
	var err error
	if x.Status, err = status.Against(x.project, x.Environment, deployment); err != nil {
		return err
	}
	sources, err := x.project.Sources()
	if err != nil {
		return err
	}
	if x.First() {
		// What is in the way is told before archives are made.
		if x.made, err = template.Render(x.project.Backend, x.Environment, template.Options{}); err != nil {
			return err
		}
		x.words = wordsOf(x.made)
		if err := x.findExisting(ctx, push, tell); err != nil {
			return err
		}
	}
	if !x.First() && push.Adopt {
		x.Notes = append(x.Notes,
			"--adopt takes over nothing: environment "+phrase.Quote(x.Environment.Name)+" is deployed, and has what is its own")
	}
	options := template.Options{
		StackName: x.Stack, Archives: make(map[string]string), Layers: make(map[string]string),
		SourceMaps: x.project.CompiledFunctions(), Sources: sources,
	}
	all, err := x.archives(ctx, &options, tell)
	if err != nil {
		return err
	}
	if x.made, err = template.Render(x.project.Backend, x.Environment, options); err != nil {
		return err
	}
	var was *template.Template
	if deployment != nil {
		then := deployment.Project.Backend
		// An old definition that this version cannot render has only fewer names.
		was, _ = template.Render(then, then.Environment(deployment.Environment), template.Options{})
	}
	x.words = wordsOf(x.made, was)
	if x.old.Root != nil {
		x.steps = template.Steps(x.old, x.made)
	}
	if err := x.secrets(); err != nil {
		return err
	}
	for _, problem := range x.made.Announcements(x.project.Backend) {
		x.Notes = append(x.Notes, problem.Error())
	}
	for _, s := range x.steps {
		if len(s.Interrupts) > 0 {
			x.Notes = append(x.Notes,
				"the API "+phrase.QuoteList(s.Interrupts)+" does not answer during the push: it moves to another stack")
		}
	}
	return x.upload(ctx, all, tell, push.DryRun)
}

// input is the change set of a template in the bucket, the final one or one on the way.
func (x *Push) input(key, token string) stack.Input {
	return stack.Input{
		Stack: x.Stack, Create: x.first, TemplateURL: x.cloud.bucket.URL(key), Tags: tagsOf(x.project.Backend, x.Environment),
		Parameters: x.given, Kept: x.kept, Token: token, Description: "gatewright push by " + x.Who,
	}
}

// keeping is the change set of a template on the way, whose parameters all stay.
func (x *Push) keeping(key, token string) stack.Input {
	in := x.input(key, token)
	if x.taken > 0 || x.half {
		// Without tags the stack is known as one that is half done.
		in.Tags = nil
	}
	in.Parameters, in.Kept = nil, slices.Sorted(maps.Keys(x.before.Parameters))
	return in
}

// Target returns where the push goes, for a question.
func (x *Push) Target() string {
	return "environment " + phrase.Quote(x.Environment.Name) + " in the account " + x.Account + ", " + x.Region
}

// errors of an account that a caller tells apart.
var (
	ErrOtherAccount  = account.ErrOtherAccount
	ErrCredentials   = account.ErrCredentials
	ErrNoCredentials = account.ErrNone
)
