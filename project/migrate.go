package project

import (
	"maps"
	"slices"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/journal"
	"gatewright/render"
)

// Legacy lists the APIs that only an older api-params.json defines, sorted.
func (p *Project) Legacy() []string {
	return slices.Sorted(maps.Keys(p.legacy))
}

// Migrate plans to turn each api-params.json into a cli-inputs.json. The older file
// is deleted. Everything else in the API's folder stays; notes name the files that
// the Amplify CLI made from the older file.
func (p *Project) Migrate() (*Plan, error) {
	pl, err := p.planner(p.Backend)
	if err != nil {
		return nil, err
	}
	for _, label := range p.Legacy() {
		old := p.legacy[label]
		api := *p.Backend.API(label)
		if p.Layout == Amplify {
			// They are in its template.
			api.BinaryMediaTypes = nil
		}
		if err := pl.create(p.Layout.APIFile(label), render.API(&api, p.form())); err != nil {
			return nil, err
		}
		pl.put(journal.Change{Path: old.path, Existed: true, Old: old.doc.Bytes(), Delete: true})
		pl.noteGenerated(label)
	}
	return pl.finish()
}

// ReadAPI reads an API from a file outside the project: a cli-inputs.json or an
// older api-params.json. name is the file's name in problems. The error is the
// first problem that is an error; the API comes with all problems.
func ReadAPI(name, label string, data []byte) (*access.API, []*Problem, error) {
	if len(data) > MaxFile {
		return nil, nil, tooLarge(name)
	}
	f, err := parseFile(name, data)
	if err != nil {
		return nil, nil, err
	}
	var problems []*Problem
	r := &reader{file: f, problems: &problems, outside: true}
	var api *access.API
	switch shapeOf(f.doc.Root()) {
	case otherAPI:
		return nil, nil, f.problem(model.Error, "", "give the cli-inputs.json of a REST API", "is not a REST API")
	case legacyShape:
		api = r.legacyAPI(label)
	default:
		api = r.api(label)
	}
	return api, problems, FirstError(problems)
}
