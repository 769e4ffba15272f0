package layout

import (
	"path"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/read"
	"gatewright/render"
)

// Own is the program's own layout, in backend/.
var Own Layout = own{"backend"}

type own struct{ Folder }

// Defines reports that the project defines things of every kind.
func (own) Defines(model.Kind) bool { return true }

func (own) HasMediaTypes() bool { return true }

func (own) Terms() access.Terms { return access.Terms{} }

func (l own) File(of model.Ref) string {
	switch of.Kind {
	case model.KindEnvironment:
		return path.Join(l.String(), "environments", of.Name+".json")
	case model.KindFunction:
		return path.Join(l.FunctionFolder(of.Name), "function.json")
	case model.KindSettings:
		return path.Join(path.Dir(l.APIFile(of.Name)), "settings.json")
	case model.KindTable:
		return path.Join(l.String(), "table", of.Name, "table.json")
	case model.KindGroup, model.KindAuth:
		return path.Join(l.String(), "auth.json")
	}
	return l.Folder.File(of)
}

func (l own) Ref(file string) (of model.Ref, ok bool) {
	first, name, rest, ok := l.Inside(file)
	switch {
	case !ok:
		return model.Ref{}, false
	case first == "function":
		return Named(model.KindFunction, name)
	case first == "api" && rest == "cli-inputs.json":
		return Named(model.KindAPI, name)
	case first == "api" && rest == "settings.json":
		return Named(model.KindSettings, name)
	case first == "table":
		return Named(model.KindTable, name)
	}
	name = strings.TrimSuffix(name, ".json")
	switch first {
	case "environments":
		return Named(model.KindEnvironment, name)
	case "outputs":
		return Named(model.KindOutput, name)
	case "auth.json", "data.json", "storage.json", "project.json":
		return model.Ref{Kind: model.Kind(strings.TrimSuffix(first, ".json"))}, true
	}
	return model.Ref{}, false
}

func (l own) RequestsFolder() string { return path.Join(l.String(), "requests") }

func (l own) RequestFile(name string) string { return path.Join(l.RequestsFolder(), name+".json") }

func (l own) ContractFile(label string) string {
	return path.Join(path.Dir(l.APIFile(label)), "openapi.json")
}

func (own) Schema(file string) string {
	base := path.Base(file)
	switch path.Base(path.Dir(file)) {
	case "environments":
		return "environment"
	case "outputs":
		return "output"
	case "requests":
		return "request"
	}
	switch base {
	case "project.json", "settings.json", "function.json", "table.json", "auth.json", "data.json", "storage.json":
		return strings.TrimSuffix(base, ".json")
	}
	return ""
}

func (own) Form() render.Form { return render.Whole }

// LoadOwn reads a project in the program's own layout.
func LoadOwn(f *Loaded) {
	if r, ok := f.Reader(model.Ref{Kind: model.KindProject}); ok {
		f.Backend.Project = r.Project()
	}
	base := f.Layout.String()
	f.LoadAPIs()
	f.Backend.APIs = slices.DeleteFunc(f.Backend.APIs, f.lacksSettings)
	for _, name := range f.JSONFilesIn(path.Join(base, "environments")) {
		if r, ok := f.Reader(model.Ref{Kind: model.KindEnvironment, Name: name}); ok {
			f.Backend.Environments = append(f.Backend.Environments, read.Definition(r, &model.Environment{Name: name}))
		}
	}
	for _, name := range f.FoldersIn(path.Join(base, "function")) {
		if r, ok := f.Reader(model.Ref{Kind: model.KindFunction, Name: name}); ok {
			f.Backend.Functions = append(f.Backend.Functions, read.Definition(r, &model.Function{Name: name}))
		}
	}
	for _, name := range f.FoldersIn(path.Join(base, "table")) {
		if r, ok := f.Reader(model.Ref{Kind: model.KindTable, Name: name}); ok {
			f.Backend.Tables = append(f.Backend.Tables, read.Definition(r, &model.Table{Name: name}))
		}
	}
	for _, name := range f.JSONFilesIn(path.Join(base, "outputs")) {
		if r, ok := f.Reader(model.Ref{Kind: model.KindOutput, Name: name}); ok {
			f.Backend.Outputs = append(f.Backend.Outputs, r.Output(name))
		}
	}
	if r, ok := f.Reader(model.Ref{Kind: model.KindAuth}); ok {
		f.Backend.Groups = r.Texts(r.Root(), "groups")
		f.Backend.Triggers = r.Triggers()
		f.Backend.Auth = r.Auth()
	}
	if r, ok := f.Reader(model.Ref{Kind: model.KindData}); ok {
		f.Backend.Data = &model.Data{}
		if root, ok := r.Start(); ok {
			r.Into(root, "", f.Backend.Data)
		}
	}
	if r, ok := f.Reader(model.Ref{Kind: model.KindStorage}); ok {
		f.Backend.Storage = &model.Storage{}
		if root, ok := r.Start(); ok {
			r.Into(root, "", f.Backend.Storage)
		}
	}
}

// lacksSettings reads the settings of an API, and reports whether they are broken. Without them the API would
// serve pages that they keep out, so that it is unread too.
func (l *Loaded) lacksSettings(api *access.API) bool {
	known := len(l.Problems)
	if r, ok := l.Reader(model.Ref{Kind: model.KindSettings, Name: api.Label}); ok {
		r.Settings(api)
	}
	if read.FirstError(l.Problems[known:]) != nil {
		l.Unread = append(l.Unread, model.Ref{Kind: model.KindAPI, Name: api.Label})
		return true
	}
	if f := l.Definitions[l.Layout.APIFile(api.Label)]; f != nil && api.Version() > 1 {
		if v, _ := f.Doc.Root().Get("version"); string(v.Raw()) == "1" {
			l.Problems = append(l.Problems, f.Problem(model.Warning, "/version", "write 2",
				"is 1 with a settings.json, which an older gatewright then ignores"))
		}
	}
	return false
}
