package validate

import (
	"errors"
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/document"
	"gatewright/project/read"
	"gatewright/render"
	"gatewright/schemas"
)

// File checks one file without its project. The kind of the file is known from its `$schema`, else its name, else its
// content. name is the file's name in problems.
func File(name string, data []byte) []*read.Problem {
	if len(data) > read.MaxFile {
		return []*read.Problem{read.TooLarge(name)}
	}
	f, err := read.Parse(name, data)
	if err != nil {
		var problem *read.Problem
		errors.As(err, &problem)
		return []*read.Problem{problem}
	}
	v := newValidation()
	schema, problem := kindOfFile(f)
	switch {
	case problem != nil:
		v.add(byLoading, problem)
	case schema == read.LegacyFile:
		v.checkAlone(f, schema)
		v.add(byRules, f.Problem(model.Warning, "", "run: gatewright migrate", "is an older format"))
	case isClientSchema(schema):
		v.clientSchema(f, schema)
		v.hints(hinter{file: f, schema: schema})
	default:
		v.bySchema(f, schema)
		v.checkAlone(f, schema)
	}
	read.SortProblems(v.problems)
	return v.problems
}

// checkAlone checks the content of a file by the model's rules, except those that need
// other files: whatever the file names counts as existing.
func (v *validation) checkAlone(f *read.File, schema string) {
	const name = "this"
	p := project.New(nil, nil)
	b, r := p.Backend, &read.Reader{File: f, Problems: &p.Problems}
	of := model.Ref{Kind: model.Kind(schema), Name: name}
	switch schema {
	case "cli-inputs", read.LegacyFile:
		of.Kind = model.KindAPI
		api := (*read.Reader).API
		if schema == read.LegacyFile {
			api, p.Legacy[name] = (*read.Reader).LegacyAPI, f
		}
		b.APIs = []*access.API{api(r, name)}
		b.Groups = b.APIs[0].Groups()
		for _, function := range b.APIs[0].Functions() {
			b.Functions = append(b.Functions, &model.Function{Name: function, Runtime: model.NodeJS})
		}
	case "settings":
		b.APIs = []*access.API{{Label: name}}
		r.Settings(b.APIs[0])
	case "function":
		b.Functions = []*model.Function{read.Definition(r, &model.Function{Name: name})}
	case "table":
		b.Tables = []*model.Table{read.Definition(r, &model.Table{Name: name})}
	case "environment":
		b.Environments = []*model.Environment{read.Definition(r, &model.Environment{Name: name})}
	case "auth":
		of.Name = ""
		b.Groups, b.Triggers, b.Auth = r.Texts(r.Root(), "groups"), r.Triggers(), r.Auth()
	default:
		return
	}
	if schema != read.LegacyFile {
		p.Definitions[p.Layout.File(of)] = f
	}
	for _, problem := range p.Problems {
		v.add(byLoading, problem)
	}
	for _, m := range append(check.Backend(b), unusableNames(b.APIs)...) {
		// Problems of groups depend on the order of the groups, which is in another file.
		if errors.Is(m, model.ErrUnknown) || strings.HasSuffix(m.Pointer, "/permissions/groups") {
			continue
		}
		problem := located(p, m)
		if p.Definitions[problem.File] != nil {
			problem.File = f.Path
		}
		if problem.File == f.Path {
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
				warn("/permissions/groups/"+model.PointerSegment(group), edit.AddReadGroup(new(model.Backend), group))
			}
		}
	}
	return problems
}

// kindOfFile returns the name of a file's schema, or read.LegacyFile.
func kindOfFile(f *read.File) (string, *read.Problem) {
	root := f.Doc.Root()
	if root.Kind() != document.Object {
		return "", f.Problem(model.Error, "", "write an object", "expected an object, found %s", read.KindOf(root))
	}
	if name := declaredSchema(root); isClientSchema(name) {
		return clientFileSchema(f)
	} else if name != "" {
		return name, nil
	}
	if later := read.LaterSchema(f); later != nil {
		return "", later
	}
	switch read.ShapeOf(root) {
	case read.OtherAPI:
		return "", f.Problem(model.Note, "", "", "is not a REST API and is not checked")
	case read.LegacyShape:
		return read.LegacyFile, nil
	}
	_, hasPaths := root.Get("paths")
	category := path.Base(path.Dir(path.Dir(f.Path)))
	switch named := path.Base(f.Path) == "cli-inputs.json"; {
	case hasPaths, named && (category == "api" || category == "."):
		return "cli-inputs", nil
	case named:
		return "", f.Problem(model.Note, "", "", "belongs to the category %s, not to a REST API, and is not checked",
			phrase.Quote(category))
	}
	if isClientFile(f) {
		return clientFileSchema(f)
	}
	base, dir := strings.TrimSuffix(path.Base(f.Path), ".json"), path.Base(path.Dir(f.Path))
	switch {
	case path.Base(f.Path) == project.AccessTestFile:
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
	return "", f.Problem(model.Error, "", "name its schema in $schema: "+strings.Join(known, ", "),
		"is of an unknown kind, by name and by content")
}

// isClientFile recognizes a client configuration file by its name, or by a version
// that is a string next to one of its sections.
func isClientFile(f *read.File) bool {
	switch path.Base(f.Path) {
	case render.ClientFileName(model.Neutral), render.ClientFileName(model.Amplify):
		return true
	}
	root := f.Doc.Root()
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
