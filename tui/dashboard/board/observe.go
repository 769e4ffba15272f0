package board

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
	"gatewright/tui/frame"
	"gatewright/tui/outside"
)

// Observed is the state of the project's sandbox at one moment. It is not changed afterwards.
type Observed struct {
	Running bool
	Status  sandbox.Status
	// Err is why a running sandbox could not be asked; "" if it answered.
	Err string
	// Lines are the log lines that tell of events, at most mostLines of each log, the oldest
	// first, with long texts cut.
	Lines []logs.Line
	// Counts are what was counted in the window that the board shows.
	Counts *Counts
	At     time.Time
	// Client is the connection to the sandbox; nil for none.
	Client *sandbox.Client

	// endpoints are the URLs of the APIs, by environment and label.
	endpoints map[[2]string]string
	once      sync.Once
}

// mostLines is how many lines of each log are read.
const mostLines = 100

// observe asks the sandbox of the project that dir is in; before is its last state, nil for
// none. It only reads, and opens nothing if no sandbox runs.
func observe(dir string, before *Observed, window traffic.Window) *Observed {
	o := &Observed{At: time.Now()}
	root, _, err := project.Find(dir)
	if err != nil {
		return o
	}
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if before != nil && before.Client != nil {
		if o.Status, err = before.Client.Status(ctx); err == nil {
			o.Client = before.Client
		}
	}
	if o.Client == nil {
		// The sandbox that was asked before has ended, or there was none.
		if o.Client, err = sandbox.Connect(live.State(root)); err == nil {
			o.Status, err = o.Client.Status(ctx)
		}
	}
	if errors.Is(err, sandbox.ErrNotRunning) {
		o.Client = nil
		return o
	}
	o.Running = true
	if err == nil {
		err = o.Client.Logs(ctx, logs.Query{Each: mostLines, Notable: true}, false, o.take)
	}
	if err == nil {
		err = o.readCounts(ctx, window)
	}
	if err != nil {
		o.Err = prose.PrintableStart(err.Error())
	}
	return o
}

// take adds a line.
func (o *Observed) take(l logs.Line) error {
	const longest = 4 << 10
	if len(l.Text) > longest {
		l.Text = strings.ToValidUTF8(l.Text[:longest], "") + "…"
	}
	o.Lines = append(o.Lines, l)
	return nil
}

// sameAs reports whether both states look the same on the screen.
func (o *Observed) sameAs(before *Observed) bool {
	if before == nil || o.Running != before.Running || o.Err != before.Err || !slices.Equal(o.Lines, before.Lines) {
		return false
	}
	return reflect.DeepEqual(o.Status, before.Status) && o.Counts.sameAs(before.Counts)
}

// ages is how long the counts of a window stay as they are; 0 for ever.
func (o *Observed) ages() time.Duration {
	const step = time.Minute
	if o == nil || o.Counts == nil || o.Counts.Window == traffic.All || len(o.Counts.Whole) == 0 {
		return 0
	}
	return step
}

// Observe asks the sandbox now.
func (b *Board) Observe() tea.Cmd {
	before, window := b.Sandbox, b.window.Load()
	return func() tea.Msg { return b.showObserved(observe(b.Dir, before, window)) }
}

// showObserved shows a state of the sandbox in the tabs that observe it.
func (b *Board) showObserved(o *Observed) frame.ThenMsg {
	take := b.each(func(t Tab) func() tea.Cmd {
		if observer, ok := t.(Observer); ok {
			return observer.Observe(o)
		}
		return nil
	})
	return func() tea.Cmd {
		b.Sandbox = o
		return tea.Batch(take(), b.follow())
	}
}

// Watches poll the files, the sandbox, and what the tabs watch.
func (b *Board) Watches() []frame.Watch {
	const pace = 2 * time.Second
	var seen *Observed
	all := []frame.Watch{
		outside.Watch(b.Dir, func(print string) tea.Cmd {
			if print == b.print || b.IsReading() {
				return nil
			}
			return b.Read()
		}),
		// Codes for users are shown on every page.
		{Every: pace, Background: true, Ages: func() time.Duration { return seen.ages() }, Poll: func() tea.Msg {
			before := seen
			if seen = observe(b.Dir, before, b.window.Load()); seen.sameAs(before) {
				return nil
			}
			return b.showObserved(seen)
		}},
	}
	for _, tab := range b.Tabs {
		if watcher, ok := tab.(Watcher); ok {
			all = append(all, watcher.Watches()...)
		}
	}
	return all
}

// Runs reports whether a sandbox is known to run.
func (o *Observed) Runs() bool { return o != nil && o.Running }

// Address is the host and port of the sandbox; "" if none runs.
func (o *Observed) Address() string {
	if !o.Runs() {
		return ""
	}
	return prose.PrintableStart(strings.TrimPrefix(o.Status.Address, "http://"))
}

// Endpoint is the URL of an API in an environment; "" if it is not served.
func (o *Observed) Endpoint(environment, label string) string {
	if !o.Runs() {
		return ""
	}
	// This is called for every path of a large project.
	o.once.Do(func() {
		o.endpoints = make(map[[2]string]string, len(o.Status.APIs))
		for _, api := range o.Status.APIs {
			o.endpoints[[2]string{api.Environment, api.Label}] = api.Endpoint
		}
	})
	return o.endpoints[[2]string{environment, label}]
}

// Serves reports whether the sandbox serves an environment.
func (o *Observed) Serves(environment string) bool {
	return o.Runs() &&
		(slices.ContainsFunc(o.Status.APIs, func(a sandbox.ServedAPI) bool { return a.Environment == environment }) ||
			slices.ContainsFunc(o.Status.Pools, func(p sandbox.ServedPool) bool { return p.Environment == environment }))
}
