package project

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/render"
)

// clientFile checks the client configuration file, where there is one: by the
// schema of its version in the project's dialect, by what clients trip over, and
// by what the definitions say.
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
	if schema, unknown := versionSchema(f, p.Backend.Project.Dialect); unknown != nil {
		v.add(bySchema, unknown)
	} else {
		v.clientSchema(f, schema)
		v.hints(hinter{file: f, schema: schema, generated: true, ignored: p.ignores(name)})
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

// ignores says whether the project's .gitignore keeps a file at its root out of
// version control.
func (p *Project) ignores(name string) bool {
	text, err := readFile(p.fsys, ".gitignore")
	if err != nil {
		return false
	}
	lines := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		lines[strings.TrimSpace(line)] = true
	}
	return ignores(lines, "/"+name)
}

// clientSchema checks a client configuration file by its schema. Where the public
// schema refuses what the public generator writes, that is said.
func (v *validation) clientSchema(f *file, schema string) {
	v.bySchema(f, schema)
	for _, p := range v.problems {
		if p.File == f.path && strings.HasPrefix(schema, laterSchemas) && namesOne(p.Pointer) {
			p.Fix = "write a version from 1.4 on: the public generator names the group or the identity here, and the public schema does not know such keys before"
		}
	}
}

// namesOne says whether a pointer leads to a key of a bucket's access rule that
// names one group or one identity, such as groupsAdmins or entityidentity
// (research/outputs-file.md 1.2).
func namesOne(pointer string) bool {
	tokens := strings.Split(pointer, "/")
	if len(tokens) != 7 || tokens[1] != "storage" || tokens[2] != "buckets" || tokens[4] != "paths" {
		return false
	}
	group, ofGroup := strings.CutPrefix(tokens[6], "groups")
	identity, ofIdentity := strings.CutPrefix(tokens[6], "entity")
	return ofGroup && group != "" || ofIdentity && identity != ""
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
