package board

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/aws"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/frame"
)

// Reached is what runs of an environment in AWS.
type Reached struct {
	*aws.Reached
	at place
}

// place is where an environment is in AWS, by the project's files.
type place struct{ name, account, region string }

func placeOf(e *Environment) place { return place{e.Name, e.Account, e.Region} }

// reach is what is known of what runs in a place.
type reach struct {
	// found is nil before AWS has answered.
	found *Reached
	// failed says that AWS was asked in vain: it is asked again only if a person wants that.
	failed bool
	// takers wait for the answer.
	takers []func(*Reached) tea.Cmd
}

// Where says which account it is in, such as "account 123456789012, eu-central-1".
func (r *Reached) Where() string { return prose.PrintableStart("account " + r.ID + ", " + r.Region) }

// Reach finds what runs of the shown environment in AWS, and calls take with it inside Update. AWS
// is asked again after ctrl+r and after a push.
func (b *Board) Reach(take func(*Reached) tea.Cmd) tea.Cmd {
	at := placeOf(b.Snap.Env)
	known := b.reached[at]
	switch nothing := b.MayAskAWS(); {
	case nothing != "":
		return frame.Say(frame.Info, "%s", nothing)
	case known != nil && known.found != nil:
		return take(known.found)
	case known != nil && len(known.takers) > 0:
		known.takers = append(known.takers, take)
		return nil
	case b.Job.Busy() != "":
		return frame.Say(frame.Warn, "AWS is not asked, because %s", b.Job.Busy())
	}
	title := "asking AWS about " + prose.Printable(at.name)
	asked := &reach{takers: []func(*Reached) tea.Cmd{take}}
	if b.reached == nil {
		b.reached = make(map[place]*reach)
	}
	b.reached[at] = asked
	questions, dir, cloud := frame.NewQuestions(), b.Dir, b.Cloud
	job := b.Job.Do(frame.Task{Title: title, Run: func(ctx context.Context, _ frame.Progress, _ func(string)) tea.Msg {
		defer questions.End()
		r, err := cloud.reach(ctx, dir, at.name, questions)
		found, stopped := &Reached{r, at}, ctx.Err() != nil
		return frame.ThenMsg(func() tea.Cmd {
			takers := asked.takers
			asked.takers, asked.failed = nil, err != nil
			switch {
			case stopped && errors.Is(err, context.Canceled):
				return frame.Say(frame.Warn, "stopped: %s", title)
			case err != nil:
				return frame.Say(frame.Error, "%s: %v", title, err)
			}
			asked.found = found
			if b.Snap.Env == nil || placeOf(b.Snap.Env) != at {
				return nil
			}
			var all []tea.Cmd
			for _, take := range takers {
				all = append(all, take(found))
			}
			return tea.Batch(all...)
		})
	}})
	return tea.Batch(job, questions.Listen())
}

// Follows shows what is right for a tab that shows r, after the files were read: here, which is on
// this machine, if the shown environment is not where r is any more; else what AWS has, by take.
// AWS is asked only if that was forgotten, by ctrl+r or a push, and once.
func (b *Board) Follows(r *Reached, here func() tea.Cmd, take func(*Reached) tea.Cmd) tea.Cmd {
	if r == nil || !b.Snap.Env.InAWS() || placeOf(b.Snap.Env) != r.at {
		return here()
	}
	known := b.reached[r.at]
	switch {
	case known != nil && known.found != nil:
		return take(known.found)
	case known != nil && known.failed, known == nil && b.Job.Busy() != "":
		return take(r)
	}
	return tea.Batch(take(r), b.Reach(take))
}

// forgetReached forgets what was found of an environment in AWS.
func (b *Board) forgetReached(name string) {
	for at := range b.reached {
		if at.name == name {
			delete(b.reached, at)
		}
	}
}

// reach finds what runs of an environment in AWS. The project is read as its files are now.
func (c Cloud) reach(ctx context.Context, dir, name string, questions *frame.Questions) (r *aws.Reached, err error) {
	err = withEnvironment(dir, name, false, func(p *project.Project, env *model.Environment) (err error) {
		r, err = c.Reach(aws.Provider{MFA: questions.Code}, ctx, p, env)
		return err
	})
	return r, err
}
