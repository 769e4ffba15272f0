// Package problems is the tab of the dashboard with what is wrong in the project: all that the
// command validate finds, and nothing else, with the place and what to do.
package problems

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/widget"
)

// Tab shows the problems.
type Tab struct {
	board.Listing[*row]
	board *board.Board
	// shown is nil until the project was validated.
	shown *found
	// folded are the groups that were folded when they appeared.
	folded map[string]bool
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b, folded: make(map[string]bool)}
	t.TabName, t.TabShort, t.Describe = "Problems", "Probs", t.describe
	t.Called = (*row).called
	t.List = widget.Table[*row]{
		Framed: true,
		Sum:    func([]*row) string { return briefly(t.shown.Report) },
		Columns: []widget.Column[*row]{
			board.MarkColumn("level", (*row).level),
			{Title: "problem", Least: 28, Enough: 40, Most: 88, Text: t.name},
			{
				Title: "place", Least: 16, Enough: 28, Most: 60, Middle: true, Text: func(r *row) string { return r.place },
				Tone: func(*row) prose.Tone { return prose.Muted },
			},
		},
		ID:    func(r *row) string { return r.id },
		Words: (*row).words,
		Level: widget.Below(func(r *row) bool { return r.head }),
		Empty: t.nothing,
	}
	return t
}

// Read has the project validated after the other tabs show what was read: with many paths that
// takes longer.
func (t *Tab) Read(*board.Reading) func() tea.Cmd { return t.check }

// check validates the project, if its files have changed, and shows what was found.
func (t *Tab) check() tea.Cmd {
	checker := t.board.Problems
	return func() tea.Msg {
		found := rowsOf(checker.Check())
		return frame.ThenMsg(func() tea.Cmd {
			t.show(&found)
			return frame.LookForNotice()
		})
	}
}

// show shows what was found, unless what is shown is newer. Groups are folded when they appear.
func (t *Tab) show(f *found) {
	if t.shown != nil && f.Number < t.shown.Number {
		return
	}
	t.shown = f
	for _, id := range f.groups {
		if !t.folded[id] {
			t.folded[id] = true
			t.List.Fold(id)
		}
	}
	t.List.SetRows(f.rows)
}

// name is the text of a row in the list: a group has a sign that says whether it is folded.
func (t *Tab) name(r *row) string {
	switch {
	case r.isGroup() && t.List.Folded(r.id):
		return "▸ " + r.text
	case r.isGroup():
		return "▾ " + r.text
	case r.head:
		return r.text
	}
	return "  " + r.text
}

// nothing is the text without rows.
func (t *Tab) nothing() string {
	switch {
	case t.shown == nil:
		return "validating the project ..."
	case t.shown.Err != nil:
		return "! cannot be validated: " + prose.PrintableStart(t.shown.Err.Error())
	}
	return "No problems: validate finds nothing."
}

// Detail gives the details of the selected row, or of the tab if there is no row.
func (t *Tab) Detail() []prose.Line {
	if r, ok := t.List.Row(); ok {
		return t.describe(r)
	}
	if t.shown == nil || t.shown.Err != nil {
		return nil
	}
	return []prose.Line{
		{Tone: prose.Muted, Text: t.checked()},
		{},
		{
			Tone: prose.Muted,
			Text: "The names, limits and regions that AWS accepts are checked by: gatewright validate --for aws",
		},
	}
}

// checked says when the project was validated.
func (t *Tab) checked() string {
	return "checked " + clock.Moment(t.shown.At) + "; no file has changed since"
}

// describe gives the details of a problem: what, what to do, where.
func (t *Tab) describe(r *row) []prose.Line {
	p := r.problem
	lines := []prose.Line{{
		Tone: tones[p.Level],
		Text: marks[p.Level] + " " + p.Level.String() + ": " + prose.PrintableStart(p.Text),
	}}
	say := func(tone prose.Tone, text string) {
		if text != "" {
			lines = append(lines, prose.Line{Tone: tone, Text: prose.PrintableStart(text)})
		}
	}
	if p.Fix != "" {
		say(prose.Plain, "to do: "+p.Fix)
	}
	if r.isGroup() {
		const most = 40
		for i, one := range r.of {
			if i == most {
				say(prose.Muted, fmt.Sprintf("and %d more", len(r.of)-most))
				break
			}
			say(prose.Muted, fmt.Sprintf("%d: %s", one.Line, one.Text))
		}
		say(prose.Muted, "in "+p.File)
	} else {
		where := p.Place()
		if p.Pointer != "" {
			where += " at " + p.Pointer
		}
		say(prose.Muted, where)
	}
	if p.Rule != "" {
		say(prose.Muted, "rule "+p.Rule)
	}
	say(prose.Muted, t.checked())
	return lines
}

// Bindings are the keys of a problem.
func (t *Tab) Bindings() []keys.Binding {
	r, ok := t.List.Row()
	if !ok {
		r = &row{}
	}
	none := keys.When(!ok, board.NoRow)
	line := 0
	noFile := "it is in no file"
	if ok && r.problem.File != "" {
		line, noFile = r.problem.Line, ""
	}
	return []keys.Binding{
		t.open(r).Unless(none).Shown(),
		keys.OpenFile.Does("open the line", "open the file in your editor, at the line of the problem", func() tea.Cmd {
			return t.board.EditFileAt(r.problem.File, line)
		}).Shown().Unless(t.board.NoEditor(), none, noFile),
		keys.Copy.Does("copy", "send the problem, as validate prints it, to the terminal's clipboard", func() tea.Cmd {
			return frame.Copy(r.line, "")
		}).Unless(none),
	}
}

// open is what enter does: it unfolds several of one rule, goes to the thing of a problem, or
// shows all of one that is about no thing with a row.
func (t *Tab) open(r *row) keys.Binding {
	switch {
	case r.isGroup():
		return keys.Open.Does("each", "show each problem of the rule, or only their number",
			func() tea.Cmd { return keys.Fold.Do(t.List.Bindings()) })
	case r.problem != nil && t.hasRow(r.thing):
		return keys.Open.Does("go to "+noun(r.thing), "go to what the problem is about",
			func() tea.Cmd { return t.board.GoTo(r.thing) })
	case r.problem != nil:
		return t.board.ShowAll(cmp.Or(r.place, r.problem.Level.String()), t.describe(r))
	}
	return keys.Open.Does("go to it", "go to what the problem is about", nil)
}

// noun is the kind of a thing in a word.
func noun(of model.Ref) string {
	switch {
	case of.Kind == model.KindAPI:
		return "API"
	case of.Kind == model.KindOutput && strings.HasPrefix(of.Name, "/"):
		return "line"
	}
	return string(of.Kind)
}

// hasRow reports whether a tab shows a thing: what could not be read is in no tab.
func (t *Tab) hasRow(of model.Ref) bool {
	b := t.board.Snap.Backend
	switch of.Kind {
	case model.KindPath:
		api := b.API(of.API)
		return api != nil && api.Path(of.Name) != nil
	case model.KindAPI, model.KindFunction, model.KindTable, model.KindGroup, model.KindEnvironment:
		return b.Known(of) == nil
	case model.KindOutput:
		return of.Name != ""
	case model.KindAuth, model.KindData, model.KindStorage:
		return true
	}
	return false
}
