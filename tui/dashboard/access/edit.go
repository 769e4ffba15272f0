package access

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	editor "gatewright/flow/matrix"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/outside"
)

// edit opens the matrix of a path, with what waits already. What is changed there waits until
// all of it is reviewed, or is reviewed at once. open, which may be nil, is the same of files that
// somebody else has changed.
func (t *Tab) edit(r *row, open dialog.Dialog) tea.Cmd {
	b, api, path := t.board.Snap.Backend, r.api, r.Path
	if open != nil {
		now, err := b.Edit(t.staged().apply)
		if err != nil || now.API(api.Label) == nil || now.API(api.Label).Path(path.Name) == nil {
			return nil
		}
		api = now.API(api.Label)
		path = api.Path(path.Name)
	}
	label := api.Label
	pool := b.Groups
	p, waits := t.staged().of(label, path.Name)
	if !waits {
		p = stagedPath{api: label, path: path.Name, was: path.Access}
		if api := b.API(label); api != nil && api.Path(path.Name) != nil {
			p.was = api.Path(path.Name).Access
		}
		p.to = editor.Matrix{Path: path.Name, Access: p.was}
	}
	p.to.Before, p.to.Groups, p.to.Made = &p.was, t.staged().order(b.Groups), t.staged().made
	p.to.Terms, p.to.CreateNote = b.Terms(), b.CreateNote(path.Function)
	p.to.GuestsOff = b.Defines(model.KindAuth) && !b.Auth.GuestsEnabled()
	if !b.Defines(model.KindGroup) {
		p.to.Fixed = "the Amplify CLI manages the groups of this project: " + b.Command("gatewright add group NAME")
	}
	near := flow.Nearest(api.Paths, path.Name, path.Name, flow.NearPaths)
	around := func(m editor.Matrix) editor.Matrix { return m.WithNeighbours(path, near) }
	keep := func(m editor.Matrix) tea.Cmd {
		p.to = m
		return t.keep(t.staged().with(p, pool))
	}
	goTo := func(by int) func(editor.Matrix) tea.Cmd {
		return func(m editor.Matrix) tea.Cmd { return tea.Batch(keep(m), t.edit(t.beside(r, by), nil)) }
	}
	d := dialog.Access("Who may do what under "+path.Name+"?", p.to, t.board.Viewer(), around, dialog.AccessThen{
		Keep:   keep,
		Review: func(m editor.Matrix) tea.Cmd { return tea.Batch(keep(m), t.review()) },
		Next:   goTo(1), Prior: goTo(-1),
	})
	m := t.merging.Again()
	d = dialog.Laid(d, open, func(of, now, began editor.Matrix) editor.Matrix { return of.Onto(now, began, m) })
	if conflict := m.Err(); conflict != nil {
		return outside.Ask(conflict, t.board.RenewReview, nil)
	}
	return t.board.Open(d, func() tea.Cmd { return t.edit(r, d) })
}

// beside moves the cursor to the next path after a row that can be edited, or before it; that is
// the row itself if there is none.
func (t *Tab) beside(r *row, by int) *row {
	for {
		before, _ := t.List.Row()
		t.List.Move(by)
		next, ok := t.List.Row()
		switch {
		case !ok || next == before:
			t.List.To(r.id)
			return r
		case next.Path != nil && !next.gone:
			return next
		}
	}
}

// staged is what waits for review.
func (t *Tab) staged() stage { return t.stages[t.now] }

// keep makes what waits another, which can be taken back, and shows it.
func (t *Tab) keep(next stage) tea.Cmd {
	if next.done == "" {
		return nil
	}
	t.stages = append(t.stages[:t.now+1:t.now+1], next)
	t.now++
	return tea.Batch(t.lay(), frame.Say(frame.Info, "staged, not written: %s", prose.Printable(next.done)))
}

// lay lays what waits, and what waited before, on the files as they were read last. What both
// changed is asked first.
func (t *Tab) lay() tea.Cmd {
	next := make([]stage, len(t.stages))
	m := t.merging.Again()
	for i, s := range t.stages {
		of := t.merging.Again()
		if i == t.now {
			of = m
		}
		next[i] = s.onto(t.board.Snap.Backend, of)
	}
	if open := m.Err(); open != nil {
		return tea.Batch(t.show(), outside.Ask(open, func() tea.Cmd {
			return tea.Sequence(t.lay(), t.board.RenewReview())
		}, nil))
	}
	t.stages = next
	return t.show()
}

// forget drops what waits.
func (t *Tab) forget() tea.Cmd {
	t.stages, t.now = []stage{{}}, 0
	return t.show()
}

// travel takes the last edit back, or does it again.
func (t *Tab) travel(by int) tea.Cmd {
	words, edit := "did again: ", t.stages[t.now+max(0, by)]
	if by < 0 {
		words = "took back: "
	}
	t.now += by
	return tea.Batch(t.show(), frame.Say(frame.Info, "%s%s", words, prose.Printable(edit.done)))
}

// stageKeys are the keys of what waits: there are none if nothing was edited.
func (t *Tab) stageKeys() []keys.Binding {
	if len(t.stages) == 1 {
		return nil
	}
	nothing := keys.When(t.staged().empty(), "nothing is staged")
	all := []keys.Binding{
		keys.Save.Does(strings.TrimSpace("review "+t.staged().what()),
			"show what the staged edits open and close, with a diff of the files; then write them",
			t.review).Shown().Unless(nothing),
	}
	if t.now > 0 {
		all = append(all,
			keys.Undo.Does("undo", "undo the last staged edit: "+t.staged().done,
				func() tea.Cmd { return t.travel(-1) }).Shown())
	}
	if t.now+1 < len(t.stages) {
		all = append(all,
			keys.Redo.Does("redo", "redo the edit that was undone", func() tea.Cmd { return t.travel(1) }))
	}
	if !t.staged().empty() && !t.List.Filtering() {
		all = append(all, keys.Back.Does("drop", "drop the staged edits; asks first", t.askToForget).Shown())
	}
	return all
}

func (t *Tab) askToForget() tea.Cmd {
	text := fmt.Sprintf("The edits of %s are not written. Dropping them leaves the files as they are.", t.staged().what())
	return frame.Open(dialog.Confirm("Drop the staged edits?", text,
		dialog.Button{Label: "Keep them", Cancel: true}, dialog.Button{Label: "Drop", Do: t.forget}))
}

// Unwritten says what would be lost with the page; "" for nothing.
func (t *Tab) Unwritten() string {
	if t.staged().empty() {
		return ""
	}
	return "staged access is not written"
}

// review shows what the edits open and close in words, and the difference of the files, and
// writes them after a yes.
func (t *Tab) review() tea.Cmd {
	waiting := t.staged()
	if waiting.empty() {
		return frame.Say(frame.Info, "nothing is staged")
	}
	done := "changed the access of " + waiting.what()
	switch {
	case len(waiting.paths) == 0:
		done = "changed the groups"
	case len(waiting.paths) == 1 && waiting.groups == nil:
		done = "changed the access of path " + phrase.Quote(waiting.paths[0].path) + " of the API " +
			phrase.Quote(waiting.paths[0].api)
	}
	return t.board.Review(board.Reviewed{
		Title: "Write this?", Yes: "Write", Done: done,
		Plan: func(current *project.Project) (*plan.Plan, []prose.Line, error) {
			m := t.merging.Again()
			laid := waiting.onto(current.Backend, m)
			if open := m.Err(); open != nil {
				return nil, nil, open
			}
			next, err := current.Backend.Edit(laid.apply)
			if err != nil {
				return nil, nil, err
			}
			plan, err := plan.Of(current, next)
			if err != nil {
				return nil, nil, err
			}
			found, complete := access.Compare(current.Backend.Gate(), next.Gate())
			return plan, board.AccessLines(found, !complete, len(next.APIs)), nil
		},
		Written: func() tea.Cmd {
			t.stages, t.now = []stage{{}}, 0
			return nil
		},
	})
}
