package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/deploy/cloudlog"
	"gatewright/deploy/remote"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox/logs"
)

// cloudLogs says how the logs of an environment in AWS are printed.
type cloudLogs struct {
	since          command.Since
	follow, asJSON bool
}

// lookBack is from when on lines are read if nothing else is wanted.
const lookBack = time.Hour

// readCloudLogs prints the logs of functions of an environment in AWS.
func readCloudLogs(
	streams command.Streams, p *project.Project, e *model.Environment, q logs.Query, how cloudLogs,
) error {
	for _, name := range q.Functions {
		if name == logs.Gateway || name == logs.Identity {
			return command.Misuse("the log %s exists only in the sandbox; leave out --env", name)
		}
	}
	ctx := context.Background()
	r, err := cloud.Provider(streams).Reach(ctx, p, e)
	if err != nil {
		return err
	}
	reader, err := remote.LogsOf(r, q.Functions)
	if err != nil {
		return meantFunction(p, r, q.Functions, err)
	}
	now := r.Now()
	q.Environment, q.Since = e.Name, now.Add(-lookBack)
	if how.since.Given() {
		q.Since = how.since.Before(now)
	} else {
		command.Say(streams.Err,
			"note: this is the last hour of %s in environment %s, account %s; --since looks further back",
			phrase.QuoteList(q.Functions), phrase.Quote(e.Name), r.ID)
	}
	reader.Tell = func(sentence string) { command.Say(streams.Err, "note: %s", sentence) }
	printer := newLogPrinter(streams, streams.Out, p, q.Functions, how.asJSON)
	ask := cloudlog.Query{Since: q.Since, Request: q.Request, Last: q.Last}
	if how.follow {
		return goesOn(streams, reader.Follow(ctx, ask, printer.line), q, how)
	}
	if err := reader.Read(ctx, ask, printer.line); err != nil {
		return err
	}
	if len(printer.printed) == 0 && !how.asJSON {
		sayNothing(streams, q)
	}
	return nil
}

// meantFunction is the error about functions that are not deployed, with what was meant by one
// that the project does not have either.
func meantFunction(p *project.Project, r *aws.Reached, names []string, err error) error {
	if !errors.Is(err, aws.ErrNotDeployed) {
		return err
	}
	for _, name := range names {
		of := model.Ref{Kind: model.KindFunction, Name: name}
		if r.Backend().Function(name) != nil {
			continue
		}
		if unknown := p.Backend.Known(of); unknown != nil {
			return unknown
		}
	}
	return err
}

// goesOn adds to the error of a follower the command with which no line is lost.
func goesOn(streams command.Streams, err error, q logs.Query, how cloudLogs) error {
	stopped, ok := errors.AsType[*cloudlog.Stopped](err)
	if !ok {
		return err
	}
	words := []string{"gatewright logs"}
	for _, name := range q.Functions {
		words = append(words, model.ShellWord(name))
	}
	words = append(words, "--env", model.ShellWord(q.Environment), "-f", "--since",
		stopped.Since.UTC().Format("2006-01-02T15:04:05.000Z"))
	if q.Request != "" {
		words = append(words, "--request", model.ShellWord(q.Request))
	}
	if how.asJSON {
		words = append(words, "--json")
	}
	return fmt.Errorf("%w; then go on from %s with: %s", stopped.Err, streams.Clock().Moment(stopped.Since),
		strings.Join(words, " "))
}
