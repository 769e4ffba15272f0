// Package tables is the tab of the dashboard with the tables and their items, which it reads
// and writes through the running sandbox, in the files that a sandbox keeps, or in AWS.
package tables

import (
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// Tab shows the tables, and the items of those that are unfolded.
type Tab struct {
	board.Listing[row]
	board *board.Board
	set   tableSet
	// here are the tables of the sandbox, also while those in AWS are shown.
	here tableSet
	// opened are the unfolded tables by deployed name; they stay when files are
	// read again.
	opened map[string]*openTable
	// counts are the last item counts of the sandbox.
	counts itemCounts
	// counted are the tables whose items Watches count; nil for none.
	counted atomic.Pointer[tableSet]
	// stale says that a job writes items: they are fetched again when it has ended.
	stale bool
	mu    sync.Mutex
}

// openTable is an unfolded table.
type openTable struct {
	at       itemSource
	items    []*shownItem
	next     json.RawMessage
	count    int64
	read     bool
	fetching bool
	// again says that items changed while they were fetched.
	again   bool
	problem string
	search  search
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b}
	t.TabName, t.Describe, t.Beside = "Tables", t.describe, t.beside
	t.Called = t.called
	const whole = 20
	t.List = widget.Table[row]{
		Framed:  true,
		Exactly: true,
		Sum:     t.sumOf,
		Columns: []widget.Column[row]{
			{
				Title: "table", Least: 12, Text: func(r row) string { return r.of.name },
				Tone: func(row) prose.Tone { return prose.Strong },
			},
			{Title: "items", Least: whole, Right: true, Text: func(r row) string { return t.items(r.of) }},
			{Title: "key", Least: 12, Text: func(r row) string { return r.of.key }},
			{Title: "indexes", Least: whole, Right: true, Text: func(r row) string { return r.of.indexCount() }},
		},
		ID: row.id, Words: row.words, Whole: row.whole,
		Level: row.level, NoFold: true, Moved: t.moved, Looked: t.looked,
		Empty: func() string { return t.board.Nothing("table", "gatewright add table NAME --partition-key id:string") },
	}
	return t
}

// items is how many items a table has, as far as that is known.
func (t *Tab) items(f *shownTable) string {
	if n, ok := t.counts.of[f.table.Name]; ok {
		return fmt.Sprint(n)
	}
	if o := t.opened[f.table.Name]; o != nil && o.read && o.problem == "" {
		return o.about(fmt.Sprint(o.count))
	}
	return "?"
}

// Read reads the tables.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd {
	set := tablesOf(r.Snapshot)
	return func() tea.Cmd {
		t.here = set
		return t.board.Follows(t.set.cloud, func() tea.Cmd { return t.take(set) }, t.takeCloud)
	}
}

func (t *Tab) take(set tableSet) tea.Cmd {
	if t.opened == nil || t.set.environment != set.environment || (t.set.cloud == nil) != (set.cloud == nil) {
		t.opened, t.counts = make(map[string]*openTable), itemCounts{}
	}
	anew := t.set.cloud != set.cloud
	t.set = set
	ended := t.board.Job.Running() == ""
	var cmds []tea.Cmd
	known := make(map[string]*openTable)
	for _, f := range t.set.tables {
		if o := t.opened[f.table.Name]; o != nil {
			known[f.table.Name], o.at = o, t.source(f)
			if set.cloud == nil && t.board.Sandbox.Runs() || set.cloud != nil && anew || t.stale && ended {
				cmds = append(cmds, t.fetch(o, true))
			}
		}
	}
	t.opened, t.stale = known, t.stale && !ended
	t.layOut()
	return tea.Batch(append(cmds, t.count())...)
}

// Observe counts the items while a sandbox runs.
func (t *Tab) Observe(*board.Observed) func() tea.Cmd {
	return func() tea.Cmd {
		if !t.board.Sandbox.Runs() {
			t.counts = itemCounts{}
			t.layOut()
		}
		if t.board.Sandbox.Runs() && t.counted.Load() != nil {
			return nil // the watch counts
		}
		return t.count()
	}
}

// count asks a running sandbox how many items the tables have.
func (t *Tab) count() tea.Cmd {
	t.counted.Store(nil)
	if !t.board.Sandbox.Runs() || len(t.set.tables) == 0 || t.set.noItems != "" || t.set.cloud != nil {
		return nil
	}
	set := t.set
	t.counted.Store(&set)
	return func() tea.Msg { return t.takeCounts(set.count()) }
}

// Show moves the cursor to a table.
func (t *Tab) Show(of model.Ref) bool {
	for _, shown := range t.set.tables {
		if of.Kind == model.KindTable && shown.table.Definition.Name == of.Name {
			return t.List.Show(shown.table.Name)
		}
	}
	return false
}

// Watches count the items, which other programs may write.
func (t *Tab) Watches() []frame.Watch {
	const pace = 2 * time.Second
	var before itemCounts
	return []frame.Watch{{Every: pace, Poll: func() tea.Msg {
		set := t.counted.Load()
		if set == nil {
			return nil
		}
		now := set.count()
		if now.trouble == before.trouble && maps.Equal(now.of, before.of) {
			return nil
		}
		before = now
		return t.takeCounts(now)
	}}}
}

// source is where the items of a table are.
func (t *Tab) source(f *shownTable) itemSource {
	return itemSource{
		root: f.root, environment: f.environment, table: f.table, mayOpen: t.board.ReadOnly() == "",
		mu: &t.mu, cloud: f.cloud,
	}
}

// fetchMore fetches more items when the cursor is below the last one.
func (t *Tab) fetchMore() tea.Cmd {
	if r, ok := t.List.Row(); ok && r.more {
		return t.fetch(r.open, false)
	}
	return nil
}

// unfold shows the items of a table, or hides them.
func (t *Tab) unfold(f *shownTable) tea.Cmd {
	name := f.table.Name
	var fetch tea.Cmd
	if t.opened[name] != nil {
		delete(t.opened, name)
	} else {
		t.opened[name] = &openTable{at: t.source(f)}
		fetch = t.fetch(t.opened[name], true)
	}
	t.layOut()
	t.List.To(name)
	return fetch
}

// takeItems shows the fetched items of a table, unless it was folded meanwhile.
func (t *Tab) takeItems(o *openTable, items []*shownItem, next json.RawMessage, count int64, err error) tea.Cmd {
	if t.opened[o.at.table.Name] != o {
		return nil
	}
	o.fetching, o.read, o.problem = false, true, ""
	if err == nil {
		if o.at.cloud != nil {
			// DynamoDB counts the items of a table about every six hours.
			count = max(count, int64(len(items)))
			if next == nil {
				count = int64(len(items))
			}
		}
		o.items, o.next, o.count = items, next, count
	} else {
		o.problem = prose.PrintableStart(err.Error())
	}
	t.layOut()
	if o.again {
		o.again = false
		return t.fetch(o, true)
	}
	return t.moved()
}

// takeCounts keeps what the sandbox counted, and fetches the items of a table that
// has more or fewer than before.
func (t *Tab) takeCounts(now itemCounts) frame.ThenMsg {
	return func() tea.Cmd {
		if now.environment != t.set.environment || !t.board.Sandbox.Runs() || t.set.cloud != nil {
			return nil
		}
		t.counts = now
		t.layOut()
		var cmds []tea.Cmd
		for name, o := range t.opened {
			if n, ok := now.of[name]; ok && o.read && (n != o.count || o.problem != "") {
				cmds = append(cmds, t.fetch(o, true))
			}
		}
		return tea.Batch(cmds...)
	}
}
