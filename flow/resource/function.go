package resource

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// Keys are the keys of a table that is made with a function; a key without a name was not given.
type Keys struct{ Partition, Sort model.Key }

// AddFunction adds a function, and the table of a function with the template crud. The notes say what else was done.
func AddFunction(b *model.Backend, f *model.Function, keys Keys) (notes []string, err error) {
	if f.Template == model.CRUD {
		if notes, err = giveTable(b, f, keys); err != nil {
			return nil, err
		}
	}
	return notes, edit.AddFunction(b, f)
}

// giveTable gives a CRUD function its table and all actions on it. A table that the backend does not have is added.
func giveTable(b *model.Backend, f *model.Function, keys Keys) (notes []string, err error) {
	if f.Table == "" {
		f.Table = SuggestTableName(f.Name)
	}
	resource := string(model.KindTable) + "/" + f.Table
	if !grants(f.Access, resource) {
		f.Access = append(f.Access, model.ResourceAccess{Resource: resource, Actions: access.EveryAction})
	}
	table := &model.Table{Name: f.Table, PartitionKey: keys.Partition, SortKey: keys.Sort}
	if have := b.Table(f.Table); have != nil {
		if keys.Partition.Name != "" && (have.PartitionKey != keys.Partition || have.SortKey != keys.Sort) {
			return nil, &model.Problem{
				Of: model.Ref{Kind: model.KindTable, Name: f.Table}, Text: "exists already, with " + keyWords(have),
				Fix: "leave out --partition-key and --sort-key, or name another table",
			}
		}
		return nil, nil
	}
	if table.PartitionKey.Name == "" {
		table.PartitionKey = model.Key{Name: "id", Type: model.StringKey}
	}
	if err := edit.AddTable(b, table); err != nil {
		return nil, err
	}
	return []string{"added table " + phrase.Quote(f.Table) + " with " + keyWords(table)}, nil
}

// SuggestTableName suggests the name of a function's table: the function's own name, or a
// longer one if a table cannot have that.
func SuggestTableName(function string) string {
	if model.CheckName(model.KindTable, function) == nil {
		return function
	}
	return function + "-table"
}

// grants reports whether an access list has an entry for a resource.
func grants(access []model.ResourceAccess, resource string) bool {
	return slices.ContainsFunc(access, func(a model.ResourceAccess) bool { return a.Resource == resource })
}

// UpdateFunction replaces a function by f, which began as a copy of it. If the runtime changes
// and nobody gave another entry point, that of the old runtime's templates becomes that of the
// new one's. The notes say what does not change with it.
func UpdateFunction(b *model.Backend, f *model.Function, givenHandler bool) (notes []string, err error) {
	of := model.Ref{Kind: model.KindFunction, Name: f.Name}
	have := b.Function(f.Name)
	if have == nil {
		return nil, edit.UpdateFunction(b, f)
	}
	// The model accepts this, because a table can be removed.
	if f.Template == model.CRUD && f.Table == "" && (have.Template != model.CRUD || have.Table != "") {
		return nil, &model.Problem{
			Of: of, Text: "a function with the template crud needs a table",
			Fix: "name it with --table TABLE, or remove the template with --template ''",
		}
	}
	if f.Runtime != have.Runtime && f.Handler == have.Runtime.Handler() && !givenHandler {
		f.Handler = f.Runtime.Handler()
	}
	if (f.Runtime.Language() != have.Runtime.Language() || f.Template != have.Template) && b.Defines(model.KindFunction) {
		notes = []string{"the source of " + of.String() + " does not change"}
	}
	return notes, edit.UpdateFunction(b, f)
}
