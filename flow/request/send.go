package request

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/wire"
)

// ErrMoved is the error of a request to an environment that was served from the working
// tree when the snapshot was taken, and is not any more.
var ErrMoved = errors.New("the sandbox no longer serves this environment from the working tree; check the request " +
	"and send it again")

var errNoEnvironment = problem("environment", "there is no environment", "add one first")

// Send sends the request of a form to the running sandbox. With an error the Exchange says whether it was sent.
func (s *Snapshot) Send(ctx context.Context, f Form) (Exchange, error) {
	x := Exchange{Form: f.Copy(), At: time.Now(), Function: s.function(f)}
	lookup := s.Lookup
	if lookup == nil {
		lookup = os.LookupEnv
	}
	expanded, err := f.expanded(lookup)
	if err != nil {
		return x, err
	}
	r, err := expanded.Request()
	if err != nil {
		return x, err
	}
	r.Function = x.Function
	env := s.EnvironmentOf(f)
	if env == nil {
		return x, errNoEnvironment
	}
	switch {
	case env.Cloud != nil:
		x.Answer, err = s.Cloud.Send(ctx, env.Cloud, f.API, r)
		x.Unanswered = call.WasSent(err)
		return x, err
	case env.remote:
		return x, fmt.Errorf("environment %s: %s", phrase.Quote(env.Name), env.Closed)
	case f.As.Own && !f.Test:
		return x, problem("who calls", "your own AWS credentials sign only requests to AWS", "choose somebody else")
	}
	// The sandbox may have been restarted since the snapshot was taken.
	client, status, err := ask(ctx, s.root)
	if err != nil {
		return x, err
	}
	if env.Tree && status.Environment != env.Name {
		return x, ErrMoved
	}
	api, served := servedTo(f, status.APIs)
	if !served {
		return x, fmt.Errorf("the sandbox at %s does not serve the API %s in the environment %s", status.Address,
			phrase.Quote(f.API), phrase.Quote(f.Environment))
	}
	x.Answer, err = call.Send(ctx, client, api, r)
	x.Unanswered = call.WasSent(err)
	return x, explain(f, err)
}

// WaitsFor says what a request waits for, besides the function itself: packages that are
// installed, or a program that is built; "" for nothing.
func (s *Snapshot) WaitsFor(ctx context.Context, f Form) string {
	function := s.function(f)
	if f.Cloud {
		return ""
	}
	_, status, err := ask(ctx, s.root)
	if err != nil || function == "" {
		return ""
	}
	for _, p := range status.Preparing {
		if p.Environment == f.Environment && p.Function == function {
			return p.Text
		}
	}
	return ""
}

// SendSaying is Send that says meanwhile what it waits for, such as packages.
func (s *Snapshot) SendSaying(ctx context.Context, f Form, step func(string)) (Exchange, error) {
	waits, answered := context.WithCancel(ctx)
	said := make(chan struct{})
	go func() {
		defer close(said)
		const often = 400 * time.Millisecond
		for {
			select {
			case <-waits.Done():
				return
			case <-time.After(often):
				step(s.WaitsFor(waits, f))
			}
		}
	}()
	x, err := s.Send(ctx, f)
	answered()
	<-said
	return x, err
}

// servedTo finds the API that a form calls.
func servedTo(f Form, apis []sandbox.ServedAPI) (api sandbox.ServedAPI, found bool) {
	for _, api := range apis {
		if api.Environment == f.Environment && api.Label == f.API {
			return api, true
		}
	}
	return api, false
}

// explain names the caller in the error about credentials.
func explain(f Form, err error) error {
	var refused *call.CredentialsError
	var no *wire.Error
	if errors.As(err, &refused) && errors.As(err, &no) {
		if no.Code == "UserNotFoundException" {
			return errors.New(addUser(f))
		}
		return fmt.Errorf("%s gets no credentials: %s", whoWords(f.As), no.Message)
	}
	return err
}

// router returns the router of a form's API; nil if there is no such API.
func (s *Snapshot) router(f Form) *access.Router {
	if env := s.EnvironmentOf(f); env != nil && env.routers[f.API] != nil {
		return env.routers[f.API]()
	}
	return nil
}

// function returns the name of the function that serves the request; "" for none.
func (s *Snapshot) function(f Form) string {
	router := s.router(f)
	target, err := f.target()
	if router == nil || err != nil {
		return ""
	}
	if route, ok := router.Match(f.Method, target); ok {
		return route.Path.Function
	}
	return ""
}

// Verdict says whether the definition allows the request, before it is sent; "" if that is not known.
func (s *Snapshot) Verdict(f Form) (text string, allowed bool) {
	router := s.router(f)
	target, err := f.target()
	if router == nil || err != nil {
		return "", false
	}
	if f.Missing && !f.Test {
		return addUser(f), false
	}
	caller := access.Caller{SignedIn: f.As.AnyUser || f.As.User != "" || f.As.Group != "", Groups: f.Groups}
	if env := s.EnvironmentOf(f); env.Cloud != nil && !f.Test {
		known := true
		if f.As.User != "" {
			caller.Groups, known = s.Cloud.Groups(env.Cloud, f.As)
		}
		if !known || f.As.Own {
			return "", false
		}
		caller.Stranger = f.signer() == nil
	}
	if f.As.Group != "" {
		caller.Groups = []string{f.As.Group}
	}
	d := router.Decide(caller, f.Method, target)
	if f.Test && d.Rule != access.NoRoute {
		return "a test checks no access", true
	}
	return d.Reason(), d.Allowed
}

// Agreement returns the question to ask before a form is sent, and the word that has to be
// typed to agree, if any. The text is "" if there is nothing to ask. agreed says that the
// person already agreed to requests to this environment.
func (s *Snapshot) Agreement(f Form, agreed bool) (text, word string) {
	env := s.EnvironmentOf(f)
	if env == nil || env.Tree || env.Closed != "" {
		return "", ""
	}
	target, _ := f.target()
	if env.Cloud != nil {
		return env.agreement(f, target)
	}
	if agreed && !f.Changes() {
		return "", ""
	}
	text = f.Method + " " + phrase.Quote(target) + " goes to the environment " + phrase.Quote(env.Name) +
		" as last pushed, not to the working tree. "
	if f.Changes() {
		text += "It can change data there permanently."
	} else {
		text += "By the HTTP standard this method changes nothing, but the function may. Other methods can change data " +
			"there permanently."
	}
	if env.Guarded {
		return text + " The environment is guarded.", env.Name
	}
	return text, ""
}

// agreement is Agreement for an environment in AWS: a guarded one asks before anything but GET.
func (e *Environment) agreement(f Form, target string) (text, word string) {
	if f.Method == http.MethodGet || !e.Guarded && !f.Changes() {
		return "", ""
	}
	text = f.Method + " " + phrase.Quote(target) + " goes to the environment " + phrase.Quote(e.Name) +
		" in AWS, and its function runs there. It can change data permanently."
	if e.Guarded {
		return text + " The environment is guarded.", e.Name
	}
	return text, ""
}
