// Package requests is the tab of the dashboard with each call that the sandbox answers, as it
// comes: who called, what was answered, and why. It sends a request again, takes it to the
// console, and keeps its event.
package requests

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/widget"
)

// Tab shows the calls, the newest first.
type Tab struct {
	board.Listing[*row]
	board *board.Board
	// stream reads the calls of a sandbox; nil for none.
	stream *stream
	// all are the calls in the list, waiting those that came while it was held still: both
	// the newest first, of all environments.
	all, waiting []*row
	// read says that the calls that the sandbox kept before have come.
	read bool
	// filter numbers the texts of the filter.
	filter struct {
		text   string
		number int
	}
	// held says that a person holds the list still.
	held bool
	// shown is what is known of one call; asking says that the sandbox is asked.
	shown  *shown
	asking bool
	// showing says that the log of a call is open.
	showing bool
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b}
	t.TabName, t.TabShort, t.Describe = "Requests", "Reqs", t.describe
	t.Called = func(r *row) string { return r.called }
	muted := func(*row) prose.Tone { return prose.Muted }
	t.List = widget.Table[*row]{
		Framed: true,
		Columns: []widget.Column[*row]{
			{Title: "time " + clock.Zone(time.Now()), Rank: 1, Text: func(r *row) string { return r.time }, Tone: muted},
			{Title: "method", Text: func(r *row) string { return r.method }, Tone: muted, Draw: widget.Method},
			{Title: "path", Least: 12, Enough: 24, Most: 60, Middle: true, Text: func(r *row) string { return r.path }},
			{Title: "status", Right: true, Text: func(r *row) string { return r.outcome }, Tone: (*row).outcomeTone},
			{Title: "ms", Right: true, Text: func(r *row) string { return r.took }, Tone: (*row).tookTone},
			{Title: "who", Least: 5, Enough: 12, Most: 28, Text: func(r *row) string { return r.who }, Tone: muted},
			{Title: "function", Least: 6, Rank: 2, Most: 28, Text: func(r *row) string { return r.function }, Tone: muted},
			{Title: "", Least: 12, Rank: 3, Text: func(r *row) string { return r.note }, Tone: (*row).noteTone},
		},
		ID:    func(r *row) string { return r.id },
		Whole: (*row).whole,
		Sorts: []widget.Sort[*row]{
			{Name: "time"},
			{Name: "milliseconds", Compare: func(a, b *row) int { return cmp.Compare(b.call.Took, a.call.Took) }},
			{Name: "status", Compare: func(a, b *row) int { return cmp.Compare(b.call.Status, a.call.Status) }},
			{Name: "path", Compare: func(a, b *row) int { return strings.Compare(a.path, b.path) }},
		},
		Judge: t.judge,
		Lead:  t.state,
		Moved: t.moved,
		Empty: t.empty,
	}
	return t
}

// judge reads the filter.
func (t *Tab) judge(text string) (keep func(*row) bool, marks []string, note func() string) {
	f, err := traffic.ReadFilter(text)
	if err != nil {
		return nil, nil, err.Error
	}
	if text != t.filter.text {
		t.filter.text, t.filter.number = text, t.filter.number+1
	}
	number := t.filter.number
	return func(r *row) bool {
		// The rows come again with each batch of new ones.
		if r.judged != number && r.lost == 0 {
			r.judged, r.kept = number, f.MatchesTexts(&r.call, r.texts)
		}
		return r.kept
	}, f.Words(), f.Meant
}

// state says whether new calls come into the list.
func (t *Tab) state() prose.Line {
	if !t.board.Sandbox.Runs() {
		return prose.Line{Tone: prose.Warning, Text: "the sandbox has ended"}
	}
	switch n := t.unseen(); {
	case t.held:
		return prose.Line{Tone: prose.Note, Text: fmt.Sprintf("paused, %d new", n)}
	case !t.List.AtFirst() && n > 0:
		return prose.Line{Tone: prose.Note, Text: fmt.Sprintf("%d new above", n)}
	case !t.List.AtFirst():
		return prose.Line{Tone: prose.Muted, Text: "newest first"}
	}
	return prose.Line{Tone: prose.Muted, Text: "newest first, following"}
}

// unseen is how many calls wait for the list.
func (t *Tab) unseen() int {
	n := 0
	for _, r := range t.waiting {
		if t.isOf(r, t.board.Wanted()) {
			n++
		}
	}
	return n
}

// empty says how the first call comes.
func (t *Tab) empty() string {
	o := t.board.Sandbox
	switch {
	case o == nil:
		return "looking for a sandbox ..."
	case !o.Runs() && t.board.ReadOnly() == "":
		return "no sandbox runs, which answers requests and remembers them: s starts one here, or run: gatewright sandbox"
	case !o.Runs():
		return "no sandbox runs, which answers requests and remembers them; start one with: gatewright sandbox"
	case !t.read:
		return "reading the requests ..."
	}
	return "no request yet: c opens the console to send one, or run: gatewright call GET /; those of browsers and tests " +
		"are shown, too"
}

// Note says how many requests there are a second, and how many failed lately.
func (t *Tab) Note() (line prose.Line, short string) {
	o := t.board.Sandbox
	if !o.Runs() || o.Recent == nil || t.board.Snap == nil {
		return prose.Line{}, ""
	}
	perSecond, failed, ok := o.Recent.Rate(t.board.Snap.Name())
	if !ok {
		return prose.Line{}, ""
	}
	rate, share := fmt.Sprintf("%.1f", perSecond), fmt.Sprintf("%.0f", failed)
	if perSecond >= 10 || perSecond == 0 {
		rate = fmt.Sprintf("%.0f", perSecond)
	}
	if failed > 0 && failed < 1 {
		share = "<1"
	}
	tone := prose.Muted
	if failed > 0 {
		tone = prose.Bad
	}
	return prose.Line{Tone: tone, Text: rate + " calls a second now, " + share + " % failed in 5 min"},
		rate + "/s " + share + "% failed"
}

// DetailsBelow is true: beside the list there is no room for its columns.
func (t *Tab) DetailsBelow() bool { return true }

// Read shows the calls of the environment that is shown now.
func (t *Tab) Read(*board.Reading) func() tea.Cmd {
	return func() tea.Cmd {
		t.show()
		return t.ask()
	}
}

// Observe begins to read the calls of a sandbox.
func (t *Tab) Observe(*board.Observed) func() tea.Cmd {
	return func() tea.Cmd {
		if !t.board.Sandbox.Runs() || t.stream != nil || t.board.Snap == nil {
			return nil
		}
		t.stream = newStream(t.board.Snap.Root)
		return tea.Batch(t.stream.begin, t.listen(t.stream))
	}
}

// Ends is "": the tab runs nothing that a person has to know of.
func (t *Tab) Ends() string { return "" }

// Close ends the reading.
func (t *Tab) Close() {
	if t.stream != nil {
		t.stream.cancel()
	}
}
