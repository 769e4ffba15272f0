package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// Question is one line of a Form.
type Question struct {
	Name string
	// Hint says what to enter; it is shown while the cursor is on the line.
	Hint string
	// Value is the initial value.
	Value string
	// Options are the values to choose from; if there are none, the line is a text.
	Options []string
	// Suggestions are values for a text; a key puts in one after the other.
	Suggestions []string
}

// form is the dialog of Form.
type form struct {
	base
	questions []Question
	fields    []widget.Field
	check     func([]string) (int, error)
	take      func([]string) tea.Cmd
	cursor    int
	nameW     int
	// refused is the error of check, shown below the line refusedAt until a line is edited.
	refused   error
	refusedAt int
}

// Form asks several questions at once. Tab and the arrows move between the lines; left,
// right or its first letter chooses an option. Enter goes to the next line; on the last
// line it calls take with all values, and ctrl+s does so on every line. check, which may
// be nil, refuses the values with the index of a line and an error.
func Form(title string, questions []Question, check func(values []string) (at int, err error), take func(values []string) tea.Cmd) Dialog {
	f := &form{base: base{title: title}, questions: questions, fields: make([]widget.Field, len(questions)), check: check, take: take}
	for i, q := range questions {
		f.fields[i].SetValue(q.Value)
		f.nameW = max(f.nameW, layout.Width(prose.Printable(q.Name)))
		if len(q.Options) > 0 && !slices.Contains(q.Options, q.Value) {
			f.fields[i].SetValue(q.Options[0])
		}
	}
	const widestName = 24
	f.nameW = min(f.nameW, widestName)
	return f
}

// Typing is true in a choice too, because letters choose an option there.
func (f *form) Typing() bool { return true }

func (f *form) Update(msg tea.Msg) tea.Cmd {
	if len(f.questions[f.cursor].Options) == 0 {
		if f.fields[f.cursor].Update(msg) {
			f.refused = nil
		}
		return nil
	}
	if key, ok := msg.(tea.KeyPressMsg); ok && widget.IsText(key) {
		f.letter(key.Text)
	}
	return nil
}

// letter chooses the next option that begins with a letter; a space chooses the next.
func (f *form) letter(text string) {
	options := f.questions[f.cursor].Options
	now := slices.Index(options, f.fields[f.cursor].Value())
	for i := 1; i <= len(options); i++ {
		option := options[(now+i)%len(options)]
		if text == " " || strings.HasPrefix(strings.ToLower(option), strings.ToLower(text)) {
			f.setValue(option)
			return
		}
	}
}

// setValue sets the value of the cursor's line.
func (f *form) setValue(value string) {
	f.fields[f.cursor].SetValue(value)
	f.refused = nil
}

// step replaces the value of the cursor's line by the next one of values (by = 1), or by
// the previous one (-1).
func (f *form) step(values []string, by int) func() tea.Cmd {
	return widget.NoCmd(func() {
		now, n := slices.Index(values, f.fields[f.cursor].Value()), len(values)
		if now < 0 && by < 0 {
			now = 0 // so that the first step back is to the last value
		}
		f.setValue(values[(now+by+n)%n])
	})
}

// move goes to another line.
func (f *form) move(by int) func() tea.Cmd {
	return widget.NoCmd(func() { f.cursor = (f.cursor + by + len(f.fields)) % len(f.fields) })
}

// submit ends the form unless check refuses the values.
func (f *form) submit() tea.Cmd {
	values := make([]string, len(f.fields))
	for i := range f.fields {
		values[i] = f.fields[i].Value()
	}
	if f.check != nil {
		if at, err := f.check(values); err != nil {
			f.refused, f.refusedAt = err, max(0, min(at, len(f.fields)-1))
			f.cursor = f.refusedAt
			return nil
		}
	}
	return f.end(bind(f.take, values))
}

func (f *form) enter() tea.Cmd {
	if f.cursor < len(f.fields)-1 {
		f.cursor++
		return nil
	}
	return f.submit()
}

func (f *form) Bindings() []widget.Binding {
	q, last := f.questions[f.cursor], f.cursor == len(f.fields)-1
	enter := "next"
	if last {
		enter = "ok"
	}
	all := []widget.Binding{
		widget.Open.Does(enter, "go to the next line; on the last line, take all values", f.enter).Shown(),
		widget.NextField.Does("line", "go to the next line", f.move(1)).ShownIf(len(f.fields) > 1),
		widget.PriorField.Does("previous line", "go to the previous line", f.move(-1)),
		widget.Down.Does("line", "go to the next line", f.move(1)),
		widget.Up.Does("previous line", "go to the previous line", f.move(-1)),
		widget.Save.Does("ok", "take all values", f.submit).ShownIf(!last),
		f.cancel("cancel", "leave the form"),
	}
	if len(q.Options) > 0 {
		return append(all,
			widget.Right.Does("other", "choose the next option; its first letter chooses it too", f.step(q.Options, 1)).Shown(),
			widget.Left.Does("other", "choose the previous option", f.step(q.Options, -1)))
	}
	if len(q.Suggestions) > 0 {
		all = append(all,
			widget.NextSuggestion.Does("suggestion", "take the next suggestion", f.step(q.Suggestions, 1)).Shown(),
			widget.PriorSuggestion.Does("previous suggestion", "take the previous suggestion", f.step(q.Suggestions, -1)))
	}
	return append(all, widget.TextKeys()...)
}

// Copied is the value of the cursor's line.
func (f *form) Copied() string { return f.fields[f.cursor].Value() }

func (f *form) View(t *theme.Theme, maxW, maxH int) string {
	w := within(textWidth, maxW)
	var lines []string
	from, to := 0, 0
	for i := range f.fields {
		if i == f.cursor {
			from = len(lines)
		}
		lines = append(lines, f.line(t, i, w))
		if i == f.refusedAt && f.refused != nil {
			lines = append(lines, widget.Indent(widget.Wrapped(t, prose.Bad, errorText(f.refused), w-2), "  ")...)
		}
		if i == f.cursor {
			to = len(lines)
		}
	}
	hint := widget.Detail(t, prose.Muted, f.hint(w), w, detailHeight)
	// The cursor's line stays in view, with its error and its hint.
	room := max(1, maxH-frameH-len(hint)-1)
	if len(lines) > room {
		top := max(0, min(from, len(lines)-room))
		if to > top+room {
			top = min(from, to-room)
		}
		lines = lines[top:min(len(lines), top+room)]
	}
	return box(t, f.title, append(append(lines, ""), hint...), maxW, maxH)
}

func (f *form) line(t *theme.Theme, i, w int) string {
	mark, name := "  ", t.Muted
	if i == f.cursor {
		mark, name = "› ", t.Accent
	}
	line := t.Key.Render(mark) + name.Render(layout.Pad(layout.Cut(prose.Printable(f.questions[i].Name), f.nameW), f.nameW)+"  ")
	room := max(1, w-len("› ")-f.nameW)
	if len(f.questions[i].Options) == 0 {
		return line + f.fields[i].View(t, "", room, i == f.cursor)
	}
	value := layout.Cut(prose.Printable(f.fields[i].Value()), room-len("< >"))
	if i == f.cursor {
		return line + t.Selected.Render("‹ "+value+" ›")
	}
	return line + t.Base.Render(value)
}

// hint is the hint of the cursor's line and its options or suggestions. If those do not
// fit in w cells, it says how many there are.
func (f *form) hint(w int) string {
	q := f.questions[f.cursor]
	join := func(choices string) string {
		return strings.Join(slices.DeleteFunc([]string{q.Hint, choices}, func(part string) bool { return part == "" }), "; ")
	}
	all, count := "", ""
	switch {
	case len(q.Options) > 0:
		all, count = "one of "+strings.Join(q.Options, ", "), fmt.Sprintf("← → choose one of %d", len(q.Options))
	case len(q.Suggestions) > 0:
		all, count = "ctrl+n takes "+strings.Join(q.Suggestions, ", "), fmt.Sprintf("ctrl+n takes the next of %d suggestions", len(q.Suggestions))
	}
	if whole := join(all); len(layout.Wrap(prose.Printable(whole), w)) <= detailHeight {
		return whole
	}
	return join(count)
}
