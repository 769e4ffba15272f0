package dashboard

import (
	"slices"
	"strings"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/sandbox"
)

// tableSet is what the files say of the tables, and of which environment their
// items are.
type tableSet struct {
	root, environment string
	tables            []tableFact
	// why is why there are no items to be seen; "" where there may be some.
	why string
}

// tableFact is a table as it is shown.
type tableFact struct {
	table sandbox.Table
	name  string
	// key and indexes are for people: "isbn (text), at (number)".
	key     string
	indexes []string
	users   []string
	text    string
}

// tablesOf is what a snapshot says of the tables of the project in a folder.
func tablesOf(s *snapshot, root string) tableSet {
	set := tableSet{root: root, environment: s.name()}
	env := &model.Environment{Name: s.name()}
	if s.env == nil {
		set.why = "the project has no environment, and items are those of one"
		if s.backend.Foreign {
			// The sandbox serves such a project all the same (deploy.LiveEnvironment).
			env.Name, set.environment, set.why = "dev", "dev", ""
		}
	}
	for _, t := range deploy.TablesOf(s.backend, env) {
		d := t.Definition
		f := tableFact{table: t, name: fit(d.Name), key: keyWords(d.PartitionKey, d.SortKey)}
		for _, i := range d.Indexes {
			f.indexes = append(f.indexes, fit(i.Name)+": "+keyWords(i.PartitionKey, i.SortKey))
		}
		for _, function := range s.backend.Functions {
			if use := useOf(function, d.Name); use != "" {
				f.users = append(f.users, fit(function.Name)+" ("+use+")")
			}
		}
		f.text = strings.ToLower("table " + f.name + " " + f.key + " " + strings.Join(f.indexes, " "))
		set.tables = append(set.tables, f)
	}
	slices.SortFunc(set.tables, func(a, b tableFact) int { return strings.Compare(a.name, b.name) })
	return set
}

// keyWords are the attributes of a key with their types.
func keyWords(keys ...model.Key) string {
	var words []string
	for _, k := range keys {
		if k.Name != "" {
			words = append(words, fit(k.Name)+" ("+string(k.Type)+")")
		}
	}
	return strings.Join(words, ", ")
}

// useOf is what a function may do with a table; "" for nothing.
func useOf(f *model.Function, table string) string {
	if f.Table == table {
		return "its CRUD table"
	}
	for _, a := range f.Access {
		if a.Resource == string(model.KindTable)+"/"+table {
			return a.Actions.String()
		}
	}
	return ""
}
