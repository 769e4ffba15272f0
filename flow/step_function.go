package flow

import (
	"gatewright/model"
)

// functionStep asks what a new function is called and made from.
var functionStep = &step{
	kind: "function", short: "new function",
	applies: makesFunction,
	ask: func(f *Flow, at ID) Question {
		a := f.now.Paths[at.Path].Function
		runtime := model.Runtime(a.Runtime)
		var runtimes, templates []Option
		for _, r := range model.Runtimes {
			runtimes = append(runtimes, Option{Key: string(r), Title: runtimeTitle(r)})
		}
		for _, t := range model.Templates {
			option := Option{Key: string(t), Title: t.Title(), Detail: templateDetail(t)}
			if runtime != "" && !t.Runs(runtime) {
				option.Disabled = "made for " + runtimeTitle(model.NodeJS)
			}
			templates = append(templates, option)
		}
		return Question{
			Title: "The new function", Help: "Its source, its event.json for trying it, and what it needs to be installed are written with the API.",
			Fields: []Field{
				{Key: "name", Label: "Resource name", Value: a.Name, Placeholder: suggestedName(f.now.Paths[at.Path].Path), Help: "names it in this project; its folder"},
				{Key: "deployed", Label: "Function name", Value: a.Deployed, Placeholder: f.now.Paths[at.Path].functionName(), Help: "names the deployed function; empty is the resource name"},
				{Key: "runtime", Label: "Runtime", Kind: Choice, Value: a.Runtime, Options: runtimes},
				{Key: "template", Label: "Template", Kind: Choice, Value: a.Template, Options: templates},
				{Key: "advanced", Label: "Advanced settings", Kind: Choice, Value: a.Advanced, Help: "access to resources, schedule, layers, environment variables, secrets", Options: []Option{{Key: No, Title: "No"}, {Key: Yes, Title: "Yes"}}},
			},
		}
	},
	set: func(a *Answers, at ID, field, value string, _ []string) {
		fn := &a.Paths[at.Path].Function
		put(field, value, map[string]*string{
			"name": &fn.Name, "deployed": &fn.Deployed, "runtime": &fn.Runtime, "template": &fn.Template, "advanced": &fn.Advanced,
		})
		if t := model.Template(fn.Template); fn.Runtime != "" && !t.Runs(model.Runtime(fn.Runtime)) {
			fn.Template = string(model.Plain)
		}
	},
	check: func(f *Flow, at ID) error {
		a := f.now.Paths[at.Path].Function
		trial, err := f.trial(at.Path)
		if err != nil {
			return err
		}
		if err := chosen("runtime", a.Runtime, words(model.Runtimes)...); err != nil {
			return err
		}
		if err := chosen("template", a.Template, words(model.Templates)...); err != nil {
			return err
		}
		return trial.backend.AddFunction(&model.Function{Name: f.now.Paths[at.Path].functionName(), FunctionName: a.Deployed, Runtime: model.Runtime(a.Runtime), Template: model.Template(a.Template)})
	},
}

// tableStep asks for the table of a CRUD function.
var tableStep = &step{
	kind: "table", short: "table",
	applies: func(f *Flow, at ID) bool {
		return makesFunction(f, at) && f.now.Paths[at.Path].Function.Template == string(model.CRUD)
	},
	ask: func(f *Flow, at ID) Question {
		a := f.now.Paths[at.Path].Function.Table
		choice := Field{Key: "name", Label: "Table", Kind: Choice, Value: a.Name}
		for _, name := range f.tables(at.Path) {
			choice.Options = append(choice.Options, Option{Key: name, Title: name})
		}
		choice.Options = append(choice.Options, Option{Key: NewTable, Title: "A new table"})
		q := Question{
			Title: "Which table holds the items?", Help: "Items are found by the partition key, and by the sort key too where there is one. The keys of a table cannot change later.",
			Fields: []Field{choice},
		}
		if a.Name == NewTable {
			var types []Option
			for _, t := range model.KeyTypes {
				types = append(types, Option{Key: string(t), Title: string(t)})
			}
			q.Fields = append(q.Fields,
				Field{Key: "new", Label: "Table name", Value: a.New, Help: "3 to 255 of letters, digits, _ . -"},
				Field{Key: "partition", Label: "Partition key", Value: a.Partition},
				Field{Key: "partitionKey", Label: "Its type", Kind: Choice, Value: a.PartitionKey, Options: types},
				Field{Key: "sort", Label: "Sort key", Value: a.Sort, Placeholder: "none"},
				Field{Key: "sortKey", Label: "Its type", Kind: Choice, Value: a.SortKey, Options: types})
		}
		return q
	},
	set: func(a *Answers, at ID, field, value string, _ []string) {
		t := &a.Paths[at.Path].Function.Table
		put(field, value, map[string]*string{
			"name": &t.Name, "new": &t.New, "partition": &t.Partition, "partitionKey": &t.PartitionKey, "sort": &t.Sort, "sortKey": &t.SortKey,
		})
		if field == "name" && value == NewTable && t.New == "" {
			t.New, t.Partition, t.PartitionKey, t.SortKey = tableName(a.Paths[at.Path].functionName()), "id", string(model.StringKey), string(model.StringKey)
		}
	},
	check: func(f *Flow, at ID) error {
		a := f.now.Paths[at.Path].Function.Table
		if a.Name != NewTable {
			return chosen("table", a.Name, f.tables(at.Path)...)
		}
		trial, err := f.trial(at.Path)
		if err != nil {
			return err
		}
		return trial.backend.AddTable(a.table())
	},
}

func makesFunction(f *Flow, at ID) bool {
	return always(f, at) && f.now.Paths[at.Path].Source == NewFunction
}

// tables are the tables that a path's function may use.
func (f *Flow) tables(before int) []string {
	var names []string
	for _, t := range f.Base.Tables {
		names = append(names, t.Name)
	}
	for _, p := range f.now.Paths[:before] {
		if p.Source == NewFunction && p.Function.Template == string(model.CRUD) && p.Function.Table.Name == NewTable {
			names = append(names, p.Function.Table.New)
		}
	}
	return names
}

func (a TableAnswer) table() *model.Table {
	t := &model.Table{Name: a.New, PartitionKey: model.Key{Name: a.Partition, Type: model.KeyType(a.PartitionKey)}}
	if a.Sort != "" {
		t.SortKey = model.Key{Name: a.Sort, Type: model.KeyType(a.SortKey)}
	}
	return t
}

// tableName proposes a table for a function.
func tableName(function string) string {
	if model.CheckName(model.KindTable, function) == nil {
		return function
	}
	return function + "-table"
}

func words[T ~string](list []T) []string {
	all := make([]string, 0, len(list))
	for _, item := range list {
		all = append(all, string(item))
	}
	return all
}

func runtimeTitle(r model.Runtime) string {
	switch r {
	case model.NodeJS:
		return "Node.js"
	case model.Python:
		return "Python"
	case model.Go:
		return "Go"
	}
	return string(r)
}

func templateDetail(t model.Template) string {
	switch t {
	case model.Express:
		return "handlers for list, load, create, update and delete, to fill in"
	case model.CRUD:
		return "the same over a table, ready to use"
	}
	return "one handler without a framework"
}
