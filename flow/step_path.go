package flow

import (
	"cmp"
	"slices"
	"strconv"

	"gatewright/model"
	"gatewright/prose"
)

// pathStep asks for the path itself.
var pathStep = &step{
	kind: "path", short: "path",
	title: "Which path?", help: "It starts with /. A variable is a segment in braces. The path and everything below it go to one function.",
	fields: func(_ *Flow, _ ID, p *PathAnswer) []Field {
		return []Field{text("path", "Path", &p.Path, "/items or /book/{isbn}", "segments of A-Z a-z 0-9 . _ : - or {variable}")}
	},
	check: func(f *Flow, at ID, p *PathAnswer) error {
		if p.Path != f.Task.Path || p.Path == "" {
			if _, err := model.ParsePath(p.Path); err != nil {
				return err
			}
		}
		return f.try(at, func(b *model.Backend) error {
			if b.Function(placeholder) == nil {
				b.Functions = append(slices.Clip(b.Functions), &model.Function{Name: placeholder})
			}
			return f.place(b, &model.Path{Name: p.Path, Function: placeholder, Access: model.Access{Setting: model.Open}})
		})
	},
}

// placeholder stands for the function of a path while only the path is checked.
const placeholder = "function-to-be-chosen"

// sourceStep asks where the handler function comes from.
var sourceStep = &step{
	kind: "source", short: "handler source",
	title: "Which handler function serves %s?",
	about: func(_ ID, p *PathAnswer) string { return model.Quote(p.Path) },
	help:  "The function gets every request to the path and below it, unchanged, and its result is the answer.",
	fields: func(f *Flow, at ID, p *PathAnswer) []Field {
		made := prose.Option{Key: NewFunction, Title: "Create a new function", Detail: "its source is written from a template"}
		if f.Base.AmplifyCLI {
			made.Disabled = "functions of an Amplify CLI project are made with: amplify add function"
		}
		existing := prose.Option{Key: ExistingFunction, Title: "Use a function that the project has", Detail: "several paths may share one"}
		if len(f.usable(at, model.KindFunction)) == 0 {
			existing.Disabled = "there is no function yet; make the first one"
		}
		return []Field{choice("source", "", &p.Source, made, existing)}
	},
}

// existingStep asks which function it is.
var existingStep = &step{
	kind: "existing", short: "function",
	title: "Which function?", help: "A function that serves a path restricted to one group should serve that path alone.",
	asked: func(_ *Flow, p *PathAnswer) bool { return p.Source == ExistingFunction },
	fields: func(f *Flow, at ID, p *PathAnswer) []Field {
		functions := options(f.usable(at, model.KindFunction))
		for i := range functions {
			functions[i].Detail = "made in this run"
			if fn := f.Base.Function(functions[i].Key); fn != nil {
				functions[i].Detail = fn.Template.Title()
			}
		}
		return []Field{choice("existing", "", &p.Existing, functions...)}
	},
}

// anotherStep asks for one more path.
var anotherStep = &step{
	kind: "another", short: "another path",
	title: "Add another path?", help: "Each path has its own function and its own access.",
	asked: func(f *Flow, _ *PathAnswer) bool { return f.Task.Path == "" },
	fields: func(_ *Flow, _ ID, p *PathAnswer) []Field {
		return []Field{choice("another", "", &p.Another, prose.Option{Key: No, Title: "No, go on"}, prose.Option{Key: Yes, Title: "Yes, one more"})}
	},
}

// usable are the names of a kind that a path may use: the project's, and those that
// the paths before it make in this run.
func (f *Flow) usable(at ID, kind model.Kind) []string {
	names := slices.Clone(f.Base.Names(kind))
	for _, p := range f.now.Paths[:at.Path] {
		if name := p.makes(kind); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// functionStep asks what a new function is called and made from.
var functionStep = &step{
	kind: "function", short: "new function",
	title: "The new function", help: "Its source, its event.json for trying it, and what it needs to be installed are written with the API.",
	asked: func(_ *Flow, p *PathAnswer) bool { return p.makesFunction() },
	fields: func(_ *Flow, _ ID, p *PathAnswer) []Field {
		a := &p.Function
		var runtimes, templates []prose.Option
		for _, r := range model.Runtimes {
			runtimes = append(runtimes, prose.Option{Key: string(r), Title: runtimeTitles[r]})
		}
		for _, t := range model.Templates {
			option := prose.Option{Key: string(t), Title: t.Title(), Detail: templateDetails[t]}
			if !a.runs(t) {
				option.Disabled = "made for " + runtimeTitles[model.NodeJS]
			}
			templates = append(templates, option)
		}
		runtime := choice("runtime", "Runtime", &a.Runtime, runtimes...)
		runtime.keep = func(value string, _ []string) {
			a.Runtime = value
			if !a.runs(model.Template(a.Template)) {
				a.Template = string(model.Plain)
			}
		}
		advanced := choice("advanced", "Advanced settings", &a.Advanced, prose.Option{Key: No, Title: "No"}, prose.Option{Key: Yes, Title: "Yes"})
		advanced.Help = "access to resources, schedule, layers, environment variables, secrets"
		return []Field{
			text("name", "Resource name", &a.Name, suggestedName(p.Path), "names it in this project; its folder"),
			text("deployed", "Function name", &a.Deployed, p.functionName(), "names the deployed function; empty is the resource name"),
			runtime,
			choice("template", "Template", &a.Template, templates...),
			advanced,
		}
	},
	check: func(f *Flow, at ID, p *PathAnswer) error {
		return f.try(at, func(b *model.Backend) error {
			fn := p.plainFunction()
			return cmp.Or(
				chosen("runtime", slices.Contains(model.Runtimes, fn.Runtime)),
				chosen("template", slices.Contains(model.Templates, fn.Template)),
				b.AddFunction(fn))
		})
	},
}

var runtimeTitles = map[model.Runtime]string{model.NodeJS: "Node.js", model.Python: "Python", model.Go: "Go"}

var templateDetails = map[model.Template]string{
	model.Express: "handlers for list, load, create, update and delete, to fill in",
	model.CRUD:    "the same over a table, ready to use",
	model.Plain:   "one handler without a framework",
}

// runs reports whether a template exists for the runtime, as far as that is said.
func (a *FunctionAnswer) runs(t model.Template) bool {
	return a.Runtime == "" || t.Runs(model.Runtime(a.Runtime))
}

// plainFunction is the new function without what the later steps ask for.
func (p *PathAnswer) plainFunction() *model.Function {
	a := p.Function
	return &model.Function{Name: p.functionName(), FunctionName: a.Deployed, Runtime: model.Runtime(a.Runtime), Template: model.Template(a.Template)}
}

// tableStep asks for the table of a CRUD function.
var tableStep = &step{
	kind: "table", short: "table",
	title: "Which table holds the items?", help: "Items are found by the partition key, and by the sort key too where there is one. The keys of a table cannot change later.",
	asked: func(_ *Flow, p *PathAnswer) bool { return p.makesCRUD() },
	fields: func(f *Flow, at ID, p *PathAnswer) []Field {
		a := &p.Function.Table
		table := choice("name", "Table", &a.Name, append(options(f.usable(at, model.KindTable)), prose.Option{Key: NewTable, Title: "A new table"})...)
		table.keep = func(value string, _ []string) {
			a.Name = value
			if value == NewTable && a.New == "" {
				a.New, a.Partition, a.PartitionKey, a.SortKey = tableName(p.functionName()), "id", string(model.StringKey), string(model.StringKey)
			}
		}
		if a.Name != NewTable {
			return []Field{table}
		}
		types := options(model.KeyTypes)
		return []Field{
			table,
			text("new", "Table name", &a.New, "", "3 to 255 of letters, digits, _ . -"),
			text("partition", "Partition key", &a.Partition, "", ""),
			choice("partitionKey", "Its type", &a.PartitionKey, types...),
			text("sort", "Sort key", &a.Sort, "none", ""),
			choice("sortKey", "Its type", &a.SortKey, types...),
		}
	},
	check: func(f *Flow, at ID, p *PathAnswer) error {
		a := p.Function.Table
		if a.Name != NewTable {
			return chosen("table", slices.Contains(f.usable(at, model.KindTable), a.Name))
		}
		return f.try(at, func(b *model.Backend) error { return b.AddTable(a.table()) })
	},
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

// advancedStep asks for a new function's other settings.
var advancedStep = &step{
	kind: "advanced", short: "settings",
	title: "Settings of %s",
	about: func(_ ID, p *PathAnswer) string { return model.Quote(p.functionName()) },
	help:  "All of them may stay empty.",
	asked: func(_ *Flow, p *PathAnswer) bool { return p.makesFunction() && p.Function.Advanced == Yes },
	fields: func(f *Flow, at ID, p *PathAnswer) []Field {
		a := &p.Function
		var access []prose.Option
		for _, table := range f.usable(at, model.KindTable) {
			for _, action := range model.AllActions {
				access = append(access, prose.Option{Key: "table/" + table + ":" + action.String(), Title: "table " + table + ": " + action.String()})
			}
		}
		return []Field{
			text("timeout", "Timeout", &a.Timeout, strconv.Itoa(model.DefaultTimeout), "seconds, 1 to 900"),
			text("memory", "Memory", &a.Memory, strconv.Itoa(model.DefaultMemory), "megabytes, 128 to 10240"),
			text("schedule", "Schedule", &a.Schedule, "none", "rate(5 minutes) or cron(0 12 * * ? *)"),
			text("layers", "Layers", &a.Layers, "none", "folders or identifiers, separated by commas, at most 5"),
			text("environment", "Environment variables", &a.Environment, "none", "NAME=value, separated by commas"),
			text("secrets", "Secrets", &a.Secrets, "none", "names only, separated by commas; values never stand in the project's files"),
			several("access", "Access to resources", &a.Access, access,
				prose.Option{Key: "none", Title: "tables", Disabled: "there is no table yet"},
				"what the function may do with other resources of the project"),
		}
	},
	check: func(f *Flow, at ID, p *PathAnswer) error {
		if _, err := p.function(); err != nil {
			return err
		}
		return f.try(at, p.addFunction)
	},
}
