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
	title: "Which path?", help: "It starts with /. A segment in braces is a variable. One function serves the path and everything below it.",
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
			return f.putPath(b, &model.Path{Name: p.Path, Function: placeholder, Access: model.Access{Setting: model.Open}})
		})
	},
}

// placeholder is the name of the function while only the path is checked.
const placeholder = "function-to-be-chosen"

// sourceStep asks where the handler function comes from.
var sourceStep = &step{
	kind: "source", short: "handler source",
	title: "Which handler function serves %s?",
	about: func(_ ID, p *PathAnswer) string { return model.Quote(p.Path) },
	help:  "The function gets every request to the path and below it, and its result is the answer.",
	fields: func(f *Flow, at ID, p *PathAnswer) []Field {
		created := prose.Option{Key: NewFunction, Title: "Create a new function", Detail: "its source is written from a template"}
		if f.Base.AmplifyCLI {
			created.Disabled = "functions of an Amplify CLI project are made with: amplify add function"
		}
		existing := prose.Option{Key: ExistingFunction, Title: "Use a function that the project has", Detail: "several paths may share one"}
		if len(f.usable(at, model.KindFunction)) == 0 {
			existing.Disabled = "there is no function yet; make the first one"
		}
		return []Field{choice("source", "", &p.Source, created, existing)}
	},
}

// existingStep asks which function of the project serves the path.
var existingStep = &step{
	kind: "existing", short: "function",
	title: "Which function?", help: "If only one group may use a path, its function should serve no other path.",
	asked: func(_ *Flow, p *PathAnswer) bool { return p.Source == ExistingFunction },
	fields: func(f *Flow, at ID, p *PathAnswer) []Field {
		functions := options(f.usable(at, model.KindFunction))
		for i := range functions {
			functions[i].Detail = "new, made with this API"
			if fn := f.Base.Function(functions[i].Key); fn != nil {
				functions[i].Detail = fn.Template.Title()
			}
		}
		return []Field{choice("existing", "", &p.Existing, functions...)}
	},
}

// anotherStep asks whether to add one more path.
var anotherStep = &step{
	kind: "another", short: "another path",
	title: "Add another path?", help: "Each path has its own function and its own access.",
	asked: func(f *Flow, _ *PathAnswer) bool { return f.Task.Path == "" },
	fields: func(_ *Flow, _ ID, p *PathAnswer) []Field {
		return []Field{choice("another", "", &p.Another, prose.Option{Key: No, Title: "No, go on"}, prose.Option{Key: Yes, Title: "Yes, one more"})}
	},
}

// usable returns the names of a kind that a path may use: those of the project, and
// those that the answers about earlier paths add.
func (f *Flow) usable(at ID, kind model.Kind) []string {
	names := slices.Clone(f.Base.Names(kind))
	for _, p := range f.now.Paths[:at.Path] {
		if name := p.addedName(kind); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// functionStep asks for a new function's name, runtime and template.
var functionStep = &step{
	kind: "function", short: "new function",
	title: "The new function", help: "Its source, a list of its packages and an event.json to try it with are written with the API.",
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
				option.Disabled = "only for " + runtimeTitles[model.NodeJS]
			}
			templates = append(templates, option)
		}
		runtime := choice("runtime", "Runtime", &a.Runtime, runtimes...)
		runtime.store = func(value string, _ []string) {
			a.Runtime = value
			if !a.runs(model.Template(a.Template)) {
				a.Template = string(model.Plain)
			}
		}
		advanced := choice("advanced", "Advanced settings", &a.Advanced, prose.Option{Key: No, Title: "No"}, prose.Option{Key: Yes, Title: "Yes"})
		advanced.Help = "access to resources, schedule, layers, environment variables, secrets"
		return []Field{
			text("name", "Resource name", &a.Name, suggestedName(p.Path), "the name in this project and of its folder"),
			text("deployed", "Function name", &a.Deployed, p.functionName(), "the name of the deployed function; empty means the resource name"),
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
	model.CRUD:    "the same on a table, ready to use",
	model.Plain:   "one handler without a framework",
}

// runs reports whether the template exists for the runtime, or no runtime is chosen.
func (a *FunctionAnswer) runs(t model.Template) bool {
	return a.Runtime == "" || t.Runs(model.Runtime(a.Runtime))
}

// plainFunction returns the new function without the answers of the later steps.
func (p *PathAnswer) plainFunction() *model.Function {
	a := p.Function
	return &model.Function{Name: p.functionName(), FunctionName: a.Deployed, Runtime: model.Runtime(a.Runtime), Template: model.Template(a.Template)}
}

// tableStep asks for the table of a CRUD function.
var tableStep = &step{
	kind: "table", short: "table",
	title: "Which table holds the items?", help: "An item is found by its partition key and, if the table has one, its sort key. The keys of a table cannot change later.",
	asked: func(_ *Flow, p *PathAnswer) bool { return p.makesCRUD() },
	fields: func(f *Flow, at ID, p *PathAnswer) []Field {
		a := &p.Function.Table
		table := choice("name", "Table", &a.Name, append(options(f.usable(at, model.KindTable)), prose.Option{Key: NewTable, Title: "A new table"})...)
		table.store = func(value string, _ []string) {
			a.Name = value
			if value == NewTable && a.New == "" {
				a.New, a.Partition, a.PartitionKey, a.SortKey = SuggestTableName(p.functionName()), "id", string(model.StringKey), string(model.StringKey)
			}
		}
		if a.Name != NewTable {
			return []Field{table}
		}
		types := options(model.KeyTypes)
		return []Field{
			table,
			text("new", "Table name", &a.New, "", "3 to 255 letters, digits, _ . -"),
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

// SuggestTableName suggests the name of a function's table: the function's own name, or a
// longer one if a table cannot have that.
func SuggestTableName(function string) string {
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
	help:  "All of them may be empty.",
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
			text("secrets", "Secrets", &a.Secrets, "none", "names only, separated by commas; their values are never written to the project's files"),
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
