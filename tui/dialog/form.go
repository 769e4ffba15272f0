package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Question is one line of a Form.
type Question struct {
	Name string
	// Hint says what the line takes, while the cursor is on it.
	Hint string
	// Value is what it begins with.
	Value string
	// Options make it a choice among these; nil for a text.
	Options []string
	// Offers are texts that may be meant, taken one after the other by keys.
	Offers []string
}

// Filled is the action of a Form: a value for each question.
type Filled []string

// form is a few questions that are answered together.
type form struct {
	id, title string
	asked     []Question
	fields    []Field
	check     func([]string) (int, error)
	at        int
	nameW     int
	// refused is why enter did nothing, below the line wrong; typing takes it away.
	refused error
	wrong   int
}

// Form asks several things at once. Tab and the arrows move between the lines; in a
// choice left and right, or its first letter, take another option. Enter goes to the
// next line, and on the last one ends the form with Filled; ctrl+s ends it from
// anywhere. check, which may be nil, refuses with the index of a line and an error,
// which is shown below that line. Esc ends it with Cancelled.
func Form(id, title string, questions []Question, check func(values []string) (at int, err error)) Dialog {
	if check == nil {
		check = func([]string) (int, error) { return 0, nil }
	}
	f := &form{id: id, title: title, asked: questions, fields: make([]Field, len(questions)), check: check, wrong: -1}
	for i, q := range questions {
		f.fields[i].SetValue(q.Value)
		f.nameW = max(f.nameW, layout.Width(prose.Fit(q.Name)))
		if q.Options != nil && !slices.Contains(q.Options, q.Value) {
			f.fields[i].SetValue(q.Options[0])
		}
	}
	const widestName = 24
	f.nameW = min(f.nameW, widestName)
	return f
}

func (f *form) ID() string { return f.id }

func (f *form) values() []string {
	values := make([]string, len(f.fields))
	for i := range f.fields {
		values[i] = f.fields[i].Value()
	}
	return values
}

func (f *form) Update(msg tea.Msg) (Action, tea.Cmd) {
	key, pressed := msg.(tea.KeyPressMsg)
	if !pressed {
		if f.asked[f.at].Options == nil && f.fields[f.at].Update(msg) {
			f.settle()
		}
		return nil, nil
	}
	n := len(f.fields)
	switch name := key.String(); name {
	case "esc":
		return Cancelled{}, nil
	case "tab", "down":
		f.at = (f.at + 1) % n
	case "shift+tab", "up":
		f.at = (f.at + n - 1) % n
	case "enter":
		if f.at < n-1 {
			f.at++
			return nil, nil
		}
		return f.end(), nil
	case "ctrl+s":
		return f.end(), nil
	case "ctrl+n":
		f.offer(1)
	case "ctrl+p":
		f.offer(-1)
	default:
		f.typed(name, key)
	}
	return nil, nil
}

// typed gives a key to the line at hand.
func (f *form) typed(name string, key tea.KeyPressMsg) {
	options := f.asked[f.at].Options
	if options == nil {
		if f.fields[f.at].Update(key) {
			f.settle()
		}
		return
	}
	now, n := slices.Index(options, f.fields[f.at].Value()), len(options)
	switch name {
	case "left":
		now = (now + n - 1) % n
	case "right", "space":
		now = (now + 1) % n
	default:
		next := now
		for i := 1; i <= n && next == now; i++ {
			if at := (now + i) % n; key.Text != "" && strings.HasPrefix(strings.ToLower(options[at]), strings.ToLower(key.Text)) {
				next = at
			}
		}
		if next == now {
			return
		}
		now = next
	}
	f.fields[f.at].SetValue(options[now])
	f.settle()
}

// settle forgets an error: what it was about has changed.
func (f *form) settle() { f.refused, f.wrong = nil, -1 }

// offer puts the next of the offers into the line at hand.
func (f *form) offer(by int) {
	offers := f.asked[f.at].Offers
	if len(offers) == 0 {
		return
	}
	now := slices.Index(offers, f.fields[f.at].Value())
	switch {
	case now < 0 && by < 0:
		now = len(offers) - 1
	case now < 0:
		now = 0
	default:
		now = (now + by + len(offers)) % len(offers)
	}
	f.fields[f.at].SetValue(offers[now])
	f.settle()
}

// end ends the form where nothing is refused.
func (f *form) end() Action {
	values := f.values()
	if at, err := f.check(values); err != nil {
		f.refused, f.wrong = err, max(0, min(at, len(f.fields)-1))
		f.at = f.wrong
		return nil
	}
	return Filled(values)
}

func (f *form) View(t *theme.Theme, maxW, maxH int) string {
	w := inner(maxW)
	var lines []string
	from, to := 0, 0
	for i := range f.fields {
		if i == f.at {
			from = len(lines)
		}
		lines = append(lines, f.line(t, i, w))
		if i == f.wrong && f.refused != nil {
			for _, line := range layout.Wrap(prose.Fit("error: "+f.refused.Error()), w-2) {
				lines = append(lines, "  "+t.Error.Render(line))
			}
		}
		if i == f.at {
			to = len(lines)
		}
	}
	hint := detail(t.Muted, f.hint(w), w)
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
	line := t.Key.Render(mark) + name.Render(layout.Pad(layout.Cut(prose.Fit(f.asked[i].Name), f.nameW), f.nameW)+"  ")
	room := max(1, w-len("› ")-f.nameW)
	if f.asked[i].Options == nil {
		return line + f.fields[i].View(t, "", room, i == f.at)
	}
	value := layout.Cut(prose.Fit(f.fields[i].Value()), room-len("< >"))
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
	case q.Options != nil:
		all, count = "one of "+strings.Join(q.Options, ", "), fmt.Sprintf("← → choose one of %d", len(q.Options))
	case len(q.Offers) > 0:
		all, count = "ctrl+n takes "+strings.Join(q.Offers, ", "), fmt.Sprintf("ctrl+n takes the next of %d offers", len(q.Offers))
	}
	if whole := said(all); len(layout.Wrap(prose.Fit(whole), w)) <= detailH {
		return whole
	}
	return said(count)
}

func (f *form) Keys() []Binding {
	q := f.asked[f.at]
	enter := "next"
	if f.at == len(f.fields)-1 {
		enter = "ok"
	}
	return []Binding{
		{Keys: []string{"enter"}, Label: enter, Help: "go to the next line; on the last one take what is there", Footer: true},
		{Keys: []string{"tab", "down", "up"}, Label: "line", Help: "move between the lines", Footer: len(f.fields) > 1},
		{Keys: []string{"right", "left"}, Label: "other", Help: "take another option", Footer: q.Options != nil},
		{Keys: []string{"ctrl+n", "ctrl+p"}, Label: "offer", Help: "take the next of what is offered", Footer: len(q.Offers) > 0},
		{Keys: []string{"ctrl+s"}, Label: "ok", Help: "take all as it is", Footer: f.at < len(f.fields)-1},
		{Keys: []string{"esc"}, Label: "cancel", Help: "leave the form", Footer: true},
	}
}
