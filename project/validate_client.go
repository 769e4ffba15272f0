package project

import (
	"errors"
	"maps"
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
	disk, err := model.ParseOutputs(f.doc.Root().Raw())
	if err != nil || FirstError(p.Problems) != nil {
		return
	}
	env := p.CurrentEnvironment()
	if its := p.Backend.Environment(p.ClientFileEnvironment()); its != nil {
		env = its
	}
	// What cannot be read of a deployment says nothing against the file.
	deployed, _ := p.deployedOutputs(nameOf(env))
	content, err := p.Backend.ClientFile(env, deployed)
	if err != nil {
		v.conflict(p, err)
		return
	}
	s := staleness{v: v, file: f, by: "the definitions"}
	if deployed != nil {
		s.by += " and the last push"
	}
	wanted := maps.Clone(render.Translate(content.Values, model.Neutral, p.Backend.Project.Dialect))
	delete(wanted, "version")
	keepKey(disk, wanted)
	s.compare(wanted, disk, "")
}

// conflict warns of an output that gives another value than the last push, which
// no edit gets past. It is no error: a push makes its values anew, and they may
// agree. A conflict among the definitions is one, and the rules find it.
func (v *validation) conflict(p *Project, err error) {
	var conflict *model.Problem
	if errors.As(err, &conflict) && !slices.ContainsFunc(v.problems, func(known *Problem) bool { return known.Level == model.Error }) {
		problem := p.located(conflict)
		problem.Level = model.Warning
		v.add(byRules, problem)
	}
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
// schema refuses what the public generator or many a person writes, the way out
// is said.
func (v *validation) clientSchema(f *file, schema string) {
	v.bySchema(f, schema)
	for _, p := range v.problems {
		switch {
		case p.File != f.path:
		case strings.HasPrefix(schema, laterSchemas) && namesOneGroup(p.Pointer):
			p.Fix = "write a version from 1.4 on: the public generator names the group or the identity here, and the public schema does not know such keys before"
		case p.Pointer == "/API":
			p.Fix = "move a REST API into custom.API, where client code finds it, and what there is of a data API into data"
		}
	}
}

// namesOneGroup says whether a pointer leads to a key of a bucket's access rule that
// names one group or one identity, such as groupsAdmins or entityidentity
// (research/outputs-file.md 1.2).
func namesOneGroup(pointer string) bool {
	tokens := strings.Split(pointer, "/")
	if len(tokens) != 7 || tokens[1] != "storage" || tokens[2] != "buckets" || tokens[4] != "paths" {
		return false
	}
	group, ofGroup := strings.CutPrefix(tokens[6], "groups")
	identity, ofIdentity := strings.CutPrefix(tokens[6], "entity")
	return ofGroup && group != "" || ofIdentity && identity != ""
}

// staleness looks for what the client configuration file lacks or contradicts.
type staleness struct {
	v    *validation
	file *file
	// by is who says what is to stand in the file.
	by string
}

func (s staleness) compare(wanted, disk map[string]any, pointer string) {
	warn := func(at, text string, args ...any) {
		s.v.add(byRules, s.file.problem(model.Warning, at, staleFix, text, args...))
	}
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		at := pointer + "/" + model.PointerToken(key)
		want, have := wanted[key], disk[key]
		wantObject, isObject := want.(map[string]any)
		haveObject, hasObject := have.(map[string]any)
		_, there := disk[key]
		switch {
		case isObject && hasObject:
			s.compare(wantObject, haveObject, at)
		case !there:
			warn(at, "lacks what %s say", s.by)
		case !model.SameValue(want, have) && !model.SameValue(want, itemsPresent(want, have)):
			warn(at, "says something else than %s", s.by)
		}
	}
}

// staleFix is what to do about a client configuration file that is not up to
// date.
const staleFix = "the next edit of the project brings it up to date"
