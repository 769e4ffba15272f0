package wizard

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/matrix"
	"gatewright/internal/text/prose"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// form is the question of a step. One field has the focus: a text is typed, a choice is
// changed by moving in it, and the matrix has a cursor of its own.
type form struct {
	flow     *flow.Flow
	step     flow.ID
	question flow.Question
	// field is the index of the field with the focus, option the index of its option at the
	// cursor.
	field, option int
	input         widget.Field
	matrix        widget.Matrix
	// left are the fields that the person has left: their faults are shown.
	left map[string]bool
	// typed is the field whose answer further characters or moves amend; "" for none.
	typed string
	// prefix is the text whose suggestions are taken one after the other.
	prefix string
	change func() tea.Cmd
}

// open shows a step with the focus on its first field.
func (f *form) open(of *flow.Flow, at flow.ID) {
	if f.matrix.Typing() {
		of.Type("") // leaving the names gives them up
	}
	f.flow, f.step = of, at
	f.left, f.typed = make(map[string]bool), ""
	f.question = of.Ask(at)
	f.matrix = widget.Matrix{Change: f.setMatrix, AskToRemove: f.askToRemove, Typed: f.typeGroups}
	if f.hasMatrix() {
		f.matrix.Show(f.access())
		if names := of.Typed(); names != "" {
			f.matrix.Type(names)
		}
	}
	f.focus(0)
}

// refresh asks the question again, because an answer may have changed it.
func (f *form) refresh() {
	f.question = f.flow.Ask(f.step)
	f.field = min(f.field, max(0, len(f.question.Fields)-1))
	if f.hasMatrix() {
		f.matrix.Replace(f.access())
	}
}

// lay shows the question again after somebody else changed files.
func (f *form) lay() {
	f.refresh()
	if f.now().Kind != flow.Text {
		f.focus(f.field)
	}
}

// access is the matrix of the step's path.
func (f *form) access() matrix.Matrix {
	return f.flow.MatrixInAPI(f.step.Path)
}

func (f *form) hasMatrix() bool {
	return slices.ContainsFunc(f.question.Fields, func(field flow.Field) bool { return field.Kind == flow.Access })
}

// now is the field with the focus; the zero field in a step without fields.
func (f *form) now() flow.Field {
	if len(f.question.Fields) == 0 {
		return flow.Field{Kind: flow.Several}
	}
	return f.question.Fields[f.field]
}

// typing reports whether characters are typed into the field with the focus.
func (f *form) typing() bool {
	switch f.now().Kind {
	case flow.Text:
		return true
	case flow.Access:
		return f.matrix.Typing()
	}
	return false
}

// focus gives a field the focus, with the cursor on what is chosen there.
func (f *form) focus(field int) {
	f.field, f.typed, f.option, f.prefix = field, "", 0, ""
	if len(f.question.Fields) == 0 {
		return
	}
	now := f.now()
	if now.Kind == flow.Text {
		f.input.SetValue(now.Value)
		f.prefix = now.Value
	}
	f.option = max(0, slices.IndexFunc(now.Options, func(o prose.Option) bool { return o.Disabled == "" }))
	if i := slices.IndexFunc(now.Options, now.Has); i >= 0 && now.Kind == flow.Choice {
		f.option = i
	}
}

// focusKey gives the field with a key the focus.
func (f *form) focusKey(key string) {
	for i, field := range f.question.Fields {
		if field.Key == key {
			f.focus(i)
		}
	}
}

// leave notes that the person leaves the field with the focus.
func (f *form) leave() {
	if len(f.question.Fields) > 0 {
		f.left[f.now().Key] = true
	}
}

// moveField gives the next field the focus, or the previous one; it goes round.
func (f *form) moveField(by int) {
	if n := len(f.question.Fields); n > 0 {
		f.leave()
		f.focus((f.field + by + n) % n)
	}
}

// faults are what is wrong with the fields that were left.
func (f *form) faults() []flow.Fault {
	return slices.DeleteFunc(f.flow.Faults(f.step), func(fault flow.Fault) bool { return !f.left[fault.Field] })
}

// refuse shows all faults, and gives the first faulty field the focus; false if there is
// none.
func (f *form) refuse() bool {
	all := f.flow.Faults(f.step)
	if len(all) == 0 {
		return false
	}
	for _, field := range f.question.Fields {
		f.left[field.Key] = true
	}
	f.focusKey(all[0].Field)
	return true
}

// set stores an answer. Moves within one choice, and characters of one text, are one answer
// for undo.
func (f *form) set(value string, chosen []string, amend bool) tea.Cmd {
	key := f.now().Key
	if amend && f.typed == key {
		f.flow.Amend(f.step, key, value, chosen)
	} else {
		f.flow.Set(f.step, key, value, chosen)
	}
	f.typed = ""
	if amend {
		f.typed = key
	}
	f.refresh()
	return f.change()
}

// vertical moves the cursor up or down: between the options of a list, else between fields.
func (f *form) vertical(by int) tea.Cmd {
	now := f.now()
	switch {
	case now.Kind == flow.Access:
		f.matrix.Down(by)
		return nil
	case now.Kind == flow.Several || now.Kind == flow.Choice && f.isList(now):
		if cmd, moved := f.moveOption(by); moved {
			return cmd
		}
	}
	f.sideField(by)
	return nil
}

// sideField gives the next or the previous field the focus, but does not go round. The
// cursor enters a list at its near end.
func (f *form) sideField(by int) {
	next := f.field + by
	if next < 0 || next >= len(f.question.Fields) {
		return
	}
	f.leave()
	f.focus(next)
	if now := f.now(); now.Kind == flow.Several && by < 0 {
		f.option = max(0, len(now.Options)-1)
	}
}

// moveOption moves the cursor to the next option that can be chosen; in a choice that
// chooses it. moved is false at the end of the options.
func (f *form) moveOption(by int) (cmd tea.Cmd, moved bool) {
	now := f.now()
	at := f.option + by
	for now.Kind == flow.Choice && at >= 0 && at < len(now.Options) && now.Options[at].Disabled != "" {
		at += by
	}
	if at < 0 || at >= len(now.Options) {
		return nil, false
	}
	f.option = at
	if now.Kind != flow.Choice {
		return nil, true
	}
	return f.set(now.Options[at].Key, nil, true), true
}

// horizontal changes a choice that is drawn in one line.
func (f *form) horizontal(by int) tea.Cmd {
	if f.now().Kind != flow.Choice {
		return nil
	}
	cmd, _ := f.moveOption(by)
	return cmd
}

// pick is the action of space: it marks an option of several, or goes to the next one of a
// choice.
func (f *form) pick() tea.Cmd {
	now := f.now()
	if len(now.Options) == 0 {
		return nil
	}
	if now.Kind == flow.Choice {
		cmd, moved := f.moveOption(1)
		if !moved {
			f.option = -1
			cmd, _ = f.moveOption(1)
		}
		return cmd
	}
	option := now.Options[f.option]
	if option.Disabled != "" {
		return frame.Say(frame.Warn, "%s: %s", option.Title, option.Disabled)
	}
	chosen := []string{}
	for _, o := range now.Options {
		if now.Has(o) != (o.Key == option.Key) {
			chosen = append(chosen, o.Key)
		}
	}
	return f.set("", chosen, false)
}

// settle takes the option at the cursor of a choice that has no answer yet.
func (f *form) settle() tea.Cmd {
	now := f.now()
	if now.Kind != flow.Choice || slices.ContainsFunc(now.Options, now.Has) || f.option >= len(now.Options) ||
		now.Options[f.option].Disabled != "" {
		return nil
	}
	return f.set(now.Options[f.option].Key, nil, true)
}

// typeGroups keeps the names of groups that are being typed.
func (f *form) typeGroups(names string) tea.Cmd {
	f.flow.Type(names)
	return f.change()
}

// setMatrix stores an edit of the matrix.
func (f *form) setMatrix(m matrix.Matrix) tea.Cmd {
	f.flow.SetMatrix(f.step.Path, m)
	f.typed = ""
	f.refresh()
	return f.change()
}

// isList reports whether the options of a choice are drawn below each other: where the question is the label,
// or where there are many. The window's width does not matter, so that the keys are the same in all windows.
func (f *form) isList(field flow.Field) bool {
	const most = 4
	return field.Label == "" || len(field.Options) > most || field.Key == "existing"
}

// typeKey gives a key to the text with the focus.
func (f *form) typeKey(msg tea.Msg) tea.Cmd {
	if f.now().Kind == flow.Access {
		return f.matrix.Update(msg)
	}
	before := f.input.Value()
	f.input.Update(msg)
	if f.input.Value() == before {
		return nil
	}
	f.prefix = f.input.Value()
	return f.set(f.input.Value(), nil, true)
}

// suggest puts the next suggestion that begins as the typed text into the field.
func (f *form) suggest(by int) tea.Cmd {
	all := f.suggestions()
	if len(all) == 0 {
		return frame.Say(frame.Info, "nothing known begins with %s", prose.Printable(f.prefix))
	}
	at := slices.Index(all, f.input.Value()) + by
	if at < 0 {
		at = len(all) - 1
	}
	value := all[at%len(all)]
	f.input.SetValue(value)
	return f.set(value, nil, true)
}

// suggestions are those of the field that begin with the typed text, or all if none does.
func (f *form) suggestions() []string {
	all := f.now().Suggestions
	match := slices.DeleteFunc(slices.Clone(all),
		func(s string) bool { return !strings.HasPrefix(s, strings.TrimSpace(f.prefix)) })
	if len(match) == 1 && match[0] == f.prefix {
		return all
	}
	return match
}
