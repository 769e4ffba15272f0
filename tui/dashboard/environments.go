package dashboard

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// environmentsTab shows all environments side by side: a column for each, a row
// for each thing that is said of one.
type environmentsTab struct {
	page    *Page
	backend *model.Backend
	layout  project.Layout
	all     []environment
	// here is the environment that is chosen on this machine; "" for none.
	here string
	// unguarding is the environment that a dialog asks about.
	unguarding string
	names      []string
	// chosen is the column of the environment that the page is about, first the
	// leftmost one in view.
	chosen, first int
	facts         []fact
	// nameW is the width of the widest name of a fact, widest that of a column.
	nameW, widest int
}

// fact is one thing that is said of environments, with the value in each as it is
// shown; "" where an environment says nothing.
type fact struct {
	name   string
	values []string
	differ bool
	// compared are the values as they are: of two secrets nobody sees a
	// difference.
	compared []string
}

func (e *environmentsTab) title() string { return "Environments" }

func (e *environmentsTab) take(s *snapshot) tea.Cmd {
	*e = environmentsTab{
		page: e.page, backend: s.backend, layout: s.layout, all: s.environments, here: s.chosen, unguarding: e.unguarding, facts: factsOf(s), first: e.first,
	}
	for i := range s.environments {
		name := fit(s.environments[i].Name)
		e.names = append(e.names, name)
		e.widest = max(e.widest, layout.Width(name)+len("]"))
		if s.env == &s.environments[i] {
			e.chosen = i
		}
	}
	for _, f := range e.facts {
		e.nameW = max(e.nameW, layout.Width(f.name))
		for _, value := range f.values {
			e.widest = max(e.widest, layout.Width(value))
		}
	}
	return nil
}

// factsOf lists what is said of the environments: what their files say, then
// what their last pushes made.
func factsOf(s *snapshot) []fact {
	g := gatheredFacts{count: len(s.environments), at: make(map[string]int)}
	for _, field := range []struct {
		name string
		of   func(environment) string
	}{
		{"provider", func(e environment) string { return string(e.Provider) }},
		{"region", func(e environment) string { return regionOf(s.backend, e) }},
		{"account", func(e environment) string { return e.Account }},
		{"branch", func(e environment) string { return e.BranchName() }},
		{"guarded", func(e environment) string { return yesOrNo(e.Guarded) }},
		{"last pushed", environment.lastPushed},
	} {
		for i, e := range s.environments {
			g.say(i, field.name, field.of(e))
		}
	}
	for i, e := range s.environments {
		// It is of one at the most: that is no difference between them.
		g.sayAs(i, "chosen on this machine", "", yesOrNo(e.Name == s.chosen))
	}
	for _, api := range s.backend.APIs {
		for i, e := range s.environments {
			g.say(i, "api "+api.Label, yesOrNo(e.Has(api.Label)))
		}
	}
	for i, e := range s.environments {
		for _, v := range e.Parameters {
			g.say(i, "parameter "+v.Name, v.Value)
		}
	}
	for i, e := range s.environments {
		for _, function := range e.Variables {
			for _, v := range function.Values {
				g.say(i, "variable "+function.Function+"."+v.Name, v.Value)
			}
		}
	}
	for i, e := range s.environments {
		g.override(i, "data", e.Data, e.Data != nil)
		g.override(i, "storage", e.Storage, e.Storage != nil)
	}
	for i, e := range s.environments {
		for _, endpoint := range e.endpoints() {
			g.say(i, "endpoint "+endpoint.API, endpoint.URL)
		}
	}
	for i, e := range s.environments {
		if e.record != nil {
			g.say(i, "stack", e.record.Stack)
		}
	}
	for i, f := range g.facts {
		for _, value := range f.compared[1:] {
			g.facts[i].differ = g.facts[i].differ || value != f.compared[0]
		}
		g.facts[i].compared = nil
	}
	return g.facts
}

// regionOf is the region that an environment's things are in. One that another
// tool deploys has what its file says, and no default of the project's.
func regionOf(b *model.Backend, e environment) string {
	if region := b.Region(e.Environment); region != "" && !b.Foreign {
		return region
	}
	return e.Region
}

// gatheredFacts are facts in the order in which they were first said.
type gatheredFacts struct {
	count int
	facts []fact
	at    map[string]int
}

func (g *gatheredFacts) say(env int, name, value string) {
	if value != "" {
		g.sayAs(env, name, value, render.Text("/"+model.PointerToken(name), value))
	}
}

// sayAs says a value and how it is shown.
func (g *gatheredFacts) sayAs(env int, name, value, shown string) {
	i, ok := g.at[name]
	if !ok {
		i = len(g.facts)
		g.at[name] = i
		g.facts = append(g.facts, fact{name: fit(name), values: make([]string, g.count), compared: make([]string, g.count)})
	}
	g.facts[i].values[env], g.facts[i].compared[env] = fit(shown), value
}

// override says what an environment has in place of a definition's values.
func (g *gatheredFacts) override(env int, section string, definition any, there bool) {
	if !there {
		return
	}
	values, err := model.OutputsOf(definition)
	if err != nil {
		g.say(env, section, err.Error())
		return
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		g.sayAs(env, section+" "+name, model.Canonical(values[name]), render.Text("/"+name, values[name]))
	}
}

func yesOrNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func (e *environmentsTab) entries() []entry {
	entries := make([]entry, len(e.facts))
	for i, f := range e.facts {
		text := strings.ToLower(f.name + " " + strings.Join(f.values, " "))
		if f.differ {
			text += " differs"
		}
		entries[i] = entry{id: f.name, text: text, head: none}
	}
	return entries
}

// columns are the environments in view in w cells, the chosen one among them,
// how wide each is, and how wide their names are. As many are in view as find a
// place at all: what is side by side can be compared.
func (e *environmentsTab) columns(w int) (from, to, each, name int) {
	const least, widestName, part = 16, 24, 3
	name = min(e.nameW, widestName, max(least, w/part))
	room := w - name - layout.Width(differs)
	count := max(1, min(len(e.names), room/(min(least, e.widest)+len(gap))))
	each = min(e.widest, room/count-len(gap))
	e.first = max(e.chosen-count+1, min(e.first, e.chosen, len(e.names)-count))
	return e.first, e.first + count, each, name
}

func (e *environmentsTab) heading(t *theme.Theme, w int) string {
	from, to, each, width := e.columns(w)
	more := ""
	if hidden := len(e.names) - (to - from); hidden > 0 {
		more = fmt.Sprintf("← → %d more", hidden)
	}
	line := noMark + t.Muted.Render(cell(more, width))
	for i := from; i < to; i++ {
		if i == e.chosen {
			// The brackets stand in the gaps, so that names stand above values.
			line += " " + t.Title.Render("["+layout.Cut(e.names[i], each-1)+"]")
			line += strings.Repeat(" ", max(0, each-1-layout.Width(e.names[i])))
			continue
		}
		line += gap + t.Muted.Render(cell(e.names[i], each))
	}
	return line
}

func (e *environmentsTab) empty() string { return project.ErrNoEnvironments.Error() }

// What stands before a row says whether its values differ.
const (
	differs = "≠ "
	noMark  = "  "
)

func (e *environmentsTab) row(t *theme.Theme, i int, selected bool, w int) string {
	f := e.facts[i]
	from, to, each, width := e.columns(w)
	mark, style := noMark, t.Base
	if f.differ {
		mark, style = differs, t.Warning
	}
	name, values := cell(f.name, width), ""
	for c := from; c < to; c++ {
		values += gap + cell(orDash(f.values[c]), each)
	}
	if selected {
		return t.Selected.Render(mark + name + values)
	}
	return style.Render(mark) + t.Muted.Render(name) + style.Render(values)
}

func orDash(value string) string {
	if value == "" {
		return "-"
	}
	return value
}

func (e *environmentsTab) detail(t *theme.Theme, i, w int) []string {
	if i == none {
		return nil
	}
	return draw(t, e.told(i), w)
}

// told are the values of a row in full, that of the chosen environment first.
func (e *environmentsTab) told(i int) []said {
	f := e.facts[i]
	if !f.differ && slices.ContainsFunc(f.values, func(value string) bool { return value != f.values[0] }) {
		all := []said{{muted, f.name + ":"}}
		for c, name := range e.names {
			all = append(all, said{plain, name + ": " + orDash(f.values[c])})
		}
		return all
	}
	if !f.differ {
		return []said{{muted, f.name + " is the same everywhere:"}, {plain, orDash(f.values[e.chosen])}}
	}
	all := []said{{muted, f.name + " differs:"}, {plain, e.names[e.chosen] + ": " + orDash(f.values[e.chosen])}}
	for c, name := range e.names {
		if c != e.chosen {
			all = append(all, said{muted, name + ": " + orDash(f.values[c])})
		}
	}
	return all
}

func (e *environmentsTab) copied(i int) string { return e.facts[i].values[e.chosen] }

func (e *environmentsTab) opening(int) frame.Binding { return showing }

func (e *environmentsTab) open(i int) (row int, cmd tea.Cmd) {
	return i, show(e.facts[i].name, e.told(i))
}
