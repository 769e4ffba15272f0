package dialog

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/widget"
)

// Question is one line of a Form. Its value is a text; the fields below Value say how it is
// entered.
type Question struct {
	Name string
	// Hint says what to enter; it is shown while the cursor is on the line.
	Hint string
	// Value is the initial value.
	Value string
	// Options are the values to choose from; if there are none, the line is a text.
	Options []string
	// OptionsIf, which may be nil, tells which options there are with the values of the other
	// lines.
	OptionsIf func(values []string, option string) bool
	// Several says that any number of the options may be chosen; the value is a line for each.
	Several bool
	// Suggestions are values for a text; a key puts in one after the other.
	Suggestions []string
	// List says that the value is a list with an entry on each line.
	List bool
	// Empty says what a list without entries stands for; "" for none.
	Empty string
	// Masked says that the value is not shown.
	Masked bool
	// Fixed says why the value cannot be changed; "" if it can.
	Fixed string
	// If, which may be nil, tells whether the line is asked with the values of the other lines.
	If func(values []string) bool
}

// form is the dialog of Form.
type form struct {
	base
	questions []Question
	fields    []widget.Field
	// areas are the editors of the lists, choices the options that the cursor is on where
	// several may be chosen.
	areas   []widget.Area
	choices []int
	check   func([]string) (int, error)
	take    func([]string) tea.Cmd
	cursor  int
	nameW   int
	// refused is the error of check, shown below the line refusedAt until a line is edited.
	refused   error
	refusedAt int
	// looked says that the cursor went to an option of several that was not marked since.
	looked bool
}

// Form asks several questions at once. Tab and the arrows move between the lines; left, right or its first
// letter chooses an option, and space marks one where several may be chosen. Enter goes to the next line, or
// to the next entry of a list; on the last line it calls take with all values, and ctrl+s does so on every
// line. check, which may be nil, refuses the values with the index of a line and an error.
func Form(
	title string, questions []Question, check func(values []string) (at int, err error),
	take func(values []string) tea.Cmd,
) Dialog {
	n := len(questions)
	f := &form{
		base: base{title: title}, questions: questions, fields: make([]widget.Field, n), areas: make([]widget.Area, n),
		choices: make([]int, n),
		check:   check, take: take,
	}
	for i, q := range questions {
		f.fields[i].Masked = q.Masked
		f.fields[i].SetValue(q.Value)
		if q.List {
			f.areas[i].SetValue(q.Value)
			f.areas[i].ToLine(f.areas[i].Lines() - 1)
		}
		f.nameW = max(f.nameW, layout.Width(prose.Printable(q.Name)))
	}
	const widestName = 24
	f.nameW = min(f.nameW, widestName)
	f.settle()
	for f.cursor < n-1 && (!f.asked(f.cursor) || questions[f.cursor].Fixed != "") {
		f.cursor++
	}
	return f
}

// question is the line of the cursor.
func (f *form) question() Question { return f.questions[f.cursor] }

// values are the values of all lines.
func (f *form) values() []string {
	values := make([]string, len(f.fields))
	for i, q := range f.questions {
		values[i] = f.fields[i].Value()
		if q.Several {
			values[i] = q.Value
		}
		if q.List {
			values[i] = f.areas[i].Value()
		}
	}
	return values
}

// settle gives each line with options one that there is.
func (f *form) settle() {
	for i, q := range f.questions {
		if options := f.options(i); len(options) > 0 && !q.Several && !slices.Contains(options, f.fields[i].Value()) {
			f.fields[i].SetValue(options[0])
		}
	}
}

// options are the options of a line.
func (f *form) options(i int) []string {
	q := f.questions[i]
	if q.OptionsIf == nil {
		return q.Options
	}
	values := f.values()
	return slices.DeleteFunc(slices.Clone(q.Options), func(option string) bool { return !q.OptionsIf(values, option) })
}

// asked reports whether a line is asked.
func (f *form) asked(i int) bool { return f.questions[i].If == nil || f.questions[i].If(f.values()) }

// Typing is true in a choice too, because letters choose an option there.
func (f *form) Typing() bool { return true }

// Update takes what is typed.
func (f *form) Update(msg tea.Msg) tea.Cmd {
	q := f.question()
	switch {
	case q.Fixed != "":
	case q.List:
		if f.areas[f.cursor].Update(msg) {
			f.refused = nil
		}
	case len(q.Options) == 0:
		if f.fields[f.cursor].Update(msg) {
			f.refused = nil
		}
	default:
		if key, ok := msg.(tea.KeyPressMsg); ok && keys.IsText(key) {
			f.letter(key.Text)
		}
	}
	return nil
}

// letter chooses the next option that begins with a letter; a space chooses the next, or marks
// it where several may be chosen.
func (f *form) letter(text string) {
	options := f.options(f.cursor)
	now := f.choice(options)
	if text == " " && f.question().Several {
		f.mark(options[now])
		return
	}
	for i := 1; i <= len(options); i++ {
		at := (now + i) % len(options)
		if text == " " || strings.HasPrefix(strings.ToLower(options[at]), strings.ToLower(text)) {
			f.choose(options, at)
			return
		}
	}
}

// choice is the option that the cursor is on.
func (f *form) choice(options []string) int {
	if f.question().Several {
		return f.choices[f.cursor]
	}
	return slices.Index(options, f.fields[f.cursor].Value())
}

// choose goes to an option, which is the value where only one may be chosen.
func (f *form) choose(options []string, at int) {
	if f.question().Several {
		f.choices[f.cursor], f.looked, f.refused = at, true, nil
		return
	}
	f.setValue(options[at])
}

// mark chooses an option of several, or no longer. The value keeps the order of the options, and
// first what is none of them any more.
func (f *form) mark(option string) {
	q := &f.questions[f.cursor]
	on := chosen(q.Value)
	next := slices.DeleteFunc(slices.Clone(on), func(o string) bool { return slices.Contains(q.Options, o) })
	for _, o := range q.Options {
		if slices.Contains(on, o) != (o == option) {
			next = append(next, o)
		}
	}
	q.Value, f.refused, f.looked = strings.Join(next, "\n"), nil, false
}

// chosen are the options of a value of several.
func chosen(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, "\n")
}

// setValue sets the value of the cursor's line.
func (f *form) setValue(value string) {
	if f.question().List {
		f.areas[f.cursor].SetLine(value)
	} else {
		f.fields[f.cursor].SetValue(value)
	}
	f.refused = nil
	f.settle()
}

// step goes to the next one of the options (by = 1), or to the previous one (-1).
func (f *form) step(by int) func() tea.Cmd {
	return keys.NoCmd(func() {
		options := f.options(f.cursor)
		now, n := f.choice(options), len(options)
		f.choose(options, (now+by+n)%n)
	})
}

// suggest replaces the value, or the entry of a list, by the next suggestion.
func (f *form) suggest(by int) func() tea.Cmd {
	return keys.NoCmd(func() {
		all, text := f.question().Suggestions, f.fields[f.cursor].Value()
		if f.question().List {
			text = f.areas[f.cursor].LineText()
		}
		now, n := slices.Index(all, text), len(all)
		if now < 0 && by < 0 {
			now = 0 // so that the first step back is to the last value
		}
		f.setValue(all[(now+by+n)%n])
	})
}

// move goes to another line that is asked.
func (f *form) move(by int) func() tea.Cmd {
	return keys.NoCmd(func() {
		f.looked = false
		for range f.fields {
			f.cursor = (f.cursor + by + len(f.fields)) % len(f.fields)
			if f.asked(f.cursor) {
				return
			}
		}
	})
}

// isLast reports whether no line below the cursor's is asked.
func (f *form) isLast() bool {
	for i := f.cursor + 1; i < len(f.fields); i++ {
		if f.asked(i) {
			return false
		}
	}
	return true
}

// submit ends the form unless check refuses the values.
func (f *form) submit() tea.Cmd {
	values := f.values()
	if f.check != nil {
		if at, err := f.check(values); err != nil {
			f.refused, f.refusedAt = err, max(0, min(at, len(f.fields)-1))
			if !f.asked(f.refusedAt) {
				f.refusedAt = f.cursor
			}
			f.cursor = f.refusedAt
			return nil
		}
	}
	return f.end(bind(f.take, values))
}

// enter goes on, but not past an option of several that was looked for and is not marked: it
// says once that space marks it.
func (f *form) enter() tea.Cmd {
	if q := f.question(); q.Several && f.looked {
		if at := q.Options[f.choices[f.cursor]]; !slices.Contains(chosen(q.Value), at) {
			f.refused, f.refusedAt = fmt.Errorf("space marks %s; enter again goes on", at), f.cursor
			f.looked = false
			return nil
		}
	}
	if f.refusedAt == f.cursor && f.question().Several {
		f.refused = nil
	}
	if f.isLast() {
		return f.submit()
	}
	return f.move(1)()
}

// Bindings are the keys of the cursor's line, and those of the form.
func (f *form) Bindings() []keys.Binding {
	q, last := f.question(), f.isLast()
	all := []keys.Binding{
		keys.NextField.Does("line", "go to the next line", f.move(1)).ShownIf(len(f.fields) > 1),
		keys.PriorField.Does("previous line", "go to the previous line", f.move(-1)),
		keys.Save.Does("ok", "take all values", f.submit).ShownIf(!last || q.List),
		f.cancel("cancel", "leave the form"),
	}
	if q.List {
		return append(append(all, f.listKeys()...), widget.ListKeys()...)
	}
	enter := "next"
	if last {
		enter = "ok"
	}
	all = append([]keys.Binding{keys.Open.Does(enter, "go to the next line; on the last line, take all values",
		f.enter).Shown()}, all...)
	all = append(all,
		keys.Down.Does("line", "go to the next line", f.move(1)),
		keys.Up.Does("previous line", "go to the previous line", f.move(-1)))
	switch {
	case q.Fixed != "":
		return all
	case len(q.Options) > 0:
		about, label := "choose the next option; its first letter chooses it too", "other"
		space := "choose the next option"
		if q.Several {
			about, label, space = "go to the next option; its first letter goes there too", "mark",
				"choose the option, or clear it"
		}
		mark := keys.Choose.Does(label, space, keys.NoCmd(func() { f.letter(" ") })).ShownIf(q.Several)
		mark.OverText = true
		all = append(all, mark)
		all = append(all, keys.Right.Does("other", about, f.step(1)).Shown(),
			keys.Left.Does("other", "choose the previous option", f.step(-1)))
		return append(all, f.letterKeys()...)
	}
	return append(append(all, f.suggestionKeys()...), widget.TextKeys()...)
}

// letterKeys are the first letters of the options.
func (f *form) letterKeys() (all []keys.Binding) {
	seen := make(map[rune]bool)
	for _, option := range f.options(f.cursor) {
		r, size := utf8.DecodeRuneInString(strings.ToLower(option))
		if size == 0 || seen[r] {
			continue
		}
		seen[r] = true
		key := keys.Letter(r, option, keys.NoCmd(func() { f.letter(string(r)) }))
		key.About, key.OverText = "go to the next option that begins with the letter", true
		all = append(all, key)
	}
	return all
}

// listKeys are the keys of a list: the arrows leave it at its ends.
func (f *form) listKeys() []keys.Binding {
	area := &f.areas[f.cursor]
	all := f.suggestionKeys()
	if area.Line() == area.Lines()-1 {
		all = append(all, keys.Down.Does("line", "go to the next line", f.move(1)))
	}
	if area.Line() == 0 {
		all = append(all, keys.Up.Does("previous line", "go to the previous line", f.move(-1)))
	}
	return all
}

func (f *form) suggestionKeys() []keys.Binding {
	if len(f.question().Suggestions) == 0 {
		return nil
	}
	return []keys.Binding{
		keys.NextSuggestion.Does("suggestion", "take the next suggestion", f.suggest(1)).Shown(),
		keys.PriorSuggestion.Does("previous suggestion", "take the previous suggestion", f.suggest(-1)),
	}
}

// Copied is the value of the cursor's line; "" for one that is not shown.
func (f *form) Copied() string {
	if f.question().Masked {
		return ""
	}
	return f.values()[f.cursor]
}
