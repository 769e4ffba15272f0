// Package definitions is the tab of the dashboard with the definitions behind auth, data and storage: every
// field, with its value in the environment and where that comes from.
package definitions

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/definition"
	"gatewright/project/plan"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/widget"
)

// Tab shows the definitions.
type Tab struct {
	board.Listing[*row]
	board *board.Board
	// problem is why a section cannot be shown; "" if all can.
	problem string
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b}
	t.TabName, t.TabShort, t.Describe = "Definitions", "Defs", t.describe
	t.Called = (*row).called
	t.List = widget.Table[*row]{
		Framed: true,
		Columns: []widget.Column[*row]{
			{Title: "field", Least: 28, Text: func(r *row) string { return r.name }, Tone: (*row).nameTone},
			{Title: "value", Least: 12, Most: 26, Text: func(r *row) string { return r.value }, Tone: (*row).valueTone},
			{Title: "from", Least: len("definition"), Text: func(r *row) string { return r.from }, Tone: (*row).fromTone},
		},
		ID: func(r *row) string { return r.id },
		Words: func(r *row) string {
			if r.is == fieldRow {
				return r.id + " " + definition.Meaning(r.kind, r.of.Field)
			}
			if r.is == triggerRow {
				return r.id + " " + momentMeanings[r.moment] + " " + r.value
			}
			return r.id
		},
		Level: widget.Below((*row).isHeading),
		Empty: func() string { return cmp.Or(t.problem, "there is nothing to define") },
	}
	return t
}

// Read finds where the values of the fields come from.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd {
	rows, problem := rowsOf(r.Snapshot)
	return func() tea.Cmd {
		t.problem = problem
		t.List.SetRows(rows)
		return nil
	}
}

// Show moves the cursor to a group or a field, or to the section of a field that is not known.
func (t *Tab) Show(of model.Ref) bool {
	switch of.Kind {
	case model.KindGroup:
		return t.List.Show("auth group " + of.Name)
	case model.KindAuth, model.KindData, model.KindStorage:
		return t.List.Show(string(of.Kind)+" "+of.Name) || t.List.Show(string(of.Kind))
	}
	return false
}

// Bindings are the keys of a field or a group.
func (t *Tab) Bindings() []keys.Binding {
	s := t.board.Snap
	fixed := t.board.ReadOnly()
	if !s.Layout.Defines(model.KindAuth) {
		fixed = "the Amplify CLI manages it: run amplify update auth"
	}
	add := keys.Add.Does("add group", "add a group to the user pool, last in the order", t.addGroup).Shown().Unless(fixed)
	r, ok := t.List.Row()
	if !ok {
		return []keys.Binding{add}
	}
	field, group, trigger := r.is == fieldRow, r.is == groupRow, r.is == triggerRow
	edit := func(b keys.Meaning) keys.Binding {
		return b.Does("edit", "change the value of the field, or the function of the trigger", func() tea.Cmd {
			if trigger {
				return t.editTrigger(r.moment)
			}
			return t.edit(r, "", nil, nil)
		}).Unless(fixed, keys.When(!field && !trigger, "put the cursor on a field or a trigger"),
			keys.When(r.of.Type == model.FreeField,
				"this object is set from a file: gatewright update data --model-introspection FILE"))
	}
	open := edit(keys.Open)
	if !field && !trigger || fixed != "" {
		open = t.board.ShowAll(strings.TrimSpace(r.name), t.describe(r))
	}
	move := func(b keys.Binding, end int) keys.Binding {
		return b.Shown().Unless(fixed, keys.When(!group, "put the cursor on a group"),
			keys.When(r.at == end, "it is at the end already"))
	}
	return []keys.Binding{
		open,
		edit(keys.Edit).Shown(),
		keys.Remove.Does("remove", "remove the value, the group or the trigger", func() tea.Cmd { return t.remove(r) }).
			Shown().Unless(fixed, keys.When(r.isHeading(), "put the cursor on a field, a group or a trigger"),
			keys.When(field, whyKept[r.of.From]),
			keys.When(trigger && r.from == notSet, whyKept[definition.Unset])),
		keys.Override.Does("override", "set another value for the shown environment",
			func() tea.Cmd { return t.edit(r, s.Env.Name, nil, nil) }).
			Shown().Unless(fixed, keys.When(!field, "put the cursor on a field of data or storage"),
			keys.When(r.kind == model.KindAuth, "an environment overrides only data and storage"),
			keys.When(r.of.Type == model.FreeField,
				"this object is set from a file: gatewright update data --env ENV --model-introspection FILE"),
			keys.When(s.Env == nil, project.ErrNoEnvironments.Error())),
		add,
		move(keys.MoveUp.Does("move up", "move the group up: users in several groups act as members of the first",
			func() tea.Cmd { return t.moveGroup(r, -1) }), 0),
		move(keys.MoveDown.Does("move down", "move the group down", func() tea.Cmd { return t.moveGroup(r, 1) }),
			len(s.Backend.Groups)-1),
		keys.OpenFile.Does("file", "open the file of the definition in your editor", func() tea.Cmd {
			return t.board.EditFile(s.Layout.File(model.Ref{Kind: r.kind}))
		}).Shown().
			Unless(t.board.NoEditor(), keys.When(!hasFile(r.kind, s.Backend), "the file does not exist yet: set a field")),
		board.Copy(r.copied()),
	}
}

// addGroup asks for the name of a group.
func (t *Tab) addGroup() tea.Cmd {
	return frame.Open(dialog.Input("Add a group to the user pool", "such as Editors", func(name string) error {
		_, err := t.board.Snap.Backend.Edit(func(next *model.Backend) error { return edit.AddGroup(next, name) })
		return err
	}, func(name string) tea.Cmd {
		return t.board.Change("added group "+prose.Printable(phrase.Quote(name)),
			func(b *model.Backend) error { return edit.AddGroup(b, name) })
	}))
}

// moveGroup moves a group one place.
func (t *Tab) moveGroup(r *row, by int) tea.Cmd {
	return t.board.Change("moved group "+prose.Printable(phrase.Quote(r.group)), func(b *model.Backend) error {
		order := slices.Clone(b.Groups)
		at := slices.Index(order, r.group)
		if to := at + by; at >= 0 && to >= 0 && to < len(order) {
			order[at], order[to] = order[to], order[at]
		}
		return edit.OrderGroups(b, order)
	})
}

// remove removes a group with what refers to it, or the value of a field, and asks first, or
// the trigger of a moment.
func (t *Tab) remove(r *row) tea.Cmd {
	if r.is == groupRow {
		return t.board.Remove(model.Ref{Kind: model.KindGroup, Name: r.group})
	}
	if r.is == triggerRow {
		return t.setTrigger(r.moment, "")
	}
	name := string(r.kind) + "." + r.of.String()
	c := change{kind: r.kind, done: "removed " + name, settings: []definition.Setting{{Field: r.of.Field}}}
	if r.of.From == definition.ByEnvironment {
		c.env = r.of.SourceName
	}
	if t.guarded(c) {
		return t.commit(c)
	}
	return t.board.Propose("Remove "+name+"?", "Remove", c.done, func(p *project.Project) (*plan.Plan, string, error) {
		plan, err := board.Edited(c.make)(p)
		return plan, "", err
	})
}
