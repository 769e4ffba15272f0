package dashboard

import (
	"cmp"
	"strings"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// part is something that the head says: a word, which goes without saying where
// there is no room, and a value.
type part struct {
	word, value string
	tone        prose.Tone
	// short is the value where there is less room; "" is the value itself.
	short string
	// spare says that it is left out where there is still too little.
	spare bool
}

// line draws parts in at most w cells: with all words, else with short values, else
// without what can be spared, else without words.
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

// longestName is how many cells a name has in a head line of w, so that what
// follows it is seen too: that an environment is guarded, above all.
func longestName(w int) int {
	const part = 3
	return w / part
}

// projectLine names the project, and says whether its sandbox runs.
func (p *Page) projectLine(t *theme.Theme, w int) string {
	of := p.board.Snap.Backend.Project
	const fewest = 12
	application := prose.Short(of.ApplicationID)
	words, short, tone := p.sandboxState()
	return line(t, []part{
		{value: layout.Cut(prose.Short(cmp.Or(of.Name, "project")), longestName(w)), tone: prose.Title},
		{word: "application", value: application, short: layout.Cut(application, fewest)},
		{word: "dialect", value: prose.Short(string(of.Dialect))},
		{value: words, short: short, tone: tone},
	}, w)
}

// sandboxState is what is known of the sandbox, in words and in fewer; for a moment
// what is being done instead.
func (p *Page) sandboxState() (words, short string, tone prose.Tone) {
	switch s := p.board.Sandbox; {
	case p.board.Busy != "":
		return p.board.Busy + " ...", "", prose.Note
	case s == nil:
		return "", "", prose.Muted
	case s.Running && s.Err != "":
		return "sandbox does not answer", "", prose.Warning
	case s.Running:
		address := prose.Short(s.Status.Address)
		return "sandbox running at " + address, "sandbox " + address, prose.Good
	}
	return "no sandbox", "", prose.Muted
}

// environmentLine says what environment the page is about; in a narrow window
// without the words that go without saying.
func (p *Page) environmentLine(t *theme.Theme, w int) string {
	e := p.board.Snap.Env
	if e == nil {
		return t.Warning.Render("no environment")
	}
	begin := t.Muted.Render("environment ") + t.Accent.Render(layout.Cut(prose.Short(e.Name), longestName(w)))
	if e.Guarded {
		begin += " " + t.Warning.Render("(guarded)")
	}
	begin += "  "
	return begin + line(t, []part{
		{value: e.Pushed(), tone: prose.Muted},
		{word: "provider", value: prose.Short(string(e.Provider))},
		{word: "branch", value: prose.Short(e.BranchName()), spare: e.BranchName() == e.Name},
	}, max(1, w-layout.Width(begin)))
}
