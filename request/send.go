package request

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/wire"
)

// ErrMoved is when a sandbox serves an environment otherwise than somebody was
// told before they said yes.
var ErrMoved = errors.New("the sandbox serves this environment otherwise now; look at it and send again")

var errNoEnvironment = bad("environment", "there is none", "add one first")

// Send sends what a form stands for to the sandbox as it is now.
func (w *Snapshot) Send(ctx context.Context, f Form) (Exchange, error) {
	x := Exchange{Form: f.Copy(), At: time.Now(), Function: w.function(f)}
	r, err := f.Request()
	if err != nil {
		return x, err
	}
	r.Function = x.Function
	env := w.Of(f)
	if env == nil {
		return x, errNoEnvironment
	}
	// A sandbox that was started anew is found again.
	client, status, err := ask(ctx, w.root)
	if err != nil {
		return x, err
	}
	if env.Tree && status.Environment != env.Name {
		return x, ErrMoved
	}
	api, served := servedTo(f, status.APIs)
	if !served {
		return x, fmt.Errorf("the sandbox at %s does not serve api %s in environment %s", status.Address, model.Quote(f.API), model.Quote(f.Environment))
	}
	x.Answer, err = call.Send(ctx, client, api, r)
	return x, explained(f, err)
}

// servedTo is the one of some served APIs that a form is for.
func servedTo(f Form, apis []sandbox.ServedAPI) (api sandbox.ServedAPI, found bool) {
	for _, api := range apis {
		if api.Environment == f.Environment && api.Label == f.API {
			return api, true
		}
	}
	return api, false
}

// explained says why nobody could sign.
func explained(f Form, err error) error {
	var refused *call.CredentialsError
	var no *wire.Error
	if errors.As(err, &refused) && errors.As(err, &no) {
		return fmt.Errorf("%s gets no credentials: %s", whoWords(f.As), no.Message)
	}
	return err
}

// router is the router of a form's API; nil where there is none.
func (w *Snapshot) router(f Form) *model.Router {
	if env := w.Of(f); env != nil && env.routers[f.API] != nil {
		return env.routers[f.API]()
	}
	return nil
}

// function is the one that serves a form's request; "" where none does.
func (w *Snapshot) function(f Form) string {
	router := w.router(f)
	target, err := f.target()
	if router == nil || err != nil {
		return ""
	}
	if route, ok := router.Match(f.Method, target); ok {
		return route.Path.Function
	}
	return ""
}

// Curl is the command that sends the same, and what is to be said of it.
func (w *Snapshot) Curl(f Form) (command, note string, err error) {
	r, err := f.Request()
	if err != nil {
		return "", "", err
	}
	if api, served := servedTo(f, w.Status.APIs); served {
		command, note = call.Curl(api, r)
		return command, note, nil
	}
	return "", "", errors.New("the sandbox serves no such API, and where it would answer is not known")
}

// Verdict says whether the definition lets a form's request through, before it is
// sent; "" where that cannot be said.
func (w *Snapshot) Verdict(f Form) (text string, allowed bool) {
	router := w.router(f)
	target, err := f.target()
	if router == nil || err != nil {
		return "", false
	}
	caller := model.Caller{SignedIn: f.As.User != "" || f.As.Group != "", Groups: f.Groups}
	if f.As.Group != "" {
		caller.Groups = []string{f.As.Group}
	}
	d := router.Decide(caller, f.Method, target)
	if f.Test && d.Rule != model.NoRoute {
		return "a test refuses nobody", true
	}
	return d.Reason(), d.Allowed
}

// Agreement is what has to be agreed to before a form is sent: what it says, and the
// name that has to be typed; no text where nothing has to be. asked says that the
// environment was asked about before.
func (w *Snapshot) Agreement(f Form, asked bool) (text, word string) {
	env := w.Of(f)
	if env == nil || env.Tree || env.Closed != "" || asked && !f.Changes() {
		return "", ""
	}
	target, _ := f.target()
	text = f.Method + " " + model.Quote(target) + " goes to environment " + model.Quote(env.Name) + " as it was pushed, not to the working tree. "
	if f.Changes() {
		text += "It can change data there irreversibly."
	} else {
		text += "By the rules of HTTP it changes nothing, but its function may. Other methods can change data there irreversibly."
	}
	if env.Guarded {
		return text + " The environment is guarded.", env.Name
	}
	return text, ""
}
