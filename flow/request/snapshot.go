// Package request makes requests to the APIs that the sandbox serves. It turns a form into a request, signs and sends
// it, describes the answer, compares it with the previous one, keeps a history, and writes the request as a curl
// command or an event.json. It needs no terminal: the page of the test console and the plain lines of --accessible
// both use it.
package request

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"gatewright/deploy/aws"
	"gatewright/deploy/cloudcall"
	"gatewright/deploy/signin"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
)

// Snapshot is the state of a project and its sandbox at one moment. It does not change
// afterwards, so other goroutines may read it.
type Snapshot struct {
	// Status is the response of the sandbox. If none answers, it is empty and Down says why.
	Status sandbox.Status
	Down   error
	// Lookup knows the variables of this process; nil for those of its environment.
	Lookup func(name string) (value string, ok bool)
	// Cloud sends requests to AWS, and keeps who has signed in there. A page that reads several
	// snapshots gives them the same one.
	Cloud *cloudcall.Session

	root         string
	layout       project.Layout
	environments []*Environment
	chosen       string
}

// Environment is an environment that requests may go to.
type Environment struct {
	Name    string
	Guarded bool
	// Tree says that the sandbox serves it from the working tree.
	Tree bool
	// Cloud is what is deployed of it in AWS, where its requests go; nil for the sandbox.
	Cloud *cloudcall.Environment
	// Closed says why no request can be sent to it; "" if one can.
	Closed string

	// remote says that it is in AWS and not in the sandbox, whether what is there is known or not.
	remote bool
	// backend is what is served, definition the environment in it.
	backend    *model.Backend
	definition *model.Environment
	// routers are the routers of its APIs by label, each made at its first use.
	routers map[string]func() *access.Router
}

// Read reads the project and asks the sandbox. It writes nothing.
func Read(dir string) (*Snapshot, error) {
	root, layout, err := project.Find(dir)
	if err != nil {
		return nil, err
	}
	p, _, err := project.LoadReadOnly(root, layout)
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.Close() }()
	if _, err := live.LeaveOut(p); err != nil {
		return nil, err
	}
	s := &Snapshot{root: root, layout: layout, Cloud: &cloudcall.Session{}}
	_, s.Status, s.Down = ask(context.Background(), root)
	s.chosen = project.NameOf(p.CurrentEnvironment())
	for _, e := range p.Backend.Environments {
		s.environments = append(s.environments, s.environment(p, e))
	}
	return s, nil
}

// ask connects to the sandbox and asks what it serves.
func ask(ctx context.Context, root string) (*sandbox.Client, sandbox.Status, error) {
	client, err := sandbox.Connect(live.State(root))
	if err != nil {
		return nil, sandbox.Status{}, err
	}
	status, err := client.Status(ctx)
	return client, status, err
}

func (s *Snapshot) environment(p *project.Project, e *model.Environment) *Environment {
	env := &Environment{
		Name: e.Name, Guarded: e.Guarded, Tree: e.Name == s.Status.Environment, backend: p.Backend.For(e), definition: e,
		routers: make(map[string]func() *access.Router),
	}
	if e.Provider == model.AWS && !p.Foreign() {
		// A request takes no copy that is broken; Closed says so.
		env.Cloud, env.Closed = known(p, e, env.Tree)
		if env.remote = env.Cloud != nil || env.Closed != ""; env.Cloud != nil {
			env.Tree, env.backend, env.definition = false, env.Cloud.Backend,
				env.Cloud.Deployment.Project.Backend.Environment(e.Name)
		}
	} else if s.Down == nil && !env.Tree {
		if then, err := p.Deployed(e.Name); err == nil {
			if was := then.Project.Backend.Environment(e.Name); was != nil {
				env.backend, env.definition = then.Project.Backend.For(was), was
			}
		}
	}
	for _, label := range env.backend.Names(model.KindAPI) {
		env.routers[label] = sync.OnceValue(func() *access.Router { return env.backend.Router(label) })
	}
	if env.Cloud == nil && env.Closed == "" {
		env.Closed = s.closed(env, e)
	}
	return env
}

// known returns what this machine knows of an environment in AWS, or why it knows nothing. One
// that was not pushed yet may be served by the sandbox, which tree says.
func known(p *project.Project, e *model.Environment, tree bool) (*cloudcall.Environment, string) {
	found, err := cloudcall.Known(aws.Provider{}, p, e)
	switch {
	case err == nil:
		return found, ""
	case errors.Is(err, project.ErrNeverDeployed) && tree:
		return nil, ""
	case errors.Is(err, project.ErrNeverDeployed):
		return nil, "it is in AWS, and this machine does not know what is deployed there; " + cloudcall.LearnFix(e.Name)
	}
	return nil, err.Error()
}

// closed says why no request can be sent to an environment; "" if one can.
func (s *Snapshot) closed(env *Environment, e *model.Environment) string {
	switch {
	case s.Down != nil:
		return s.Down.Error()
	case slices.ContainsFunc(s.Status.APIs, func(api sandbox.ServedAPI) bool { return api.Environment == e.Name }):
		return ""
	case e.Provider != model.Local && e.Provider != "":
		return "its provider is " + phrase.Quote(string(e.Provider)) +
			"; the sandbox serves only environments with the provider local"
	case len(env.backend.APIs) == 0:
		return "it has no API; add one with: gatewright add api"
	}
	return "the sandbox serves none of its APIs; push it with: gatewright push --env " + model.ShellWord(e.Name)
}

// Environment returns the environment of this name, else the one that the sandbox serves from the working tree, else
// the chosen one, else the first; nil if there is none.
func (s *Snapshot) Environment(name string) *Environment {
	var next *Environment
	for _, e := range s.environments {
		switch {
		case e.Name == name:
			return e
		case next == nil, e.Tree, e.Name == s.chosen && !next.Tree:
			next = e
		}
	}
	return next
}

// AskWith has the sign-ins of this snapshot to AWS ask a person. hidden says that nobody shall read
// the answer over a shoulder.
func (s *Snapshot) AskWith(ask func(question string, hidden bool) (string, error)) {
	s.Cloud.Ask = func(_ context.Context, q signin.Question) (string, error) {
		return ask(q.String(), q.Hidden())
	}
	s.Cloud.MFA = func(_ context.Context, serial string) (string, error) {
		code, err := ask("code of the MFA device "+phrase.Quote(serial), false)
		return strings.TrimSpace(code), err
	}
}

// Unusable says why no request can be sent to the environment of a form because no sandbox
// answers; nil if that does not matter.
func (s *Snapshot) Unusable(f Form) error {
	if e := s.EnvironmentOf(f); e != nil && e.remote {
		return nil
	}
	return s.Down
}

// Ask asks the sandbox for its present status.
func (s *Snapshot) Ask() (sandbox.Status, error) {
	_, status, err := ask(context.Background(), s.root)
	return status, err
}

// IsCurrent reports whether the snapshot still holds, given the results of Ask. If the
// sandbox runs and does not answer, the snapshot counts as current.
func (s *Snapshot) IsCurrent(status sandbox.Status, err error) bool {
	if err != nil && !errors.Is(err, sandbox.ErrNotRunning) {
		return true
	}
	return (err == nil) == (s.Down == nil) && status.Address == s.Status.Address &&
		slices.Equal(status.APIs, s.Status.APIs)
}
