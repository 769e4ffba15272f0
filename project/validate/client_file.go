package validate

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/project"
	"gatewright/project/read"
	"gatewright/render"
)

// clientFile checks the client configuration file, if there is one: by the schema of its version in the project's
// dialect, by what client libraries misread, and against the definitions.
func (v *validation) clientFile(p *project.Project) {
	name := project.ClientFile(p.Backend)
	if !read.Exists(p.FS, name) {
		return
	}
	f, err := read.JSON(p.FS, name)
	if err != nil {
		if problem, ok := err.(*read.Problem); ok {
			v.add(byLoading, problem)
		}
		return
	}
	if schema, unknown := versionSchema(f, p.Backend.Project.Dialect); unknown != nil {
		v.add(bySchema, unknown)
	} else {
		v.clientSchema(f, schema)
		v.hints(hinter{file: f, schema: schema, generated: true, ignored: ignores(p, name)})
	}
	disk, err := model.ParseOutputs(f.Doc.Root().Raw())
	if err != nil || read.FirstError(p.Problems) != nil {
		return
	}
	env := p.CurrentEnvironment()
	if its := p.Backend.Environment(p.ClientFileEnvironment()); its != nil {
		env = its
	}
	// A deployment that cannot be read is no problem of the file.
	deployed, _ := p.DeployedOutputs(project.NameOf(env))
	content, err := clientfile.Of(p.Backend, env, deployed)
	if err != nil {
		v.conflict(p, err)
		return
	}
	s := staleness{v: v, file: f, origin: "the definitions"}
	if deployed != nil {
		s.origin += " and the last push"
	}
	wanted := maps.Clone(render.Translate(content.Values, model.Neutral, p.Backend.Project.Dialect))
	delete(wanted, "version")
	project.KeepKey(disk, wanted)
	s.compare(wanted, disk, "")
}

// conflict warns of an output whose value conflicts with one of the last push, for
// which Plan refuses every edit. It is no error, since the next push may make another
// value. The model's rules report conflicts among the definitions, as errors.
func (v *validation) conflict(p *project.Project, err error) {
	var conflict *model.Problem
	if errors.As(err, &conflict) &&
		!slices.ContainsFunc(v.problems, func(known *read.Problem) bool { return known.Level == model.Error }) {
		problem := located(p, conflict)
		problem.Level = model.Warning
		v.add(byRules, problem)
	}
}

// ignores reports whether the project's .gitignore excludes a file at its root.
func ignores(p *project.Project, name string) bool {
	text, err := read.Bytes(p.FS, ".gitignore")
	if err != nil {
		return false
	}
	lines := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		lines[strings.TrimSpace(line)] = true
	}
	return project.Ignores(lines, "/"+name)
}

// clientSchema checks a client configuration file by its schema. It adds a fix where
// the public schema refuses what the public generator or many people write.
func (v *validation) clientSchema(f *read.File, schema string) {
	v.bySchema(f, schema)
	for _, p := range v.problems {
		switch {
		case p.File != f.Path:
		case strings.HasPrefix(schema, laterSchemas) && namesOneGroup(p.Pointer):
			p.Fix = "write version 1.4 or later: earlier public schemas do not allow the name of a group or an identity as a key"
		case p.Pointer == "/API":
			p.Fix = "move a REST API into custom.API, where client code finds it, and a data API into data"
		}
	}
}

// namesOneGroup reports whether a pointer is of a key in a bucket's access rule that
// names one group or one identity, such as groupsAdmins or entityidentity.
func namesOneGroup(pointer string) bool {
	segments := strings.Split(pointer, "/")
	if len(segments) != 7 || segments[1] != "storage" || segments[2] != "buckets" || segments[4] != "paths" {
		return false
	}
	group, ofGroup := strings.CutPrefix(segments[6], "groups")
	identity, ofIdentity := strings.CutPrefix(segments[6], "entity")
	return ofGroup && group != "" || ofIdentity && identity != ""
}

// staleness warns of values that the client configuration file lacks or contradicts.
type staleness struct {
	v    *validation
	file *read.File
	// origin is where the wanted values come from, in words.
	origin string
}

func (s staleness) compare(wanted, disk map[string]any, pointer string) {
	warn := func(at, text string, args ...any) {
		s.v.add(byRules, s.file.Problem(model.Warning, at, staleFix, text, args...))
	}
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		at := pointer + "/" + model.PointerSegment(key)
		want, have := wanted[key], disk[key]
		wantObject, isObject := want.(map[string]any)
		haveObject, hasObject := have.(map[string]any)
		_, there := disk[key]
		switch {
		case isObject && hasObject:
			s.compare(wantObject, haveObject, at)
		case !there:
			warn(at, "is missing, and follows from %s", s.origin)
		case !model.SameValue(want, have) && !model.SameValue(want, project.ItemsPresent(want, have)):
			warn(at, "differs from %s", s.origin)
		}
	}
}

// staleFix is what to do about a client configuration file that is not up to date.
const staleFix = "the next edit of the project updates it"

// ReadClientFile reads a client configuration file of either dialect and any known
// version. It returns the values in the file's own dialect, that dialect, and the
// problems by its schema. If one of them is an error there may be no values.
func ReadClientFile(name string, data []byte) (model.Outputs, model.Dialect, []*read.Problem) {
	if len(data) > read.MaxFile {
		return nil, "", []*read.Problem{read.TooLarge(name)}
	}
	f, err := read.Parse(name, data)
	if err != nil {
		var problem *read.Problem
		errors.As(err, &problem)
		return nil, "", []*read.Problem{problem}
	}
	schema, problem := clientFileSchema(f)
	if problem != nil {
		return nil, "", []*read.Problem{problem}
	}
	v := newValidation()
	v.clientSchema(f, schema)
	read.SortProblems(v.problems)
	values, err := model.ParseOutputs(f.Doc.Root().Raw())
	if err != nil {
		return nil, "", []*read.Problem{f.Problem(model.Error, "", "write an object", "%s", err)}
	}
	return values, dialectOfSchema(schema), v.problems
}
