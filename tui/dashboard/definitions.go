package dashboard

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/definition"
	"gatewright/render"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// definitionsTab shows the definitions behind auth, data and storage: every field,
// with its value in the environment and where that comes from.
type definitionsTab struct {
	definitionTable
	page    *Page
	backend *model.Backend
	env     *environment
	layout  project.Layout
	// pending is the change that a dialog asks about.
	pending *pendingEdit
}

func (d *definitionsTab) title() string { return "Definitions" }

func (d *definitionsTab) take(s *snapshot) tea.Cmd {
	d.definitionTable, d.backend, d.env, d.layout = s.definitions, s.backend, s.env, s.layout
	return nil
}

func (d *definitionsTab) entries() []entry { return d.list }

func (d *definitionsTab) empty() string { return cmp.Or(d.problem, "there is nothing to define") }

// columns are the widths of the three columns of a row of w cells.
func (d *definitionsTab) columns(w int) (name, value, from int) {
	const least = 16
	name = min(d.nameW, max(least, w/2-len(gap)))
	from = min(d.fromW, max(len("definition"), w/4))
	return name, max(1, w-name-from-2*len(gap)), from
}

func (d *definitionsTab) heading(t *theme.Theme, w int) string {
	name, value, from := d.columns(w)
	return t.Muted.Render(layout.Cut(cell("field", name)+gap+cell("value", value)+gap+cell("from", from), w))
}

func (d *definitionsTab) row(t *theme.Theme, i int, selected bool, w int) string {
	r := d.rows[i]
	nameW, valueW, fromW := d.columns(w)
	name, value, from := cell(r.name, nameW)+gap, cell(r.value, valueW)+gap, cell(r.from, fromW)
	switch {
	case selected:
		return t.Selected.Render(layout.Cut(name+value+from, w))
	case r.is == sectionRow, r.is == groupsRow:
		return layout.Cut(t.Accent.Render(name)+t.Muted.Render(value+from), w)
	case r.is == fieldRow && (r.of.From == definition.Unsaid || r.of.From == definition.ByDefault):
		return layout.Cut(t.Muted.Render(name+value+from), w)
	case r.is == fieldRow && r.of.From == definition.ByEnvironment:
		return layout.Cut(t.Base.Render(name+value)+t.Warning.Render(from), w)
	}
	return layout.Cut(t.Base.Render(name+value)+t.Muted.Render(from), w)
}

func (d *definitionsTab) detail(t *theme.Theme, i, w int) []string {
	if i == none {
		return nil
	}
	return draw(t, d.told(i), w)
}

// told is what is to be said of a row.
func (d *definitionsTab) told(i int) []said {
	r := d.rows[i]
	switch r.is {
	case sectionRow:
		all := []said{{strong, string(r.kind)}, {plain, definition.SectionMeaning(r.kind)}}
		if r.kind != model.KindAuth {
			all = append(all, said{muted, "an environment may say otherwise: O sets that for the one that is shown"})
		}
		return append(all, said{muted, "file: " + project.QuotePath(d.layout.File(model.Ref{Kind: r.kind}))})
	case groupsRow:
		return []said{{strong, "groups of the user pool, in their order"}, {plain, "who is in several acts as a member of the first of them; K and J move one, + adds one"}}
	case groupRow:
		return d.toldOfGroup(r)
	}
	return d.toldOfField(r)
}

func (d *definitionsTab) toldOfField(r definitionRow) []said {
	f := r.of
	all := []said{{strong, string(r.kind) + "." + f.String()}, {plain, definition.Meaning(r.kind, f.Field)}}
	say := func(how tone, text string) { all = append(all, said{how, text}) }
	if f.Value == nil {
		say(muted, "not said"+d.lacks(f))
	} else {
		say(good, strings.TrimSpace(r.value)+"  ("+r.from+")")
	}
	if f.From == definition.ByEnvironment {
		was := "nothing"
		if f.Defined != nil {
			was = fit(render.Text("/"+string(r.kind)+"/"+strings.Join(f.Place, "/"), f.Defined))
		}
		say(warning, "the definition says: "+was)
	}
	if takes := f.Takes(); len(takes) > 0 {
		say(muted, "takes "+strings.Join(takes, "; "))
	}
	return all
}

// lacks says what it means that a field is not said.
func (d *definitionsTab) lacks(f definition.Traced) string {
	switch {
	case d.layout != project.Native:
		return " here: the Amplify CLI keeps it"
	case !f.Required || len(f.Place) > 1:
		return ""
	case f.Kind == model.KindAuth:
		return "; a push gives it"
	}
	return "; the client configuration file is without this section until it is said"
}

func (d *definitionsTab) toldOfGroup(r definitionRow) []said {
	group := d.backend.Groups[r.group]
	all := []said{{strong, fmt.Sprintf("group %s, number %d of %d", fit(model.Quote(group)), r.group+1, len(d.backend.Groups))}}
	if r.group > 0 {
		all = append(all, said{plain, "who is also in " + fit(model.QuoteList(d.backend.Groups[:r.group])) + " acts as a member of that"})
	}
	return all
}

func (d *definitionsTab) copied(i int) string {
	r := d.rows[i]
	switch r.is {
	case groupRow:
		return fit(d.backend.Groups[r.group])
	case fieldRow:
		return r.value
	}
	return r.name
}

// fixed is why nothing of the definitions can be changed; "" where it can.
func (d *definitionsTab) fixed() string {
	if d.layout != project.Native {
		return "the Amplify CLI keeps it: run amplify update auth"
	}
	return d.page.readOnly()
}

func (d *definitionsTab) opening(i int) frame.Binding {
	b := frame.Binding{Label: "edit", Help: "give the field another value", Disabled: d.fixed()}
	if i == none {
		return b
	}
	switch r := d.rows[i]; {
	case r.is != fieldRow:
		return showing
	case d.fixed() != "":
		return showing
	case r.of.Type == model.FreeField:
		b.Disabled = "an object of any form comes from a file: gatewright update data --model-introspection FILE"
	}
	return b
}

func (d *definitionsTab) open(i int) (row int, cmd tea.Cmd) {
	if r := d.rows[i]; r.is == fieldRow && d.fixed() == "" {
		return i, d.edit(r, "")
	}
	return i, show(strings.TrimSpace(d.rows[i].name), d.told(i))
}
