package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// palette is a list of bindings of which one is done.
type palette struct {
	base
	table widget.Table[numbered]
	// reads says that it is there to be read: nothing is done.
	reads bool
}

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
	p := &palette{base: base{title: title}}
	p.fill(all, []widget.Column[numbered]{
		{Least: 3, Most: 9, Text: func(b numbered) string { return b.Help().Key }, Tone: toneOf(prose.Strong)},
		{Least: 6, Most: 12, Rank: 1, Text: func(b numbered) string { return prose.Fit(b.Group) }, Tone: toneOf(prose.Muted)},
		{Least: 12, Most: widestLabel, Text: labelOf, Tone: toneOf(prose.Plain)},
		{Least: 12, Rank: 2, Text: func(b numbered) string { return prose.Fit(b.About) }, Tone: toneOf(prose.Muted)},
	}, 2)
	return p
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
		if !slices.Contains(groups, b.Group) {
			groups = append(groups, b.Group)
		}
	}
	var ordered []widget.Binding
	for _, group := range groups {
		for _, b := range all {
			if b.Group == group && len(b.Keys()) > 0 {
				ordered = append(ordered, b)
			}
		}
	}
	p := &palette{base: base{title: "Keys"}, reads: true}
	p.fill(ordered, []widget.Column[numbered]{
		{Least: widestKeys, Most: widestKeys, Text: func(b numbered) string {
			if b.Why != "" {
				return "(" + b.KeyNames() + ")"
			}
			return b.KeyNames()
		}, Tone: toneOf(prose.Strong)},
		{Least: 4, Most: 12, Rank: 1, Text: func(b numbered) string { return prose.Fit(b.Group) }, Tone: toneOf(prose.Muted)},
		{Least: 12, Most: widestSentence, Text: func(b numbered) string { return b.Sentence() }, Tone: toneOf(prose.Plain)},
	}, 2)
	return p
}

// fill makes the list; what is found by the column of that index comes first.
func (p *palette) fill(all []widget.Binding, columns []widget.Column[numbered], known int) {
	p.table = widget.Table[numbered]{
		Columns: columns, KnownBy: known, Searches: true,
		ID:    func(b numbered) string { return string(rune(b.n)) },
		Words: func(b numbered) string { return b.Label() + " " + b.About + " " + b.Group + " " + b.KeyNames() },
	}
	rows := make([]numbered, len(all))
	for i, b := range all {
		rows[i] = numbered{b, i}
	}
	p.table.SetRows(rows)
}

func toneOf(usual prose.Tone) func(numbered) prose.Tone {
	return func(b numbered) prose.Tone {
		if b.Why != "" {
			return prose.Muted
		}
		return usual
	}
}

func labelOf(b numbered) string {
	if b.Why != "" {
		return "(" + prose.Fit(b.Label()) + ")"
	}
	return prose.Fit(b.Label())
}

func (p *palette) Typing() bool { return true }

func (p *palette) Update(msg tea.Msg) tea.Cmd { return p.table.Type(msg) }

func (p *palette) Bindings() []widget.Binding {
	enter := widget.Open.Does("close", "close the help", func() tea.Cmd { return p.end(nil) })
	if !p.reads {
		why := "nothing matches"
		b, ok := p.table.Row()
		if ok {
			why = b.Why
		}
		enter = widget.Open.Does("do it", "do what the line says", func() tea.Cmd { return p.end(b.Do) }).Shown().Unless(why)
	}
	all := []widget.Binding{enter, p.cancel("close", "leave the list")}
	if p.reads {
		all = append(all, widget.Help.Nth(1, "close", "close the help", func() tea.Cmd { return p.end(nil) }))
	}
	return append(all, p.table.Bindings()...)
}

func (p *palette) View(t *theme.Theme, maxW, maxH int) string {
	w := listed(maxW)
	lines := listLines(t, &p.table, w, maxH-frameH-detailH)
	sentence, tone := "", prose.Plain
	if b, ok := p.table.Row(); ok {
		sentence = b.Sentence()
		if b.Why != "" && !p.reads {
			sentence, tone = notAvailable+b.Why, prose.Warning
		}
	}
	return box(t, p.title, append(lines, widget.Detail(t, tone, sentence, w, detailH)...), maxW, maxH)
}
