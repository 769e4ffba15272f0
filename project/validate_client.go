package project

import (
	"maps"
	"reflect"
	"slices"

	"gatewright/model"
	"gatewright/render"
)

// clientFile checks the client configuration file, where there is one: by its
// schema, then by what the definitions say.
func (v *validation) clientFile(p *Project) {
	name := clientFile(p.Backend)
	if !exists(p.fsys, name) {
		return
	}
	f, err := readDocument(p.fsys, name)
	if err != nil {
		if problem, ok := err.(*Problem); ok {
			v.add(byLoading, problem)
		}
		return
	}
	if later := laterVersion(f); later != nil {
		v.add(bySchema, later)
	} else {
		v.bySchema(f, clientSchema(p.Backend.Project.Dialect))
	}
	content, err := p.Backend.ClientFile(p.CurrentEnvironment(), nil)
	disk, unreadable := model.ParseOutputs(f.doc.Root().Raw())
	if err != nil || unreadable != nil || FirstError(p.Problems) != nil {
		return
	}
	wanted := render.Translate(content.Values, model.Neutral, p.Backend.Project.Dialect)
	delete(wanted, "version")
	v.stale(f, wanted, disk, "")
}

// stale warns of what the client configuration file lacks or contradicts.
func (v *validation) stale(f *file, wanted, disk map[string]any, pointer string) {
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		at := pointer + "/" + model.PointerToken(key)
		want, have := wanted[key], disk[key]
		wantObject, isObject := want.(map[string]any)
		haveObject, hasObject := have.(map[string]any)
		_, there := disk[key]
		switch missing := common(want, have); {
		case isObject && hasObject:
			v.stale(f, wantObject, haveObject, at)
		case !there:
			v.add(byRules, f.problem(model.Warning, at, staleFix, "lacks what the definitions say"))
		case !reflect.DeepEqual(want, have) && !reflect.DeepEqual(want, missing):
			v.add(byRules, f.problem(model.Warning, at, staleFix, "says something else than the definitions"))
		}
	}
}

// staleFix is what to do about a client configuration file that is not up to
// date.
const staleFix = "the next edit of the project brings it up to date"
