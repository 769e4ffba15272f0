package board

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/aws"
	"gatewright/deploy/remote"
	"gatewright/internal/clock"
	"gatewright/internal/prove"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/tui/frame"
)

// Health is how an environment was in AWS when that was asked for.
type Health struct {
	At time.Time
	// Pushed is when it was pushed last.
	Pushed time.Time
	// Functions are the calls of its functions in the last hour.
	Functions []remote.FunctionMetrics
	// Drift is what was otherwise there than by the last push; nil if that is not known, and
	// Unknown says why in one line.
	Drift   *aws.Drift
	Unknown string
	// Problem is why nothing is known, one line.
	Problem string
}

// counted is the time for which calls are counted.
const counted = time.Hour

// AskHealth asks AWS how each environment is that is there: its last push, the calls of the
// last hour, and drift. Nobody else asks for that. It is nil if none is there.
func (b *Board) AskHealth() tea.Cmd {
	var names []string
	for i := range b.Snap.Environments {
		if e := &b.Snap.Environments[i]; e.InAWS() {
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	const title = "asking how the environments are in AWS"
	questions, dir, cloud := frame.NewQuestions(), b.Dir, b.Cloud
	job := b.Job.Do(frame.Task{
		Title: title,
		Run: func(ctx context.Context, report frame.Progress, step func(string)) tea.Msg {
			defer questions.End()
			found := make(map[string]*Health)
			for i, name := range names {
				report(i, len(names))
				h, err := askHealth(ctx, cloud, dir, name, questions,
					func(text string) { step(prose.PrintableStart(name) + ": " + text) })
				if ctx.Err() != nil {
					break
				}
				if err != nil {
					h = &Health{Problem: prose.PrintableStart(err.Error())}
				}
				h.At = time.Now()
				found[name] = h
			}
			stopped := ctx.Err() != nil
			return frame.ThenMsg(func() tea.Cmd {
				for name, h := range found {
					b.healths = with(b.healths, name, h)
				}
				return tea.Batch(b.Read(), healthSaid(names, found, stopped, title))
			})
		},
	})
	return tea.Batch(job, questions.Listen())
}

// healthSaid is the status line after the environments were asked for.
func healthSaid(names []string, found map[string]*Health, stopped bool, title string) tea.Cmd {
	if stopped {
		return frame.Say(frame.Warn, "stopped: %s", title)
	}
	for _, name := range names {
		if problem := cmp.Or(found[name].Problem, found[name].Unknown); problem != "" {
			return frame.Say(frame.Error, "%s", problem)
		}
	}
	return frame.Say(frame.Good, "this is how the environments are in AWS")
}

// askHealth asks about one environment.
func askHealth(
	ctx context.Context, cloud Cloud, dir, name string, questions *frame.Questions, step func(string),
) (*Health, error) {
	step("opening its account")
	reached, err := cloud.reach(ctx, dir, name, questions)
	if errors.Is(err, project.ErrNeverDeployed) {
		return &Health{}, nil
	}
	if err != nil {
		return nil, err
	}
	h := &Health{Pushed: reached.Deployment.Deployed}
	step("counting the calls of the last hour")
	until := reached.Now()
	if h.Functions, err = remote.MetricsOfFunctions(ctx, reached, until.Add(-counted), until); err != nil {
		return nil, err
	}
	if h.Drift, err = reached.Drift(ctx, step); err != nil {
		// What was counted is true anyway.
		h.Unknown = prose.PrintableStart(err.Error())
	}
	return h, nil
}

// AsOf says when it was asked.
func (h *Health) AsOf() string { return "as of " + clock.SecondAt(h.At, time.Now()) }

// Calls sums up the calls of the last hour: "120 calls, 2 errors, p95 340 ms (books)", with the
// function whose calls take longest.
func (h *Health) Calls() string {
	calls, failed, slowest := 0, 0, remote.FunctionMetrics{}
	for _, f := range h.Functions {
		calls, failed = calls+f.Calls, failed+f.Errors
		if f.Calls > 0 && f.P95 >= slowest.P95 {
			slowest = f
		}
	}
	if calls == 0 {
		return "no call"
	}
	return phrase.Count(calls, "call") + ", " + phrase.Count(failed, "error") + ", p95 " + clock.Took(slowest.P95) + " (" +
		phrase.Quote(slowest.Function) + ")"
}

// Differs counts what differs from the last push, in a few words: "2 parts, 1 in access".
func (h *Health) Differs() string {
	switch {
	case h.Unknown != "":
		return "not known"
	case h.Drift == nil:
		return ""
	}
	var found []string
	if n := len(h.Drift.Cloud) + len(h.Drift.Template); n > 0 {
		found = append(found, phrase.Count(n, "part"))
	}
	if n := len(h.Drift.Access.Differences) + len(h.Drift.Access.Doors) + len(h.Drift.Access.Undecided); n > 0 {
		found = append(found, strconv.Itoa(n)+" in access")
	}
	if len(h.Drift.Unread) > 0 {
		found = append(found, "not all compared")
	}
	if len(found) == 0 {
		return "none found"
	}
	return strings.Join(found, ", ")
}

// Lines say in what an environment differs from its last push, a line each; what is more open
// comes first, with its tone.
func (h *Health) Lines() []prose.Line {
	if h.Unknown != "" {
		return []prose.Line{{Tone: prose.Warning, Text: "not known: " + h.Unknown}}
	}
	if h.Drift == nil {
		return nil
	}
	var lines []prose.Line
	for _, d := range h.Drift.Access.Doors {
		lines = append(lines, prose.Line{Tone: prose.Wider, Text: prose.PrintableStart(d.String())})
	}
	for _, d := range h.Drift.Access.Differences {
		tone := prose.Plain
		if d.Direction == prove.More {
			tone = prose.Wider
		}
		lines = append(lines, prose.Line{Tone: tone, Text: prose.PrintableStart(d.String())})
	}
	for _, text := range h.Drift.Access.Undecided {
		lines = append(lines, prose.Line{Tone: prose.Warning, Text: "not known: " + prose.PrintableStart(text)})
	}
	for _, list := range [][]aws.Drifted{h.Drift.Cloud, h.Drift.Template} {
		for _, d := range list {
			lines = append(lines, prose.Line{Text: prose.PrintableStart(d.String())})
		}
	}
	for _, text := range slices.Concat(h.Drift.Unread, h.Drift.Access.Notices) {
		lines = append(lines, prose.Line{Tone: prose.Warning, Text: prose.PrintableStart(text)})
	}
	if text := h.Drift.SkippedText(); text != "" {
		lines = append(lines, prose.Line{Tone: prose.Muted, Text: "not compared: " + text})
	}
	lines = append(lines, prose.Line{Tone: prose.Muted, Text: "not looked at: " + aws.NotLookedAt})
	return lines
}
