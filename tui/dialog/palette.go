package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/widget"
)

// numbered is a binding with its index, which is its ID in the table.
type numbered struct {
	widget.Binding
	n int
}

// widestSentence is the greatest width of a sentence of the help while groups are hidden.
const widestSentence = 72

// Palette lists actions, which are found by typing words of their text, group or keys.
// Enter runs one. A disabled action is listed with its reason, which is below the list
// in full while the cursor is on it.
func Palette(title string, all []widget.Binding) Dialog {
	l := newBindings(title, all, []widget.Column[numbered]{
		{Least: 3, Most: 9, Text: func(b numbered) string { return b.Help().Key }, Tone: toneOf(prose.Strong)},
		{Least: 6, Most: 12, Rank: 1, Text: func(b numbered) string { return prose.Printable(b.Group) }, Tone: toneOf(prose.Muted)},
		{Least: 12, Most: widestLabel, Text: func(b numbered) string { return b.bracketIfDisabled(prose.Printable(b.Label())) }, Tone: toneOf(prose.Plain)},
		{Least: 12, Rank: 2, Text: func(b numbered) string { return prose.Printable(b.About) }, Tone: toneOf(prose.Muted)},
	})
	l.keys = func() []widget.Binding {
		return []widget.Binding{
			l.take("do it", "run this action", func(b numbered) string { return b.Disabled }, func(b numbered) tea.Cmd { return l.end(b.Do) }),
			l.cancel("close", "leave the list"),
		}
	}
	l.below = func() (prose.Tone, string) {
		b, ok := l.table.Row()
		switch {
		case !ok:
			return prose.Plain, ""
		case b.Disabled != "":
			return prose.Warning, notAvailable + b.Disabled
		}
		return prose.Plain, b.Describe()
	}
	return l
}

// widestKeys is the width of the column with the keys of the help, which is never cut.
const widestKeys = 28

// Help lists keys and what they do, by group in order of appearance. Typing filters by
// key, label, sentence or group. A disabled action is listed with its reason, which is
// below the list in full while the cursor is on it.
func Help(all []widget.Binding) Dialog {
	var groups []string
	for _, b := range all {
		groups = append(groups, b.Group)
	}
	all = slices.DeleteFunc(slices.Clone(all), func(b widget.Binding) bool { return len(b.Keys()) == 0 })
	slices.SortStableFunc(all, func(a, b widget.Binding) int { return slices.Index(groups, a.Group) - slices.Index(groups, b.Group) })
	l := newBindings("Keys", all, []widget.Column[numbered]{
		{Least: widestKeys, Most: widestKeys, Text: func(b numbered) string { return b.bracketIfDisabled(b.KeyNames()) }, Tone: toneOf(prose.Strong)},
		{Least: 4, Most: 12, Rank: 1, Text: func(b numbered) string { return prose.Printable(b.Group) }, Tone: toneOf(prose.Muted)},
		{Least: 12, Most: widestSentence, Text: func(b numbered) string { return b.Describe() }, Tone: toneOf(prose.Plain)},
	})
	l.keys = func() []widget.Binding {
		leave := func() tea.Cmd { return l.end(nil) }
		return []widget.Binding{
			widget.Open.Does("close", "close the help", leave),
			l.cancel("close", "leave the list"),
			widget.Help.Nth(1, "close", "close the help", leave),
		}
	}
	l.below = func() (prose.Tone, string) {
		b, _ := l.table.Row()
		return prose.Plain, b.Describe()
	}
	return l
}

// newBindings is a list of bindings; matches in its third column are sorted first.
func newBindings(title string, all []widget.Binding, columns []widget.Column[numbered]) *list[numbered] {
	l := &list[numbered]{base: base{title: title}, width: listWidth}
	l.table = widget.Table[numbered]{
		Columns: columns, NameColumn: 2, Searches: true,
		ID:    func(b numbered) string { return string(rune(b.n)) },
		Words: func(b numbered) string { return b.Label() + " " + b.About + " " + b.Group + " " + b.KeyNames() },
	}
	rows := make([]numbered, len(all))
	for i, b := range all {
		rows[i] = numbered{b, i}
	}
	l.table.SetRows(rows)
	return l
}

// bracketIfDisabled puts a text in brackets if the binding is disabled.
func (b numbered) bracketIfDisabled(text string) string {
	if b.Disabled != "" {
		return "(" + text + ")"
	}
	return text
}

func toneOf(usual prose.Tone) func(numbered) prose.Tone {
	return func(b numbered) prose.Tone {
		if b.Disabled != "" {
			return prose.Muted
		}
		return usual
	}
}
