package dashboard

import (
	"fmt"
	"strings"

	"gatewright/model"
	"gatewright/project/definition"
	"gatewright/render"
	"gatewright/tui/layout"
)

// definitionTable is every field of auth, data and storage, as it was read for one
// environment, with the groups of the user pool.
type definitionTable struct {
	rows  []definitionRow
	list  []entry
	nameW int
	fromW int
	// problem is why a section cannot be told; "" where all can.
	problem string
}

// definitionKind says what a row is.
type definitionKind uint8

const (
	sectionRow definitionKind = iota
	fieldRow
	// groupsRow stands above the groups, groupRow is one of them.
	groupsRow
	groupRow
)

// definitionRow is a row: a section, a field, or a group of the user pool.
type definitionRow struct {
	is   definitionKind
	kind model.Kind
	// of is the field of a fieldRow.
	of definition.Traced
	// name, value and from are the columns.
	name, value, from string
	// group is the index of a group in the pool's order.
	group int
}

// definitionsOf makes the rows for the environment of a snapshot.
func definitionsOf(s *snapshot) definitionTable {
	t := definitionTable{nameW: len("field"), fromW: len("from")}
	var (
		env      *model.Environment
		deployed model.Outputs
	)
	if s.env != nil {
		env = s.env.Environment
		if s.env.record != nil {
			deployed = s.env.record.Outputs
		}
	}
	for _, kind := range definition.Kinds {
		fields, err := definition.Trace(s.backend, kind, env, deployed)
		if err != nil {
			t.problem = fit(err.Error())
			continue
		}
		t.addSection(kind, fields)
		if kind == model.KindAuth {
			t.addGroups(s.backend.Groups)
		}
	}
	for _, r := range t.rows {
		t.nameW = max(t.nameW, layout.Width(r.name))
		t.fromW = max(t.fromW, layout.Width(r.from))
	}
	return t
}

func (t *definitionTable) addSection(kind model.Kind, fields []definition.Traced) {
	said, head := 0, len(t.rows)
	for _, f := range fields {
		if f.Leaf() && f.From != definition.Unsaid && f.From != definition.ByDefault {
			said++
		}
	}
	t.add(definitionRow{is: sectionRow, kind: kind, name: string(kind), value: fmt.Sprintf("%d said", said)}, string(kind), none)
	for _, f := range fields {
		value := ""
		switch {
		case f.Value == nil:
			value = "-"
		case !f.Leaf():
			value = summary(f)
		default:
			value = fit(render.Text("/"+string(kind)+"/"+strings.Join(f.Place, "/"), f.Value))
			if f.Type == model.ArrayField {
				value = fit(f.Text(f.Value))
			}
		}
		t.add(definitionRow{
			is: fieldRow, kind: kind, of: f, name: strings.Repeat("  ", len(f.Place)) + f.Name, value: value, from: sourceWords(f),
		}, string(kind)+" "+f.String(), head)
	}
}

// summary says of an object how much of it there is.
func summary(f definition.Traced) string {
	members, _ := f.Value.(map[string]any)
	if f.Type == model.FreeField {
		return "an object of " + model.Count(len(members), "member")
	}
	return fmt.Sprintf("%d of %d said", len(members), len(f.Fields))
}

// sourceWords say where a value comes from.
func sourceWords(f definition.Traced) string {
	switch f.From {
	case definition.ByEnvironment:
		return "environment " + fit(model.Quote(f.By))
	case definition.ByDefinition:
		return "definition"
	case definition.ByDeployment:
		return "last push"
	case definition.ByOutput:
		return "output " + fit(model.Quote(f.By))
	case definition.ByDefault:
		return "default"
	}
	return "not said"
}

func (t *definitionTable) addGroups(groups []string) {
	head := len(t.rows)
	t.add(definitionRow{is: groupsRow, kind: model.KindAuth, name: "  groups", value: groupCount(groups), from: definedOr(len(groups) > 0)}, "auth groups", none)
	for i, group := range groups {
		t.add(definitionRow{
			is: groupRow, kind: model.KindAuth, name: fmt.Sprintf("    %d. %s", i+1, fit(group)), value: precedenceWords(i), from: "definition", group: i,
		}, "auth group "+group, head)
	}
}

func groupCount(groups []string) string {
	if len(groups) == 0 {
		return "-"
	}
	return model.Count(len(groups), "group")
}

func definedOr(said bool) string {
	if said {
		return "definition"
	}
	return "not said"
}

// precedenceWords say what the place of a group means.
func precedenceWords(i int) string {
	if i == 0 {
		return "who is in it acts as a member of it first"
	}
	return ""
}

func (t *definitionTable) add(r definitionRow, id string, head int) {
	t.rows = append(t.rows, r)
	text := strings.Join([]string{id, r.name, r.value, r.from}, " ")
	if r.is == fieldRow {
		text += " " + definition.Meaning(r.kind, r.of.Field)
	}
	t.list = append(t.list, entry{id: id, text: strings.ToLower(text), head: head})
}
