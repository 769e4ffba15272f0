package board

import (
	"context"
	"errors"
	"maps"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/aws"
	"gatewright/deploy/contract"
	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/frame"
)

// Cloud is what the dashboard does in AWS. Tests put functions of their own in its place.
type Cloud struct {
	Prepare func(aws.Provider, context.Context, contract.Target, aws.PushOptions,
		func(contract.Progress)) (*aws.Push, error)
	Apply  func(*aws.Push, context.Context, func(contract.Progress), func(contract.Event)) (project.Record, error)
	Attach func(aws.Provider, context.Context, *project.Project, *model.Environment) (*aws.Watch, error)
	// Look only reads, Refresh keeps what it finds on this machine.
	Look, Refresh func(aws.Provider, context.Context, *project.Project, *model.Environment) (aws.State, error)
	Reach         func(aws.Provider, context.Context, *project.Project, *model.Environment) (*aws.Reached, error)
}

// inAWS is the cloud itself.
var inAWS = Cloud{
	Prepare: aws.Provider.Prepare, Apply: (*aws.Push).Apply, Attach: aws.Provider.Attach,
	Look: aws.Provider.Look, Refresh: aws.Provider.Refresh, Reach: aws.Provider.Reach,
}

// Look is what AWS had of an environment when this program asked.
type Look struct {
	aws.State
	At time.Time
}

// InAWS reports whether the environment is deployed to AWS, and not by the Amplify CLI.
func (e *Environment) InAWS() bool { return e != nil && e.Provider == model.AWS && !e.Foreign }

// AsOf says as of when it is known what AWS has of the environment; "" for an environment that
// is not in AWS.
func (e *Environment) AsOf() string {
	switch {
	case !e.InAWS():
		return ""
	case e.Look != nil:
		return "as of " + clock.Moment(e.Look.At)
	case e.Kept.IsZero():
		return "not asked yet"
	}
	return "as of " + clock.Moment(e.Kept)
}

// CloudNote says what goes on with the environment in AWS, or is wrong with it there; "" for
// nothing that is known.
func (e *Environment) CloudNote() string {
	if e == nil || e.Look == nil {
		return ""
	}
	return prose.PrintableStart(e.Look.Note)
}

// AsksNothing is why AWS is not asked by a dashboard that only reads.
const AsksNothing = "AWS is not asked: run gatewright dashboard --live"

// LookAgain asks AWS what it has of the shown environment; nil if it is elsewhere.
func (b *Board) LookAgain() tea.Cmd {
	if b.Snap == nil || !b.Snap.Env.InAWS() {
		return nil
	}
	if nothing := b.MayAskAWS(); nothing != "" {
		return frame.Say(frame.Info, "the files are read again; %s", nothing)
	}
	if busy := b.Job.Busy(); busy != "" {
		return frame.Say(frame.Info, "the files are read again; AWS is not asked, because %s", busy)
	}
	return b.look(b.Snap.Name())
}

// firstLook asks AWS for an environment that is shown for the first time, if the dashboard
// only reads and may ask.
func (b *Board) firstLook() tea.Cmd {
	name := b.Snap.Name()
	if b.Session != nil || b.MayAskAWS() != "" || !b.Snap.Env.InAWS() || b.asked[name] || b.Job.Busy() != "" {
		return nil
	}
	return b.look(name)
}

// look asks AWS. A dashboard that only reads keeps the answer in memory.
func (b *Board) look(name string) tea.Cmd {
	b.asked = with(b.asked, name, true)
	b.forgetReached(name)
	title := "asking AWS about " + prose.Printable(name)
	questions, dir, cloud, writes := frame.NewQuestions(), b.Dir, b.Cloud, b.Session != nil
	job := b.Job.Do(frame.Task{Title: title, Run: func(ctx context.Context, _ frame.Progress, _ func(string)) tea.Msg {
		defer questions.End()
		var state aws.State
		err := withEnvironment(dir, name, writes, func(p *project.Project, env *model.Environment) (err error) {
			ask := cloud.Look
			if writes {
				ask = cloud.Refresh
			}
			state, err = ask(aws.Provider{MFA: questions.Code}, ctx, p, env)
			return err
		})
		at, stopped := time.Now(), ctx.Err() != nil
		return frame.ThenMsg(func() tea.Cmd {
			switch {
			case stopped && errors.Is(err, context.Canceled):
				return frame.Say(frame.Warn, "stopped: %s", title)
			case err != nil:
				return frame.Say(frame.Error, "%s: %v", title, err)
			}
			b.looks = with(b.looks, name, &Look{state, at})
			say := frame.Say(frame.Good, "this is what AWS has of %s now", prose.Printable(name))
			if state.Note != "" {
				say = frame.Say(frame.Warn, "this is what AWS has of %s now; something there is worth a look",
					prose.Printable(name))
			}
			if !writes {
				return tea.Batch(b.Read(), say)
			}
			return tea.Batch(b.Written(), say)
		})
	}})
	return tea.Batch(job, questions.Listen())
}

// ForgetLook forgets what AWS said about an environment that was pushed since, and how it was there.
func (b *Board) ForgetLook(name string) {
	b.looks, b.healths = with(b.looks, name, nil), with(b.healths, name, nil)
	b.forgetReached(name)
}

// with is a copy of a map with another value: a reading has the map as it was.
func with[V any](m map[string]V, name string, value V) map[string]V {
	next := maps.Clone(m)
	if next == nil {
		next = make(map[string]V)
	}
	next[name] = value
	return next
}

// withEnvironment opens the project as its files are now, for writing or only for reading.
func withEnvironment(dir, name string, writes bool, do func(*project.Project, *model.Environment) error) error {
	p, err := openProject(dir, writes)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	if err := p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: name}); err != nil {
		return err
	}
	return do(p, p.Backend.Environment(name))
}

func openProject(dir string, writes bool) (*project.Project, error) {
	if writes {
		return project.Open(dir)
	}
	root, kind, err := project.Find(dir)
	if err != nil {
		return nil, err
	}
	p, _, err := project.LoadReadOnly(root, kind)
	return p, err
}
