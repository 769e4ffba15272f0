package ship

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/deploy/contract"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// cloudPush is one push of an environment to the cloud.
type cloudPush struct {
	*pushCommand
	project *project.Project
	env     *model.Environment
	// allow asks for what the preview is not about, consent whether to push.
	allow   func(question string) error
	consent func(*aws.Push) error
	// before refuses a push that could not be consented to, before anything is asked in the
	// cloud. It may be nil.
	before func() error
	show   *cloud.View
}

// run pushes an environment to the cloud, and returns the report of what was done; nil if
// only the error is to be printed.
func (x *cloudPush) run() (*pushReport, error) {
	if x.before != nil && !x.dryRun {
		if err := x.before(); err != nil {
			return nil, err
		}
	}
	end := cloud.Detachable(x.streams)
	defer end.Done()
	provider := cloud.Provider(x.streams)
	x.show = cloud.NewView(x.streams, x.json)
	defer x.show.End()
	target := contract.Target{Project: x.project, Environment: x.env, Now: time.Now()}
	push, err := provider.Prepare(end.Context, target,
		aws.PushOptions{
			AllowDestroy: x.allowDestroy, Allow: x.paused(x.allow), DryRun: x.dryRun, Adopt: x.adopt,
			AdoptPool: x.adoptPool,
		}, x.show.Add)
	x.show.End()
	var inTheWay *aws.InTheWay
	switch {
	case errors.As(err, &inTheWay):
		for _, f := range inTheWay.Found {
			command.Say(x.streams.Err, "in the way: %s", f)
		}
		return nil, err
	case err != nil:
		return nil, cloud.Interrupted(err)
	}
	report := x.report(push)
	if !x.json {
		text := previewText(push, report, x.verbose, x.diff, command.WidthOf(x.streams.Out), x.streams.Colors(x.streams.Out))
		if err := x.preview(text, report.status, push.Changed() && push.Refusal() == nil); err != nil {
			return nil, err
		}
	}
	refusal := push.Refusal()
	switch {
	case x.dryRun:
		return report, refusal
	case refusal != nil:
		return nil, errors.Join(refusal, push.Discard(end.Context))
	case !push.Changed():
		record, err := push.Apply(end.Context, nil, report.add)
		report.pushed(x.project, record)
		report.Pushed = nil
		return report, err
	}
	if err := x.consent(push); err != nil {
		return nil, errors.Join(err, push.Discard(context.WithoutCancel(end.Context)))
	}
	x.show.Expect(len(push.Changes))
	end.Detaches(push.Cancel, x.env)
	record, err := push.Apply(end.Context, x.show.Add, report.add)
	x.show.End()
	if record.Stack == "" {
		return nil, end.Detached(err)
	}
	report.pushed(x.project, record)
	return report, err
}

// paused takes the progress away while a question is asked.
func (x *cloudPush) paused(ask func(string) error) func(string) error {
	return func(question string) error {
		x.show.End()
		return ask(question)
	}
}

// report begins the report with what would change.
func (x *cloudPush) report(push *aws.Push) *pushReport {
	changes := statusOf(x.streams, x.project, push.Status, x.diff)
	changes.Waiting = nil
	changes.Resources = changedOnly(changes.Resources)
	r := newPushReport(x.project, push.Environment, changes)
	r.DryRun, r.diff, r.status, r.Changed = x.dryRun, x.diff, changes, push.Changed()
	r.Provider, r.Account, r.Region, r.Updates = string(model.AWS), push.Account, push.Region, push.Updates
	for _, c := range push.Changes {
		one := pushedResource{Change: c.Kind.String(), Name: c.Name, Reasons: []string{}}
		if c.Replaced {
			one.Reasons = append(one.Reasons, "is replaced with a new one")
		}
		r.Resources = append(r.Resources, one)
	}
	for _, l := range push.Losses {
		r.Losses = append(r.Losses, lossReport{Name: l.Name, Text: l.Text, Kept: l.Kept, Allowed: l.Allowed})
	}
	for _, f := range push.Adopted {
		r.Adopted = append(r.Adopted, adoptedReport{Name: f.Name, ID: f.ID, Text: f.Text})
	}
	r.Notes = append(r.Notes, push.Notes...)
	return r
}

// previewText says what a push would do: what is opened first, what is lost, then the rest.
func previewText(push *aws.Push, r *pushReport, verbose, diff bool, width int, paint command.Palette) string {
	var b strings.Builder
	text := r.status
	text.Account = ""
	b.WriteString(text.header())
	fmt.Fprintf(&b, "account %s, %s, as %s\n", push.Account, push.Region, push.Who)
	if !push.Changed() {
		b.WriteString("AWS is up to date\n")
		if text.Changed {
			b.WriteString("what differs in the definition changes nothing in AWS\n")
		}
		return b.String()
	}
	b.WriteString(text.accessText(verbose, width, paint))
	for _, l := range push.Losses {
		b.WriteString(paint.Bad(command.Folded("", "LOSS: "+l.Text, width)))
	}
	for _, f := range push.Adopted {
		b.WriteString(command.Folded("", "adopts "+f.String(), width))
	}
	b.WriteString(text.resources(verbose, diff, width) + text.ending("push", verbose, width))
	if !text.Changed {
		b.WriteString("the definition is as it was pushed; AWS differs from it, and is brought in line\n")
	}
	b.WriteString(push.CountChanges() + "\n")
	for _, remark := range push.Remarks() {
		b.WriteString(remark + "\n")
	}
	return b.String()
}

// consentTo asks whether to push to the cloud. Without a terminal, --yes says so.
func consentTo(streams command.Streams, guard command.GuardFlag, yes bool) func(*aws.Push) error {
	return func(push *aws.Push) error {
		switch {
		case push.Environment.Guarded:
			return guard.Allow(streams, push.Environment, "push it to the account "+push.Account)
		case yes:
			return nil
		case !command.Attended(streams):
			return errNoConsent
		}
		return confirm(streams, "push "+push.Target())
	}
}

// consentable refuses a push for which nobody can be asked and no flag consents.
func consentable(streams command.Streams, guard command.GuardFlag, yes bool, env *model.Environment) error {
	switch {
	case command.Attended(streams):
		return nil
	case env.Guarded:
		return guard.Allow(streams, env, "push it")
	case !yes:
		return errNoConsent
	}
	return nil
}

var errNoConsent = command.Misuse("a push to AWS needs your consent, and there is no terminal to ask " +
	"in; look at it with --dry-run, then give --yes")

// allowTo asks about what the preview is not about.
func allowTo(streams command.Streams, yes bool) func(string) error {
	return func(question string) error {
		switch {
		case yes:
			return nil
		case !command.Attended(streams):
			return command.Misuse("%s? there is no terminal to ask in; give --yes if that is right", question)
		}
		return confirm(streams, question)
	}
}

// watch follows the operation that goes on with an environment.
func (x *cloudPush) watch() error {
	if x.env.Provider != model.AWS {
		return command.Misuse("environment %s is deployed to this machine, where a push ends at once; --watch is for AWS",
			phrase.Quote(x.env.Name))
	}
	end := cloud.Detachable(x.streams)
	defer end.Done()
	aws := cloud.Provider(x.streams)
	w, err := aws.Attach(end.Context, x.project, x.env)
	if err != nil {
		return cloud.Interrupted(err)
	}
	if !x.json {
		if err := command.PrintText(x.streams.Out, w.Text+"\n"); err != nil {
			return err
		}
	}
	x.show = cloud.NewView(x.streams, x.json)
	defer x.show.End()
	end.Detaches(w.Cancel, x.env)
	report := newPushReport(x.project, x.env, statusReport{})
	report.Provider = string(model.AWS)
	record, err := w.Follow(end.Context, x.show.Add, report.add)
	x.show.End()
	if record.Stack == "" {
		if err == nil && !x.json {
			return command.PrintText(x.streams.Out, "environment "+phrase.Quote(x.env.Name)+" is removed from AWS\n")
		}
		return end.Detached(err)
	}
	report.Account, report.Region = record.Account, record.Region
	report.pushed(x.project, record)
	if x.json {
		return errors.Join(command.PrintJSON(x.streams.Out, report), err)
	}
	return errors.Join(report.print(x.pushCommand), err)
}
