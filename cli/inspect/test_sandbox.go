package inspect

import (
	"context"
	"fmt"
	"net/http"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/live"
)

// send sends the first request against each test to the sandbox, as its caller, and keeps the
// answer in the report.
func (x *testCommand) send(p *project.Project, report answer.TestReport) error {
	env, err := command.EnvironmentOf(p, x.env.String())
	if err != nil {
		return err
	}
	client, err := sandbox.Connect(live.State(p.Root))
	if err != nil {
		return err
	}
	ctx := context.Background()
	// What was changed a moment ago is served, or it is said why not.
	if err := client.Refresh(ctx); err != nil {
		command.Say(x.streams.Err, "warning: %s", err)
	}
	status, err := client.Status(ctx)
	if err != nil {
		return err
	}
	for _, t := range report.Tests {
		if len(t.Cases) > 0 {
			t.Cases[0].Sandbox = sent(ctx, client, status, env.Name, t.Cases[0])
		}
	}
	return nil
}

// sent sends one request.
func sent(ctx context.Context, client *sandbox.Client, status sandbox.Status, env string, c answer.Case) *answer.Sent {
	for _, api := range status.APIs {
		if api.Environment != env || api.Label != c.API {
			continue
		}
		as := call.ReadSigner(c.Who)
		a, err := call.Send(ctx, client, api, call.Request{Method: c.Method, Path: c.Path, Headers: http.Header{}, As: &as})
		if err != nil {
			return &answer.Sent{Error: err.Error()}
		}
		return &answer.Sent{Status: a.Status}
	}
	return &answer.Sent{Error: fmt.Sprintf("it serves no API %s of environment %s",
		phrase.Quote(c.API), phrase.Quote(env))}
}
