package activity

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/aws"
	"gatewright/deploy/contract"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// cloudPush is a push to AWS, from its preparation to its end, or one that is followed.
type cloudPush struct {
	// name is the environment, title what is shown, such as "push of dev".
	name, title string
	// push is nil before the end of the preparation, and for one that is followed; project
	// is open until the push is carried out or given up.
	push    *aws.Push
	project *project.Project
	// cancel cancels what goes on in AWS; nil before something does.
	cancel func(context.Context) error
	tree   *contract.Tree
	// step is the last step of the push itself.
	step string
	// err is why it failed, safe for the screen.
	err          string
	began, ended time.Time
	// prepared says that a person is asked whether to push. It is set outside Update, after push
	// and project.
	prepared atomic.Bool
	// failed says that the push failed, detached that it goes on in AWS and is not followed.
	failed, detached bool
	box              *frame.Inbox[happening]
}

// happening is something that a push tells: a step, an entry for the feed, or how it can be
// cancelled.
type happening struct {
	// at is when it happened: the page takes it a little later.
	at       time.Time
	progress *contract.Progress
	entry    *entry
	cancel   func(context.Context) error
}

// mostHappenings is more than a push tells before the page takes it.
const mostHappenings = 100_000

func newCloudPush(name string) *cloudPush {
	return &cloudPush{
		name: name, title: "push of " + prose.PrintableStart(name), tree: contract.NewTree(0), began: time.Now(),
		box: frame.NewInbox[happening](mostHappenings),
	}
}

// teller returns what takes the progress of a push: the page shows it, and the line of the job
// says it at once. It may be called by several goroutines only before anything is deployed.
func (c *cloudPush) teller(resources int, report frame.Progress, step func(string)) func(contract.Progress) {
	tree := contract.NewTree(resources)
	return func(p contract.Progress) {
		if r := p.Resource; r != nil {
			tree.Add(*r)
			report(tree.Count())
			step(r.Name + " " + r.Words())
		} else {
			step(p.String())
		}
		c.box.Put(happening{at: time.Now(), progress: &p})
	}
}

// made takes the changes of files on this machine.
func (c *cloudPush) made(e contract.Event) {
	h := pushEntry(c.name, e, time.Now())
	c.box.Put(happening{entry: &h})
}

// listenTo takes what a push tells until it ends.
func (t *Tab) listenTo(c *cloudPush) tea.Cmd {
	box := c.box
	return func() tea.Msg {
		all, ended, _ := box.Take()
		return frame.ThenMsg(func() tea.Cmd {
			for _, h := range all {
				t.take(c, h, c.box == box)
			}
			t.layOut()
			if ended {
				return nil
			}
			return t.listenTo(c)
		})
	}
}

// take takes what a push tells. What its preparation told last may come when the push has
// begun, and is not current.
func (t *Tab) take(c *cloudPush, h happening, current bool) {
	switch {
	case h.cancel != nil:
		c.cancel = h.cancel
	case h.entry != nil:
		t.own = lastOf(append(t.own, *h.entry))
	case h.progress.Resource != nil:
		if current {
			c.tree.Add(*h.progress.Resource)
		}
	case h.progress.Total == 0:
		text := prose.PrintableStart(h.progress.Text)
		if current {
			c.step = text
		}
		t.own = lastOf(append(t.own, entry{at: h.at, environment: prose.PrintableStart(c.name), kind: "push", text: text}))
	}
}

// prepareCloud finds out what a push to AWS would do, and asks for a yes. Stopping it leaves
// everything as it was. adopt says that the push takes over what AWS has already.
func (t *Tab) prepareCloud(name string, adopt bool) tea.Cmd {
	c, questions, dir, cloud := newCloudPush(name), frame.NewQuestions(), t.board.Dir, t.board.Cloud
	task := frame.Task{
		Title: "preparing the push of " + prose.Printable(name),
		Run: func(ctx context.Context, report frame.Progress, step func(string)) tea.Msg {
			defer questions.End()
			defer c.box.End(nil)
			allow := func(question string) error {
				err := questions.Sure(ctx, "Before environment "+prose.Printable(name)+" is pushed", question+"?", "Yes")
				if errors.Is(err, frame.ErrNo) {
					return errNotPushed
				}
				return err
			}
			provider := aws.Provider{MFA: questions.Code}
			then, err := c.prepare(ctx, cloud, dir, provider, aws.PushOptions{Allow: allow, Adopt: adopt},
				c.teller(0, report, step))
			stopped := ctx.Err() != nil
			return frame.ThenMsg(func() tea.Cmd {
				if err != nil {
					return t.notPrepared(c, err, stopped)
				}
				return then(t)
			})
		},
	}
	t.cloud = c
	return tea.Batch(t.board.Job.Do(task), questions.Listen(), t.listenTo(c))
}

// errNotPushed is the error of a question before a push that was answered with no.
var errNotPushed = errors.New("nothing was pushed")

// prepare prepares a push outside Update, and returns what follows inside it: the question
// whether to push, or the end if there is nothing to push.
func (c *cloudPush) prepare(
	ctx context.Context, cloud board.Cloud, dir string, aws aws.Provider, options aws.PushOptions,
	tell func(contract.Progress),
) (then func(*Tab) tea.Cmd, err error) {
	p, err := project.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil || c.project == nil {
			_ = p.Close()
		}
	}()
	if err := p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: c.name}); err != nil {
		return nil, err
	}
	push, err := cloud.Prepare(aws, ctx,
		contract.Target{Project: p, Environment: p.Backend.Environment(c.name), Now: time.Now()}, options, tell)
	if err != nil {
		return nil, err
	}
	if !push.Changed() {
		record, err := cloud.Apply(push, ctx, nil, c.made)
		return func(t *Tab) tea.Cmd { return t.nothingPushed(c, record) }, err
	}
	c.push, c.project = push, p
	c.prepared.Store(true)
	lines := cloudPreview(push, render.ClientFileName(p.Backend.Project.Dialect))
	return func(t *Tab) tea.Cmd { return t.askToPushCloud(c, lines) }, nil
}

// notPrepared says why a push could not be prepared.
func (t *Tab) notPrepared(c *cloudPush, err error, stopped bool) tea.Cmd {
	t.cloud = nil
	switch {
	case stopped && errors.Is(err, context.Canceled):
		t.layOut()
		return frame.Say(frame.Warn, "stopped: nothing of environment %s was pushed", prose.Printable(c.name))
	case errors.Is(err, errNotPushed), errors.Is(err, frame.ErrNo):
		t.layOut()
		return frame.Say(frame.Info, "nothing was pushed")
	}
	var inTheWay *aws.InTheWay
	if errors.As(err, &inTheWay) {
		t.layOut()
		return t.offerAdoption(c.name, inTheWay)
	}
	if refused, ok := sayRefused(c.name, err); ok {
		t.layOut()
		return refused
	}
	return t.sayFailed(c, err)
}

// sayFailed keeps an error in the feed, and says it.
func (t *Tab) sayFailed(c *cloudPush, err error) tea.Cmd {
	t.own = lastOf(append(t.own,
		entry{
			at: time.Now(), environment: prose.PrintableStart(c.name), kind: "error",
			text: prose.PrintableStart(err.Error()), tone: prose.Bad,
		}))
	t.layOut()
	return tea.Batch(t.board.Written(), frame.Say(frame.Error, "%s: %v", c.title, err))
}

// nothingPushed says that AWS has the environment as it is here.
func (t *Tab) nothingPushed(c *cloudPush, record project.Record) tea.Cmd {
	t.cloud = nil
	t.layOut()
	t.board.ForgetLook(c.name)
	return tea.Batch(t.board.Written(),
		frame.Say(frame.Info, "nothing to push: environment %s is up to date in AWS (stack %s)", prose.Printable(c.name),
			prose.PrintableStart(record.Stack)))
}

// askToPushCloud shows what a push would do, and asks for a yes: the names of what loses its
// data, and that of a guarded environment, have to be typed.
func (t *Tab) askToPushCloud(c *cloudPush, lines []prose.Line) tea.Cmd {
	var words []dialog.Word
	seen := make(map[string]bool)
	for _, l := range c.push.Losses {
		if !l.Allowed && !seen[l.Name] {
			seen[l.Name] = true
			words = append(words, dialog.Word{Text: l.Name, To: "give up its data"})
		}
	}
	if c.push.Environment.Guarded {
		words = append(words, dialog.Word{Text: c.name, To: "push"})
	}
	return frame.Open(dialog.AgreeWords("Push environment "+c.name, lines, "Push", words,
		func() tea.Cmd { return t.applyCloud(c) }, func() tea.Cmd { return t.giveUp(c) }))
}

// giveUp removes what the preparation left in AWS.
func (t *Tab) giveUp(c *cloudPush) tea.Cmd {
	c.prepared.Store(false)
	t.cloud = nil
	t.layOut()
	return t.board.Work("removing what the preparation made", func(ctx context.Context, _ frame.Progress) (string, error) {
		defer func() { _ = c.project.Close() }()
		return "nothing was pushed", c.push.Discard(ctx)
	})
}

// applyCloud carries a push out that a person agreed to with its losses, and follows it to its end.
func (t *Tab) applyCloud(c *cloudPush) tea.Cmd {
	if t.board.Job.Busy() != "" {
		return t.giveUp(c)
	}
	c.prepared.Store(false)
	c.push = c.push.Allowing()
	c.began, c.step = time.Now(), ""
	c.tree, c.box = contract.NewTree(len(c.push.Changes)), frame.NewInbox[happening](mostHappenings)
	c.cancel = c.push.Cancel
	quits := "The push of " + c.name +
		" continues in AWS without this program; to follow it, run: gatewright push --watch --env " + model.ShellWord(c.name)
	if c.push.Updates > 1 {
		quits = fmt.Sprintf("The push of %s takes %d updates. The current one continues in AWS without this program, "+
			"and the later ones do not start: push again then.", c.name, c.push.Updates)
	}
	return t.runCloud(c, "pushing "+prose.Printable(c.name), quits,
		func(ctx context.Context, report frame.Progress, step func(string)) (project.Record, error) {
			defer func() { _ = c.project.Close() }()
			return t.board.Cloud.Apply(c.push, ctx, c.teller(len(c.push.Changes), report, step), c.made)
		})
}

// followCloud follows what goes on with an environment in AWS, whoever began it.
func (t *Tab) followCloud(name string) tea.Cmd {
	c, questions, dir, cloud := newCloudPush(name), frame.NewQuestions(), t.board.Dir, t.board.Cloud
	quits := "The push of " + name + " continues in AWS without this program."
	run := t.runCloud(c, "following the push of "+prose.Printable(name), quits,
		func(ctx context.Context, report frame.Progress, step func(string)) (project.Record, error) {
			defer questions.End()
			return withTarget(dir, name, func(of contract.Target) (project.Record, error) {
				w, err := cloud.Attach(aws.Provider{MFA: questions.Code}, ctx, of.Project, of.Environment)
				if err != nil {
					return project.Record{}, err
				}
				if w.Running {
					c.box.Put(happening{cancel: w.Cancel})
				}
				tell := c.teller(0, report, step)
				tell(contract.Progress{Text: w.Text})
				return w.Follow(ctx, tell, c.made)
			})
		})
	return tea.Batch(run, questions.Listen())
}

// runCloud runs what can be left alone in AWS: esc and quitting end the following only.
func (t *Tab) runCloud(
	c *cloudPush, title, quits string, run func(context.Context, frame.Progress, func(string)) (project.Record, error),
) tea.Cmd {
	t.cloud = c
	t.layOut()
	t.List.To(cloudRow)
	job := t.board.Job.Do(frame.Task{
		Title: title, Label: "unfollow", Stops: "leaves it running", Quits: quits,
		Run: func(ctx context.Context, report frame.Progress, step func(string)) tea.Msg {
			record, err := run(ctx, report, step)
			c.box.End(nil)
			stopped := ctx.Err() != nil
			return frame.ThenMsg(func() tea.Cmd { return t.endCloud(c, record, err, stopped) })
		},
	})
	return tea.Batch(job, t.listenTo(c))
}
