package dashboard

import (
	"cmp"
	"strings"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// part is an entry of a head line: a value, after a word that is left out where there is no
// room.
type part struct {
	word, value string
	tone        prose.Tone
	// short replaces the value in a narrow window; "" is the value itself.
	short string
	// spare says that it is left out of a still narrower one.
	spare bool
}

// line draws parts in at most w cells: with all words, else with short values, else without
// spare parts, else without words.
func line(t *theme.Theme, parts []part, w int) string {
	for _, how := range []struct{ words, short, spare bool }{{true, false, true}, {true, true, true}, {true, true, false}, {false, true, false}} {
		var b strings.Builder
		for _, p := range parts {
			if p.value == "" || p.spare && !how.spare {
				continue
			}
			if b.Len() > 0 {
				b.WriteString("  ")
			}
			if how.words && p.word != "" {
				b.WriteString(t.Muted.Render(p.word + " "))
			}
			value := p.value
			if how.short {
				value = cmp.Or(p.short, value)
			}
			b.WriteString(t.Of(p.tone).Render(value))
		}
		if drawn := b.String(); layout.Width(drawn) <= w || !how.words && !how.spare {
			return layout.Cut(drawn, w)
		}
	}
	return ""
}

// longestName is how many cells a name gets in a head line of w cells: what follows it, such
// as (guarded), must stay visible.
func longestName(w int) int {
	const part = 3
	return w / part
}

// projectLine names the project, and says whether its sandbox runs.
func (p *Page) projectLine(t *theme.Theme, w int) string {
	of := p.board.Snap.Backend.Project
	const fewest = 12
	application := prose.PrintableStart(of.ApplicationID)
	words, short, tone := p.sandboxState()
	return line(t, []part{
		{value: layout.Cut(prose.PrintableStart(cmp.Or(of.Name, "project")), longestName(w)), tone: prose.Title},
		{word: "application", value: application, short: layout.Cut(application, fewest)},
		{word: "dialect", value: prose.PrintableStart(string(of.Dialect))},
		{value: words, short: short, tone: tone},
	}, w)
}

// sandboxState describes the sandbox, in full and shortened; while the board is busy, what it
// does.
func (p *Page) sandboxState() (words, short string, tone prose.Tone) {
	switch s := p.board.Sandbox; {
	case p.board.Busy != "":
		return p.board.Busy + " ...", "", prose.Note
	case s == nil:
		return "", "", prose.Muted
	case s.Running && s.Err != "":
		return "sandbox does not answer", "", prose.Warning
	case s.Running:
		address := prose.PrintableStart(s.Status.Address)
		return "sandbox running at " + address, "sandbox " + address, prose.Good
	}
	return "no sandbox", "", prose.Muted
}

// environmentLine names the environment that the page shows, with its last push.
func (p *Page) environmentLine(t *theme.Theme, w int) string {
	e := p.board.Snap.Env
	if e == nil {
		return t.Warning.Render("no environment")
	}
	begin := t.Muted.Render("environment ") + t.Accent.Render(layout.Cut(prose.PrintableStart(e.Name), longestName(w)))
	if e.Guarded {
		begin += " " + t.Warning.Render("(guarded)")
	}
	begin += "  "
	return begin + line(t, []part{
		{value: e.Pushed(), tone: prose.Muted},
		{word: "provider", value: prose.PrintableStart(string(e.Provider))},
		{word: "branch", value: prose.PrintableStart(e.BranchName()), spare: e.BranchName() == e.Name},
	}, max(1, w-layout.Width(begin)))
}
