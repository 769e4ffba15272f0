package request

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/call"
)

// First is the first request to a project, as a program makes it up.
type First struct {
	// Environment is the one that shall get it. If the sandbox serves another one from the
	// working tree, that gets it.
	Environment, API, Method, Target string
	// As is who sends it, as the flag --as of call takes it; "" for nobody.
	As string
}

// SendFirst sends the first request to the running sandbox of the project that dir is in, after
// that has read the files, and adds the answer to the history. step gets what it waits for.
func SendFirst(ctx context.Context, dir string, first First, step func(string)) (Exchange, error) {
	s, err := Read(dir)
	if err != nil {
		return Exchange{}, err
	}
	if s.Down != nil {
		return Exchange{}, s.Down
	}
	client, _, err := ask(ctx, s.root)
	if err != nil {
		return Exchange{}, err
	}
	if err := client.Refresh(ctx); err != nil {
		return Exchange{}, err
	}
	env := s.Environment(s.Status.Environment)
	if env == nil || !env.Tree || env.Cloud != nil || !env.definition.Has(first.API) {
		return Exchange{}, fmt.Errorf("the sandbox at %s serves the environment %s, which has no API %s: stop it and start "+
			"one for %s", s.Status.Address, phrase.Quote(s.Status.Environment), phrase.Quote(first.API),
			phrase.Quote(first.Environment))
	}
	r := call.Request{Method: first.Method, Path: first.Target, Headers: http.Header{}}
	f := FormOf(env.backend.Router(first.API), env.Name, first.API, r)
	f.As = call.ReadSigner(first.As)
	if f.Changes() {
		f.Body = "{}"
	}
	x, err := s.SendSaying(ctx, f, step)
	if err == nil || x.Unanswered {
		// The history is a convenience: without it the answer is as good.
		_ = s.Record(x)
	}
	return x, err
}

// Why is why the gateway answered a request itself, with what to do; "" if the function answered.
func (x Exchange) Why() string {
	all := slices.Clone(x.Answer.Refusal)
	for i, line := range all {
		// The line begins with the request and its status, as the log of the gateway does.
		if _, reason, ok := strings.Cut(line, fmt.Sprintf(" %d: ", x.Answer.Status)); ok {
			all[i] = reason
		}
	}
	return strings.Join(all, "; ")
}
