// Package activity is the tab of the dashboard with what happens: what a push would do
// to each resource and why, the last push of each environment, and what a sandbox says
// as it comes. It pushes, and starts and ends the sandbox.
package activity

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// Tab shows what happens.
type Tab struct {
	board *board.Board
	table widget.Table[row]
	env   *board.Environment
	// reading counts the readings of the project: a difference of an earlier one is
	// dropped.
	reading int
	status  status
	pushes  []row
	// own is what this program's sandbox and its pushes told, logged what the logs of
	// a sandbox tell: the oldest first.
	own, logged []happening
	observed    *board.Observed
	// said is the time up to which codes were said in the status line; zero before
	// the sandbox was asked.
	said time.Time
	// live is the sandbox that this program runs; nil for none.
	live *live
	// asked counts the pushes that were looked into: an answer to an earlier one is
	// dropped.
	asked int
}

// row is a line of the tab.
type row struct {
	id string
	// level is 0 for what has others below it, or belongs to nothing.
	level int
	// line is what it says, before what stands before that.
	before string
	line   prose.Line
	// resource is what it belongs to, nil for none; named says that it is the
	// line of the resource itself.
	resource *project.ResourceStatus
	named    bool
	// words are found by the filter too.
	words string
	// said is what is to be said of it, copied what is copied; empty where that is its
	// line.
	said   []prose.Line
	copied string
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b, status: status{unfolded: make(map[model.Ref]bool)}}
	operationW := len("= No change")
	t.table = widget.Table[row]{
		Columns: []widget.Column[row]{
			{Least: operationW, Text: func(r row) string { return layout.Pad(operation(r.resource), operationW) }, Tone: func(r row) prose.Tone { return signs[r.resource.Operation].tone }},
			{Least: 1, Text: func(r row) string { return r.line.Text }, Tone: func(row) prose.Tone { return prose.Strong }},
		},
		Whole: func(r row) (prose.Line, bool) {
			return prose.Line{Tone: r.line.Tone, Text: r.before + r.line.Text}, !r.named
		},
		ID:      func(r row) string { return r.id },
		Words:   func(r row) string { return r.words },
		Level:   func(r row) int { return r.level },
		Heading: func() prose.Line { return prose.Line{Text: t.status.summary()} },
		NoFold:  true,
	}
	return t
}

// Name is what stands on the tab.
func (t *Tab) Name() string { return "Activity" }

// Title has how many resources a push would change.
func (t *Tab) Title() string {
	if n := t.status.changes(); n > 0 {
		return fmt.Sprintf("Activity (%d)", n)
	}
	return t.Name()
}

// Table is what is drawn and moved in.
func (t *Tab) Table() board.Table { return &t.table }

// Read shows what a push would do now, and the last pushes.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd {
	snap, pushes := r.Snapshot, pushRows(r.Environments)
	return func() tea.Cmd {
		t.reading++
		t.env, t.pushes = snap.Env, pushes
		t.status.take(snap)
		t.layOut()
		return t.compare()
	}
}

// Observe shows what a sandbox says, and says the codes that are new to whoever looks
// at the screens, whatever tab or page that is.
func (t *Tab) Observe(o *board.Observed) func() tea.Cmd {
	logged := feedOf(o.Lines)
	return func() tea.Cmd {
		t.observed, t.logged = o, logged
		t.layOut()
		return t.sayNewCodes()
	}
}

// Update takes the answers to the tab's commands.
func (t *Tab) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case comparedMsg:
		if msg.reading == t.reading {
			t.status.differences[msg.of] = msg.lines
			t.layOut()
		}
	case toldMsg:
		return t.takeTold(msg)
	case toPushMsg:
		if msg.asked == t.asked {
			return msg.then
		}
	}
	return nil
}

// layOut makes the rows.
func (t *Tab) layOut() {
	if t.reading == 0 {
		return
	}
	pushes, box := head("pushes", pushesText(t.pushes)), head("sandbox", t.sandboxState(), servedLines(t.observed)...)
	rows := slices.Concat(t.status.rows(), []row{pushes}, t.pushes, []row{box})
	for _, h := range merged(t.own, t.logged) {
		rows = append(rows, h.row())
	}
	t.table.SetRows(rows)
}

// head is the line above a part.
func head(name, text string, more ...prose.Line) row {
	return row{id: "head\x00" + name, line: prose.Line{Tone: prose.Title, Text: text}, words: name, said: append([]prose.Line{{Text: text}}, more...)}
}

// Detail is what is to be said of the row at hand.
func (t *Tab) Detail() []prose.Line {
	r, ok := t.table.Row()
	if !ok {
		return nil
	}
	return r.told()
}

func (r row) told() []prose.Line {
	switch {
	case r.said != nil:
		return r.said
	case r.named:
		return []prose.Line{{Text: sentence(r.resource)}}
	}
	return []prose.Line{r.line}
}

// Bindings are what can be done to the row at hand, and with the environment.
func (t *Tab) Bindings() []widget.Binding {
	r, ok := t.table.Row()
	return append(t.opening(r, ok),
		widget.Push.Does("push", "push the environment; shows first what that would do", t.preparePush).Shown().Unless(t.noPush()),
		t.startOrEnd(),
		widget.Follow.Does("follow", "go to the last row and stay on it as more come", t.table.Follow).
			Shown().Unless(board.When(len(t.own)+len(t.logged) == 0, "nothing has happened in a sandbox yet")),
		board.Copy(cmp.Or(r.copied, r.line.Text)))
}

// opening is what opens a row: a resource unfolds, of the others all is shown.
func (t *Tab) opening(r row, there bool) []widget.Binding {
	if r.resource == nil && r.said != nil {
		return []widget.Binding{board.ShowAll("activity", r.told()).Shown()}
	}
	label, about, why := "unfold", "show the difference of the files, and all reasons", ""
	switch {
	case !there:
		why = board.NoRow
	case r.resource == nil:
		why = "put the cursor on a resource"
	case t.status.unfolded[r.resource.Of]:
		label, about = "fold", "hide the difference of the files"
	}
	unfold := func() tea.Cmd { return t.unfold(r.resource) }
	return []widget.Binding{
		widget.Open.Does(label, about, unfold).Shown().Unless(why),
		widget.Fold.Does(label, about, unfold).Unless(why),
	}
}

// unfold shows all of a resource, or folds it again.
func (t *Tab) unfold(r *project.ResourceStatus) tea.Cmd {
	t.status.unfolded[r.Of] = !t.status.unfolded[r.Of]
	t.layOut()
	t.table.To(r.Of.String())
	return t.compare()
}

// comparedMsg is the difference of the files of a resource, as a reading had them.
type comparedMsg struct {
	reading int
	of      model.Ref
	lines   []prose.Line
}

// compare makes the differences of what is unfolded and has none yet, away from Update.
func (t *Tab) compare() tea.Cmd {
	var cmds []tea.Cmd
	reading, never := t.reading, t.status.Deployed == nil
	for i := range t.status.Resources {
		if r := &t.status.Resources[i]; t.status.unfolded[r.Of] && t.status.differences[r.Of] == nil {
			cmds = append(cmds, func() tea.Msg { return comparedMsg{reading, r.Of, differenceOf(r, never)} })
		}
	}
	return tea.Batch(cmds...)
}
