// Package environments is the tab of the dashboard that shows all environments side by
// side: a column for each environment, a row for each fact.
package environments

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/widget"
)

// Tab shows the environments.
type Tab struct {
	board.Listing[*fact]
	board *board.Board
	// names are the names of the environments, safe for the screen; at is the index of the
	// shown one.
	names []string
	at    int
	// health is when AWS was last asked how the environments are.
	health time.Time
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b}
	t.TabName, t.TabShort, t.Describe = "Environments", "Envs", t.describe
	t.Called = func(f *fact) string { return f.name }
	t.List = widget.Table[*fact]{
		Framed: true,
		Sum:    sumOf,
		Pinned: 1,
		ID:     func(f *fact) string { return f.name },
		Words:  (*fact).words,
		Empty:  project.ErrNoEnvironments.Error,
	}
	return t
}

// Read lists the facts of the environments.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd {
	facts := factsOf(r.Snapshot)
	return func() tea.Cmd {
		t.names, t.at = nil, 0
		for i := range r.Environments {
			t.names = append(t.names, prose.PrintableStart(r.Environments[i].Name))
			if r.Env == &r.Environments[i] {
				t.at = i
			}
		}
		t.List.SetColumns(t.columns())
		t.List.ToColumn(t.at)
		t.List.SetRows(facts)
		t.toHealth(r.Environments)
		return nil
	}
}

// toHealth moves the cursor to what AWS has just said about how the environments are: it is below
// the other facts, and may be out of view.
func (t *Tab) toHealth(all []board.Environment) {
	newest := t.health
	for _, e := range all {
		if e.Health != nil && e.Health.At.After(newest) {
			newest = e.Health.At
		}
	}
	if newest.Equal(t.health) {
		return
	}
	t.health = newest
	// Without an answer of any environment there is no drift.
	t.List.To(healthFact)
	t.List.To(driftFact)
}

// Show scrolls to the column of an environment.
func (t *Tab) Show(of model.Ref) bool {
	i := slices.Index(t.names, prose.PrintableStart(of.Name))
	if of.Kind != model.KindEnvironment || i < 0 {
		return false
	}
	t.List.ToColumn(i)
	return true
}

// columns are the name of a fact and its value in each environment; the shown environment is
// in brackets, and stays in view.
func (t *Tab) columns() []widget.Column[*fact] {
	tone := func(usual prose.Tone) func(*fact) prose.Tone {
		return func(f *fact) prose.Tone {
			if f.differ {
				return prose.Warning
			}
			return usual
		}
	}
	const least, leastValue = 14, 11
	all := []widget.Column[*fact]{{Least: least, Enough: least, Most: 26, Text: (*fact).marked, Tone: tone(prose.Muted)}}
	for i, name := range t.names {
		if i == t.at {
			name = "[" + name + "]"
		}
		all = append(all,
			widget.Column[*fact]{
				Title: name, Least: leastValue, Middle: true,
				Text: func(f *fact) string { return orDash(f.values[i]) }, Tone: tone(prose.Plain),
			})
	}
	return all
}

// describe gives the values of a fact: one if it is the same everywhere; if they differ, that
// of the shown environment first.
func (t *Tab) describe(f *fact) []prose.Line {
	lines := t.valuesOf(f)
	for i, more := range f.lines {
		if len(more) > 0 && len(t.names) > 1 {
			lines = append(lines, prose.Line{Tone: prose.Muted, Text: t.names[i] + ":"})
		}
		lines = append(lines, more...)
	}
	if f.about != "" {
		lines = append(lines, prose.Line{Tone: prose.Muted, Text: f.about})
	}
	return lines
}

// valuesOf are the lines of the values.
func (t *Tab) valuesOf(f *fact) []prose.Line {
	line := func(tone prose.Tone, text string) prose.Line { return prose.Line{Tone: tone, Text: text} }
	if !f.differ && len(slices.Compact(slices.Clone(f.values))) == 1 {
		return []prose.Line{line(prose.Muted, f.name+" is the same everywhere:"), line(prose.Plain, orDash(f.values[t.at]))}
	}
	value := func(tone prose.Tone, i int) prose.Line { return line(tone, t.names[i]+": "+orDash(f.values[i])) }
	all, rest := []prose.Line{line(prose.Muted, f.name+":")}, prose.Plain
	if f.differ {
		all, rest = []prose.Line{line(prose.Muted, f.name+" differs:"), value(prose.Plain, t.at)}, prose.Muted
	}
	for i := range t.names {
		if i != t.at || !f.differ {
			all = append(all, value(rest, i))
		}
	}
	return all
}

// sumOf counts the facts, and those that differ.
func sumOf(facts []*fact) string {
	differ := 0
	for _, f := range facts {
		if f.differ {
			differ++
		}
	}
	verb := "differ"
	if differ == 1 {
		verb = "differs"
	}
	return fmt.Sprintf("%s, %d %s", phrase.Count(len(facts), "fact"), differ, verb)
}

// words are searched by the filter in addition to the name.
func (f *fact) words() string {
	text := strings.Join(f.values, " ")
	if f.differ {
		text += " differs"
	}
	return text
}

// marked is the name, after a sign if the values differ.
func (f *fact) marked() string {
	if f.differ {
		return "≠ " + f.name
	}
	return "  " + f.name
}

func orDash(value string) string { return cmp.Or(value, "-") }
