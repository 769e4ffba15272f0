package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/widget"
)

// numbered is a binding with its place, which is what it is known by.
type numbered struct {
	widget.Binding
	n int
}

// widestSentence is how many cells a sentence of the help takes before there are the
// names of groups.
const widestSentence = 72

// Palette lists all that can be done, found by typing words of what it does, its
// group or its key. Enter does it. What cannot be done is listed with its reason,
// which stands in full below the list when the cursor is on it.
func Palette(title string, all []widget.Binding) Dialog {
	l := newBindings(title, all, []widget.Column[numbered]{
		{Least: 3, Most: 9, Text: func(b numbered) string { return b.Help().Key }, Tone: toneOf(prose.Strong)},
		{Least: 6, Most: 12, Rank: 1, Text: func(b numbered) string { return prose.Printable(b.Group) }, Tone: toneOf(prose.Muted)},
		{Least: 12, Most: widestLabel, Text: func(b numbered) string { return b.unless(prose.Printable(b.Label())) }, Tone: toneOf(prose.Plain)},
		{Least: 12, Rank: 2, Text: func(b numbered) string { return prose.Printable(b.About) }, Tone: toneOf(prose.Muted)},
	})
	l.keys = func() []widget.Binding {
		return []widget.Binding{
			l.take("do it", "do what the line says", func(b numbered) string { return b.Why }, func(b numbered) tea.Cmd { return l.end(b.Do) }),
			l.cancel("close", "leave the list"),
		}
	}
	l.below = func() (prose.Tone, string) {
		b, ok := l.table.Row()
		switch {
		case !ok:
			return prose.Plain, ""
		case b.Why != "":
			return prose.Warning, notAvailable + b.Why
		}
		return prose.Plain, b.Sentence()
	}
	return l
}

// widestKeys is how many cells the keys of a line have in the help: they stand nowhere
// else.
const widestKeys = 28

// Help lists what keys do, by group in order of appearance, and filters as a person
// types: by key, label, sentence or group. What cannot be done stands there with its
// reason, in full below the list when the cursor is on it.
func Help(all []widget.Binding) Dialog {
	var groups []string
	for _, b := range all {
		groups = append(groups, b.Group)
	}
	all = slices.DeleteFunc(slices.Clone(all), func(b widget.Binding) bool { return len(b.Keys()) == 0 })
	slices.SortStableFunc(all, func(a, b widget.Binding) int { return slices.Index(groups, a.Group) - slices.Index(groups, b.Group) })
	l := newBindings("Keys", all, []widget.Column[numbered]{
		{Least: widestKeys, Most: widestKeys, Text: func(b numbered) string { return b.unless(b.KeyNames()) }, Tone: toneOf(prose.Strong)},
		{Least: 4, Most: 12, Rank: 1, Text: func(b numbered) string { return prose.Printable(b.Group) }, Tone: toneOf(prose.Muted)},
		{Least: 12, Most: widestSentence, Text: func(b numbered) string { return b.Sentence() }, Tone: toneOf(prose.Plain)},
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
		return prose.Plain, b.Sentence()
	}
	return l
}

// newBindings is a list of bindings; what is found by the third column comes first.
func newBindings(title string, all []widget.Binding, columns []widget.Column[numbered]) *list[numbered] {
	l := &list[numbered]{base: base{title: title}, wide: sentences}
	l.table = widget.Table[numbered]{
		Columns: columns, KnownBy: 2, Searches: true,
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

// unless is a text of a binding, in brackets where that cannot be done now.
func (b numbered) unless(text string) string {
	if b.Why != "" {
		return "(" + text + ")"
	}
	return text
}

func toneOf(usual prose.Tone) func(numbered) prose.Tone {
	return func(b numbered) prose.Tone {
		if b.Why != "" {
			return prose.Muted
		}
		return usual
	}
}
