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
	// Hint says what the line takes, while the cursor is on it.
	Hint string
	// Value is what it begins with.
	Value string
	// Options make it a choice among these; none for a text.
	Options []string
	// Offers are texts that may be meant, taken one after the other by keys.
	Offers []string
}

// form is a few questions that are answered together.
type form struct {
	base
	asked  []Question
	fields []widget.Field
	check  func([]string) (int, error)
	take   func([]string) tea.Cmd
	at     int
	nameW  int
	// refused is why enter did nothing, below the line wrong; typing takes it away.
	refused error
	wrong   int
}

// Form asks several things at once. Tab and the arrows move between the lines; in a
// choice left and right, or its first letter, take another option. Enter goes to the
// next line, and on the last one gives a value for each question to take; ctrl+s does
// from anywhere. check, which may be nil, refuses with the index of a line and an
// error, which is shown below that line.
func Form(title string, questions []Question, check func(values []string) (at int, err error), take func(values []string) tea.Cmd) Dialog {
	f := &form{base: base{title: title}, asked: questions, fields: make([]widget.Field, len(questions)), check: check, take: take}
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

// Typing is true in a choice too: letters choose there.
func (f *form) Typing() bool { return true }

func (f *form) Update(msg tea.Msg) tea.Cmd {
	if len(f.asked[f.at].Options) == 0 {
		if f.fields[f.at].Update(msg) {
			f.refused = nil
		}
		return nil
	}
	if key, ok := msg.(tea.KeyPressMsg); ok && widget.IsText(key) {
		f.letter(key.Text)
	}
	return nil
}

// letter takes the next option that begins with a letter, and with a space the next.
func (f *form) letter(text string) {
	options := f.asked[f.at].Options
	now := slices.Index(options, f.fields[f.at].Value())
	for i := 1; i <= len(options); i++ {
		option := options[(now+i)%len(options)]
		if text == " " || strings.HasPrefix(strings.ToLower(option), strings.ToLower(text)) {
			f.put(option)
			return
		}
	}
}

// put puts a value into the line at hand. What an error was about has changed then.
func (f *form) put(value string) {
	f.fields[f.at].SetValue(value)
	f.refused = nil
}

// step puts the next of some values into the line at hand.
func (f *form) step(values []string, by int) func() tea.Cmd {
	return widget.Does(func() {
		now, n := slices.Index(values, f.fields[f.at].Value()), len(values)
		if now < 0 && by < 0 {
			now = 0 // the one before that is the last
		}
		f.put(values[(now+by+n)%n])
	})
}

// move goes to another line.
func (f *form) move(by int) func() tea.Cmd {
	return widget.Does(func() { f.at = (f.at + by + len(f.fields)) % len(f.fields) })
}

// done ends the form where nothing is refused.
func (f *form) done() tea.Cmd {
	values := make([]string, len(f.fields))
	for i := range f.fields {
		values[i] = f.fields[i].Value()
	}
	if f.check != nil {
		if at, err := f.check(values); err != nil {
			f.refused, f.wrong = err, max(0, min(at, len(f.fields)-1))
			f.at = f.wrong
			return nil
		}
	}
	return f.end(with(f.take, values))
}

func (f *form) enter() tea.Cmd {
	if f.at < len(f.fields)-1 {
		f.at++
		return nil
	}
	return f.done()
}

func (f *form) Bindings() []widget.Binding {
	q, last := f.asked[f.at], f.at == len(f.fields)-1
	enter := "next"
	if last {
		enter = "ok"
	}
	all := []widget.Binding{
		widget.Open.Does(enter, "go to the next line; on the last one take what is there", f.enter).Shown(),
		widget.NextField.Does("line", "go to the next line", f.move(1)).ShownIf(len(f.fields) > 1),
		widget.PriorField.Does("line before", "go to the line before", f.move(-1)),
		widget.Down.Does("line", "go to the next line", f.move(1)),
		widget.Up.Does("line before", "go to the line before", f.move(-1)),
		widget.Save.Does("ok", "take all as it is", f.done).ShownIf(!last),
		f.cancel("cancel", "leave the form"),
	}
	if len(q.Options) > 0 {
		return append(all,
			widget.Right.Does("other", "take the next option; its first letter takes one too", f.step(q.Options, 1)).Shown(),
			widget.Left.Does("other", "take the option before", f.step(q.Options, -1)))
	}
	if len(q.Offers) > 0 {
		all = append(all,
			widget.NextOffer.Does("offer", "take the next of what is offered", f.step(q.Offers, 1)).Shown(),
			widget.PriorOffer.Does("offer before", "take the one before of what is offered", f.step(q.Offers, -1)))
	}
	return append(all, widget.TextKeys()...)
}

func (f *form) View(t *theme.Theme, maxW, maxH int) string {
	w := within(comfortable, maxW)
	var lines []string
	from, to := 0, 0
	for i := range f.fields {
		if i == f.at {
			from = len(lines)
		}
		lines = append(lines, f.line(t, i, w))
		if i == f.wrong && f.refused != nil {
			lines = append(lines, widget.Indented(widget.Wrapped(t, prose.Bad, told(f.refused), w-2), "  ")...)
		}
		if i == f.at {
			to = len(lines)
		}
	}
	hint := widget.Detail(t, prose.Muted, f.hint(w), w, detailH)
	// The line at hand stays in view, with its error and its hint.
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
	if i == f.at {
		mark, name = "› ", t.Accent
	}
	line := t.Key.Render(mark) + name.Render(layout.Pad(layout.Cut(prose.Printable(f.asked[i].Name), f.nameW), f.nameW)+"  ")
	room := max(1, w-len("› ")-f.nameW)
	if len(f.asked[i].Options) == 0 {
		return line + f.fields[i].View(t, "", room, i == f.at)
	}
	value := layout.Cut(prose.Printable(f.fields[i].Value()), room-len("< >"))
	if i == f.at {
		return line + t.Selected.Render("‹ "+value+" ›")
	}
	return line + t.Base.Render(value)
}

// hint is what is said of the line at hand in w cells. Where there is no room for
// the names of what can be taken, it says how many there are.
func (f *form) hint(w int) string {
	q := f.asked[f.at]
	said := func(choices string) string {
		return strings.Join(slices.DeleteFunc([]string{q.Hint, choices}, func(part string) bool { return part == "" }), "; ")
	}
	all, count := "", ""
	switch {
	case len(q.Options) > 0:
		all, count = "one of "+strings.Join(q.Options, ", "), fmt.Sprintf("← → choose one of %d", len(q.Options))
	case len(q.Offers) > 0:
		all, count = "ctrl+n takes "+strings.Join(q.Offers, ", "), fmt.Sprintf("ctrl+n takes the next of %d offers", len(q.Offers))
	}
	if whole := said(all); len(layout.Wrap(prose.Printable(whole), w)) <= detailH {
		return whole
	}
	return said(count)
}
