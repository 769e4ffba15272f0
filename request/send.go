package request

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/wire"
)

// ErrMoved is when a sandbox serves an environment otherwise than somebody was
// told before they said yes.
var ErrMoved = errors.New("the sandbox serves this environment otherwise now; look at it and send again")

// Send sends what a form stands for to the sandbox as it is now.
func (w *World) Send(ctx context.Context, f Form) (Exchange, error) {
	x := Exchange{Form: f.Copy(), At: time.Now(), Function: w.function(f)}
	client, api, r, err := w.toSend(ctx, f)
	if err != nil {
		return x, err
	}
	x.Answer, err = call.Send(ctx, client, api, r)
	return x, explained(f, err)
}

// toSend finds who is asked. A sandbox that was started anew is found again.
func (w *World) toSend(ctx context.Context, f Form) (*sandbox.Client, sandbox.ServedAPI, call.Request, error) {
	var none sandbox.ServedAPI
	fail := func(err error) (*sandbox.Client, sandbox.ServedAPI, call.Request, error) {
		return nil, none, call.Request{}, err
	}
	r, err := f.Request()
	if err != nil {
		return fail(err)
	}
	env := w.Of(f)
	if env == nil {
		return fail(bad("environment", "there is none", "add one first"))
	}
	if p := env.path(f.API, f.Path); p != nil && f.Method != http.MethodOptions {
		r.Function = w.function(f)
	}
	client, err := sandbox.Connect(deploy.SandboxState(w.root))
	if err != nil {
		return fail(err)
	}
	status, err := client.Status(ctx)
	if err != nil {
		return fail(err)
	}
	if env.Tree && status.Environment != env.Name {
		return fail(ErrMoved)
	}
	for _, api := range status.APIs {
		if api.Environment == f.Environment && api.Label == f.API {
			return client, api, r, nil
		}
	}
	return fail(fmt.Errorf("the sandbox at %s does not serve api %s in environment %s", status.Address, model.Quote(f.API), model.Quote(f.Environment)))
}

// explained says why nobody could sign.
func explained(f Form, err error) error {
	var refused *call.CredentialsError
	var no *wire.Error
	if !errors.As(err, &refused) || !errors.As(err, &no) {
		return err
	}
	return fmt.Errorf("%s gets no credentials: %s", whoWords(f.As), no.Message)
}

// function is the one that serves a form's request; "" where none does.
func (w *World) function(f Form) string {
	if route, ok := w.route(f); ok {
		return route.Path.Function
	}
	return ""
}

// route is the route of a form's request.
func (w *World) route(f Form) (model.Route, bool) {
	env := w.Of(f)
	if env == nil {
		return model.Route{}, false
	}
	router := env.router(f.API)
	target, err := f.target()
	if router == nil || err != nil {
		return model.Route{}, false
	}
	return router.Match(f.Method, target)
}

// Curl is the command that sends the same, and what is to be said of it.
func (w *World) Curl(f Form) (command, note string, err error) {
	r, err := f.Request()
	if err != nil {
		return "", "", err
	}
	env := w.Of(f)
	if env != nil {
		for _, api := range env.served {
			if api.Label == f.API {
				command, note = call.Curl(api, r)
				return command, note, nil
			}
		}
	}
	return "", "", errors.New("the sandbox serves no such API, and where it would answer is not known")
}

// whoWords say who signs.
func whoWords(who identitypool.Who) string {
	switch {
	case who.Guest:
		return "a guest"
	case who.Group != "":
		return "a member of " + model.Quote(who.Group)
	case who.User != "":
		return "user " + model.Quote(who.User)
	}
	return "nobody"
}

// Verdict says whether the definition lets a form's request through, before it is
// sent; "" where that cannot be said. groups are those of a user.
func (w *World) Verdict(f Form, groups []string) (text string, allowed bool) {
	env := w.Of(f)
	target, err := f.target()
	if env == nil || err != nil || env.router(f.API) == nil {
		return "", false
	}
	caller := model.Caller{SignedIn: f.As.User != "" || f.As.Group != "", Groups: groups}
	if f.As.Group != "" {
		caller.Groups = []string{f.As.Group}
	}
	d := env.router(f.API).Decide(caller, f.Method, target)
	if f.Test && d.Rule != model.NoRoute {
		return "a test refuses nobody", true
	}
	return d.Reason(), d.Allowed
}

// Agreement is what has to be agreed to before a form is sent: what it says, and the
// name that has to be typed; no text where nothing has to be. asked says that the
// environment was asked about before.
func (w *World) Agreement(f Form, asked bool) (text, word string) {
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
