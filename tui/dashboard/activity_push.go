package dashboard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/wizard"
)

const pushDialog = "activity/push"

// pushAsked is the push that is asked about.
type pushAsked struct {
	environment string
	// asked counts those that were looked into; an answer to an earlier one is
	// dropped.
	asked int
}

// toPush is what a push would do.
type toPush struct {
	of          *activityTab
	asked       int
	environment string
	// word has to be typed first; "" where the environment is not guarded.
	word, text string
	changed    bool
	err        error
}

// pushedSo is what a push told until now; ended says that nothing more comes.
type pushedSo struct {
	of     *activityTab
	box    *inbox[happening]
	events []happening
	ended  bool
}

// noPush is why the environment cannot be pushed; "" where it can.
func (a *activityTab) noPush() string {
	switch {
	case a.page.readOnly() != "":
		return a.page.readOnly()
	case a.env == nil:
		return project.ErrNoEnvironments.Error()
	case a.env.foreign:
		return "this environment is deployed by the Amplify CLI: run amplify push"
	case a.env.Provider != model.Local:
		return "this version deploys environments of the provider local only"
	case a.env.pushing:
		return "it is being pushed already"
	case a.page.working != nil:
		return "wait for the end of " + a.page.working.title
	case len(a.status.broken) > 0:
		return "not all files can be read"
	}
	return ""
}

// preparePush works out what a push would do.
func (a *activityTab) preparePush() tea.Cmd {
	a.pushing.asked++
	asked, dir, name := a.pushing.asked, a.page.dir, a.env.Name
	return func() tea.Msg {
		msg := toPush{of: a, asked: asked, environment: name}
		p, err := project.Open(dir)
		if err != nil {
			msg.err = err
			return msg
		}
		defer func() { _ = p.Close() }()
		msg.describe(p)
		return msg
	}
}

// describe fills in what a push would do.
func (m *toPush) describe(p *project.Project) {
	e := p.Backend.Environment(m.environment)
	if e == nil {
		m.err = p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: m.environment})
		return
	}
	var text strings.Builder
	lines := 0
	line := func(s string) {
		// Of a large project nobody reads all lines; the tab has them.
		const most = 200
		if lines++; lines <= most {
			text.WriteString(s + "\n")
		}
	}
	record, err := deploy.Preview(deploy.Target{Project: p, Environment: e, Now: time.Now()}, func(event deploy.Event) {
		m.changed = m.changed || event.Kind != deploy.Warned && event.Kind != deploy.Noted
		line(wouldBe(event))
	})
	if err != nil {
		m.err = err
		return
	}
	status, err := p.Status(e.Name)
	before := "never pushed"
	if err == nil && status.Deployed != nil {
		before = "last pushed " + moment(status.Deployed.Deployed)
	}
	m.text = "environment " + fit(e.Name) + ", " + before + "\nstack " + fit(record.Stack) + "\n\n" + text.String()
	if shown := strings.Count(text.String(), "\n"); lines > shown {
		m.text += fmt.Sprintf("and %d more lines\n", lines-shown)
	}
	if e.Guarded {
		m.word = e.Name
	}
}

// wouldBe is an event of a preview as a line.
func wouldBe(e deploy.Event) string {
	glyph := map[deploy.EventKind]string{deploy.Created: "+ ", deploy.Updated: "~ ", deploy.Deleted: "- ", deploy.Warned: "! ", deploy.Noted: "  "}[e.Kind]
	const few = 4
	more := len(e.Reasons) - few
	if more > 0 {
		e.Reasons = append(e.Reasons[:few:few], fmt.Sprintf("and %d more", more))
	}
	return fit(glyph + e.Kind.String() + " " + e.String())
}

// ask opens the dialog of a push, or says why there is none.
func (a *activityTab) ask(msg toPush) tea.Cmd {
	switch {
	case msg.asked != a.pushing.asked:
		return nil
	case msg.err != nil:
		return frame.Say(frame.Error, "%v", msg.err)
	case !msg.changed:
		return frame.Say(frame.Info, "nothing to push: environment %s is as it was pushed", prose.Fit(msg.environment))
	}
	a.pushing.environment = msg.environment
	return frame.Open(dialog.Agree(pushDialog, "Push environment "+msg.environment, msg.text, "Push", msg.word))
}

// push pushes the environment that was asked about.
func (a *activityTab) push() tea.Cmd {
	if why := a.noPush(); why != "" {
		return frame.Say(frame.Warn, "not available: %s", why)
	}
	box := newInbox[happening](mostWaiting)
	dir, name := a.page.dir, a.pushing.environment
	run := a.page.work("pushing "+prose.Fit(name), func(ctx context.Context) (string, error) {
		defer box.end(nil)
		return pushNow(ctx, dir, name, func(e deploy.Event) { box.put(pushedThis(name, e, time.Now())) })
	})
	return tea.Batch(run, a.listenToPush(box))
}

func (a *activityTab) listenToPush(box *inbox[happening]) tea.Cmd {
	return func() tea.Msg {
		events, ended, _ := box.take()
		return pushedSo{a, box, events, ended}
	}
}

func (a *activityTab) takePushed(msg pushedSo) tea.Cmd {
	a.tell(msg.events)
	if !msg.ended {
		return a.listenToPush(msg.box)
	}
	if s := a.page.writes; s != nil {
		s.Stale = true
	}
	return func() tea.Msg { return wizard.Written{} }
}

// pushNow pushes an environment, and says what came of it.
func pushNow(ctx context.Context, dir, name string, tell func(deploy.Event)) (string, error) {
	p, err := project.Open(dir)
	if err != nil {
		return "", err
	}
	defer func() { _ = p.Close() }()
	e := p.Backend.Environment(name)
	if e == nil {
		return "", p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: name})
	}
	var index deploy.Index
	if folder, err := project.UserState(os.Getenv); err == nil {
		index = deploy.OpenIndex(folder)
	}
	provider, err := deploy.ProviderOf(e, index)
	if err != nil {
		return "", err
	}
	record, err := provider.Push(ctx, deploy.Target{Project: p, Environment: e, Now: time.Now()}, tell)
	if err != nil {
		return "", err
	}
	if record.Stack == "" {
		return "", errors.New("nothing was pushed")
	}
	return "pushed " + fit(name) + " as stack " + fit(record.Stack) + ", " + model.Count(len(record.APIs), "API"), nil
}
