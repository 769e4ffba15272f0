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
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// Tab shows what happens.
type Tab struct {
	board.Listing[row]
	board *board.Board
	// unfolded are the resources that were unfolded, and stay it when the project is
	// read again. differences are those of this reading, nil while one is made.
	unfolded    map[model.Ref]bool
	differences map[model.Ref][]prose.Line
	// own is what this program's sandbox and its pushes told, logged what the logs of
	// a sandbox tell: the oldest first.
	own, logged []happening
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
	t := &Tab{board: b, unfolded: make(map[model.Ref]bool)}
	t.Called, t.Told = "Activity", row.told
	operationW := len("= No change")
	t.List = widget.Table[row]{
		Columns: []widget.Column[row]{
			{Least: operationW, Text: func(r row) string { return layout.Pad(operation(r.resource).Text, operationW) }, Tone: func(r row) prose.Tone { return operation(r.resource).Tone }},
			{Least: 1, Text: func(r row) string { return r.line.Text }, Tone: func(row) prose.Tone { return prose.Strong }},
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

// Title has how many resources a push would change.
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

// Observe shows what a sandbox says, and says the codes that are new to whoever looks
// at the screens, whatever tab or page that is.
func (t *Tab) Observe(o *board.Observed) func() tea.Cmd {
	logged := feedOf(o.Lines)
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
	rows := slices.Concat(t.statusRows(), []row{above}, pushes, []row{box})
	for _, h := range merged(t.own, t.logged) {
		rows = append(rows, h.row())
	}
	t.List.SetRows(rows)
}

// head is the line above a part.
func head(name, text string, more ...prose.Line) row {
	return row{id: "head\x00" + name, line: prose.Line{Tone: prose.Title, Text: text}, words: name, said: append([]prose.Line{{Text: text}}, more...)}
}

// told is what is to be said of a row.
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
	r, ok := t.List.Row()
	return append(t.opening(r, ok),
		widget.Push.Does("push", "push the environment; shows first what that would do", t.preparePush).Shown().Unless(t.noPush()),
		t.startOrEnd(),
		widget.Follow.Does("follow", "go to the last row and stay on it as more come", t.List.Follow).
			Shown().Unless(widget.When(len(t.own)+len(t.logged) == 0, "nothing has happened in a sandbox yet")),
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
	case t.unfolded[r.resource.Of]:
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
	t.unfolded[r.Of] = !t.unfolded[r.Of]
	t.layOut()
	t.List.To(r.Of.String())
	return t.compare()
}

// compare makes the differences of what is unfolded and has none yet, away from Update.
// Those of an earlier reading come to nothing: the next one has a map of its own.
func (t *Tab) compare() tea.Cmd {
	var cmds []tea.Cmd
	s, differences := &t.board.Snap.Status, t.differences
	for i := range s.Resources {
		if r := &s.Resources[i]; t.unfolded[r.Of] && differences[r.Of] == nil {
			cmds = append(cmds, func() tea.Msg {
				lines := differenceOf(r, s.Deployed == nil)
				return frame.ThenMsg(widget.NoCmd(func() {
					differences[r.Of] = lines
					t.layOut()
				}))
			})
		}
	}
	return tea.Batch(cmds...)
}
