package flow

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// functionStep asks where the handler function comes from, and for a new one its name, template and runtime.
var functionStep = &step{
	kind: "function", short: "function",
	title: "Which handler function serves %s?",
	about: func(_ ID, p *PathAnswer) string { return phrase.Quote(p.Path) },
	help: "The function gets every request to the path and below it, and returns the response. If only one group may " +
		"use a path, give the path a function of its own.",
	fields: func(f *Flow, at ID, p *PathAnswer) []Field {
		functions := f.taken(model.KindFunction, at.Path)
		created := prose.Option{Key: NewFunction, Title: "A new function", Detail: "gatewright writes its source from a " +
			"template"}
		if !f.Base.Defines(model.KindFunction) {
			created.Disabled = "add functions of an Amplify CLI project with: amplify add function"
		}
		existing := prose.Option{Key: ExistingFunction, Title: "One that exists", Detail: "several paths may share one"}
		if len(functions) == 0 {
			existing.Disabled = "there is no function yet; create the first one"
		}
		fields := []Field{choice("source", "Function", &p.Source, created, existing)}
		if p.Source == ExistingFunction {
			return append(fields, existingField(f, p, functions))
		}
		return append(fields, newFunctionFields(f, at, p)...)
	},
	check: func(f *Flow, at ID, p *PathAnswer) []Fault {
		var all faults
		functions := f.taken(model.KindFunction, at.Path)
		if p.Source != NewFunction {
			all.add("source", chosen("function", p.Source == ExistingFunction))
			if p.Source == ExistingFunction {
				all.add("existing", chosen("function", slices.Contains(functions, p.Existing)))
			}
			return all
		}
		b, err := f.try(at)
		if err != nil {
			return nil
		}
		name := *b
		all.add("name", edit.AddFunction(&name, &model.Function{Name: f.functionName(at.Path), Runtime: model.NodeJS}))
		fn := f.plainFunction(at.Path)
		all.add("template", chosen("template", slices.Contains(model.Templates, fn.Template)))
		all.add("runtime", chosen("runtime", slices.Contains(model.Runtimes, fn.Runtime)))
		deployed := *b
		all.add("deployed",
			partly("function name",
				edit.AddFunction(&deployed,
					&model.Function{Name: placeholder, FunctionName: fn.FunctionName, Runtime: model.NodeJS})))
		return all
	},
}

// existingField offers the functions of the project.
func existingField(f *Flow, p *PathAnswer, functions []string) Field {
	offered := options(functions)
	for i := range offered {
		offered[i].Detail = "new, created with this API"
		if fn := f.Base.Function(offered[i].Key); fn != nil {
			offered[i].Detail = fn.Template.Title()
		}
	}
	return choice("existing", "Which one", &p.Existing, offered...)
}

// newFunctionFields ask for a new function.
func newFunctionFields(f *Flow, at ID, p *PathAnswer) []Field {
	a := &p.Function
	var runtimes, templates []prose.Option
	for _, l := range languages {
		runtimes = append(runtimes, prose.Option{Key: l.key, Title: l.title, Detail: l.detail})
	}
	for _, t := range offeredTemplates {
		option := prose.Option{Key: string(t), Title: templateTitles[t], Detail: t.Title() + ": " + templateDetails[t]}
		if !a.runs(t) {
			option.Disabled = "only for Node.js"
			if a.Runtime == typeScript {
				option.Disabled = "not for TypeScript"
			}
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
	advanced := choice("advanced", "Advanced settings", &a.Advanced, prose.Option{Key: No, Title: "No"},
		prose.Option{Key: Yes, Title: "Yes"})
	advanced.Help = "access to resources, schedule, layers, environment variables, secrets"
	proposal := *p
	proposal.Function.Name = ""
	named := f.at(f.now)
	named.now = f.now.clone()
	named.now.Paths[at.Path] = proposal
	return []Field{
		text("name", "Resource name", &a.Name, named.functionName(at.Path), "its name in this project, and its folder"),
		choice("template", "Template", &a.Template, templates...),
		runtime,
		text("deployed", "Function name", &a.Deployed, f.functionName(at.Path),
			"the name of the deployed function; empty means the resource name"),
		advanced,
	}
}

// typeScript is the answer for functions that are written in TypeScript, for Node.js.
const typeScript = "typescript"

// languages are the answers about the runtime: the runtimes, and TypeScript.
var languages = []struct{ key, title, detail string }{
	{string(model.NodeJS), "Node.js", ""},
	{typeScript, "TypeScript", "for Node.js; compiled in the sandbox and by a push"},
	{string(model.Python), "Python", ""},
	{string(model.Go), "Go", ""},
}

// offeredTemplates are those that have a name of their own; the language may make another of one.
var offeredTemplates = []model.Template{model.Plain, model.Express, model.CRUD}

// templateTitles are short names of the templates, whose titles are long.
var templateTitles = map[model.Template]string{
	model.Express: "Express", model.CRUD: "CRUD on a table", model.Plain: "Plain",
	model.ExpressTypeScript: "Express in TypeScript", model.PlainTypeScript: "Plain in TypeScript",
}

var templateDetails = map[model.Template]string{
	model.Express: "web framework, with routes for list, load, create, update and delete to fill in; needs npm",
	model.CRUD:    "lists, loads, creates or replaces, updates and deletes items of a table, ready to use; needs npm",
	model.Plain:   "one handler without a framework; needs no packages",
}

// runtime is the runtime that the answer means.
func (a *FunctionAnswer) runtime() model.Runtime {
	if a.Runtime == typeScript {
		return model.NodeJS.Newest()
	}
	return model.Runtime(a.Runtime).Newest()
}

// template is the template in the language of the answer; "" if there is none.
func (a *FunctionAnswer) template() model.Template {
	if a.Runtime == typeScript {
		return model.Template(a.Template).InTypeScript()
	}
	return model.Template(a.Template)
}

// runs reports whether the template exists for the runtime, or no runtime is chosen.
func (a *FunctionAnswer) runs(t model.Template) bool {
	if a.Runtime == typeScript {
		return t.InTypeScript() != ""
	}
	return a.Runtime == "" || t.Runs(model.Runtime(a.Runtime))
}

// tableStep asks for the table of a CRUD function.
var tableStep = &step{
	kind: "table", short: "table",
	title: "Which table holds the items?",
	help: "An item is found by its partition key and, if the table has one, its sort key. The keys of a table cannot " +
		"change later.",
	asked: func(_ *Flow, p *PathAnswer) bool { return p.makesCRUD() },
	fields: func(f *Flow, at ID, p *PathAnswer) []Field {
		a := &p.Function.Table
		var fields []Field
		if tables := f.taken(model.KindTable, at.Path); len(tables) > 0 || a.Name != NewTable {
			fields = append(fields,
				choice("name", "Table", &a.Name,
					append([]prose.Option{{Key: NewTable, Title: "A new table"}}, options(tables)...)...))
		}
		if a.Name != NewTable {
			return fields
		}
		proposal := f.at(f.now.clone())
		proposal.now.Paths[at.Path].Function.Table.New = ""
		types := options(model.KeyTypes)
		return append(fields,
			text("new", "Table name", &a.New, proposal.tableName(at.Path), "3 to 255 letters, digits, _ . -"),
			text("partition", "Partition key", &a.Partition, defaultPartition, "the attribute that finds an item"),
			choice("partitionKey", "Its type", &a.PartitionKey, types...),
			text("sort", "Sort key", &a.Sort, "none", "orders the items with the same partition key"),
			choice("sortKey", "Its type", &a.SortKey, types...),
		)
	},
	check: func(f *Flow, at ID, p *PathAnswer) []Fault {
		var all faults
		if a := p.Function.Table; a.Name != NewTable {
			all.add("name", chosen("table", slices.Contains(f.taken(model.KindTable, at.Path), a.Name)))
			return all
		}
		b, err := f.try(at)
		if err != nil {
			return nil
		}
		table, name, keys := f.table(at.Path), *b, *b
		all.add("new",
			edit.AddTable(&name, &model.Table{
				Name:         table.Name,
				PartitionKey: model.Key{Name: defaultPartition, Type: model.StringKey},
			}))
		partition := model.Table{Name: placeholder, PartitionKey: table.PartitionKey}
		if err := edit.AddTable(&keys, &partition); err != nil {
			all.add("partition", partly("partition key", err))
			return all
		}
		keys, partition.SortKey = *b, table.SortKey
		all.add("sort", partly("sort key", edit.AddTable(&keys, &partition)))
		return all
	},
}

// readable are the parameters and secrets that functions of a project read, each once.
func readable(b *model.Backend) (all []string) {
	for _, fn := range b.Functions {
		for _, a := range fn.Access {
			kind, _, _ := model.ResourceOf(a.Resource)
			if (kind == model.KindParameter || kind == model.KindSecret) && !slices.Contains(all, a.Resource) {
				all = append(all, a.Resource)
			}
		}
	}
	return all
}

// advancedStep asks for a new function's other settings.
var advancedStep = &step{
	kind: "advanced", short: "settings",
	title: "Settings of the new function", help: "You may leave all of them empty.",
	asked: func(_ *Flow, p *PathAnswer) bool { return p.makesFunction() && p.Function.Advanced == Yes },
	fields: func(f *Flow, at ID, p *PathAnswer) []Field {
		var rules []prose.Option
		for _, table := range f.taken(model.KindTable, at.Path) {
			for _, action := range access.AllActions {
				rules = append(rules,
					prose.Option{Key: "table/" + table + ":" + action.String(), Title: "table " + table + ": " + action.String()})
			}
		}
		for _, function := range f.taken(model.KindFunction, at.Path) {
			rules = append(rules, prose.Option{Key: "function/" + function + ":read", Title: "function " + function + ": call"})
		}
		for _, action := range access.AllActions {
			rules = append(rules, prose.Option{Key: "pool:" + action.String(), Title: "users of the pool: " + action.String()})
		}
		for _, known := range readable(f.Base) {
			rules = append(rules, prose.Option{Key: known + ":read", Title: strings.Replace(known, "/", " ", 1) + ": read"})
		}
		return settings(&p.Function, append(rules, prose.Option{Key: "mail:create", Title: "mail: send"}))
	},
	check: func(f *Flow, at ID, p *PathAnswer) []Fault {
		b, err := f.try(at)
		if err != nil {
			return nil
		}
		var all faults
		for _, asked := range settings(&p.Function, nil) {
			fn, trial := &model.Function{Name: placeholder, Runtime: model.NodeJS}, *b
			err := asked.set(fn)
			if err == nil {
				err = partly("", edit.AddFunction(&trial, fn))
			}
			all.add(asked.Key, err)
		}
		return all
	},
}
