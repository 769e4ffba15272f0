package plan

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/amplify"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/render"
)

// apiPairs returns the APIs before and after the edits.
func (pl *planner) apiPairs() []pair[*access.API] {
	return pairs(pl, model.KindAPI, pl.Backend.APIs, pl.next.APIs, func(a *access.API) string { return a.Label })
}

// refuseLegacy refuses to change an API that only an api-params.json defines.
func (pl *planner) refuseLegacy() error {
	for _, p := range pl.apiPairs() {
		if f := pl.Legacy[p.from]; f != nil && p.now != nil && p.now != p.old {
			return &read.Problem{File: f.Path, Text: "is an older format, read and not edited", Fix: "run: gatewright migrate"}
		}
	}
	return nil
}

// apis plans each API's cli-inputs.json.
func (pl *planner) apis() error {
	for _, p := range pl.apiPairs() {
		var err error
		switch {
		case p.now == nil:
		case p.old == nil:
			if err := pl.refuseTakenLabel(p.to); err != nil {
				return err
			}
			err = pl.create(pl.Layout.APIFile(p.to), render.API(p.now, pl.Layout.Form()))
		case p.old != p.now:
			if p.from != p.to {
				if err := pl.refuseTakenLabel(p.to); err != nil {
					return err
				}
			}
			before, after := changedPaths(p.old, p.now)
			named := pl.namedPaths(pl.Layout.APIFile(p.from))
			err = pl.edit(pl.Layout.APIFile(p.from), pl.Layout.APIFile(p.to),
				render.APIPart(p.old, before, named), render.APIPart(p.now, after, named))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// namedPaths says which paths of an API's file have an entry with a name: those on disk
// stay as they are, and others are written like the rest of the file.
func (pl *planner) namedPaths(name string) func(*access.Path) bool {
	entries := make(map[string]bool)
	some := false
	if f := pl.Definitions[name]; f != nil {
		paths, _ := f.Doc.Find("/paths")
		for path, entry := range paths.Members() {
			_, named := entry.Get("name")
			entries[path], some = named, some || named
		}
	}
	return func(p *access.Path) bool {
		if named, there := entries[p.Name]; there {
			return named
		}
		return some || len(entries) == 0
	}
}

// refuseTakenLabel refuses the label of a folder or of an entry of backend-config.json
// that is not a REST API. Labels that differ only in case are the same.
func (pl *planner) refuseTakenLabel(label string) error {
	names, _ := read.Folders(pl.FS, path.Join(pl.Layout.String(), "api"))
	if config := pl.Definitions[amplify.BackendConfig]; config != nil {
		entries, _ := config.Doc.Find("/api")
		for name := range entries.Members() {
			names = append(names, name)
		}
	}
	for _, name := range names {
		own := !pl.Foreign() && name == label || pl.Backend.API(name) != nil
		if strings.EqualFold(name, label) && !own {
			return &read.Problem{
				File: path.Join(pl.Layout.String(), "api", name),
				Text: "has the label " + phrase.Quote(label) + " already, and is not a REST API",
				Fix:  "choose another label", Cause: model.ErrExists,
			}
		}
	}
	return nil
}

// removeAPIs plans to delete the definitions of APIs that are gone.
func (pl *planner) removeAPIs() error {
	for _, p := range pl.apiPairs() {
		if p.now == nil {
			if err := pl.removeAPI(p.from); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeAPI plans to delete an API's definition, and its api-params.json, which would define the API then.
func (pl *planner) removeAPI(label string) error {
	pl.remove(pl.Layout.APIFile(label))
	older := path.Join(path.Dir(pl.Layout.APIFile(label)), read.LegacyFile)
	data, err := read.Bytes(pl.FS, older)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	pl.put(journal.Change{Path: older, Existed: true, Old: data, Delete: true})
	pl.noteGenerated(label)
	return nil
}

// noteGenerated notes the files that the Amplify CLI made from an api-params.json.
func (pl *planner) noteGenerated(label string) {
	for _, beside := range []string{
		"parameters.json", label + "-cloudformation-template.json",
		label + "-cloudformation-template.yml",
	} {
		if name := path.Join(path.Dir(pl.Layout.APIFile(label)), beside); read.Exists(pl.FS, name) {
			pl.note(name, "was made from api-params.json and is no longer read; remove it if you do not need it")
		}
	}
}

// changedPaths lists the paths that differ between two states of an API, each with the unchanged path before it,
// which shows where an inserted path belongs. An edit copies only what it changes, so paths are compared by pointer.
func changedPaths(old, api *access.API) (before, after []*access.Path) {
	const inOld, inNew, picked = 1, 2, 4
	state := make(map[*access.Path]uint8, len(old.Paths))
	for _, p := range old.Paths {
		state[p] |= inOld
	}
	for _, p := range api.Paths {
		state[p] |= inNew
	}
	lists := [][]*access.Path{old.Paths, api.Paths}
	for _, paths := range lists {
		for i, p := range paths {
			if state[p]&(inOld|inNew) != inOld|inNew {
				state[p] |= picked
				if i > 0 {
					state[paths[i-1]] |= picked
				}
			}
		}
	}
	for i, result := range []*[]*access.Path{&before, &after} {
		for _, p := range lists[i] {
			if state[p]&picked != 0 {
				*result = append(*result, p)
			}
		}
	}
	return before, after
}
