// Package requests is the tab of the dashboard with each call that the sandbox answers, as it comes: who
// called, what was answered, and why. It sends a request again, takes it to the console, and keeps its event.
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
	// all are the calls in the list, the newest first, waiting those that came while it was held
	// still, the newest last: both of all environments.
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
	// walked is the part of a call that is walked, marked the call that others are compared with; nil
	// for none.
	walked *walked
	marked *row
	// showing says that the log of a call is open.
	showing bool
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b}
	t.TabName, t.TabShort, t.Describe, t.Beside = "Requests", "Reqs", t.describe, t.beside
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
		return "no sandbox is running: s starts one, which shows its requests here; or run: gatewright sandbox"
	case !o.Runs():
		return "no sandbox is running; start one, which shows its requests here, with: gatewright sandbox"
	case !t.read:
		return "reading the requests ..."
	}
	return "no request yet: c opens the console to send one, or run: gatewright call GET /; requests of browsers and " +
		"tests show up too"
}

// Note says how many requests there were, and how many there are a second now.
func (t *Tab) Note() (line prose.Line, short string) {
	if line = t.board.SumLine(); line.Text == "" {
		return line, ""
	}
	short = line.Text
	if rate := t.board.Told.Rate(t.board.Wanted(), t.board.Now()); rate > 0 {
		line.Text += fmt.Sprintf(", %d/s", rate)
	}
	return line, short
}

// DetailsBelow is true: next to the list there is no room for its columns.
func (t *Tab) DetailsBelow() bool { return true }

// Read shows the calls of the environment that is shown now.
func (t *Tab) Read(*board.Reading) func() tea.Cmd {
	return func() tea.Cmd {
		t.show()
		return t.ask()
	}
}
