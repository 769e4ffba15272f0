package plan

import (
	"maps"
	"slices"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/render"
)

// Legacy lists the APIs that only an older api-params.json defines, sorted.
func Legacy(p *project.Project) []string {
	return slices.Sorted(maps.Keys(p.Legacy))
}

// Migrate plans to turn each api-params.json into a cli-inputs.json. The older file is deleted. Everything else in
// the API's folder stays; notes name the files that the Amplify CLI made from the older file.
func Migrate(p *project.Project) (*Plan, error) {
	pl, err := newPlanner(p, p.Backend)
	if err != nil {
		return nil, err
	}
	for _, label := range Legacy(p) {
		old := p.Legacy[label]
		api := *p.Backend.API(label)
		if p.Amplify != nil {
			// They are in its template.
			api.BinaryMediaTypes = nil
		}
		if err := pl.create(p.Layout.APIFile(label), render.API(&api, pl.Layout.Form())); err != nil {
			return nil, err
		}
		pl.put(journal.Change{Path: old.Path, Existed: true, Old: old.Doc.Bytes(), Delete: true})
		pl.noteGenerated(label)
	}
	return pl.finish()
}

// ReadAPI reads an API from a file outside the project: a cli-inputs.json or an older api-params.json. name is the
// file's name in problems. The error is the first problem that is an error; the API comes with all problems.
func ReadAPI(name, label string, data []byte) (*access.API, []*read.Problem, error) {
	if len(data) > read.MaxFile {
		return nil, nil, read.TooLarge(name)
	}
	f, err := read.Parse(name, data)
	if err != nil {
		return nil, nil, err
	}
	var problems []*read.Problem
	r := &read.Reader{File: f, Problems: &problems, Outside: true}
	var api *access.API
	switch read.ShapeOf(f.Doc.Root()) {
	case read.OtherAPI:
		return nil, nil, f.Problem(model.Error, "", "give the cli-inputs.json of a REST API", "is not a REST API")
	case read.LegacyShape:
		api = r.LegacyAPI(label)
	default:
		api = r.API(label)
	}
	return api, problems, read.FirstError(problems)
}
