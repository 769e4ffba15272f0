// Package aws deploys environments to an account of AWS: it finds what a push would change, carries
// it out and follows it, takes over what is there, removes what was deployed, and compares what runs
// with the definition. Reach finds what runs of an environment.
package aws

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"gatewright/deploy/account"
	"gatewright/deploy/assets"
	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/deploy/stack"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render/template"
)

// Provider deploys to an account of AWS, with CloudFormation. An environment is a stack, and the
// stack has the definition as it was deployed, so that any machine can read it.
type Provider struct {
	// MFA asks a person for the code of a device; nil where nobody can be asked.
	MFA func(ctx context.Context, serial string) (string, error)
	// Cache is a folder for archives and packages; "" is the user's.
	Cache string
	// Profile is the profile to use, if the project keeps none for the environment, and
	// Region the region, if the environment has none.
	Profile, Region string
	// Getenv looks up the variables of AWS and of this program; nil takes those of the process.
	Getenv func(name string) string
	// Pace and Retry are for tests; the zero values are for people.
	Pace  stack.Pace
	Retry account.Retry
}

// session is an open account with what a push uses of it.
type session struct {
	*account.Account
	provider Provider
	client   *stack.Client
	bucket   *assets.Bucket
}

// Options returns how the account of an environment is opened.
func (a Provider) Options(p *project.Project, env *model.Environment) account.Options {
	o := a.anyAccount()
	o.Environment, o.Region, o.Want = env.Name, p.Backend.Region(env), env.Account
	if own := p.Profile(env.Name); own != "" {
		o.Profile = own
	}
	return o
}

// anyAccount returns how the account is opened that the credentials are of.
func (a Provider) anyAccount() account.Options {
	return account.Options{Region: a.Region, Profile: a.Profile, MFA: a.MFA, Retry: a.Retry, Getenv: a.Getenv}
}

// open opens an account. Another one than the wanted is refused before anything else.
func (a Provider) open(ctx context.Context, o account.Options) (*session, error) {
	opened, err := account.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	explain := func(err error) error { return account.Explain(err, o) }
	return &session{
		Account: opened, provider: a,
		client: &stack.Client{API: opened.CloudFormation(), Pace: a.Pace, Explain: explain},
		bucket: &assets.Bucket{
			Client: opened.S3(), Account: opened.ID, Region: opened.Region, Partition: opened.Partition,
			Explain: explain,
		},
	}, nil
}

// The tags of a stack, by which it is known as this program's.
const (
	applicationTag = "gatewright:application"
	branchTag      = "gatewright:branch"
	environmentTag = "gatewright:environment"
)

func tagsOf(b *model.Backend, env *model.Environment) map[string]string {
	return map[string]string{
		applicationTag: b.Project.ApplicationID, branchTag: env.BranchName(),
		environmentTag: env.Name,
	}
}

// ErrForeignStack is the cause of an error about a stack of somebody else under the name that
// an environment's has.
var ErrForeignStack = errors.New("the stack was not made by this program")

// ownStack describes the stack of an environment, nil if there is none. A stack of another
// environment or program is refused.
func (c *session) ownStack(ctx context.Context, b *model.Backend, env *model.Environment) (*stack.Stack, error) {
	name := index.StackOf(b, env)
	s, err := c.client.Describe(ctx, name)
	if errors.Is(err, stack.ErrNoStack) || err == nil && s.Status == stack.DeleteComplete {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	of := model.Ref{Kind: model.KindEnvironment, Name: env.Name}
	// A stack without its first update has no tags; it may also be on its way out.
	at, known := s.Tags[environmentTag]
	if !known && s.Status != stack.Review && !s.Status.Deleting() {
		if at, err = c.adoptedFor(ctx, s, b, env); err != nil {
			return nil, err
		}
		known = at != ""
	}
	switch {
	case !known && s.Status != stack.Review && !s.Status.Deleting():
		return nil, &model.Problem{
			Of: of, Text: "would be the stack " + name + ", and the account has one of that name that gatewright did not make",
			Fix: "give the environment another branch with: gatewright update env " +
				phrase.Quote(env.Name) + " --branch NAME",
			Cause: ErrForeignStack,
		}
	case known && s.Tags[applicationTag] != "" && s.Tags[applicationTag] != b.Project.ApplicationID:
		return nil, &model.Problem{
			Of: of, Text: "would be the stack " + name + ", and the account has one of that name of another application, " +
				phrase.Quote(s.Tags[applicationTag]),
			Fix: "give the environment another branch with: gatewright update env " +
				phrase.Quote(env.Name) + " --branch NAME",
			Cause: ErrForeignStack,
		}
	case known && at != env.Name:
		return nil, &model.Problem{
			Of: of, Text: "has the branch " + phrase.Quote(env.BranchName()) + ", whose stack " + name + " is the environment " +
				phrase.Quote(at),
			Fix:   "give it another branch with: gatewright update env " + phrase.Quote(env.Name) + " --branch NAME",
			Cause: ErrForeignStack,
		}
	}
	return s, nil
}

// randomLength is how many letters and digits tell a push from another one.
const randomLength = 8

func randomText() string { return strings.ToLower(rand.Text()[:randomLength]) }

// markOf is what the tokens of a push have after what is random, to tell whose a stack is that
// has no template yet.
func markOf(b *model.Backend, env *model.Environment) string {
	sum := sha256.Sum256([]byte(b.Project.ApplicationID + "\n" + env.Name))
	return hex.EncodeToString(sum[:])[:randomLength]
}

// token makes the token of an operation, which all its events have: the number of the update
// among those of the push, something random, and who pushes, for others to read.
func token(step, steps int, random, who string) string {
	who = strings.Map(func(r rune) rune {
		if index.IsPlain(r) {
			return r
		}
		return '-'
	}, who)
	const longest = 60
	return fmt.Sprintf("gatewright-%d-of-%d-%s-%s", step, steps, random, strings.Trim(who[:min(len(who), longest)], "-"))
}

// pusher reads who pushes from the token of an operation, and which update of how many it is:
// zeros if the token is not this program's.
func pusher(token string) (who string, step, steps int) {
	_, who, step, steps = tokenOf(token)
	return who, step, steps
}

// tokenOf reads a token as pusher does, with what is random and the mark after that.
func tokenOf(token string) (random, who string, step, steps int) {
	rest, ours := strings.CutPrefix(token, "gatewright-")
	if !ours {
		return "", "", 0, 0
	}
	if n, err := fmt.Sscanf(rest, "%d-of-%d-%s", &step, &steps, &random); err != nil || n != 3 {
		return "", "", 0, 0
	}
	random, who, _ = strings.Cut(random, "-")
	return random, who, step, steps
}

// words names the resources of a stack by the templates that it had and will have.
type words struct {
	names map[string]string
	of    map[string]model.Ref
}

// wordsOf collects the names; a later template counts less.
func wordsOf(templates ...*template.Template) words {
	w := words{make(map[string]string), make(map[string]model.Ref)}
	add := func(names map[string]string, of map[string]model.Ref) {
		for id, name := range names {
			if w.names[id] == "" {
				w.names[id], w.of[id] = name, of[id]
			}
		}
	}
	for _, t := range templates {
		if t == nil {
			continue
		}
		add(t.Words, t.Of)
		for _, n := range t.Nested {
			add(n.Words, n.Of)
		}
	}
	return w
}

// name is what people call a resource.
func (w words) name(logical, kind string) string {
	if name := w.names[logical]; name != "" {
		return name
	}
	return logical + " (" + kind + ")"
}

// progress makes the step of a resource of an event; nil for one about the stack itself.
func (w words) progress(e stack.Event) *contract.ResourceProgress {
	if e.Own() {
		return nil
	}
	r := &contract.ResourceProgress{
		ID: e.Logical, Name: w.name(e.Logical, e.Type), Of: w.of[e.Logical], Status: e.Status,
		Failed: e.Failed(), Time: e.Time,
	}
	if e.Reason != "" {
		r.Reason = shortly(e.Reason)
	}
	return r
}

// Record returns the record of the deployment of a stack of this program. The error matches
// index.ErrNoStack or ErrForeignStack.
func (a Provider) Record(ctx context.Context, name string) (project.Record, error) {
	if err := index.ValidStack(name); err != nil {
		return project.Record{}, err
	}
	c, err := a.open(ctx, a.anyAccount())
	if err != nil {
		return project.Record{}, err
	}
	s, err := c.describe(ctx, name)
	if err != nil {
		return project.Record{}, err
	}
	d, _, err := c.deployment(ctx, s)
	if err != nil {
		return project.Record{}, err
	}
	return d.Record, nil
}

// describe describes a stack that somebody named. The error matches index.ErrNoStack if the account
// has none of that name.
func (c *session) describe(ctx context.Context, name string) (*stack.Stack, error) {
	s, err := c.client.Describe(ctx, name)
	if errors.Is(err, stack.ErrNoStack) {
		return nil, &model.Problem{
			Field: "stack", Text: phrase.Quote(name) + " is not in the account " + c.ID + ", " + c.Region,
			Fix: "give another stack, --region or --profile", Cause: index.ErrNoStack,
		}
	}
	return s, err
}
