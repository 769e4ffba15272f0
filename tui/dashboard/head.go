package dashboard

import (
	"cmp"
	"fmt"
	"strings"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
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
	for _, how := range []struct{ words, short, spare bool }{
		{true, false, true},
		{true, true, true},
		{true, true, false},
		{false, true, false},
	} {
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

// headLines name the project and the environment, and say what cannot be read. low asks for
// one line instead of two.
func (p *Page) headLines(t *theme.Theme, w int, low bool) []string {
	b, inner := p.board, w-2*len(margin)
	lines := []string{p.projectLine(t, inner), p.environmentLine(t, inner)}
	if low {
		lines = []string{p.shortLine(t, inner)}
	}
	lines = widget.Indent(lines, margin)
	add := func(tone prose.Tone, text string) {
		lines = append(lines, margin+t.Of(tone).Render(layout.Cut(text, inner)))
	}
	if b.Draft != nil && p.current == 0 {
		add(prose.Note, "draft saved "+clock.Moment(b.Draft.Saved)+": w resumes it")
	}
	if b.Err != nil {
		add(prose.Bad, "! cannot be read now, so this is the last state: "+prose.Printable(b.Err.Error()))
	}
	if note := b.Snap.Env.CloudNote(); note != "" {
		for _, text := range cloudNote(note, inner, low) {
			add(prose.Warning, text)
		}
	}
	if b.Snap.Partial {
		add(prose.Note, "a write is running, or was interrupted: until it ends, this may be incomplete")
	}
	if n := len(b.Snap.Broken); n > 0 {
		add(prose.Bad, fmt.Sprintf("! %s in the files, so this is incomplete: see Problems", phrase.Count(n, "problem")))
	}
	return lines
}

// cloudNote is what goes on in AWS, in lines of w cells: one if low, else at most two. All of
// it is in the tab Activity.
func cloudNote(note string, w int, low bool) []string {
	lines := layout.Wrap("! "+note, w)
	most := 2
	if low {
		most = 1
	}
	if len(lines) <= most {
		return lines
	}
	rest := strings.Join(lines[most-1:], " ")
	return append(lines[:most-1:most-1], layout.Cut(rest, w))
}

// apart draws two texts at the ends of w cells; the left one is drawn in what the right one
// leaves.
func apart(left func(w int) string, right string, w int) string {
	if right == "" {
		return left(w)
	}
	const gap = 2
	room := max(1, w-layout.Width(right)-gap)
	return layout.Pad(left(room), room) + strings.Repeat(" ", gap) + right
}

// nameOf is the name of the project in at most w cells: what follows it must stay visible.
func (p *Page) nameOf(w int) part {
	of := p.board.Snap.Backend.Project
	return part{value: layout.Cut(prose.PrintableStart(cmp.Or(of.Name, "project")), w), tone: prose.Strong}
}

// projectLine names the project, and says whether its sandbox runs.
func (p *Page) projectLine(t *theme.Theme, w int) string {
	of := p.board.Snap.Backend.Project
	const fewest, share, roomy = 12, 3, 96
	application := prose.PrintableStart(of.ApplicationID)
	words, short, tone := p.sandboxState()
	if w < roomy {
		words = cmp.Or(short, words)
	}
	return apart(func(w int) string {
		return line(t, []part{
			p.nameOf(w / share),
			{word: "application", value: application, short: layout.Cut(application, fewest), tone: prose.Muted, spare: true},
			{word: "dialect", value: prose.PrintableStart(string(of.Dialect)), tone: prose.Muted, spare: true},
		}, w)
	}, t.Of(tone).Render(words), w)
}

// The signs of a sandbox that runs, and of none.
const (
	runs   = "● "
	runsNo = "○ "
)

// sandboxState describes the sandbox, in full and shortened; while the board is busy, what it
// does.
func (p *Page) sandboxState() (words, short string, tone prose.Tone) {
	switch s := p.board.Sandbox; {
	case p.board.Busy != "":
		return p.board.Busy + " ...", "", prose.Note
	case s == nil:
		return "", "", prose.Muted
	case s.Running && s.Err != "":
		return "!! sandbox does not respond", "", prose.Warning
	case s.Running:
		address := s.Address()
		return runs + "sandbox running at " + address, runs + "sandbox " + address, prose.Good
	}
	return runsNo + "no sandbox", "", prose.Muted
}

// environmentLine names the environment that the page shows, with its last push, and what the
// tabs note.
func (p *Page) environmentLine(t *theme.Theme, w int) string {
	e := p.board.Snap.Env
	if e == nil {
		return t.Warning.Render("no environment")
	}
	const share, gap = 3, "  "
	begin, notes := t.Muted.Render("environment ")+environmentName(t, e, w/share)+gap, p.notes(t, w)
	if layout.Width(begin)+layout.Width(e.Pushed()+gap)+layout.Width(notes) > w {
		notes = p.notes(t, 0)
	}
	return apart(func(w int) string {
		provider, asOf := prose.PrintableStart(string(e.Provider)), e.AsOf()
		if asOf != "" {
			provider = "" // the next part names it
		}
		return begin + line(t, []part{
			{value: e.Pushed(), tone: prose.Muted},
			{word: "provider", value: provider, tone: prose.Muted, spare: true},
			{word: "AWS", value: asOf, tone: prose.Muted, spare: true},
			{word: "branch", value: prose.PrintableStart(e.BranchName()), tone: prose.Muted, spare: e.BranchName() == e.Name},
		}, max(1, w-layout.Width(begin)))
	}, notes, w)
}

// environmentName is the name of an environment in at most w cells, and its guard.
func environmentName(t *theme.Theme, e *board.Environment, w int) string {
	name := t.Accent.Render(layout.Cut(prose.PrintableStart(e.Name), w))
	if e.Guarded {
		name += " " + t.Warning.Render("(guarded)")
	}
	return name
}

// notes are what the tabs say that one should know from any tab, short in a narrow window.
func (p *Page) notes(t *theme.Theme, w int) string {
	const narrow = 70
	var notes []string
	for _, tab := range p.tabs {
		noter, ok := tab.(board.Noter)
		if !ok {
			continue
		}
		if note, short := noter.Note(); note.Text != "" {
			if w < narrow {
				note.Text = short
			}
			notes = append(notes, p.board.DrawSum(t, note))
		}
	}
	return strings.Join(notes, "  ")
}

// shortLine is the head in one line: names, last push and sandbox.
func (p *Page) shortLine(t *theme.Theme, w int) string {
	const share, gap = 5, "  "
	e := p.board.Snap.Env
	begin, push := line(t, []part{p.nameOf(w / share)}, w)+gap, ""
	if e == nil {
		begin += t.Warning.Render("no environment")
	} else {
		begin += environmentName(t, e, w/share) + gap
		push = e.Pushed()
	}
	notes := p.notes(t, 0)
	if notes != "" {
		notes += gap
	}
	words, short, tone := p.sandboxState()
	words = cmp.Or(short, words)
	for _, shorter := range []string{
		strings.Replace(words, "sandbox ", "", 1),
		strings.Replace(words, "no sandbox", "off", 1), words[:min(len(words), len(runs))],
	} {
		if layout.Width(begin)+layout.Width(push)+len(gap)+layout.Width(notes)+layout.Width(words) <= w {
			break
		}
		words = shorter
	}
	return apart(func(w int) string {
		if e == nil {
			return begin
		}
		return begin + line(t, []part{{value: push, tone: prose.Muted}}, max(1, w-layout.Width(begin)))
	}, notes+t.Of(tone).Render(strings.TrimRight(words, " ")), w)
}
