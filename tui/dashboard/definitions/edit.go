package definitions

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/merge"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project/definition"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// edit asks for the value of a field, in a dialog for its type: a choice, a list to pick from, or a form; for
// an object with all its fields. env is the environment whose override is set; "" for the definition. before,
// which may be nil, is the change that was asked for before, and typed has its values.
func (t *Tab) edit(r *row, env string, before *change, typed []string) tea.Cmd {
	f := r.of.Field
	values, err := definition.Of(t.board.Snap.Backend, r.kind, env)
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	all := definition.Fields(r.kind)
	if object := f.Place[:len(f.Place)-1]; f.Together && model.ValueAt(values, object) == nil {
		// Its object is not set, and can only be set as a whole.
		if at := slices.IndexFunc(all, func(g definition.Field) bool { return slices.Equal(g.Place, object) }); at >= 0 {
			f = all[at]
		}
	}
	of := string(r.kind) + "." + f.String()
	if env != "" {
		of += " of environment " + env
	}
	c := change{kind: r.kind, env: env, done: "set " + prose.Printable(of), merging: merge.New()}
	var questions []dialog.Question
	for _, g := range all {
		if within(g.Place, f.Place) && g.Leaf() {
			was := model.ValueAt(values, g.Place)
			q := question(c.kind, g, was)
			shown := q.Value
			if i := len(questions); i < len(typed) && typed[i] != before.shown[i] &&
				slices.Equal(before.fields[i].Place, g.Place) {
				was, shown, q.Value = before.was[i], before.shown[i], typed[i]
			}
			c.fields, c.was, c.shown = append(c.fields, g), append(c.was, was), append(c.shown, shown)
			questions = append(questions, q)
		}
	}
	value, title := model.ValueAt(values, f.Place), "Set "+of
	var d dialog.Dialog
	check := func(values []string) (int, error) { return c.try(t.board.Snap.Backend, values) }
	set := func(values []string) tea.Cmd { return t.set(c, values) }
	switch {
	case f.Type == model.ArrayField && f.Enum != nil:
		// A list is parsed with commas between its words; an empty one removes the value.
		list := func(chosen []string) []string { return []string{strings.Join(chosen, ",")} }
		d = dialog.Several(title, items(f.Enum), strings.Split(questions[0].Value, ", "),
			func(chosen []string) error {
				_, err := check(list(chosen))
				return err
			}, func(chosen []string) tea.Cmd { return set(list(chosen)) })
	case f.Enum != nil || f.Type == model.BooleanField:
		d = dialog.Choose(title, t.choices(c, chosen(value)), "", func(word string) tea.Cmd { return set([]string{word}) })
	default:
		d = dialog.Form(title, questions, check, set)
	}
	return t.board.Open(d, func() tea.Cmd { return t.edit(r, env, &c, dialog.Values(d)) })
}

// choices are the items of a choice: the current one is marked, and one that would be refused
// says why.
func (t *Tab) choices(c change, now string) []prose.Option {
	all := items(options(c.fields[0]))
	for i, item := range all {
		if item.Key == now {
			all[i].Detail = "current"
		}
		if _, err := c.try(t.board.Snap.Backend, []string{item.Key}); err != nil {
			all[i].Disabled = err.Error()
		}
	}
	return all
}

// set makes the change of a dialog.
func (t *Tab) set(c change, values []string) tea.Cmd {
	c, _, err := c.set(values)
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	return t.commit(c)
}

// commit writes a change; for a guarded environment its name must be typed.
func (t *Tab) commit(c change) tea.Cmd {
	write := func() tea.Cmd { return t.board.Change(c.done, c.make) }
	if !t.guarded(c) {
		return write()
	}
	return frame.Open(dialog.Agree("Environment "+c.env+" is guarded",
		"This changes its override of "+string(c.kind)+". Type its name to go on.", "Change it", c.env, write))
}

// guarded reports whether a change is of a guarded environment.
func (t *Tab) guarded(c change) bool {
	env := t.board.Snap.Backend.Environment(c.env)
	return c.env != "" && env != nil && env.Guarded
}
