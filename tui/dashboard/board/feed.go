package board

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/traffic"
	"gatewright/tui/frame"
)

// Batch is what the sandbox told since the one before it.
type Batch struct {
	traffic.Moment
	// Began is when the sandbox began. Anew says that it is another one than that of the batch before,
	// which knows nothing of the calls before.
	Began time.Time
	Anew  bool
}

// Follower is a tab that shows each call as it comes. Follow is called outside Update, with batches in
// their order; what it returns is called inside. Unfollowed is called when no sandbox runs any more.
type Follower interface {
	Follow(*Batch) (take func() tea.Cmd)
	Unfollowed()
}

// feed reads what happens in the sandbox of a project, also in those that follow it.
type feed struct {
	root   string
	box    *frame.Inbox[*Batch]
	ctx    context.Context
	cancel context.CancelFunc
}

// follow begins to read, if a sandbox runs and nobody reads.
func (b *Board) follow() tea.Cmd {
	if !b.Sandbox.Runs() || b.feed != nil || b.Snap == nil {
		return nil
	}
	const most = 4096
	f := &feed{root: b.Snap.Root, box: frame.NewInbox[*Batch](most).Slower(gather)}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	b.feed, b.Followed = f, true
	return tea.Batch(func() tea.Msg {
		go func() { f.box.End(f.read()) }()
		return nil
	}, b.listen(f))
}

// Close ends what the board runs.
func (b *Board) Close() {
	if b.feed != nil {
		b.feed.cancel()
	}
}

// read reads until no sandbox runs. A connection that breaks is made again.
func (f *feed) read() error {
	var began time.Time
	after := uint64(0)
	for {
		client, err := sandbox.Connect(live.State(f.root))
		if err != nil {
			return err
		}
		status, err := client.Status(f.ctx)
		if err == nil {
			anew := !status.Started.Equal(began)
			if anew {
				began, after = status.Started, 0
			}
			err = client.Feed(f.ctx, after, func(m traffic.Moment) error {
				after = max(after, m.Last)
				f.box.Put(&Batch{m, began, anew})
				anew = false
				return nil
			})
		}
		if f.ctx.Err() != nil || errors.Is(err, sandbox.ErrNotRunning) {
			return err
		}
		const pause = 500 * time.Millisecond
		select {
		case <-time.After(pause):
		case <-f.ctx.Done():
			return f.ctx.Err()
		}
	}
}

// gather is how long calls are gathered: one that comes alone is shown at once, and of many the screen is
// drawn only a few times a second.
const gather = 20 * time.Millisecond

// listen waits for batches, has the tabs take them, and waits for more.
func (b *Board) listen(f *feed) tea.Cmd {
	return func() tea.Msg {
		batches, ended, _ := f.box.Take()
		var takes []func() tea.Cmd
		calls := 0
		for _, batch := range batches {
			calls += len(batch.Calls)
			takes = append(takes, b.each(func(t Tab) func() tea.Cmd {
				if follower, ok := t.(Follower); ok {
					return follower.Follow(batch)
				}
				return nil
			}))
		}
		return frame.ThenMsg(func() tea.Cmd {
			var cmds []tea.Cmd
			for i, batch := range batches {
				b.Told.Take(batch, b.Now())
				cmds = append(cmds, takes[i](), b.showSum(batch.Began))
			}
			if ended {
				b.feed, b.Followed, b.Told = nil, false, Told{}
				for _, t := range b.Tabs {
					if follower, ok := t.(Follower); ok {
						follower.Unfollowed()
					}
				}
				// The next sandbox may run already.
				return tea.Batch(append(cmds, b.Observe())...)
			}
			return tea.Batch(append(cmds, frame.Beat(), b.Move(), b.listenLater(f, calls))...)
		})
	}
}

// listenLater waits before it listens, the longer the more came: what comes meanwhile is drawn at once.
func (b *Board) listenLater(f *feed, calls int) tea.Cmd {
	next := b.listen(f)
	pause := time.Duration(0)
	switch rate := b.Told.Rate(b.Wanted(), b.Now()); {
	case rate >= 30:
		pause = 750 * time.Millisecond
	case rate >= 8, calls > 2:
		pause = 200 * time.Millisecond
	default:
		return next
	}
	return func() tea.Msg {
		time.Sleep(pause)
		return next()
	}
}

// Told is what the sandbox told so far. The map, the header and the tab Requests show these same numbers.
type Told struct {
	sums map[string]Sum
	// first and last are the numbers of the first and the last call that were told, missed says that
	// some between them were not: more came than could be read.
	first, last uint64
	missed      bool
	workers     map[[2]string]traffic.FunctionState
	uses        map[traffic.UseCounts]traffic.UseCounts
	open        []traffic.Open
	// recent are the calls that had ended in the last second when taken was.
	recent []*traffic.Call
	taken  time.Time
	// calls are the last calls, the newest last.
	calls []*traffic.Call
}

// Sum counts requests, and the calls of functions by schedules, tables, the user pool and other functions.
// Refused and Failed are of both.
type Sum struct{ Requests, Others, Refused, Failed int }

// rateOver is the time for which a rate is counted.
const rateOver = time.Second

// Take counts a batch. Only the board and tests call it.
func (t *Told) Take(b *Batch, now time.Time) {
	if b.Anew || t.sums == nil {
		*t = Told{
			sums: make(map[string]Sum), workers: make(map[[2]string]traffic.FunctionState),
			uses: make(map[traffic.UseCounts]traffic.UseCounts),
		}
	}
	for i := range b.Calls {
		c := &b.Calls[i]
		t.calls = append(t.calls, c)
		if t.first == 0 {
			t.first = c.Number
		}
		t.missed = t.missed || t.last > 0 && c.Number != t.last+1
		t.last = c.Number
		sum := t.sums[c.Environment]
		if c.IsRequest() {
			sum.Requests++
		} else {
			sum.Others++
		}
		if c.Failed {
			sum.Failed++
		}
		if c.Refused() {
			sum.Refused++
		}
		t.sums[c.Environment] = sum
		t.recent = append(t.recent, c)
	}
	t.taken = now
	t.recent = slices.DeleteFunc(t.recent, func(c *traffic.Call) bool { return now.Sub(c.Time.Add(c.Took)) >= rateOver })
	const mostCalls = 1000
	t.calls = t.calls[max(0, len(t.calls)-mostCalls):]
	for _, f := range b.Functions {
		if at := [2]string{f.Environment, f.Name}; f.Gone {
			delete(t.workers, at)
		} else {
			t.workers[at] = f
		}
	}
	for _, u := range b.Totals {
		t.uses[u.Of()] = u
	}
	if b.Open != nil {
		t.open = b.Open
	}
}

// Sum counts the calls of an environment, with those to addresses that are of none.
func (t *Told) Sum(environment string) Sum {
	all := t.sums[environment]
	if environment != "" {
		of := t.sums[""]
		all = Sum{all.Requests + of.Requests, all.Others + of.Others, all.Refused + of.Refused, all.Failed + of.Failed}
	}
	return all
}

// Rate is how many calls of an environment, and of none, ended in the second before the sandbox told of
// calls last: what ended since is not known yet. A second later it is none.
func (t *Told) Rate(environment string, now time.Time) (n int) {
	if now.Sub(t.taken) >= rateOver {
		return 0
	}
	for _, c := range t.recent {
		if c.Environment == environment || c.Environment == "" {
			n++
		}
	}
	return n
}

// SumLine says how many calls of the shown environment were seen: on the map, in the header and in the tab
// Requests in the same words.
func (b *Board) SumLine() prose.Line {
	if !b.Followed || b.Snap == nil {
		return prose.Line{}
	}
	sum := b.Told.Sum(b.Wanted())
	line := prose.Line{Tone: prose.Muted, Text: phrase.Count(sum.Requests, "request")}
	switch {
	case b.Told.missed:
		line.Text = "at least " + line.Text
	case b.Told.first > 1:
		line.Text = "the last " + line.Text
	}
	if sum.Others > 0 {
		line.Text += ", " + phrase.Count(sum.Others, "other call")
	}
	if sum.Refused > 0 {
		line.Text += fmt.Sprintf(", %d refused", sum.Refused)
	}
	if sum.Failed > 0 {
		line.Tone = prose.Bad
		line.Text += fmt.Sprintf(", %d failed", sum.Failed)
	}
	return line
}

// Open are the calls of an environment that are on their way.
func (t *Told) Open(environment string) []traffic.Open {
	return slices.DeleteFunc(slices.Clone(t.open), func(o traffic.Open) bool { return o.Environment != environment })
}

// Workers are the states of the functions of an environment, by name.
func (t *Told) Workers(environment string) map[string]traffic.FunctionState {
	all := make(map[string]traffic.FunctionState)
	for at, state := range t.workers {
		if at[0] == environment {
			all[at[1]] = state
		}
	}
	return all
}

// Uses are what the functions of an environment used since the sandbox began.
func (t *Told) Uses(environment string) []traffic.UseCounts {
	return slices.DeleteFunc(slices.Collect(maps.Values(t.uses)),
		func(u traffic.UseCounts) bool { return u.Environment != environment })
}
