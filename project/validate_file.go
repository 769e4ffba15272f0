package project

import (
	"errors"
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/document"
	"gatewright/render"
	"gatewright/schemas"
)

// ValidateFile checks one file without its project. The kind of the file is known
// from its `$schema`, else its name, else its content. name is the file's name in
// problems.
func ValidateFile(name string, data []byte) []*Problem {
	if len(data) > MaxFile {
		return []*Problem{tooLarge(name)}
	}
	f, err := parseFile(name, data)
	if err != nil {
		var problem *Problem
		errors.As(err, &problem)
		return []*Problem{problem}
	}
	v := newValidation()
	schema, problem := kindOfFile(f)
	switch {
	case problem != nil:
		v.add(byLoading, problem)
	case schema == legacyFile:
		v.checkAlone(f, schema)
		v.add(byRules, f.problem(model.Warning, "", "run: gatewright migrate", "is an older format"))
	case isClientSchema(schema):
		v.clientSchema(f, schema)
		v.hints(hinter{file: f, schema: schema})
	default:
		v.bySchema(f, schema)
		v.checkAlone(f, schema)
	}
	sortProblems(v.problems)
	return v.problems
}

// checkAlone checks the content of a file by the model's rules, except those that need
// other files: whatever the file names counts as existing.
func (v *validation) checkAlone(f *jsonFile, schema string) {
	const name = "this"
	p := &Project{Backend: &model.Backend{}, files: make(map[string]*jsonFile), legacy: make(map[string]*jsonFile)}
	b, r := p.Backend, &reader{file: f, problems: &p.Problems}
	of := model.Ref{Kind: model.Kind(schema), Name: name}
	switch schema {
	case "cli-inputs", legacyFile:
		of.Kind = model.KindAPI
		api := (*reader).api
		if schema == legacyFile {
			api, p.legacy[name] = (*reader).legacyAPI, f
		}
		b.APIs = []*access.API{api(r, name)}
		b.Groups = b.APIs[0].Groups()
		for _, function := range b.APIs[0].Functions() {
			b.Functions = append(b.Functions, &model.Function{Name: function, Runtime: model.NodeJS})
		}
	case "function":
		b.Functions = []*model.Function{r.function(name)}
	case "table":
		b.Tables = []*model.Table{r.table(name)}
	case "environment":
		b.Environments = []*model.Environment{r.environment(name)}
	case "auth":
		of.Name = ""
		b.Groups, b.Triggers, b.Auth = r.texts(r.root(), "groups"), r.triggers(), r.auth()
	default:
		return
	}
	if schema != legacyFile {
		p.files[p.Layout.file(of)] = f
	}
	for _, problem := range p.Problems {
		v.add(byLoading, problem)
	}
	for _, m := range append(b.Check(), unusableNames(b.APIs)...) {
		// Problems of groups depend on the order of the groups, which is in another file.
		if errors.Is(m, model.ErrUnknown) || strings.HasSuffix(m.Pointer, "/permissions/groups") {
			continue
		}
		problem := p.located(m)
		if p.files[problem.File] != nil {
			problem.File = f.path
		}
		if problem.File == f.path {
			problem.Text = strings.TrimPrefix(problem.Text, of.String()+": ")
			v.add(byRules, problem)
		}
	}
}

// unusableNames warns of paths that name a function or a group by an invalid name.
func unusableNames(apis []*access.API) []*model.Problem {
	var problems []*model.Problem
	for _, api := range apis {
		for _, p := range api.Paths {
			warn := func(place string, err error) {
				var bad *model.Problem
				if errors.As(err, &bad) {
					problems = append(problems, &model.Problem{
						Of:      model.Ref{Kind: model.KindPath, API: api.Label, Name: p.Name},
						Pointer: "/paths/" + model.PointerSegment(p.Name) + place,
						Level:   model.Warning, Rule: access.RuleUnusableName, Text: "names something that cannot exist: " + bad.Text,
						Fix: bad.Fix,
					})
				}
			}
			if p.Function != "" {
				warn("/lambdaFunction", model.CheckName(model.KindFunction, p.Function))
			}
			for _, group := range p.Access.Groups() {
				warn("/permissions/groups/"+model.PointerSegment(group), new(model.Backend).AddReadGroup(group))
			}
		}
	}
	return problems
}

// kindOfFile returns the name of a file's schema, or legacyFile.
func kindOfFile(f *jsonFile) (string, *Problem) {
	root := f.doc.Root()
	if root.Kind() != document.Object {
		return "", f.problem(model.Error, "", "write an object", "expected an object, found %s", kindOf(root))
	}
	if name := declaredSchema(root); isClientSchema(name) {
		return clientFileSchema(f)
	} else if name != "" {
		return name, nil
	}
	if later := laterSchema(f); later != nil {
		return "", later
	}
	switch shapeOf(root) {
	case otherAPI:
		return "", f.problem(model.Note, "", "", "is not a REST API and is not checked")
	case legacyShape:
		return legacyFile, nil
	}
	_, hasPaths := root.Get("paths")
	category := path.Base(path.Dir(path.Dir(f.path)))
	switch named := path.Base(f.path) == "cli-inputs.json"; {
	case hasPaths, named && (category == "api" || category == "."):
		return "cli-inputs", nil
	case named:
		return "", f.problem(model.Note, "", "", "belongs to the category %s, not to a REST API, and is not checked",
			phrase.Quote(category))
	}
	if isClientFile(f) {
		return clientFileSchema(f)
	}
	base, dir := strings.TrimSuffix(path.Base(f.path), ".json"), path.Base(path.Dir(f.path))
	switch {
	case path.Base(f.path) == AccessTestFile:
		return "access-test", nil
	case dir == "environments":
		return "environment", nil
	case dir == "outputs":
		return "output", nil
	case isClientSchema(base):
		return versionSchema(f, dialectOfSchema(base))
	case slices.Contains(schemas.Names(), base):
		return base, nil
	case hasPublicWords(f):
		return versionSchema(f, model.Amplify)
	}
	known := slices.DeleteFunc(schemas.Names(), func(name string) bool { return strings.HasPrefix(name, laterSchemas) })
	return "", f.problem(model.Error, "", "name its schema in $schema: "+strings.Join(known, ", "),
		"is of an unknown kind: neither its name nor its content tells it")
}

// isClientFile recognizes a client configuration file by its name, or by a version
// that is a string beside one of its sections.
func isClientFile(f *jsonFile) bool {
	switch path.Base(f.path) {
	case render.ClientFileName(model.Neutral), render.ClientFileName(model.Amplify):
		return true
	}
	root := f.doc.Root()
	if version, ok := root.Get("version"); !ok || version.Kind() != document.String {
		return false
	}
	for _, section := range model.ClientFile.Fields {
		if _, ok := root.Get(section.Name); ok && section.Type != model.StringField {
			return true
		}
	}
	_, named := root.Get("$schema")
	return root.Len() == 1 || named && root.Len() == 2
}
