package definitions

import (
	"fmt"
	"strings"

	"gatewright/model"
	"gatewright/project/definition"
	"gatewright/prose"
	"gatewright/render"
	"gatewright/tui/dashboard/board"
)

// sort says what a row is.
type sort uint8

const (
	sectionRow sort = iota
	fieldRow
	// groupsRow stands above the groups, groupRow is one of them.
	groupsRow
	groupRow
)

// row is a section, a field, or a group of the user pool.
type row struct {
	is   sort
	id   string
	kind model.Kind
	// of is the field of a fieldRow.
	of definition.Traced
	// name, value and from are the columns, fit for the screen.
	name, value, from string
	// group is the name of a group, at its index in the pool's order.
	group string
	at    int
}

// rowsOf makes the rows for the environment of a snapshot. problem is why a section
// cannot be told.
func rowsOf(s *board.Snapshot) (rows []*row, problem string) {
	var env *model.Environment
	if s.Env != nil {
		env = s.Env.Environment
	}
	for _, kind := range definition.Kinds {
		fields, err := definition.Trace(s.Backend, kind, env, s.Env.Last().Outputs)
		if err != nil {
			problem = prose.Short(err.Error())
			continue
		}
		rows = append(rows, section(kind, fields)...)
		if kind == model.KindAuth {
			rows = append(rows, groupRows(s.Backend.Groups)...)
		}
	}
	return rows, problem
}

func section(kind model.Kind, fields []definition.Traced) []*row {
	head, said := &row{is: sectionRow, id: string(kind), kind: kind, name: string(kind)}, 0
	rows := []*row{head}
	for _, f := range fields {
		if f.Leaf() && f.From != definition.Unset && f.From != definition.ByDefault {
			said++
		}
		rows = append(rows, &row{
			is: fieldRow, id: string(kind) + " " + f.String(), kind: kind, of: f,
			name: strings.Repeat("  ", len(f.Place)) + f.Name, value: shown(f, f.Value), from: source(f),
		})
	}
	head.value = fmt.Sprintf("%d said", said)
	return rows
}

// shown is a value of a field, or of an object how much of it there is.
func shown(f definition.Traced, value any) string {
	members, _ := value.(map[string]any)
	switch {
	case value == nil:
		return "-"
	case f.Type == model.FreeField:
		return "an object of " + model.Count(len(members), "member")
	case !f.Leaf():
		return fmt.Sprintf("%d of %d said", len(members), len(f.Fields))
	case f.Type == model.ArrayField:
		return prose.Short(f.Text(value))
	}
	return prose.Short(render.Text("/"+string(f.Kind)+"/"+strings.Join(f.Place, "/"), value))
}

const (
	notSaid      = "not said"
	byDefinition = "definition"
)

// source says where a value comes from.
func source(f definition.Traced) string {
	switch f.From {
	case definition.ByEnvironment:
		return "environment " + prose.Short(model.Quote(f.SourceName))
	case definition.ByDefinition:
		return byDefinition
	case definition.ByDeployment:
		return "last push"
	case definition.ByOutput:
		return "output " + prose.Short(model.Quote(f.SourceName))
	case definition.ByDefault:
		return "default"
	}
	return notSaid
}

func groupRows(groups []string) []*row {
	head := &row{is: groupsRow, id: "auth groups", kind: model.KindAuth, name: "  groups", value: "-", from: notSaid}
	rows := []*row{head}
	for i, group := range groups {
		head.value, head.from = model.Count(len(groups), "group"), byDefinition
		r := &row{is: groupRow, id: "auth group " + group, kind: model.KindAuth, name: fmt.Sprintf("    %d. %s", i+1, prose.Short(group)), from: byDefinition, group: group, at: i}
		if i == 0 {
			r.value = "who is in it acts as a member of it first"
		}
		rows = append(rows, r)
	}
	return rows
}

func (r *row) head() bool { return r.is == sectionRow || r.is == groupsRow }

// quiet tells a field of which nobody says anything.
func (r *row) quiet() bool {
	return r.is == fieldRow && (r.of.From == definition.Unset || r.of.From == definition.ByDefault)
}

func (r *row) nameTone() prose.Tone {
	if r.head() {
		return prose.Strong
	}
	return r.valueTone()
}

func (r *row) valueTone() prose.Tone {
	if r.head() || r.quiet() {
		return prose.Muted
	}
	return prose.Plain
}

func (r *row) fromTone() prose.Tone {
	if r.is == fieldRow && r.of.From == definition.ByEnvironment {
		return prose.Warning
	}
	return prose.Muted
}

// copied is what goes to the clipboard for a row.
func (r *row) copied() string {
	switch r.is {
	case groupRow:
		return prose.Short(r.group)
	case fieldRow:
		return r.value
	}
	return r.name
}

// gives says who gives the value that a field has, where nobody can take it away here.
var gives = map[definition.Source]string{
	definition.ByDeployment: "a push gives it", definition.ByOutput: "an output gives it: see Outputs",
	definition.Unset: "nothing is said of it", definition.ByDefault: "nothing is said of it",
}

// hasFile tells whether there is a file of a section.
func hasFile(kind model.Kind, b *model.Backend) bool {
	switch kind {
	case model.KindAuth:
		return b.Auth != nil || len(b.Groups) > 0
	case model.KindData:
		return b.Data != nil
	}
	return b.Storage != nil
}
