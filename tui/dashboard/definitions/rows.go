package definitions

import (
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project/definition"
	"gatewright/render"
	"gatewright/tui/dashboard/board"
)

// rowType is the type of a row.
type rowType uint8

const (
	sectionRow rowType = iota
	fieldRow
	// groupsRow stands above the groups, groupRow is one of them.
	groupsRow
	groupRow
	// triggersRow stands above the triggers, triggerRow is one of them.
	triggersRow
	triggerRow
)

// row is a section, a field, or a group or a trigger of the user pool.
type row struct {
	is   rowType
	id   string
	kind model.Kind
	// of is the field of a fieldRow.
	of definition.Traced
	// name, value and from are the columns, fit for the screen.
	name, value, from string
	// group is the name of a group, at its index in the pool's order.
	group string
	at    int
	// moment is that of a trigger.
	moment model.Moment
}

// rowsOf makes the rows for the environment of a snapshot. problem is why a section cannot be
// shown.
func rowsOf(s *board.Snapshot) (rows []*row, problem string) {
	var env *model.Environment
	if s.Env != nil {
		env = s.Env.Environment
	}
	for _, kind := range definition.Kinds {
		fields, err := definition.Trace(s.Backend, kind, env, s.Env.Last().Outputs)
		if err != nil {
			problem = prose.PrintableStart(err.Error())
			continue
		}
		rows = append(rows, section(kind, fields)...)
		if kind == model.KindAuth {
			rows = append(rows, groupRows(s.Backend.Groups)...)
			rows = append(rows, triggerRows(s.Backend)...)
		}
	}
	return rows, problem
}

func section(kind model.Kind, fields []definition.Traced) []*row {
	head, set := &row{is: sectionRow, id: string(kind), kind: kind, name: string(kind)}, 0
	rows := []*row{head}
	for _, f := range fields {
		if f.Leaf() && f.From != definition.Unset && f.From != definition.ByDefault {
			set++
		}
		rows = append(rows, &row{
			is: fieldRow, id: string(kind) + " " + f.String(), kind: kind, of: f,
			name: strings.Repeat("  ", len(f.Place)) + f.Name, value: shown(f, f.Value), from: source(f),
		})
	}
	head.value = fmt.Sprintf("%d set", set)
	return rows
}

// shown is the value of a field; of an object, how many of its fields are set.
func shown(f definition.Traced, value any) string {
	members, _ := value.(map[string]any)
	switch {
	case value == nil:
		return "-"
	case f.Type == model.FreeField:
		return "an object of " + phrase.Count(len(members), "member")
	case !f.Leaf():
		return fmt.Sprintf("%d of %d set", len(members), len(f.Fields))
	case f.Type == model.ArrayField:
		return prose.PrintableStart(f.Text(value))
	}
	return prose.PrintableStart(render.Text("/"+string(f.Kind)+"/"+strings.Join(f.Place, "/"), value))
}

const (
	notSet       = "not set"
	byDefinition = "definition"
)

// source says where a value comes from.
func source(f definition.Traced) string {
	switch f.From {
	case definition.ByEnvironment:
		return "environment " + prose.PrintableStart(phrase.Quote(f.SourceName))
	case definition.ByDefinition:
		return byDefinition
	case definition.ByDeployment:
		return "last push"
	case definition.ByOutput:
		return "output " + prose.PrintableStart(phrase.Quote(f.SourceName))
	case definition.ByDefault:
		return "default"
	}
	return notSet
}

func groupRows(groups []string) []*row {
	head := &row{is: groupsRow, id: "auth groups", kind: model.KindAuth, name: "  groups", value: "-", from: notSet}
	rows := []*row{head}
	for i, group := range groups {
		head.value, head.from = phrase.Count(len(groups), "group"), byDefinition
		r := &row{
			is: groupRow, id: "auth group " + group, kind: model.KindAuth,
			name: fmt.Sprintf("    %d. %s", i+1, prose.PrintableStart(group)), from: byDefinition, group: group, at: i,
		}
		if i == 0 {
			r.value = "counts first"
		}
		rows = append(rows, r)
	}
	return rows
}

// called is the title of the details of a row.
func (r *row) called() string {
	switch r.is {
	case sectionRow:
		return string(r.kind)
	case groupsRow:
		return "groups"
	case triggersRow:
		return "triggers"
	case triggerRow:
		return "trigger " + string(r.moment)
	case groupRow:
		return "group " + prose.PrintableStart(r.group)
	}
	return string(r.kind) + "." + prose.PrintableStart(r.of.String())
}

func (r *row) isHeading() bool { return r.is == sectionRow || r.is == groupsRow || r.is == triggersRow }

// isUnset reports whether the row is a field or a trigger without a value, or with a default.
func (r *row) isUnset() bool {
	return r.is == triggerRow && r.from == notSet || r.is == fieldRow &&
		(r.of.From == definition.Unset || r.of.From == definition.ByDefault)
}

func (r *row) nameTone() prose.Tone {
	if r.isHeading() {
		return prose.Strong
	}
	return r.valueTone()
}

func (r *row) valueTone() prose.Tone {
	if r.isHeading() || r.isUnset() {
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
		return prose.PrintableStart(r.group)
	case fieldRow, triggerRow:
		return r.value
	}
	return r.name
}

// whyKept says why the value of a field cannot be removed here.
var whyKept = map[definition.Source]string{
	definition.ByDeployment: "it comes from a push", definition.ByOutput: "it comes from an output: see Outputs",
	definition.Unset: "it is not set", definition.ByDefault: "it is not set",
}

// hasFile reports whether a section has a file.
func hasFile(kind model.Kind, b *model.Backend) bool {
	switch kind {
	case model.KindAuth:
		// The Amplify CLI keeps the groups alone in the file that is opened.
		return b.Auth != nil && b.Defines(model.KindAuth) || len(b.Groups) > 0 || len(b.Triggers) > 0 &&
			b.Defines(model.KindAuth)
	case model.KindData:
		return b.Data != nil
	}
	return b.Storage != nil
}
