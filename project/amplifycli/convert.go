package amplifycli

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// Options are the choices of a conversion.
type Options struct {
	// Name is the name of the new project; "" is that of the old one.
	Name string
	// ApplicationID is the id of the new project.
	ApplicationID string
	// Provider deploys the environments of the new project.
	Provider model.Provider
}

// Converted is a project of the native layout that was made from one of the Amplify CLI, before it is written.
type Converted struct {
	Backend *model.Backend
	// Files are the sources of functions, the layers, and the saved requests.
	Files []journal.Change
	// Left is what could not come along, each at its place in the old project.
	Left []*read.Problem
	// Notes are sentences about what is different in the new project.
	Notes []string
}

// Convert makes a project of the native layout from one of the Amplify CLI, of which it changes nothing. The error is
// the first problem of the old project that is an error, or that keeps a file from being read.
func Convert(from *project.Project, o Options) (*Converted, error) {
	if err := read.FirstError(from.Problems); err != nil {
		return nil, err
	}
	if unreadable := from.Amplify.Unreadable(); len(unreadable) > 0 {
		return nil, unreadable[0]
	}
	c := &converter{
		from: from, options: o, to: new(model.Backend), tableNames: make(map[string]string),
		tableResources: make(map[string]string),
	}
	c.readPlaces()
	steps := []func() error{
		c.settings, c.auth, c.tables, c.functions, c.apis, c.triggers, c.buckets, c.permissions, c.environments, c.requests,
		c.rest,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	c.noteHEAD()
	slices.SortStableFunc(c.left, func(a, b *read.Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return &Converted{Backend: c.to, Files: c.files, Left: c.left, Notes: c.notes}, nil
}

// converter collects a Converted.
type converter struct {
	from    *project.Project
	options Options
	to      *model.Backend
	files   []journal.Change
	left    []*read.Problem
	notes   []string
	// places are the environments; the first is the one that was worked with.
	places []*place
	// tableNames are the names of tables in the new project by those of their resources, tableResources the opposite.
	tableNames, tableResources map[string]string
	// bucket is the resource of the bucket that came along.
	bucket string
}

// folder is the folder of the definitions of an Amplify CLI project.
const folder = "amplify/backend"

// leave adds what could not come along.
func (c *converter) leave(file, text, fix string) {
	c.left = append(c.left, &read.Problem{File: file, Text: text, Fix: fix, Level: model.Warning})
}

// refused adds a thing that the new project refuses, for the reason of an error.
func (c *converter) refused(file, what string, err error) {
	c.leave(file, what+" was not imported: "+err.Error(), "")
}

// settings makes the settings of the project.
func (c *converter) settings() error {
	name := cmp.Or(c.options.Name, c.from.Backend.Project.Name, "backend")
	settings := model.Project{
		Name: name, ApplicationID: c.options.ApplicationID, Region: c.region(),
		Dialect: model.Amplify,
	}
	if edit.SetProject(c.to, settings) == nil {
		return nil
	}
	settings.Name = model.SuggestName(name, "backend")
	if settings.Name != name {
		c.notes = append(c.notes, "the project "+phrase.Quote(name)+" is called "+settings.Name+" here")
	}
	return edit.SetProject(c.to, settings)
}

// region is the region of the environment that was worked with.
func (c *converter) region() string { return c.places[0].environment.Region }

// auth takes over the user pool and its groups.
func (c *converter) auth() error {
	for _, name := range c.from.Backend.Groups {
		if err := edit.AddReadGroup(c.to, name); err != nil {
			c.refused(folder+"/auth", "the group "+phrase.Quote(name), err)
		}
	}
	if c.from.Backend.Auth == nil {
		return nil
	}
	if err := edit.SetAuth(c.to, c.from.Backend.Auth); err != nil {
		c.refused(folder+"/auth", "the user pool", err)
	}
	return nil
}

// tables takes over the tables, without the functions that get their changes. A table has the
// name here that it has when it is deployed.
func (c *converter) tables() error {
	for _, problem := range c.from.Problems {
		if strings.HasPrefix(problem.File, folder+"/storage/") {
			c.left = append(c.left, problem)
		}
	}
	for _, table := range c.from.Backend.Tables {
		next := *table
		next.Triggers, next.DeployedAs = nil, ""
		next.Name = cmp.Or(table.DeployedAs, table.Name)
		if err := edit.AddTable(c.to, &next); err != nil {
			c.refused(folder+"/storage/"+table.Name, "the table", err)
			continue
		}
		c.tableNames[table.Name], c.tableResources[next.Name] = next.Name, table.Name
		if next.Name != table.Name {
			c.notes = append(c.notes,
				"the table "+phrase.Quote(table.Name)+" is called "+phrase.Quote(next.Name)+", as it is when it is deployed")
		}
	}
	return nil
}

// apis takes over the REST APIs, without paths whose function was not imported.
func (c *converter) apis() error {
	for _, api := range c.from.Backend.APIs {
		file := c.from.Layout.APIFile(api.Label)
		if api.Label == amplify.AdminQueries {
			c.leave(file,
				"the API "+amplify.AdminQueries+
					" was not imported: it is open to tokens of the user pool, which a definition cannot express",
				"manage users with: gatewright user")
			continue
		}
		next := *api
		next.Paths, next.BinaryMediaTypes = nil, nil
		for _, text := range api.BinaryMediaTypes {
			trial, types := *c.to, append(slices.Clip(next.BinaryMediaTypes), text)
			if err := edit.AddAPI(&trial, &access.API{Label: api.Label, BinaryMediaTypes: types}); err != nil {
				c.refused(file, "the binary media type "+phrase.Quote(text)+" of the API "+phrase.Quote(api.Label), err)
				continue
			}
			next.BinaryMediaTypes = types
		}
		rules, entries := c.from.Backend.Rules(api), madeEntries{paths: make(map[access.Grant][]string)}
		for _, path := range api.Paths {
			same := *path
			same.Access = rules.Explicit(path, c.from.Backend.RoleOrder())
			if c.addPath(file, &next, &same) {
				entries.add(path, same.Access)
			}
		}
		c.notes = append(c.notes, entries.notes(api.Label)...)
		if len(next.Paths) == 0 {
			c.leave(file, "the API "+phrase.Quote(api.Label)+" was not imported: none of its paths was", "")
			continue
		}
		if err := edit.AddAPI(c.to, &next); err != nil {
			c.refused(file, "the API "+phrase.Quote(api.Label), err)
			continue
		}
		c.noteCrossing(api)
	}
	return nil
}

// triggers takes over the functions that the user pool and tables call.
func (c *converter) triggers() error {
	for _, t := range c.from.Backend.Triggers {
		if err := edit.SetTrigger(c.to, t.At, t.Function); err != nil {
			c.refused(folder+"/auth", "the trigger "+string(t.At), err)
		}
	}
	for _, table := range c.from.Backend.Tables {
		have := c.to.Table(c.tableNames[table.Name])
		if have == nil || len(table.Triggers) == 0 {
			continue
		}
		next := *have
		for _, t := range table.Triggers {
			if c.to.Function(t.Function) == nil {
				c.leave(folder+"/storage/"+table.Name,
					"the trigger of the function "+phrase.Quote(t.Function)+" was not imported, because the function was not", "")
				continue
			}
			next.Triggers = append(next.Triggers, t)
		}
		if err := edit.UpdateTable(c.to, &next); err != nil {
			c.refused(folder+"/storage/"+table.Name, "what gets the changes of the table", err)
		}
	}
	return nil
}

// requests takes over the saved requests.
func (c *converter) requests() error {
	files, _, err := c.from.Copied(c.from.Layout.RequestsFolder(), project.Native.RequestsFolder(),
		func(name string) bool { return !strings.HasSuffix(name, ".json") })
	c.files = append(c.files, files...)
	return err
}
