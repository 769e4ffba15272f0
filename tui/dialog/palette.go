package dialog

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// Thing is something that a palette finds besides actions, such as a path. Its texts are
// printable.
type Thing struct {
	// Kind is a word for what it is, About a few words that tell it from others of that name.
	Kind, Name, About string
	// To is the place of the thing, for the function that goes there.
	To any
}

// offer is a row of a palette: an action, or a thing.
type offer struct {
	n                                  int
	key, group, label, about, disabled string
	action                             keys.Binding
	thing                              *Thing
}

// palette is a list of entries in a box that keeps its size, so that it does not jump while
// somebody types.
type palette struct{ list[offer] }

// Palette lists actions, which are found by typing words of their text, group or keys, and
// then things. Enter runs an action, or calls goTo with a thing. A disabled action is listed
// with its reason, which is below the list in full while the cursor is on it.
func Palette(title string, actions []keys.Binding, things []Thing, goTo func(Thing) tea.Cmd) Dialog {
	entries := make([]offer, 0, len(actions)+len(things))
	for _, b := range actions {
		entries = append(entries, offer{
			n: len(entries), action: b, disabled: b.Disabled,
			key: b.Help().Key, group: prose.Printable(b.Group), label: prose.Printable(b.Label()),
			about: prose.Printable(b.About),
		})
	}
	for i := range things {
		thing := &things[i]
		entries = append(entries,
			offer{n: len(entries), group: thing.Kind, label: thing.Name, about: thing.About, thing: thing})
	}
	tone := func(usual prose.Tone) func(offer) prose.Tone {
		return func(e offer) prose.Tone {
			if e.disabled != "" {
				return prose.Muted
			}
			return usual
		}
	}
	p := &palette{list[offer]{base: base{title: title}, width: listWidth}}
	p.table = widget.Table[offer]{
		Columns: []widget.Column[offer]{
			{Least: 3, Most: 9, Text: func(e offer) string { return e.key }, Tone: tone(prose.Strong)},
			{Least: 6, Most: 12, Rank: 1, Text: func(e offer) string { return e.group }, Tone: tone(prose.Muted)},
			{Least: 12, Most: widestLabel, Middle: true, Text: offer.name, Tone: tone(prose.Plain)},
			{Least: 12, Rank: 2, Text: func(e offer) string { return e.about }, Tone: tone(prose.Muted)},
		},
		NameColumn: 2, Searches: true,
		ID:    func(e offer) string { return strconv.Itoa(e.n) },
		Words: func(e offer) string { return e.action.KeyNames() },
	}
	p.table.SetRows(entries)
	p.keys = func() []keys.Binding {
		label, about := "do it", "run this action"
		if e, ok := p.table.Row(); ok && e.thing != nil {
			label, about = "go there", "go to this thing"
		}
		return []keys.Binding{
			p.take(label, about, func(e offer) string { return e.disabled }, func(e offer) tea.Cmd {
				if e.thing != nil {
					return p.end(bind(goTo, *e.thing))
				}
				return p.end(e.action.Do)
			}),
			p.cancel("close", "leave the list"),
		}
	}
	p.below = func() (prose.Tone, string) {
		e, ok := p.table.Row()
		switch {
		case !ok:
			return prose.Plain, ""
		case e.disabled != "":
			return prose.Warning, notAvailable + e.disabled
		case e.thing != nil:
			return prose.Plain, strings.TrimRight(e.thing.Kind+" "+e.thing.Name+"  "+e.thing.About, " ")
		}
		return prose.Plain, e.action.Describe()
	}
	return p
}

// name is what it is called; in brackets if it is disabled.
func (e offer) name() string {
	if e.disabled != "" {
		return "(" + e.label + ")"
	}
	return e.label
}

// numbered is a binding with its index, which is its ID in the table.
type numbered struct {
	keys.Binding
	n int
}

// widestSentence is the greatest width of a sentence of the help while groups are hidden.
const widestSentence = 72

// widestKeys is the width of the column with the keys of the help, which is never cut.
const widestKeys = 28

// Help lists keys and what they do, by group in order of appearance. Typing filters by
// key, label, sentence or group. A disabled action is listed with its reason, which is
// below the list in full while the cursor is on it.
func Help(all []keys.Binding) Dialog {
	var groups []string
	for _, b := range all {
		groups = append(groups, b.Group)
	}
	all = slices.DeleteFunc(slices.Clone(all), func(b keys.Binding) bool { return len(b.Keys()) == 0 })
	slices.SortStableFunc(all,
		func(a, b keys.Binding) int { return slices.Index(groups, a.Group) - slices.Index(groups, b.Group) })
	l := &list[numbered]{base: base{title: "Keys"}, width: listWidth}
	l.table = widget.Table[numbered]{
		Columns: []widget.Column[numbered]{
			{
				Least: widestKeys, Most: widestKeys, Text: func(b numbered) string { return b.bracketIfDisabled(b.KeyNames()) },
				Tone: toneOf(prose.Strong),
			},
			{
				Least: 4, Most: 12, Rank: 1, Text: func(b numbered) string { return prose.Printable(b.Group) },
				Tone: toneOf(prose.Muted),
			},
			{Least: 12, Most: widestSentence, Text: func(b numbered) string { return b.Describe() }, Tone: toneOf(prose.Plain)},
		},
		NameColumn: 2, Searches: true,
		ID:    func(b numbered) string { return strconv.Itoa(b.n) },
		Words: func(b numbered) string { return b.Label() + " " + b.About + " " + b.Group + " " + b.KeyNames() },
	}
	rows := make([]numbered, len(all))
	for i, b := range all {
		rows[i] = numbered{b, i}
	}
	l.table.SetRows(rows)
	l.keys = func() []keys.Binding {
		leave := func() tea.Cmd { return l.end(nil) }
		return []keys.Binding{
			keys.Open.Does("close", "close the help", leave),
			l.cancel("close", "leave the list"),
			keys.Help.Nth(1, "close", "close the help", leave),
		}
	}
	l.below = func() (prose.Tone, string) {
		b, _ := l.table.Row()
		return prose.Plain, b.Describe()
	}
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

// usualHeight is the height of a palette in a window that is not much higher.
const usualHeight = 24

// View draws the palette in a box of a size that depends on the window alone.
func (p *palette) View(t *theme.Theme, maxW, maxH int) string {
	return p.list.View(t, maxW, min(maxH, max(usualHeight, maxH*2/3)))
}
