package dashboard

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/definition"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// actions are what can be done to a field or to a group.
func (d *definitionsTab) actions(i int) []action {
	var r definitionRow
	nothing := "there is no row"
	if i != none {
		r, nothing = d.rows[i], ""
	}
	fixed := cmp.Or(d.fixed(), nothing)
	bind := func(key, label, help, disabled string, do func() tea.Cmd) action {
		return action{frame.Binding{Keys: []string{key}, Label: label, Help: help, Disabled: disabled, Footer: disabled == "", Group: "row"}, do}
	}
	name := ""
	if d.env != nil {
		name = d.env.Name
	}
	return []action{
		bind("x", "take away", "take the value away from where it comes from; of a group, remove it", cmp.Or(fixed, d.noTaking(r)), func() tea.Cmd { return d.takeAway(r) }),
		bind("O", "otherwise here", "say another value for the environment that is shown", cmp.Or(fixed, d.noOverride(r)), func() tea.Cmd { return d.edit(r, name) }),
		bind("+", "add group", "add a group to the user pool, last in the order", d.fixed(), d.addGroup),
		bind("K", "move up", "move the group before the one above it: it counts first for who is in both", cmp.Or(fixed, noMove(r, 0)), func() tea.Cmd { return d.moveGroup(r, -1) }),
		bind("J", "move down", "move the group behind the one below it", cmp.Or(fixed, noMove(r, len(d.groups())-1)), func() tea.Cmd { return d.moveGroup(r, 1) }),
		bind("F", "file", "open the file of the definition in your editor", cmp.Or(d.page.noEditor(), nothing, d.noFile(r)), func() tea.Cmd {
			return d.page.editFile(d.layout.File(model.Ref{Kind: r.kind}))
		}),
	}
}

func (d *definitionsTab) groups() []string {
	if d.backend == nil {
		return nil
	}
	return d.backend.Groups
}

// noTaking is why a row cannot be taken away.
func (d *definitionsTab) noTaking(r definitionRow) string {
	switch {
	case r.is == groupRow:
		return ""
	case r.is != fieldRow:
		return "put the cursor on a field or a group"
	case r.of.From == definition.ByEnvironment, r.of.From == definition.ByDefinition:
		return ""
	case r.of.From == definition.ByDeployment:
		return "a push gives it"
	case r.of.From == definition.ByOutput:
		return "an output gives it: see Outputs"
	}
	return "nothing is said of it"
}

// noOverride is why no environment can say otherwise of a row.
func (d *definitionsTab) noOverride(r definitionRow) string {
	switch {
	case r.is != fieldRow:
		return "put the cursor on a field of data or storage"
	case r.kind == model.KindAuth:
		return "an environment says otherwise of data and storage only"
	case r.of.Type == model.FreeField:
		return "an object of any form comes from a file: gatewright update data --env ENV --model-introspection FILE"
	case d.env == nil:
		return project.ErrNoEnvironments.Error()
	}
	return ""
}

// noMove is why a group cannot be moved; end is the place at which it cannot.
func noMove(r definitionRow, end int) string {
	switch {
	case r.is != groupRow:
		return "put the cursor on a group"
	case r.group == end:
		return "it is at the end already"
	}
	return ""
}

// noFile is why the file of a row cannot be opened.
func (d *definitionsTab) noFile(r definitionRow) string {
	if d.backend == nil {
		return ""
	}
	there := map[model.Kind]bool{
		model.KindAuth:    d.backend.Auth != nil || len(d.backend.Groups) > 0,
		model.KindData:    d.backend.Data != nil,
		model.KindStorage: d.backend.Storage != nil,
	}
	if !there[r.kind] {
		return "there is no file yet: give a field a value"
	}
	return ""
}

const (
	groupDialog = "definitions/group"
	guardDialog = "definitions/guard"
	editDialog  = "definitions/edit"
)

// addGroup asks for the name of a group.
func (d *definitionsTab) addGroup() tea.Cmd {
	b := d.backend
	return frame.Open(dialog.Input(groupDialog, "Add a group to the user pool", "such as Editors", func(name string) error {
		_, err := b.Edit(func(next *model.Backend) error { return next.AddGroup(name) })
		return err
	}))
}

// moveGroup moves a group one place.
func (d *definitionsTab) moveGroup(r definitionRow, by int) tea.Cmd {
	group := d.groups()[r.group]
	return d.page.change("moved group "+prose.Fit(model.Quote(group)), func(b *model.Backend) error {
		order := slices.Clone(b.Groups)
		at := slices.Index(order, group)
		if to := at + by; at >= 0 && to >= 0 && to < len(order) {
			order[at], order[to] = order[to], order[at]
		}
		return b.OrderGroups(order)
	})
}

// takeAway removes a group, with what refers to it, or takes the value of a field
// away from where it comes from.
func (d *definitionsTab) takeAway(r definitionRow) tea.Cmd {
	if r.is == groupRow {
		of := model.Ref{Kind: model.KindGroup, Name: d.groups()[r.group]}
		return d.page.propose("Remove "+prose.Fit(of.String())+"?", "Remove", "removed "+prose.Fit(of.String()), func(p *project.Project) (*project.Plan, string, error) {
			next, err := p.Backend.Edit(func(b *model.Backend) error { return b.Remove(of, true) })
			if err != nil {
				return nil, "", err
			}
			warning := "Its members act as other signed-in users then."
			if n := len(p.Backend.Uses(of)); n > 0 {
				warning = "The entries of " + model.Count(n, "path") + " for it go with it. " + warning
			}
			plan, err := p.Plan(next)
			return plan, warning, err
		})
	}
	env := ""
	if r.of.From == definition.ByEnvironment {
		env = r.of.By
	}
	return d.commit(pendingEdit{kind: r.kind, env: env, done: "took " + string(r.kind) + "." + r.of.String() + " away", settings: []definition.Setting{{Field: r.of.Field}}})
}
