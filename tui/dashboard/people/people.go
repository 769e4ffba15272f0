// Package people is the tab of the dashboard with the users and groups of an environment's user pool, which
// it reads and changes through the running sandbox, in the state that a sandbox keeps, or in AWS.
package people

import (
	"cmp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/dashboard/ask"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// Tab shows the users and the groups.
type Tab struct {
	board.Listing[*row]
	board     *board.Board
	questions *ask.Questions
	// source is where the users are; polled is the same for the watch, which runs outside
	// Update.
	source source
	polled atomic.Pointer[source]
	// here is where the users of the sandbox are, also while those in AWS are shown.
	here source
	// seen is what was read last; nil before the first time.
	seen *reading
	// looking says that the users are being read, again that they have to be read once more, further
	// that the next ones in AWS are wanted then.
	looking, again, further bool
	// mu lets one command at a time open the state.
	mu *sync.Mutex
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b, questions: ask.New(b), mu: new(sync.Mutex)}
	t.TabName, t.Describe, t.Beside = "People", t.describe, t.beside
	t.Called = func(r *row) string { return r.name }
	muted := func(*row) prose.Tone { return prose.Muted }
	byName := func(a, b *row) int { return strings.Compare(a.sortName, b.sortName) }
	t.List = widget.Table[*row]{
		Framed: true,
		Sum:    t.sumOf,
		Columns: []widget.Column[*row]{
			{
				Title: "name", Least: 12, Enough: 18, Most: 48, Text: func(r *row) string { return "  " + r.name },
				Tone: func(*row) prose.Tone { return prose.Strong },
			},
			{Title: "groups", Least: 8, Enough: 14, Most: 40, Text: func(r *row) string { return r.groups }},
			{
				Title: "state", Least: len("confirmed"), Enough: 14, Text: func(r *row) string { return r.state },
				Tone: func(r *row) prose.Tone { return r.tone },
			},
			{Title: "address", Least: 10, Most: 48, Rank: 1, Text: func(r *row) string { return r.address }, Tone: muted},
			{
				Title: "changed " + clock.Zone(time.Now()), Least: len("2006-01-02 15:04"), Rank: 2,
				Text: func(r *row) string { return r.changed }, Tone: muted,
			},
			{Title: "created", Least: len("2006-01-02"), Rank: 3, Text: func(r *row) string { return r.created }, Tone: muted},
		},
		ID:    func(r *row) string { return r.id },
		Words: (*row).words,
		Level: widget.Below(func(r *row) bool { return r.kind == headRow }),
		Whole: (*row).whole,
		Sorts: []widget.Sort[*row]{
			{Name: "name"},
			{Name: "acting group", Compare: func(a, b *row) int { return cmp.Or(cmp.Compare(a.rank, b.rank), byName(a, b)) }},
			{Name: "state", Compare: func(a, b *row) int { return cmp.Or(strings.Compare(a.state, b.state), byName(a, b)) }},
			{Name: "last change", Compare: func(a, b *row) int { return cmp.Or(b.modified.Compare(a.modified), byName(a, b)) }},
		},
		Empty: t.nobody,
	}
	return t
}

// Read finds the pool of the shown environment. Its users are read when the tab is in front,
// or when a sandbox serves them.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd {
	s := sourceOf(r.Snapshot, t.board.ReadOnly() == "", t.mu)
	return func() tea.Cmd {
		t.here = s
		return t.board.Follows(t.source.cloud, func() tea.Cmd { return tea.Batch(t.from(s), t.lookIfShown()) }, t.takeCloud)
	}
}

// from shows the users of a source once they are read.
func (t *Tab) from(s source) tea.Cmd {
	// What is asked of AWS again stays in view until the answer is there.
	if again := t.source; !again.samePool(s) &&
		!(again.cloud != nil && s.cloud != nil && again.environment == s.environment) {
		t.seen = nil
	}
	t.source = s
	t.polled.Store(&s)
	t.layOut()
	return nil
}

// Observe reads the users again when a sandbox has started or ended. Those of a running
// sandbox are read before the tab was ever opened, so that the palette finds them; the state
// of one that does not run is left alone until then.
func (t *Tab) Observe(o *board.Observed) func() tea.Cmd {
	return func() tea.Cmd {
		switch {
		case t.board.Snap == nil || t.looking || t.source.cloud != nil:
			return nil
		case o.Runs() && (t.seen == nil || !t.seen.running):
			return t.look()
		case t.seen == nil || t.seen.running == o.Runs():
			return nil
		}
		return t.lookIfShown()
	}
}

// Front reads the users when the tab is opened.
func (t *Tab) Front() tea.Cmd {
	if t.board.Snap == nil || t.source.cloud != nil {
		return nil
	}
	return t.look()
}

func (t *Tab) lookIfShown() tea.Cmd {
	if !t.board.IsInFront(t) || t.source.cloud != nil {
		return nil
	}
	return t.look()
}

// look reads the users outside Update, and shows them.
func (t *Tab) look() tea.Cmd {
	if t.looking {
		t.again = true
		return nil
	}
	return t.lookFor(false)
}

// lookFor reads the users; with more, those in AWS that come next.
func (t *Tab) lookFor(more bool) tea.Cmd {
	t.looking = true
	from, before := t.source, t.seen
	return func() tea.Msg {
		var seen *reading
		if from.cloud != nil {
			seen = from.readCloud(before, more)
		} else {
			seen = from.read()
		}
		seen.rows = rowsOf(seen)
		return frame.ThenMsg(func() tea.Cmd { return t.take(seen) })
	}
}

// take shows what was read, unless it is of another pool than the shown one.
func (t *Tab) take(seen *reading) tea.Cmd {
	t.looking = false
	var viewer tea.Cmd
	if seen.of.samePool(t.source) {
		t.seen = seen
		t.layOut()
		viewer = t.renewViewer()
	} else {
		t.again = true
	}
	if t.again {
		t.again = false
		return tea.Batch(viewer, t.look())
	}
	if t.further = t.further && t.seen != nil && t.seen.next != ""; t.further {
		t.further = false
		return tea.Batch(viewer, t.lookFor(true))
	}
	return viewer
}

// Watches look whether the file of the users has changed, while the tab is shown: commands,
// sign-ups and sign-ins change it.
func (t *Tab) Watches() []frame.Watch {
	const pace = 2 * time.Second
	before := ""
	return []frame.Watch{{Every: pace, Poll: func() tea.Msg {
		s := t.polled.Load()
		if s == nil || s.cloud != nil || !t.board.IsInFront(t) {
			return nil
		}
		now := s.fingerprint()
		if now == before {
			return nil
		}
		before = now
		return frame.ThenMsg(func() tea.Cmd {
			if t.seen != nil && t.seen.print == now && t.seen.of.samePool(t.source) {
				return nil
			}
			return t.look()
		})
	}}}
}

// layOut shows the rows of the last reading.
func (t *Tab) layOut() {
	if t.seen == nil {
		t.List.SetRows(nil)
		return
	}
	t.List.SetRows(t.seen.rows)
}

// Show moves the cursor to the row of a user.
func (t *Tab) Show(of model.Ref) bool {
	return of.Kind == userKind && t.List.Show(userID(of.Name))
}

// userKind is the kind of users in references.
const userKind = "user"
