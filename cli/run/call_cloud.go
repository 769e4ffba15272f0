package run

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/cloudcall"
	"gatewright/deploy/signin"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/live"
)

const (
	// passwordVariable has the password of a user of an environment in AWS.
	passwordVariable = "GATEWRIGHT_PASSWORD"
	// ownWord is WHO for a person's own credentials of AWS.
	ownWord = "me"
)

// findCloud returns the environment of a request that goes to AWS; nil for one that goes to the
// sandbox, which may also serve an environment that was not pushed yet.
func (x *callCommand) findCloud(p *project.Project, e *model.Environment) (*cloudcall.Environment, error) {
	if e.Provider != model.AWS || p.Foreign() {
		return nil, nil
	}
	provider := cloud.Provider(x.streams)
	known, err := cloudcall.Known(provider, p, e)
	never := errors.Is(err, project.ErrNeverDeployed)
	switch {
	case never && servedTree(p) == e.Name:
		return nil, nil
	case err != nil && !never:
		return nil, err
	}
	if err := x.allow(e, x.method); err != nil || !never {
		return known, err
	}
	return cloudcall.Find(context.Background(), provider, p, e)
}

// inAWS reports whether an environment is in AWS.
func inAWS(streams command.Streams, env string) bool {
	is := false
	_ = command.ReadProject(streams, func(p *project.Project, _ string) error {
		e, err := command.EnvironmentOf(p, env)
		is = err == nil && e.Provider == model.AWS
		return err
	})
	return is
}

// servedTree names the environment that the running sandbox serves from the working tree; "" if there is none.
func servedTree(p *project.Project) string {
	client, err := sandbox.Connect(live.State(p.Root))
	if err != nil {
		return ""
	}
	// Without an answer it is empty.
	status, _ := client.Status(context.Background())
	return status.Environment
}

// allow asks once before a guarded environment gets anything but GET.
func (x *callCommand) allow(e *model.Environment, methods ...string) error {
	others := slices.DeleteFunc(methods, func(method string) bool { return method == http.MethodGet })
	switch kinds := slices.Compact(slices.Sorted(slices.Values(others))); {
	case len(others) == 0:
		return nil
	case len(others) == 1:
		return x.guard.Allow(x.streams, e, "send a "+others[0]+" request to it")
	default:
		return x.guard.Allow(x.streams, e, fmt.Sprintf("send %d requests to it: %s", len(others), strings.Join(kinds, ", ")))
	}
}

// runCloud sends a request to an API in AWS.
func (x *callCommand) runCloud(p *project.Project, e *cloudcall.Environment, r call.Request) error {
	var labels []string
	for _, api := range e.Deployment.APIs {
		labels = append(labels, api.API)
	}
	in := "environment " + phrase.Quote(e.Name)
	if len(labels) == 0 {
		return fmt.Errorf("the last push of %s has no API; add one and push it with: gatewright push --env %s", in,
			model.ShellWord(e.Name))
	}
	label, err := x.choose(e.Backend, labels, in, r.Method, r.Path)
	if err != nil {
		return err
	}
	r.Test = x.test
	if x.signed {
		if r.As, err = x.cloudSigner(e); err != nil {
			return err
		}
	}
	if x.passwordStdin && (r.As == nil || r.As.User == "") {
		return command.Misuse("--password-stdin needs --as USER")
	}
	session := x.session()
	x.keep = recorder(p.Root, e.Backend, e.Name, label, r)
	return x.send(func() (call.Answer, error) { return session.Send(context.Background(), e, label, r) })
}

// session sends requests to AWS, and asks in the terminal.
func (x *callCommand) session() *cloudcall.Session {
	return &cloudcall.Session{Ask: x.answer, MFA: cloud.Provider(x.streams).MFA}
}

// cloudSigner returns who signs a request to AWS.
func (x *callCommand) cloudSigner(e *cloudcall.Environment) (*identitypool.Signer, error) {
	if x.as == ownWord {
		return &identitypool.Signer{Own: true}, nil
	}
	_, signer, err := x.signer(e.Backend)
	if err != nil {
		return nil, err
	}
	if err := e.CheckSigner(*signer); err != nil {
		return nil, command.Misuse("%v", err)
	}
	return signer, nil
}

// answer gives what a user knows to a sign-in.
func (x *callCommand) answer(_ context.Context, q signin.Question) (string, error) {
	if q.Kind == signin.Password {
		if x.passwordStdin {
			return command.ReadPassword(x.streams)
		}
		if password := x.streams.Getenv(passwordVariable); password != "" {
			return password, nil
		}
	}
	switch question := q.String(); {
	case !command.Attended(x.streams) && q.Kind == signin.Password:
		return "", command.Misuse("the password of %s is needed; run it in a terminal, set %s, or give --password-stdin",
			phrase.Quote(q.User), passwordVariable)
	case !command.Attended(x.streams):
		return "", fmt.Errorf("the user pool asks for the %s; run the command in a terminal, which asks for it", question)
	case q.Hidden():
		return command.AskHidden(x.streams, question+": ")
	default:
		return command.Ask(x.streams, question+": ")
	}
}
