package board

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// Counts are a report of the sandbox, with its entries by name. It is not changed afterwards.
type Counts struct {
	traffic.Report
	functions map[[2]string]*traffic.Counts
	paths     map[[3]string]*traffic.Counts
}

// NewCounts makes the Counts of a report.
func NewCounts(r traffic.Report) *Counts {
	c := &Counts{
		Report: r, functions: make(map[[2]string]*traffic.Counts, len(r.Functions)),
		paths: make(map[[3]string]*traffic.Counts, len(r.Paths)),
	}
	for i := range r.Functions {
		of := &r.Functions[i]
		c.functions[[2]string{of.Environment, of.Function}] = of
	}
	for i := range r.Paths {
		of := &r.Paths[i]
		c.paths[[3]string{of.Environment, of.API, of.Path}] = of
	}
	return c
}

// Function are the counts of a function; nil if it was not called in the window.
func (c *Counts) Function(environment, name string) *traffic.Counts {
	if c == nil {
		return nil
	}
	return c.functions[[2]string{environment, name}]
}

// Path are the counts of a path; nil if nothing was sent there in the window.
func (c *Counts) Path(environment, api, path string) *traffic.Counts {
	if c == nil {
		return nil
	}
	return c.paths[[3]string{environment, api, path}]
}

// sameAs reports whether two counts look the same on the screen.
func (c *Counts) sameAs(before *Counts) bool {
	if c == nil || before == nil {
		return c == before
	}
	return c.Window == before.Window && c.Bytes == before.Bytes && c.Kept == before.Kept &&
		reflect.DeepEqual(c.Functions, before.Functions) &&
		reflect.DeepEqual(c.Paths, before.Paths) && reflect.DeepEqual(c.Whole, before.Whole)
}

// readCounts asks the sandbox what it counted.
func (o *Observed) readCounts(ctx context.Context, window traffic.Window) error {
	report, err := o.Client.Traffic(ctx, window)
	if err == nil {
		o.Counts = NewCounts(report)
	}
	return err
}

// windowOf holds the window of the numbers, which the watches read outside Update.
type windowOf struct{ value atomic.Value }

// Load is the window.
func (w *windowOf) Load() traffic.Window {
	if of, ok := w.value.Load().(traffic.Window); ok {
		return of
	}
	return traffic.FiveMinutes
}

// windowWords are the windows in words.
var windowWords = map[traffic.Window]string{traffic.FiveMinutes: "5 min", traffic.Hour: "1 h", traffic.All: "all"}

// Window is the window of the numbers in words: "5 min", "1 h", "all".
func (b *Board) Window() string { return windowWords[b.window.Load()] }

// InWindow is the window at the end of a sentence: "in 5 min", "since 13:20:41".
func (b *Board) InWindow() string {
	if o := b.Sandbox; b.window.Load() == traffic.All && o.Runs() && o.Counts != nil {
		return "since " + since(o.Counts)
	}
	return "in " + b.Window()
}

// CountedIn is what the legend of a table with columns of counts adds to its sum: the window
// of the counts; "" if there are none.
func (b *Board) CountedIn() string {
	if !b.Sandbox.Runs() || b.Sandbox.Counts == nil {
		return ""
	}
	return ", calls " + b.InWindow()
}

// ChooseWindow is the binding that chooses the window of the numbers.
func (b *Board) ChooseWindow() keys.Binding {
	return keys.Period.Does("window",
		"choose what the numbers count: the last 5 minutes, the last hour, or all since the sandbox started; now: "+
			b.Window(), func() tea.Cmd {
			return frame.Open(dialog.Choose("Count the calls", []prose.Option{
				{Key: string(traffic.FiveMinutes), Title: "5 min", Detail: "of the last 5 minutes"},
				{Key: string(traffic.Hour), Title: "1 h", Detail: "of the last hour"},
				{Key: string(traffic.All), Title: "all", Detail: "since the sandbox started"},
			}, string(b.window.Load()), func(key string) tea.Cmd {
				b.window.value.Store(traffic.Window(key))
				return b.Observe()
			}))
		})
}

// NotCalled says that nothing was counted, as far as that is known.
func (o *Observed) NotCalled() string {
	if o.Counts == nil {
		return "not called yet"
	}
	if of := o.Counts.Window; of != traffic.All {
		return "not called in " + windowWords[of]
	}
	return "not called since " + since(o.Counts)
}

// since is when a count began, with the zone, and with the day if that is another one.
func since(c *Counts) string {
	return clock.SecondAt(c.From, c.Until) + " " + clock.Zone(c.From)
}

// sparks are the steps of a sparkline, the lowest first. failedMark stands for a step in which
// a call failed, so that it is seen without colour.
var sparks = []rune("▁▂▃▄▅▆▇█")

const failedMark = '!'

// Sparkline draws the calls in the steps of a window, in w cells: a step without calls is a
// dot, one with a failure is marked by !.
func Sparkline(of *traffic.Counts, w int) string {
	steps := of.Spread()
	sums := make([]traffic.Step, max(1, min(w, len(steps))))
	most := 0
	for i, s := range steps {
		at := i * len(sums) / len(steps)
		sums[at].Calls += s.Calls
		sums[at].Failed += s.Failed
	}
	for _, s := range sums {
		most = max(most, s.Calls)
	}
	var b strings.Builder
	for _, s := range sums {
		switch {
		case s.Failed > 0:
			b.WriteRune(failedMark)
		case s.Calls == 0:
			b.WriteRune('·')
		default:
			b.WriteRune(sparks[min(len(sparks)-1, s.Calls*len(sparks)/(most+1))])
		}
	}
	return b.String()
}

// FunctionLines describe the calls of a function: how many, how many failed, how long they
// took, and when. Without a sandbox they say so.
func (b *Board) FunctionLines(of *traffic.Counts) []prose.Line {
	o, env := b.Sandbox, b.Snap.Name()
	switch {
	case o == nil:
		return nil
	case !o.Running:
		return prose.InTone(prose.Muted, "no sandbox is running")
	case !o.Serves(env):
		return prose.InTone(prose.Muted, "the sandbox does not serve environment "+prose.PrintableStart(env))
	}
	return b.callLines(of, "call")
}

// PathLines describe the requests to a path, as FunctionLines does; nothing is said if the
// sandbox does not serve it.
func (b *Board) PathLines(of *traffic.Counts) []prose.Line {
	if !b.Sandbox.Serves(b.Snap.Name()) {
		return nil
	}
	return b.callLines(of, "request")
}

func (b *Board) callLines(of *traffic.Counts, unit string) []prose.Line {
	if of == nil {
		return prose.InTone(prose.Muted, b.Sandbox.NotCalled())
	}
	text := phrase.Count(of.Calls, unit) + fmt.Sprintf(", %d failed", of.Failed)
	if of.Refused > 0 {
		text += fmt.Sprintf(", %d refused", of.Refused)
	}
	tone := prose.Plain
	if of.Failed > 0 {
		tone = prose.Bad
	}
	lines := []prose.Line{{Tone: tone, Text: text + " " + b.InWindow()}}
	const widest = 30
	lines = append(lines,
		prose.Line{Text: fmt.Sprintf("p50 %s   p95 %s   slowest %s   %s", clock.Took(of.P50), clock.Took(of.P95),
			clock.Took(of.Most), Sparkline(of, widest))})
	until := b.Sandbox.Counts.Until
	when := "the last at " + clock.SecondAt(of.Last, until)
	if !of.LastFailed.IsZero() {
		when += ", the last that failed at " + clock.SecondAt(of.LastFailed, until)
	}
	return append(lines, prose.Line{Tone: prose.Muted, Text: when + " " + clock.Zone(of.Last)})
}

// CountColumns are the columns of the calls of a row: how many, how many failed, p95, and a
// sparkline.
func CountColumns[R any](b *Board, of func(R) *traffic.Counts) []widget.Column[R] {
	const sparkW = 10
	text := func(show func(*traffic.Counts) string) func(R) string {
		return func(r R) string {
			if c := of(r); c != nil {
				return show(c)
			}
			return ""
		}
	}
	failedTone := func(r R) prose.Tone {
		if c := of(r); c != nil && c.Failed > 0 {
			return prose.Bad
		}
		return prose.Muted
	}
	slowTone := func(r R) prose.Tone {
		if c := of(r); c != nil && traffic.IsSlow(c.P95) {
			return prose.Warning
		}
		return prose.Muted
	}
	return []widget.Column[R]{
		{Title: "calls", Least: len("calls"), Spare: true, Right: true, NotSearched: true, Text: func(r R) string {
			if c := of(r); c != nil {
				return fmt.Sprint(c.Calls)
			}
			if b.Sandbox.Runs() {
				return "-"
			}
			return ""
		}, Tone: func(R) prose.Tone { return prose.Muted }},
		{
			Title: "failed", Least: len("failed"), Spare: true, Right: true, NotSearched: true,
			Text: text(func(c *traffic.Counts) string { return fmt.Sprint(c.Failed) }), Tone: failedTone,
		},
		{
			Title: "p95", Least: len("4.5 ms"), Rank: 2, Right: true, NotSearched: true,
			Text: text(func(c *traffic.Counts) string { return clock.Took(c.P95) }), Tone: slowTone,
		},
		{
			Title: "over time", Least: sparkW, Rank: 3, NotSearched: true,
			Text: text(func(c *traffic.Counts) string { return layout.Pad(Sparkline(c, sparkW), sparkW) }), Tone: failedTone,
		},
	}
}

// CountSorts are the orders by the calls of a row.
func CountSorts[R any](of func(R) *traffic.Counts) []widget.Sort[R] {
	by := func(value func(*traffic.Counts) int64) func(a, b R) int {
		at := func(r R) int64 {
			if c := of(r); c != nil {
				return value(c)
			}
			return -1
		}
		return func(a, b R) int {
			switch x, y := at(a), at(b); {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		}
	}
	return []widget.Sort[R]{
		{Name: "failures", Compare: by(func(c *traffic.Counts) int64 { return int64(c.Failed) })},
		{Name: "p95", Compare: by(func(c *traffic.Counts) int64 { return int64(c.P95 / time.Microsecond) })},
	}
}
