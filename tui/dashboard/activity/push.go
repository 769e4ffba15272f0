package activity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/deploy/local"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/project/status"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
)

// pushRows are the last pushes of the environments: the latest first, those never pushed
// last.
func pushRows(environments []board.Environment) []row {
	latest := func(x, y board.Environment) int { return y.Last().Deployed.Compare(x.Last().Deployed) }
	var rows []row
	for _, e := range slices.SortedStableFunc(slices.Values(environments), latest) {
		text := prose.PrintableStart(e.Name) + "  " + e.Pushed()
		in := ""
		if last := e.Last(); last.Account != "" {
			in = prose.PrintableStart("account " + last.Account + ", " + last.Region)
			text += "  " + in
		}
		if stack := e.Last().Stack; stack != "" {
			text += "  stack " + prose.PrintableStart(stack)
		}
		r := row{
			id: "push\x00" + e.Name, title: "environment " + prose.PrintableStart(e.Name), level: 1, before: "  ",
			line: prose.Line{Text: text}, words: "push",
			detail: []prose.Line{{Text: "environment " + text}}, copied: text,
		}
		if in != "" {
			r.detail = append(r.detail, prose.Line{Tone: prose.Muted, Text: "  AWS " + e.AsOf()})
		}
		if note := e.CloudNote(); note != "" {
			r.detail = append(r.detail, prose.Line{Tone: prose.Warning, Text: "! " + note})
		}
		for _, endpoint := range e.Last().APIs {
			at := prose.PrintableStart(endpoint.API + " " + endpoint.URL)
			r.detail = append(r.detail, prose.Line{Tone: prose.Muted, Text: "  API " + at})
			r.copied += "\n" + at
		}
		rows = append(rows, r)
	}
	return rows
}

// pushesText is the heading of the pushes.
func pushesText(pushes []row) string {
	if len(pushes) == 0 {
		return "pushes: " + project.ErrNoEnvironments.Error()
	}
	return "last push of each environment"
}

// whyNoPush is why the environment cannot be pushed; "" if it can.
func (t *Tab) whyNoPush() string {
	s := t.board.Snap
	env := s.Env
	if env == nil {
		return cmp.Or(t.board.ReadOnly(), project.ErrNoEnvironments.Error())
	}
	return cmp.Or(
		t.board.ReadOnly(),
		keys.When(env.Foreign, "this environment is deployed by the Amplify CLI: run amplify push"),
		keys.When(env.Provider != model.Local && env.Provider != model.AWS,
			"this version pushes only environments of the providers local and aws"),
		keys.When(env.Pushing, "it is being pushed already"),
		t.board.Job.Busy(),
	)
}

// preparePush finds out what a push would do, and asks for a yes.
func (t *Tab) preparePush() tea.Cmd {
	if t.board.Snap.Env.InAWS() {
		return t.prepareCloud(t.board.Snap.Name(), false)
	}
	t.pushesAsked++
	number, dir, name := t.pushesAsked, t.board.Dir, t.board.Snap.Name()
	return func() tea.Msg {
		ask, err := withTarget(dir, name, t.askToPush)
		if refused, ok := sayRefused(name, err); ok {
			ask = refused
		} else if err != nil {
			ask = frame.Say(frame.Error, "%v", err)
		}
		return frame.ThenMsg(func() tea.Cmd {
			if number != t.pushesAsked {
				return nil
			}
			return ask
		})
	}
}

// withTarget opens the project for a push of an environment, as its files are now.
func withTarget[T any](dir, name string, do func(contract.Target) (T, error)) (made T, err error) {
	p, err := project.Open(dir)
	if err != nil {
		return made, err
	}
	defer func() { _ = p.Close() }()
	if err := p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: name}); err != nil {
		return made, err
	}
	return do(contract.Target{Project: p, Environment: p.Backend.Environment(name), Now: time.Now()})
}

// askToPush shows what a push would do, and asks for a yes.
func (t *Tab) askToPush(of contract.Target) (tea.Cmd, error) {
	var lines []prose.Line
	changed, name := false, of.Environment.Name
	record, err := local.Preview(of, func(event contract.Event) {
		changed = changed || event.Kind != contract.Warned && event.Kind != contract.Noted
		lines = append(lines, previewLine(event))
	})
	switch {
	case err != nil:
		return nil, err
	case !changed:
		return frame.Say(frame.Info, "nothing to push: environment %s has not changed since its last push",
			prose.Printable(name)), nil
	}
	lines = append(clientFileLines(of.Project, record), lines...)
	// Nobody reads all lines of a large project here; the tab has them.
	const most = 200
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], prose.Line{Tone: prose.Muted, Text: fmt.Sprintf("and %d more lines", more)})
	}
	before, word := "never pushed", ""
	status, err := status.Of(of.Project, name)
	access := board.AccessLines(status.Access, status.MoreAccess, len(of.Project.Backend.APIs))
	switch {
	case err != nil:
		before = "last push unknown"
		access = []prose.Line{
			{Tone: prose.Wider, Text: "▲ what this opens is unknown: " + prose.PrintableStart(err.Error())},
			{},
		}
	case status.Deployed != nil:
		before = "last pushed " + clock.Moment(status.Deployed.Deployed)
	}
	if of.Environment.Guarded {
		word = name
	}
	shown := of.Project.Fingerprint()
	// What is opened comes before everything else: it is what the yes is about.
	lines = slices.Concat(access, []prose.Line{
		{Text: "environment " + prose.PrintableStart(name) + ", " + before},
		{Tone: prose.Muted, Text: "stack " + prose.PrintableStart(record.Stack)},
		{},
	}, lines)
	return frame.Open(dialog.AgreeLines("Push environment "+name, lines, "Push", word,
		func() tea.Cmd { return t.push(name, shown) })), nil
}

// clientFileLines say what a push does with the client configuration file.
func clientFileLines(p *project.Project, record project.Record) []prose.Line {
	planned, err := plan.ClientFile(p, record.Environment, record.Values)
	if err != nil {
		return []prose.Line{{
			Tone: prose.Warning,
			Text: "! the client configuration file can't be written: " + prose.Printable(err.Error()),
		}}
	}
	var lines []prose.Line
	for _, c := range planned.Changes {
		e := contract.Event{Kind: contract.Updated, Text: "client configuration file " + phrase.QuotePath(c.Path)}
		switch plan.Kind(c) {
		case "create":
			e.Kind = contract.Created
		case "delete":
			e.Kind = contract.Deleted
		}
		lines = append(lines, previewLine(e))
	}
	return lines
}

// previewLine is the line of an event in a preview.
func previewLine(e contract.Event) prose.Line {
	looks := map[contract.EventKind]prose.Line{
		contract.Created: {Tone: prose.Added, Text: "+ "},
		contract.Updated: {Tone: prose.Updated, Text: "~ "},
		contract.Deleted: {Tone: prose.Removed, Text: "- "},
		contract.Adopted: {Tone: prose.Added, Text: "+ "},
		contract.Warned:  {Tone: prose.Warning, Text: "! "},
		contract.Noted:   {Tone: prose.Muted, Text: "  "},
	}
	const few = 4
	if more := len(e.Reasons) - few; more > 0 {
		e.Reasons = append(e.Reasons[:few:few], fmt.Sprintf("and %d more", more))
	}
	line := looks[e.Kind]
	line.Text += prose.PrintableStart(e.Kind.String() + " " + e.String())
	return line
}

// errChanged refuses a push of something else than what the yes was about: it may open more.
var errChanged = errors.New("nothing was pushed: the definition changed after the question; push again to see what " +
	"that opens now")

// push pushes an environment, if the definition still is the one that was shown, which its
// fingerprint says.
func (t *Tab) push(name, shown string) tea.Cmd {
	if why := t.whyNoPush(); why != "" {
		return frame.Say(frame.Warn, "not available: %s", why)
	}
	box, dir := frame.NewInbox[entry](inboxSize), t.board.Dir
	run := t.board.Work("pushing "+prose.Printable(name),
		func(ctx context.Context, _ frame.Progress) (result string, err error) {
			defer box.End(nil)
			return withTarget(dir, name, func(of contract.Target) (string, error) {
				if of.Project.Fingerprint() != shown {
					return "", errChanged
				}
				return pushNow(ctx, of, func(e contract.Event) { box.Put(pushEntry(name, e, time.Now())) })
			})
		})
	return tea.Batch(run, t.listen(box))
}

// pushNow pushes an environment, and returns a sentence for the status line.
func pushNow(ctx context.Context, of contract.Target, tell func(contract.Event)) (string, error) {
	provider, err := deploy.ProviderOf(of.Environment, index.OfUser())
	if err != nil {
		return "", err
	}
	record, err := provider.Push(ctx, of, tell)
	switch {
	case err != nil:
		return "", err
	case record.Stack == "":
		return "", errors.New("nothing was pushed")
	}
	return "pushed " + prose.PrintableStart(of.Environment.Name) + " as stack " + prose.PrintableStart(record.Stack) +
		", " + phrase.Count(len(record.APIs), "API"), nil
}
