package deploy

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/deploy/account"
	"gatewright/deploy/archive"
	"gatewright/deploy/assets"
	"gatewright/deploy/stack"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render/aws"
	"gatewright/render/template"
)

// PushOptions say how a push to the cloud is prepared.
type PushOptions struct {
	// AllowDestroy are the names of tables and pools whose data may be lost.
	AllowDestroy []string
	// Allow is asked before something is done that the preview is not about: the account is
	// written down, or a stack that is stuck is mended. Its error ends the push.
	Allow func(question string) error
	// DryRun says that the push will not be carried out: nothing is uploaded but a template,
	// and nothing at all if the environment was never pushed.
	DryRun bool
}

// CloudPush is a push that is prepared, and not carried out.
type CloudPush struct {
	// Environment is the environment as it will be, with its account.
	Environment *model.Environment
	// Account, Who, Region and Stack say where it goes, and as whom.
	Account, Who, Region, Stack string
	// Status is what differs from what is deployed.
	Status project.Status
	// Changes are the resources that are made, changed or removed, in words.
	Changes []CloudChange
	// Losses are what would lose its data.
	Losses []Loss
	// Updates is how many updates it takes; 0 if there is nothing to do.
	Updates int
	// Notes are remarks for people: what is refused in AWS, what is interrupted.
	Notes []string

	provider AWS
	cloud    *session
	project  *project.Project
	// asRead is the project without the account, if that is new.
	asRead *project.Project
	first  bool
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
}

// CloudChange is what happens to a resource.
type CloudChange struct {
	Kind EventKind
	Of   model.Ref
	Name string
	// Replaced says that it is made anew; what it held is lost, unless it is kept.
	Replaced bool
}

// Changed reports whether there is anything to do.
func (x *CloudPush) Changed() bool { return x.Updates > 0 }

// First reports whether the environment is pushed for the first time.
func (x *CloudPush) First() bool { return x.first }

// Prepare finds what a push to the cloud would change: it checks the account, makes and uploads
// archives and templates, and makes a change set. tell, which may be nil, gets the progress.
// Nothing that is deployed changes before Apply.
func (a AWS) Prepare(ctx context.Context, target Target, options PushOptions, tell func(Progress)) (*CloudPush, error) {
	if tell == nil {
		tell = func(Progress) {}
	}
	if err := refuse(target); err != nil {
		return nil, err
	}
	x := &CloudPush{Environment: target.Environment, provider: a, project: target.Project, allowed: options.AllowDestroy, random: strings.ToLower(rand.Text()[:8])}
	if err := x.acceptable(); err != nil {
		return nil, err
	}
	if err := x.openAccount(ctx, options); err != nil {
		return nil, err
	}
	if err := x.findStack(ctx, options, tell); err != nil {
		return nil, err
	}
	if err := x.render(ctx, tell, options.DryRun); err != nil {
		return nil, err
	}
	if err := x.preview(ctx, options, tell); err != nil {
		return nil, err
	}
	return x, nil
}

// acceptable refuses what AWS would refuse, before anything is asked there.
func (x *CloudPush) acceptable() error {
	problems := aws.Check(x.project.Backend, x.Environment)
	problems = slices.DeleteFunc(problems, func(p *model.Problem) bool { return p.Level != model.Error })
	located := x.project.Located(problems)
	switch len(located) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("nothing is deployed: %w", located[0])
	}
	return fmt.Errorf("nothing is deployed: %w (and %s; see them with: gatewright validate --for aws --env %s)",
		located[0], model.Count(len(located)-1, "more problem"), model.ShellWord(x.Environment.Name))
}

// openAccount opens the account of the environment. If it has none yet, the one that answers
// becomes its own, after asking.
func (x *CloudPush) openAccount(ctx context.Context, options PushOptions) error {
	opened, err := x.provider.open(ctx, x.provider.options(x.project, x.Environment))
	if err != nil {
		return err
	}
	x.cloud, x.Account, x.Who, x.Region, x.Stack = opened, opened.ID, opened.Who(), opened.Region, StackOf(x.project.Backend, x.Environment)
	if x.Environment.Account != "" {
		return nil
	}
	if !options.DryRun {
		question := fmt.Sprintf("environment %s has no account yet; does it belong to the account %s, %s, where you are %s", model.Quote(x.Environment.Name), opened.ID, opened.Region, x.Who)
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

// findStack finds the environment's stack. One that is stuck is mended, after asking; one that
// somebody else changes is left alone.
func (x *CloudPush) findStack(ctx context.Context, options PushOptions, tell func(Progress)) error {
	for range 3 {
		s, err := x.cloud.ownStack(ctx, x.project.Backend, x.Environment)
		if err != nil {
			return err
		}
		x.before = s
		switch {
		case s == nil || s.Status == stack.Review:
			x.first = true
			return nil
		case s.Status.Settled():
			return nil
		case options.DryRun && !s.Status.Unmade(), s.Status.Busy():
			return x.cloud.busy(ctx, x.Environment, s)
		case options.DryRun:
			x.first = true
			x.Notes = append(x.Notes, x.cloud.noteOf(ctx, x.Environment, s))
			return nil
		}
		if err := x.mend(ctx, s, options, tell); err != nil {
			return err
		}
	}
	return fmt.Errorf("the stack %s does not come to rest; look at it in the console of CloudFormation", x.Stack)
}

// ErrStackBusy is the cause of the error of a push while another operation of the stack goes
// on.
var ErrStackBusy = errors.New("another operation of the stack goes on")

func (c *session) busy(ctx context.Context, env *model.Environment, s *stack.Stack) error {
	return &model.Problem{Of: model.Ref{Kind: model.KindEnvironment, Name: env.Name}, Text: c.noteOf(ctx, env, s), Cause: ErrStackBusy}
}

var errUnremoved = errors.New("the stack could not be removed")

// mend brings a stuck stack into a state in which it can be updated.
func (x *CloudPush) mend(ctx context.Context, s *stack.Stack, options PushOptions, tell func(Progress)) error {
	of := model.Ref{Kind: model.KindEnvironment, Name: x.Environment.Name}
	// The push has its own token: one that is used again begins nothing.
	token := token(1, 1, x.random+"m", x.Who)
	x.words = wordsOf(x.cloud.render(x.project.Backend, x.Environment), x.cloud.deployedTemplate(ctx, s))
	after, err := x.cloud.client.LastEvent(ctx, s.ARN)
	if err != nil {
		return err
	}
	switch {
	case s.Status.Unmade():
		// Nothing in it ever worked, so there is nothing to lose and nothing to ask.
		tell(Progress{Text: "the first push of " + model.Quote(x.Environment.Name) + " failed; what is left of it is removed"})
		if s.Protected {
			if err := x.cloud.client.Protect(ctx, s.ARN, false); err != nil {
				return err
			}
		}
		if err := x.cloud.client.Delete(ctx, s.ARN, token); err != nil {
			return err
		}
		ended, err := x.follow(ctx, x.cloud.client.Follow(s.ARN, after), tell)
		if err == nil && ended.Status != stack.DeleteComplete {
			err = &model.Problem{Of: of, Text: "its stack " + s.Name + " " + ended.Status.Words() + ": " + shortly(ended.Reason), Fix: "remove it in the console of CloudFormation, and push again"}
		}
		return err
	case s.Status == stack.UpdateRollbackFailed:
		if err := allow(options, "the stack "+s.Name+" could not go back to what it was after a push failed ("+shortly(s.Reason)+"); try again to let it go back, before this push"); err != nil {
			return err
		}
		if err := x.cloud.client.ContinueRollback(ctx, s.ARN, token); err != nil {
			return err
		}
		follower := x.cloud.client.Follow(s.ARN, after)
		ended, err := x.follow(ctx, follower, tell)
		if err == nil && !ended.Status.Settled() {
			why := shortly(ended.Reason)
			if len(follower.Failures) > 0 {
				first := follower.Failures[0]
				why = x.words.name(first.Logical, first.Type) + ": " + shortly(first.Reason)
			}
			err = &model.Problem{
				Of: of, Text: "its stack " + s.Name + " still cannot go back to what it was: " + why,
				Fix: "correct that in AWS, and push again; or skip the resource with: aws cloudformation continue-update-rollback --resources-to-skip",
			}
		}
		return err
	}
	if s.Status == stack.DeleteFailed {
		return &model.Problem{Of: of, Text: x.cloud.noteOf(ctx, x.Environment, s), Cause: errUnremoved}
	}
	return &model.Problem{
		Of: of, Text: "its stack " + s.Name + " has the state " + model.Quote(string(s.Status)) + ": " + shortly(s.Reason),
		Fix: "bring it to rest in the console of CloudFormation, and push again",
	}
}

// render compares with what is deployed, makes the archives, and renders the template.
func (x *CloudPush) render(ctx context.Context, tell func(Progress), dryRun bool) error {
	var deployment *project.Deployment
	if !x.first {
		var err error
		if x.seen, err = x.cloud.client.LastEvent(ctx, x.before.ARN); err != nil {
			return err
		}
		if deployment, _, err = x.cloud.deployment(ctx, x.before); err != nil {
			return err
		}
		if x.old, err = x.cloud.templates(ctx, x.before); err != nil {
			return err
		}
	}
	var err error
	if x.Status, err = x.project.StatusAgainst(x.Environment, deployment); err != nil {
		return err
	}
	sources, err := x.project.Sources()
	if err != nil {
		return err
	}
	options := template.Options{StackName: x.Stack, Archives: make(map[string]string), Layers: make(map[string]string), Sources: sources}
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
		x.steps = template.Steps(x.old, x.made)
	}
	x.words = wordsOf(x.made, was)
	if err := x.secrets(); err != nil {
		return err
	}
	for _, problem := range x.made.Announcements(x.project.Backend) {
		x.Notes = append(x.Notes, problem.Error())
	}
	for _, s := range x.steps {
		if len(s.Interrupts) > 0 {
			x.Notes = append(x.Notes, "the API "+model.QuoteList(s.Interrupts)+" does not answer during the push: it moves to another stack")
		}
	}
	return x.upload(ctx, all, tell, dryRun)
}

// archives makes the archives of functions and layers, and sets their keys.
func (x *CloudPush) archives(ctx context.Context, options *template.Options, tell func(Progress)) ([]assets.Asset, error) {
	var (
		sources []archive.Source
		keys    []func(key string)
	)
	here := x.project.Backend.For(x.Environment)
	layers := make(map[string]bool)
	for _, f := range here.Functions {
		folder := filepath.Join(x.project.Root, filepath.FromSlash(x.project.Layout.FunctionFolder(f.Name)), "src")
		runtime := f.Runtime
		if runtime == "" {
			runtime = model.NodeJS
		}
		sources = append(sources, archive.Source{Name: f.Name, Folder: folder, Runtime: runtime})
		keys = append(keys, func(key string) { options.Archives[f.Name] = "functions/" + key })
		for _, layer := range f.Layers {
			if strings.HasPrefix(layer, "arn:") || layers[layer] {
				continue
			}
			layers[layer] = true
			sources = append(sources, archive.Source{Name: layer, Folder: filepath.Join(x.project.Root, filepath.FromSlash(layer)), Layer: true, Runtime: runtime})
			keys = append(keys, func(key string) { options.Layers[layer] = "layers/" + key })
		}
	}
	cache := x.provider.Cache
	if cache == "" {
		folder, err := project.UserState(os.Getenv)
		if err != nil {
			return nil, err
		}
		cache = filepath.Join(folder, "archives")
	}
	made, err := archive.New(cache).BuildAll(ctx, sources, func(p archive.Progress) {
		tell(Progress{Text: "function " + model.Quote(p.Name) + ": " + p.Text})
	})
	if err != nil {
		return nil, err
	}
	var all []assets.Asset
	for i, a := range made {
		keys[i](a.SHA256 + ".zip")
		key := "functions/" + a.SHA256 + ".zip"
		if sources[i].Layer {
			key = "layers/" + a.SHA256 + ".zip"
		}
		all = append(all, assets.Asset{Key: key, File: a.File, SHA256: a.SHA256, Size: a.Size})
	}
	return all, nil
}

// ErrNoSecret is the cause of the error of a secret without a value.
var ErrNoSecret = errors.New("the secret has no value")

// secrets finds the values of the secrets: those on this machine, else those that the stack
// has stay.
func (x *CloudPush) secrets() error {
	known := readSecrets(x.project.Root, x.Environment.Name)
	x.given, x.kept = make(map[string]string), nil
	for _, s := range x.made.Secrets {
		value, given := known.values[s.Name]
		there := false
		if x.before != nil {
			_, there = x.before.Parameters[s.Parameter]
		}
		switch {
		case given:
			x.given[s.Parameter] = value
		case there:
			x.kept = append(x.kept, s.Parameter)
		default:
			text := "the secret " + model.Quote(s.Name) + " has no value"
			if known.problem != "" {
				text += ", and " + project.QuotePath(known.file) + " " + known.problem
			}
			return &model.Problem{
				Of: model.Ref{Kind: model.KindEnvironment, Name: x.Environment.Name}, Text: text,
				Fix: "write it into " + project.QuotePath(known.file) + " as {\"" + s.Name + "\": \"value\"}; it is sent to AWS and kept in no other file", Cause: ErrNoSecret,
			}
		}
	}
	return nil
}

// upload uploads what is missing in the bucket: archives, and the templates of all updates.
func (x *CloudPush) upload(ctx context.Context, all []assets.Asset, tell func(Progress), dryRun bool) error {
	if dryRun {
		// The change set needs the templates, and only those.
		all = nil
		if there, err := x.cloud.bucket.Exists(ctx); err != nil || !there || x.first {
			return err
		}
	} else if made, err := x.cloud.bucket.Ensure(ctx); err != nil {
		return err
	} else if made {
		tell(Progress{Text: "made the bucket " + x.cloud.bucket.Name() + " for archives and templates"})
	}
	seen := make(map[string]bool)
	add := func(key string, body []byte) {
		if !seen[key] {
			seen[key] = true
			all = append(all, assets.NewAsset(key, body))
		}
	}
	for _, s := range x.steps {
		add(s.Key, s.Body)
		for _, n := range s.Nested {
			add(n.Key, n.Body)
		}
	}
	add(x.made.Key, x.made.Body)
	for _, n := range x.made.Nested {
		add(n.Key, n.Body)
	}
	if len(x.steps) > 0 {
		// What a failed update goes back to.
		body := x.old.Root.Minified()
		add(oldKey(body), body)
	}
	done, err := x.cloud.bucket.Upload(ctx, all, func(p assets.Progress) {
		tell(Progress{Text: "uploading", Done: p.Done, Total: p.Total})
	})
	if err == nil && !dryRun {
		tell(Progress{Text: fmt.Sprintf("uploaded %s, %d were there already", model.Count(done.Uploaded, "file"), done.Kept)})
	}
	return err
}

func oldKey(body []byte) string { return "templates/" + assets.NewAsset("", body).SHA256 + ".json" }

// input is the change set of a template in the bucket, the final one or one on the way.
func (x *CloudPush) input(key, token string) stack.Input {
	return stack.Input{
		Stack: x.Stack, Create: x.first, TemplateURL: x.cloud.bucket.URL(key), Tags: tagsOf(x.project.Backend, x.Environment),
		Parameters: x.given, Kept: x.kept, Token: token, Description: "gatewright push by " + x.Who,
	}
}

// keeping is the change set of a template on the way, whose parameters all stay.
func (x *CloudPush) keeping(key, token string) stack.Input {
	in := x.input(key, token)
	in.Parameters, in.Kept = nil, slices.Sorted(maps.Keys(x.before.Parameters))
	return in
}

// Target returns where the push goes, for a question.
func (x *CloudPush) Target() string {
	return "environment " + model.Quote(x.Environment.Name) + " in the account " + x.Account + ", " + x.Region
}

// errors of an account that a caller tells apart.
var (
	ErrOtherAccount  = account.ErrOtherAccount
	ErrCredentials   = account.ErrCredentials
	ErrNoCredentials = account.ErrNone
)
