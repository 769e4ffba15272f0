// Package activity is the tab of the dashboard with what a push would do to each resource and why, the last
// push of each environment, and the events of the sandbox. It pushes, and starts and ends the sandbox.
package activity

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/project/status"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// Tab shows what a push would do, the last pushes, and the events of the sandbox.
type Tab struct {
	board.Listing[row]
	board *board.Board
	// unfolded are the unfolded resources; they stay so when the project is read again.
	// differences are their file differences in this reading, nil while one is made.
	unfolded    map[model.Ref]bool
	differences map[model.Ref][]prose.Line
	// own are the entries of this program's sandbox and pushes, logged those from the logs of
	// a sandbox: the oldest first.
	own, logged []entry
	// codesShown is the time up to which codes were shown in the status line; zero before the
	// sandbox was first asked.
	codesShown time.Time
	// cloud is the push to AWS that is prepared, goes on, or has failed; nil for none.
	cloud *cloudPush
	// live is the sandbox that this program runs; nil for none.
	live *liveSandbox
	// pushesAsked counts the pushes that were asked for: the preview of any but the last is
	// dropped.
	pushesAsked int
}

// row is a line of the tab.
type row struct {
	id string
	// level is 0 for headings and resources, 1 for what stands below one.
	level int
	// line is the text, before what is drawn in front of it.
	before string
	line   prose.Line
	// resource is the resource that the row belongs to, nil for none; named marks the row of
	// the resource itself.
	resource *status.Resource
	named    bool
	// words are more words for the filter.
	words string
	// title is the title of the details; "" for a resource, and for nothing in particular.
	title string
	// detail is the details, copied is what is copied; empty if that is the line.
	detail []prose.Line
	copied string
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b, unfolded: make(map[model.Ref]bool)}
	t.TabName, t.TabRoom, t.Describe = "Activity", len(" (9)"), row.describe
	operationW := len("= No change")
	t.Called = row.called
	t.List = widget.Table[row]{
		Framed: true,
		Sum:    sumOf,
		Columns: []widget.Column[row]{
			{
				Least: operationW, Text: func(r row) string { return layout.Pad(operation(r.resource).Text, operationW) },
				Tone: func(r row) prose.Tone { return operation(r.resource).Tone },
			},
			{Least: 1, Text: func(r row) string { return r.line.Text }, Tone: row.tone},
		},
		Whole: func(r row) (prose.Line, bool) {
			return prose.Line{Tone: r.line.Tone, Text: r.before + r.line.Text}, !r.named
		},
		ID:      func(r row) string { return r.id },
		Words:   func(r row) string { return r.words },
		Level:   func(r row) int { return r.level },
		Heading: func() prose.Line { return prose.Line{Text: t.summary()} },
		NoFold:  true,
	}
	return t
}

// Title counts the resources that a push would change.
func (t *Tab) Title() string {
	if n := t.changes(); n > 0 {
		return fmt.Sprintf("Activity (%d)", n)
	}
	return t.Name()
}

// Read shows what a push would do now, and the last pushes.
func (t *Tab) Read(*board.Reading) func() tea.Cmd {
	return func() tea.Cmd {
		t.differences = make(map[model.Ref][]prose.Line)
		t.layOut()
		return t.compare()
	}
}

// Observe shows the events of a sandbox, and new codes in the status line, on any tab or
// page.
func (t *Tab) Observe(o *board.Observed) func() tea.Cmd {
	logged := entriesOf(o.Lines)
	return func() tea.Cmd {
		t.logged = logged
		t.layOut()
		return t.sayNewCodes()
	}
}

// layOut makes the rows.
func (t *Tab) layOut() {
	if t.board.Snap == nil {
		return
	}
	pushes := pushRows(t.board.Snap.Environments)
	above, box := head("pushes", pushesText(pushes)), head("sandbox", t.sandboxState(), servedLines(t.board.Sandbox)...)
	rows := slices.Concat(t.cloud.rows(), t.accessRows(), t.statusRows(), []row{above}, pushes, []row{box})
	day := ""
	for _, h := range merge(t.own, t.logged) {
		if of := clock.DayInZone(h.at); of != day {
			day = of
			rows = append(rows,
				row{id: "day\x00" + day, title: day, level: 1, before: "  ", line: prose.Line{Tone: prose.Muted, Text: day}})
		}
		rows = append(rows, h.row())
	}
	t.List.SetRows(rows)
}

// head is the heading of a part.
func head(name, text string, more ...prose.Line) row {
	return row{
		id: "head\x00" + name, title: name, line: prose.Line{Tone: prose.Title, Text: text}, words: name,
		detail: append([]prose.Line{{Text: text}}, more...),
	}
}

// tone is the tone of the name of a resource: what does not change is quiet.
func (r row) tone() prose.Tone {
	if r.resource.Operation == diff.NoChange {
		return prose.Muted
	}
	return prose.Strong
}

// sumOf counts the resources.
func sumOf(rows []row) string {
	resources := 0
	for _, r := range rows {
		if r.named {
			resources++
		}
	}
	return phrase.Count(resources, "resource")
}

// called is the title of the details of a row.
func (r row) called() string {
	switch {
	case r.resource != nil:
		return prose.PrintableStart(r.resource.Of.String())
	case r.title != "":
		return r.title
	}
	return "Details"
}

// describe gives the details of a row.
func (r row) describe() []prose.Line {
	switch {
	case r.detail != nil:
		return r.detail
	case r.named:
		return []prose.Line{{Text: sentence(r.resource)}}
	}
	if r.resource != nil {
		return []prose.Line{r.line, {}, {Tone: prose.Muted, Text: sentence(r.resource)}}
	}
	return []prose.Line{r.line}
}

// Bindings are the keys of the selected row, of the push, and of the sandbox.
func (t *Tab) Bindings() []keys.Binding {
	r, ok := t.List.Row()
	all := append(t.opening(r, ok), t.Everywhere()...)
	all = append(all, t.cloudActions()...)
	return append(all,
		keys.Follow.Does("follow", "go to the last row and stay on it as more come in", t.List.Follow).
			Shown().Unless(keys.When(len(t.own)+len(t.logged) == 0, "nothing has happened in a sandbox yet")),
		board.Copy(cmp.Or(r.copied, r.line.Text)))
}

// Everywhere are the keys of the push and of the sandbox.
func (t *Tab) Everywhere() []keys.Binding {
	return []keys.Binding{
		keys.Push.Does("push", "push the environment; shows first what that would do",
			t.preparePush).Shown().Unless(t.whyNoPush()),
		t.startOrEnd(),
	}
}

// cloudActions are the actions on what goes on in AWS.
func (t *Tab) cloudActions() []keys.Binding {
	if s := t.board.Snap; s.Env == nil || !s.Env.InAWS() && t.cloud == nil {
		return nil
	}
	name := t.board.Snap.Name()
	return []keys.Binding{
		keys.Action("follow the push", "follow the push that is running in AWS, no matter who started it",
			func() tea.Cmd { return t.followCloud(name) }).
			Unless(t.board.ReadOnly(), keys.When(!t.board.Snap.Env.InAWS(), "the environment is not in AWS"),
				t.board.Job.Busy()),
		keys.Action("cancel the push", "undo the push that is running in AWS; asks first", t.askToCancel).
			Unless(t.board.ReadOnly(),
				keys.When(t.cloud == nil || t.cloud.cancel == nil, "no push is running that this program started or follows")),
	}
}

// opening are the keys that open a row: a resource unfolds, other rows show all their
// details.
func (t *Tab) opening(r row, there bool) []keys.Binding {
	if r.resource == nil && r.detail != nil {
		return []keys.Binding{t.board.ShowAll("activity", r.describe())}
	}
	label, about, why := "unfold", "show the diff of the files, and all reasons", ""
	switch {
	case !there:
		why = board.NoRow
	case r.resource == nil:
		why = "put the cursor on a resource"
	case t.unfolded[r.resource.Of]:
		label, about = "fold", "hide the diff of the files"
	}
	unfold := func() tea.Cmd { return t.unfold(r.resource) }
	return []keys.Binding{
		keys.Open.Does(label, about, unfold).Shown().Unless(why),
		keys.Fold.Does(label, about, unfold).Unless(why),
	}
}

// unfold unfolds a resource, or folds it again.
func (t *Tab) unfold(r *status.Resource) tea.Cmd {
	t.unfolded[r.Of] = !t.unfolded[r.Of]
	t.layOut()
	t.List.To(r.Of.String())
	return t.compare()
}

// compare makes the missing differences of unfolded resources, outside Update. Those of an
// earlier reading are lost: each reading has its own map.
func (t *Tab) compare() tea.Cmd {
	var cmds []tea.Cmd
	s, differences := &t.board.Snap.Status, t.differences
	for i := range s.Resources {
		if r := &s.Resources[i]; t.unfolded[r.Of] && differences[r.Of] == nil {
			cmds = append(cmds, func() tea.Msg {
				lines := s.FileDifference(r.Of)
				return frame.ThenMsg(keys.NoCmd(func() {
					differences[r.Of] = lines
					t.layOut()
				}))
			})
		}
	}
	return tea.Batch(cmds...)
}
