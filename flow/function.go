package flow

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// addFunction adds the new function of a path, and its table if that is new too.
func (f *Flow) addFunction(b *model.Backend, i int) error {
	fn, err := f.function(i)
	if err == nil && f.now.Paths[i].makesTable() {
		err = b.AddTable(f.table(i))
	}
	if err != nil {
		return err
	}
	return b.AddFunction(fn)
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
	for _, s := range settings {
		if err := s.apply(a, fn); err != nil {
			return nil, err
		}
	}
	return fn, nil
}

// setting puts the answer of one field of the settings into a function.
type setting struct {
	field string
	apply func(a FunctionAnswer, fn *model.Function) error
}

var settings = []setting{
	{"timeout", func(a FunctionAnswer, fn *model.Function) (err error) {
		fn.Timeout, err = number("timeout", a.Timeout)
		return err
	}},
	{"memory", func(a FunctionAnswer, fn *model.Function) (err error) {
		fn.Memory, err = number("memory", a.Memory)
		return err
	}},
	{"schedule", func(a FunctionAnswer, fn *model.Function) error {
		fn.Schedule = strings.TrimSpace(a.Schedule)
		return nil
	}},
	{"layers", func(a FunctionAnswer, fn *model.Function) error {
		fn.Layers = model.SplitList(a.Layers)
		return nil
	}},
	{"environment", func(a FunctionAnswer, fn *model.Function) error {
		for _, pair := range model.SplitList(a.Environment) {
			name, value, ok := strings.Cut(pair, "=")
			if !ok {
				return &model.Problem{
					Field: "environment variables", Text: phrase.Quote(pair) + " has no =",
					Fix: "write NAME=value",
				}
			}
			fn.Environment = append(fn.Environment,
				model.Variable{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
		}
		return nil
	}},
	{"secrets", func(a FunctionAnswer, fn *model.Function) error {
		fn.Secrets = model.SplitList(a.Secrets)
		return nil
	}},
	{"access", func(a FunctionAnswer, fn *model.Function) error {
		for _, entry := range a.Access {
			fn.Access = withAccess(fn.Access, entry)
		}
		return nil
	}},
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
