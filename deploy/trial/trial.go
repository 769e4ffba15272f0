// Package trial serves a state of a project for a moment, in a temporary folder and with state of
// its own, and sends requests to it: what its gateway really answers.
package trial

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/live"
)

// Environment is the name of the environment that serves a project as a whole: all its APIs, with
// nothing that an environment of its own has.
const Environment = "review"

// Request is a request of a caller, as the flag --as of the command call names it; "" for a
// caller without credentials.
type Request struct{ API, Method, Raw, As string }

// Answer is the answer to a request.
type Answer struct {
	// Refused says that the gateway answered itself, as it does to callers who may not send the
	// request, or that the caller gets no credentials. Status is 0 then.
	Refused bool
	Status  int
	// Why says why the request was refused.
	Why string
	// Err is set if there is no answer.
	Err error
}

// Options are the options of Answers.
type Options struct {
	// Environment is the one that is served; "" for the whole definition.
	Environment string
	// Hurry, when closed, ends running requests at once; it may be nil.
	Hurry <-chan struct{}
}

// Answers serves a project and sends requests to it, one after the other. It runs the functions that the requests
// reach. Everything that it makes is gone when it returns. The error says why the project cannot be served.
func Answers(ctx context.Context, p *project.Project, o Options, requests []Request) (answers []Answer, err error) {
	// What a part that is left out would answer is not known.
	rest := *p
	left, err := live.LeaveOut(&rest)
	if err == nil {
		err = left.Err()
	}
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "gatewright-review-")
	if err != nil {
		return nil, fmt.Errorf("making a temporary folder: %w", err)
	}
	defer func() {
		if removed := file.RemoveAll(folder); err == nil && removed != nil {
			err = fmt.Errorf("removing the temporary folder: %w", removed)
		}
	}()
	if err := write(p, folder, o.Environment); err != nil {
		return nil, err
	}
	environment := o.Environment
	if environment == "" && !p.Foreign() {
		environment = Environment
	}
	err = served(ctx, folder, environment, o.Hurry, func(client *sandbox.Client, apis []sandbox.ServedAPI) error {
		for _, r := range requests {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			answers = append(answers, send(ctx, client, apis, r))
		}
		return nil
	})
	return answers, err
}

// write copies the project into a folder. Without an environment, one is made that has all APIs.
func write(p *project.Project, folder, environment string) error {
	to, err := disk.Open(folder)
	if err != nil {
		return err
	}
	defer func() { _ = to.Close() }()
	if err := p.CopyTo(to); err != nil {
		return fmt.Errorf("copying the project: %w", err)
	}
	if environment != "" || p.Foreign() {
		return nil
	}
	for _, e := range p.Backend.Environments {
		if err := to.Remove(p.Layout.File(model.Ref{Kind: model.KindEnvironment, Name: e.Name})); err != nil {
			return fmt.Errorf("copying the project: %w", err)
		}
	}
	name := filepath.Join(folder,
		filepath.FromSlash(p.Layout.File(model.Ref{Kind: model.KindEnvironment, Name: Environment})))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte("{\"version\": 1, \"provider\": \"local\"}\n"), 0o644)
}

// served runs a sandbox at a free port until use returns, or ctx ends.
func served(
	ctx context.Context, folder, environment string, hurry <-chan struct{},
	use func(*sandbox.Client, []sandbox.ServedAPI) error,
) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	up, ended := make(chan struct{}), make(chan error, 1)
	serving := sync.OnceFunc(func() { close(up) })
	go func() {
		// Requests without a signature are nobody's, as in the cloud.
		ended <- live.Run(running,
			live.Options{
				Dir: folder, Environment: environment, Port: live.AnyPort, RequireSignatures: true, Hurry: hurry,
				Notify: func(e sandbox.Event) {
					if e.Kind == live.Serving {
						serving()
					}
				},
			})
	}()
	select {
	case <-up:
	case err := <-ended:
		if err == nil {
			err = ctx.Err()
		}
		return err
	}
	client, err := sandbox.Connect(live.State(folder))
	if err == nil {
		var status sandbox.Status
		if status, err = client.Status(ctx); err == nil {
			err = use(client, status.APIs)
		}
	}
	cancel()
	return errors.Join(err, <-ended)
}

// send sends one request.
func send(ctx context.Context, client *sandbox.Client, apis []sandbox.ServedAPI, r Request) Answer {
	for _, api := range apis {
		if api.Label == r.API {
			return exchange(ctx, client, api, r)
		}
	}
	return Answer{Refused: true, Why: "it has no API " + phrase.Quote(r.API)}
}

func exchange(ctx context.Context, client *sandbox.Client, api sandbox.ServedAPI, r Request) Answer {
	path, query, err := call.Target(r.Raw)
	if err != nil {
		return Answer{Err: err}
	}
	request := call.Request{Method: r.Method, Path: path, Query: query}
	if r.As != "" {
		signer := call.ReadSigner(r.As)
		request.As = &signer
	}
	a, err := call.Send(ctx, client, api, request)
	if refused := (*call.CredentialsError)(nil); errors.As(err, &refused) && ctx.Err() == nil {
		return Answer{Refused: true, Why: "such a caller gets no credentials"}
	}
	if err != nil {
		return Answer{Err: err}
	}
	if len(a.Refusal) > 0 && a.Status == forbidden {
		return Answer{Refused: true, Status: a.Status, Why: a.Refusal[0]}
	}
	return Answer{Status: a.Status}
}

// forbidden is the status with which the gateway refuses. A function may answer with it, too.
const forbidden = 403
