package flow

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/model/field"
)

// addFunction adds the new function of a path, and its table if that is new too.
func (f *Flow) addFunction(b *model.Backend, i int) error {
	fn, err := f.function(i)
	if err == nil && f.now.Paths[i].makesTable() {
		err = edit.AddTable(b, f.table(i))
	}
	if err != nil {
		return err
	}
	return edit.AddFunction(b, fn)
}

// plainFunction returns the new function of a path without the answers of the later steps.
func (f *Flow) plainFunction(i int) *model.Function {
	a := f.now.Paths[i].Function
	return &model.Function{
		Name: f.functionName(i), FunctionName: strings.TrimSpace(a.Deployed), Runtime: a.runtime(), Template: a.template(),
	}
}

// table returns the new table of a path.
func (f *Flow) table(i int) *model.Table {
	a := f.now.Paths[i].Function.Table
	t := &model.Table{
		Name: f.tableName(i),
		PartitionKey: model.Key{
			Name: cmp.Or(strings.TrimSpace(a.Partition), defaultPartition),
			Type: model.KeyType(a.PartitionKey),
		},
	}
	if sort := strings.TrimSpace(a.Sort); sort != "" {
		t.SortKey = model.Key{Name: sort, Type: model.KeyType(a.SortKey)}
	}
	return t
}

// function returns the function that the answers about a path make. The error is that of
// the first setting that is not valid.
func (f *Flow) function(i int) (*model.Function, error) {
	a, fn := f.now.Paths[i].Function, f.plainFunction(i)
	fn.Handler = fn.Runtime.Handler()
	if fn.Template == model.CRUD {
		fn.Table = a.Table.Name
		if fn.Table == NewTable {
			fn.Table = f.tableName(i)
		}
		fn.Access = []model.ResourceAccess{{Resource: "table/" + fn.Table, Actions: access.EveryAction}}
	}
	if a.Advanced != Yes {
		return fn, nil
	}
	for _, asked := range settings(&a, nil) {
		if err := asked.set(fn); err != nil {
			return nil, err
		}
	}
	return fn, nil
}

// settings ask for the other settings of a new function: each for the field of its key. access are
// the options of what it may do with resources.
func settings(a *FunctionAnswer, access []prose.Option) []Field {
	return []Field{
		text("timeout", "Timeout", &a.Timeout, strconv.Itoa(model.DefaultTimeout), "seconds, 1 to 900"),
		text("memory", "Memory", &a.Memory, strconv.Itoa(model.DefaultMemory), "megabytes, 128 to 10240"),
		text("schedule", "Schedule", &a.Schedule, "none", "rate(5 minutes) or cron(0 12 * * ? *)"),
		list("layers", "Layers", &a.Layers, "folders or identifiers, separated by commas, at most 5"),
		list("environment", "Environment variables", &a.Environment, "NAME=VALUE, separated by commas"),
		list("secrets", "Secrets", &a.Secrets,
			"names only, separated by commas; the values are never written to project files"),
		several("access", "Access to resources", &a.Access, access,
			prose.Option{Key: "none", Title: "tables", Disabled: "there is no table yet"},
			"what the function may do with other resources"),
	}
}

// set puts the response of one of the settings into a function.
func (f Field) set(fn *model.Function) (err error) {
	switch v := field.Of(fn, f.Key).Value.(type) {
	case *int:
		*v, err = number(f.Key, f.Value)
	case *string:
		*v = strings.TrimSpace(f.Value)
	case *[]string:
		*v = model.SplitList(f.Value)
	case *[]model.Variable:
		for _, pair := range model.SplitList(f.Value) {
			name, value, ok := strings.Cut(pair, "=")
			if !ok {
				return &model.Problem{
					Field: "environment variables", Text: phrase.Quote(pair) + " has no =",
					Fix: "write NAME=value",
				}
			}
			*v = append(*v, model.Variable{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
		}
	case *[]model.ResourceAccess:
		for _, entry := range f.Chosen {
			*v = withAccess(*v, entry)
		}
	}
	return err
}

// withAccess adds a chosen entry, such as "table/items:read", to a list.
func withAccess(have []model.ResourceAccess, entry string) []model.ResourceAccess {
	resource, word, _ := strings.Cut(entry, ":")
	action, ok := access.ParseAction(word)
	if !ok {
		return have
	}
	at := slices.IndexFunc(have, func(r model.ResourceAccess) bool { return r.Resource == resource })
	if at < 0 {
		return append(have, model.ResourceAccess{Resource: resource, Actions: access.Actions(action)})
	}
	have[at].Actions |= access.Actions(action)
	return have
}

func number(field, text string) (int, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n == 0 {
		return 0, &model.Problem{
			Field: field, Text: phrase.Quote(text) + " is not a whole number above zero",
			Fix: "give such a number, or leave it empty",
		}
	}
	return n, nil
}
