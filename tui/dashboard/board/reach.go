package board

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/frame"
)

// Reached is what runs of an environment in AWS, found at a time.
type Reached struct {
	*deploy.Reached
	At time.Time
}

// Where says which account it is in, such as "account 123456789012, eu-central-1".
func (r *Reached) Where() string { return prose.PrintableStart("account " + r.ID + ", " + r.Region) }

// Reach finds what runs of the shown environment in AWS, and calls take with it inside Update. AWS
// is asked again after ctrl+r and after a push.
func (b *Board) Reach(take func(*Reached) tea.Cmd) tea.Cmd {
	name := b.Snap.Name()
	switch {
	case b.Session == nil && !b.Live:
		return frame.Say(frame.Info, "%s", AsksNothing)
	case b.reached[name] != nil:
		return take(b.reached[name])
	case b.Job.Busy() != "":
		return frame.Say(frame.Warn, "AWS is not asked, because %s", b.Job.Busy())
	}
	title := "asking AWS about " + prose.Printable(name)
	questions, dir, cloud, writes := NewQuestions(), b.Dir, b.Cloud, b.Session != nil
	job := b.Job.Do(frame.Task{Title: title, Run: func(ctx context.Context, _ frame.Progress, _ func(string)) tea.Msg {
		defer questions.End()
		var r *deploy.Reached
		err := withEnvironment(dir, name, writes, func(p *project.Project, env *model.Environment) (err error) {
			r, err = cloud.Reach(deploy.AWS{MFA: questions.Code}, ctx, p, env)
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
			found := &Reached{r, at}
			b.reached = with(b.reached, name, found)
			if b.Snap.Name() != name {
				return nil
			}
			return take(found)
		})
	}})
	return tea.Batch(job, questions.Listen())
}
