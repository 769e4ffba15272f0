package plan

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/render"
)

// definition is one definition file before and after the edits: its names, whether
// it has content (had, has), and its renderings (old, wanted).
type definition struct {
	kind        model.Kind
	from, to    string
	had, has    bool
	changed     bool
	old, wanted func(render.Form) []byte
}

// definitionPairs returns all definitions except the APIs, in the native layout.
func (pl *planner) definitionPairs() []definition {
	was, next := pl.Backend, pl.next
	return slices.Concat(
		[]definition{
			{
				kind: model.KindProject, had: pl.hasFile(model.KindProject), has: next.Project != model.Project{},
				changed: was.Project != next.Project,
				old:     func(f render.Form) []byte { return render.Project(was.Project, f) },
				wanted:  func(f render.Form) []byte { return render.Project(next.Project, f) },
			}, {
				kind: model.KindAuth, had: pl.hasFile(model.KindAuth), has: next.Auth != nil || len(next.Groups) > 0 ||
					len(next.Triggers) > 0,
				changed: was.Auth != next.Auth || !slices.Equal(was.Groups, next.Groups) ||
					!slices.Equal(was.Triggers, next.Triggers),
				old:    func(f render.Form) []byte { return render.Auth(was.Auth, was.Groups, was.Triggers, f) },
				wanted: func(f render.Form) []byte { return render.Auth(next.Auth, next.Groups, next.Triggers, f) },
			}, {
				kind: model.KindData, had: was.Data != nil, has: next.Data != nil, changed: was.Data != next.Data,
				old:    func(f render.Form) []byte { return render.Data(was.Data, f) },
				wanted: func(f render.Form) []byte { return render.Data(next.Data, f) },
			}, {
				kind: model.KindStorage, had: was.Storage != nil, has: next.Storage != nil, changed: was.Storage != next.Storage,
				old:    func(f render.Form) []byte { return render.Storage(was.Storage, f) },
				wanted: func(f render.Form) []byte { return render.Storage(next.Storage, f) },
			},
		},
		definitionsOf(model.KindEnvironment,
			pairs(pl, model.KindEnvironment, was.Environments, next.Environments,
				func(e *model.Environment) string { return e.Name }), render.Environment),
		pl.settings(),
		definitionsOf(model.KindTable,
			pairs(pl, model.KindTable, was.Tables, next.Tables, func(t *model.Table) string { return t.Name }), render.Table),
		definitionsOf(model.KindOutput,
			pairs(pl, model.KindOutput, was.Outputs, next.Outputs, func(o *model.Output) string { return o.Name }),
			render.Output),
		definitionsOf(model.KindFunction, pl.functionPairs(), render.Function),
	)
}

// settings are the settings of APIs. A file stays without any: there may be other things in it.
func (pl *planner) settings() []definition {
	list := definitionsOf(model.KindSettings, pl.apiPairs(), render.Settings)
	for i, p := range pl.apiPairs() {
		d := &list[i]
		d.had = pl.Definitions[pl.Layout.File(model.Ref{Kind: d.kind, Name: d.from})] != nil
		d.has = p.now != nil && (d.had || !p.now.CORS.IsDefault())
	}
	return list
}

func (pl *planner) hasFile(kind model.Kind) bool {
	return pl.Definitions[pl.Layout.File(model.Ref{Kind: kind})] != nil
}

// definitionsOf returns the definitions of one kind.
func definitionsOf[T comparable](kind model.Kind, list []pair[T], draw func(T, render.Form) []byte) []definition {
	var none T
	definitions := make([]definition, len(list))
	for i, p := range list {
		definitions[i] = definition{
			kind: kind, from: p.from, to: p.to, had: p.old != none, has: p.now != none, changed: p.old != p.now,
			old:    func(f render.Form) []byte { return draw(p.old, f) },
			wanted: func(f render.Form) []byte { return draw(p.now, f) },
		}
	}
	return definitions
}

// removeDefinitions plans to delete the files of removed definitions, with the sources of functions.
func (pl *planner) removeDefinitions() error {
	for _, d := range pl.definitionPairs() {
		if d.had && !d.has {
			pl.remove(pl.Layout.File(model.Ref{Kind: d.kind, Name: d.from}))
		}
	}
	for _, p := range pl.functionPairs() {
		if p.now == nil {
			if err := pl.removeSources(p.old); err != nil {
				return err
			}
		}
	}
	return nil
}

// definitions plans the files of new and changed definitions, with the sources of functions.
func (pl *planner) definitions() error {
	for _, d := range pl.definitionPairs() {
		from, to := pl.Layout.File(model.Ref{Kind: d.kind, Name: d.from}), pl.Layout.File(model.Ref{Kind: d.kind, Name: d.to})
		var err error
		switch {
		case !d.changed || !d.has:
		case !d.had:
			err = pl.create(to, d.wanted(render.Whole))
		default:
			err = pl.edit(from, to, d.old(render.Part), d.wanted(render.Part))
		}
		if err != nil {
			return err
		}
	}
	for _, p := range pl.functionPairs() {
		if p.old == nil {
			if err := pl.sources(p.now); err != nil {
				return err
			}
		}
	}
	return pl.followSources()
}

// ignore plans to add the lines that .gitignore must have.
func (pl *planner) ignore() error {
	const name = ".gitignore"
	have, err := read.Bytes(pl.FS, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	existed := err == nil
	lines := make(map[string]bool)
	for line := range strings.Lines(string(have)) {
		lines[strings.TrimRight(line, " \t\r\n")] = true
	}
	newline := "\n"
	if bytes.Contains(have, []byte("\r\n")) {
		newline = "\r\n"
	}
	data := bytes.Clone(have)
	if len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(data, newline...)
	}
	added := false
	for _, line := range render.IgnoredFiles(pl.next.Project.Dialect) {
		if project.Ignores(lines, line) {
			continue
		}
		data = append(data, line+newline...)
		added = true
	}
	if added {
		pl.put(journal.Change{Path: name, Existed: existed, Old: have, New: data})
	}
	return nil
}
