package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/widget"
)

// newOptions is a list of options with a mark before each title.
func newOptions(title string, mark func(prose.Option) string) *list[prose.Option] {
	l := &list[prose.Option]{base: base{title: title}, width: textWidth}
	l.table = widget.Table[prose.Option]{
		Columns: []widget.Column[prose.Option]{
			{
				Least: 12, Most: widestLabel + len(mark(prose.Option{})),
				Text: func(o prose.Option) string { return mark(o) + prose.Printable(o.Title) },
				Tone: func(o prose.Option) prose.Tone {
					if o.Disabled != "" {
						return prose.Muted
					}
					return prose.Plain
				},
			},
			{Least: 8, Text: func(o prose.Option) string {
				if o.Disabled != "" {
					return notAvailable + prose.Printable(o.Disabled)
				}
				return prose.Printable(o.Detail)
			}, Tone: func(prose.Option) prose.Tone { return prose.Muted }},
		},
		ID:       func(o prose.Option) string { return o.Key },
		Searches: true,
	}
	return l
}

// Choose asks for one of some options. Typing filters them, the arrows move, enter gives
// the key to take. The cursor starts at the option with the key current. A disabled option
// is shown with its reason, which is also below the list in full while the cursor is on it.
func Choose(title string, options []prose.Option, current string, take func(key string) tea.Cmd) Dialog {
	l := newOptions(title, func(prose.Option) string { return "" })
	l.table.Words = func(o prose.Option) string { return o.Detail }
	l.table.SetRows(options)
	if current != "" {
		l.table.To(current)
	}
	disabled := func(o prose.Option) string { return o.Disabled }
	l.keys = func() []keys.Binding {
		return []keys.Binding{
			l.take("choose", "take the option", disabled, func(o prose.Option) tea.Cmd { return l.end(bind(take, o.Key)) }),
			l.cancel("cancel", "leave the list"),
		}
	}
	if slices.ContainsFunc(options, func(o prose.Option) bool { return o.Disabled != "" }) {
		l.below = func() (prose.Tone, string) {
			o, _ := l.table.Row()
			if o.Disabled == "" {
				return prose.Warning, ""
			}
			return prose.Warning, notAvailable + o.Disabled
		}
	}
	return l
}

// Several asks for any number of options: space marks one, enter gives the keys of the
// marked ones to take, in the order of the list. Typing filters it. check, which may be
// nil, refuses them with an error that is shown below the list.
func Several(
	title string, options []prose.Option, chosen []string, check func([]string) error, take func(keys []string) tea.Cmd,
) Dialog {
	on := make(map[string]bool)
	for _, key := range chosen {
		on[key] = true
	}
	l := newOptions(title, func(o prose.Option) string {
		if on[o.Key] {
			return "[x] "
		}
		return "[ ] "
	})
	l.table.SetRows(options)
	var refused error // why enter did nothing; cleared by the next mark
	mark := keys.Choose.Does("mark", "mark or unmark the option", keys.NoCmd(func() {
		if o, ok := l.table.Row(); ok {
			on[o.Key] = !on[o.Key]
			refused = nil
		}
	})).Shown()
	mark.OverText = true
	l.marked = func() []string {
		marked := []string{}
		for _, o := range options {
			if on[o.Key] {
				marked = append(marked, o.Key)
			}
		}
		return slices.Compact(marked)
	}
	enter := func() tea.Cmd {
		marked := l.marked()
		if refused = runCheck(check, marked); refused != nil {
			return nil
		}
		return l.end(bind(take, marked))
	}
	l.keys = func() []keys.Binding {
		return []keys.Binding{
			mark, keys.Open.Does("ok", "take the marked options", enter).Shown(),
			l.cancel("cancel", "leave the list"),
		}
	}
	l.below = func() (prose.Tone, string) { return prose.Bad, errorText(refused) }
	return l
}
