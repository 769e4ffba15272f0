package dashboard

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// part is something that the head says: a word, which goes without saying where
// there is no room, and a value.
type part struct {
	word, value string
	style       lipgloss.Style
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
			if how.short && p.short != "" {
				value = p.short
			}
			b.WriteString(p.style.Render(value))
		}
		if drawn := b.String(); layout.Width(drawn) <= w || !how.words && !how.spare {
			return layout.Cut(drawn, w)
		}
	}
	return ""
}

// headLines say what project and what environment the page is about, and what of
// it cannot be read.
func (p *Page) headLines(t *theme.Theme, w int) []string {
	lines := []string{margin + p.projectLine(t, w-2), margin + p.environmentLine(t, w-2)}
	s := p.snap
	if p.working != nil {
		lines = append(lines, margin+t.Note.Render(layout.Cut(prose.Fit(p.working.line()), w-2)))
	}
	if p.draft != nil && p.at == 0 {
		text := "a draft of " + p.draft.Saved.Local().Format("2 Jan 15:04") + " is kept: w goes on with it"
		lines = append(lines, margin+t.Note.Render(layout.Cut(text, w-2)))
	}
	if p.err != nil {
		lines = append(lines, margin+t.Error.Render(layout.Cut("! shown as it was before, since it cannot be read now: "+prose.Fit(p.err.Error()), w-2)))
	}
	if s.half {
		lines = append(lines, margin+t.Warning.Render(layout.Cut("! a write is under way or was interrupted: this may be half of it", w-2)))
	}
	if n := len(s.broken); n > 0 {
		where := p.place("activity")
		lines = append(lines, margin+t.Error.Render(layout.Cut(fmt.Sprintf("! %s in reading, the rest is incomplete: see %d", model.Count(n, "problem"), where+1), w-2)))
	}
	return lines
}

// longestName is how many cells a name has in a head line of w, so that what
// follows it is seen too: that an environment is guarded, above all.
func longestName(w int) int {
	const part = 3
	return w / part
}

// projectLine names the project, and says whether its sandbox runs.
func (p *Page) projectLine(t *theme.Theme, w int) string {
	of := p.snap.backend.Project
	name := of.Name
	if name == "" {
		name = "project"
	}
	const fewest = 12
	application := fit(of.ApplicationID)
	sandbox, short, style := p.sandboxState(t)
	return line(t, []part{
		{value: layout.Cut(fit(name), longestName(w)), style: t.Title},
		{word: "application", value: application, short: layout.Cut(application, fewest), style: t.Base},
		{word: "dialect", value: fit(string(of.Dialect)), style: t.Base},
		{value: sandbox, short: short, style: style},
	}, w)
}

// sandboxState is what is known of the sandbox, in words and in fewer; for a moment
// what is being done instead.
func (p *Page) sandboxState(t *theme.Theme) (words, short string, style lipgloss.Style) {
	switch s := p.sandbox; {
	case p.busy != "":
		return p.busy + " ...", "", t.Note
	case s == nil:
		return "", "", t.Muted
	case s.running && s.err != "":
		return "sandbox does not answer", "", t.Warning
	case s.running:
		address := fit(s.status.Address)
		return "sandbox running at " + address, "sandbox " + address, t.Good
	}
	return "no sandbox", "", t.Muted
}

// environmentLine says what environment the page is about; in a narrow window
// without the words that go without saying.
func (p *Page) environmentLine(t *theme.Theme, w int) string {
	e := p.snap.env
	if e == nil {
		return t.Warning.Render("no environment")
	}
	guarded := ""
	if e.Guarded {
		guarded = "(guarded)"
	}
	begin := t.Muted.Render("environment ") + t.Accent.Render(layout.Cut(fit(e.Name), longestName(w)))
	if guarded != "" {
		begin += " " + t.Warning.Render(guarded)
	}
	begin += "  "
	return begin + line(t, []part{
		{value: e.pushed(), style: t.Muted},
		{word: "provider", value: fit(string(e.Provider)), style: t.Base},
		{word: "branch", value: fit(e.BranchName()), style: t.Base, spare: e.BranchName() == e.Name},
	}, max(1, w-layout.Width(begin)))
}

// tabLine names the tabs in w cells; the one in front stands in brackets, so that
// it is told without colour. Where there is no room the names of those that are
// far from it are shortened, then left out; its own and those beside it never.
func (p *Page) tabLine(t *theme.Theme, w int) string {
	names := p.tabNames(w)
	ends := make([]int, len(names))
	var b strings.Builder
	x := 0
	for i, name := range names {
		if i == p.at {
			b.WriteString(t.Selected.Render("[" + name + "]"))
		} else {
			b.WriteString(t.Muted.Render(" " + name + " "))
		}
		x += layout.Width(name) + 2
		ends[i] = x
	}
	p.drawn.places.ends = ends
	return layout.Cut(b.String(), w)
}

// tabNames are the names of the tabs, each with its number, as they fit in w cells
// with a cell on either side.
func (p *Page) tabNames(w int) []string {
	const shortest = 4
	names := make([]string, len(p.tabs))
	sum := 0
	for i, tab := range p.tabs {
		names[i] = fmt.Sprintf("%d %s", i+1, tab.title())
		sum += layout.Width(names[i]) + 2
	}
	shorten := func(i int, name string) {
		if saved := layout.Width(names[i]) - layout.Width(name); sum > w && saved > 0 {
			names[i], sum = name, sum-saved
		}
	}
	order := farthestFirst(len(names), p.at)
	for _, i := range order {
		title := nameOfTab(p.tabs[i])
		if len(title) > shortest {
			shorten(i, fmt.Sprintf("%d %s.", i+1, p.tabs[i].title()[:shortest]))
		}
	}
	for _, i := range order {
		shorten(i, fmt.Sprint(i+1))
	}
	return names
}

// farthestFirst are the indexes of n tabs without that of the one in front and of
// those beside it, the farthest first.
func farthestFirst(n, at int) []int {
	var order []int
	for away := n; away > 1; away-- {
		for _, i := range []int{at + away, at - away} {
			if i >= 0 && i < n {
				order = append(order, i)
			}
		}
	}
	return order
}
