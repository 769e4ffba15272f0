package project

import (
	"errors"
	"path"
	"strings"

	"gatewright/model"
	"gatewright/project/journal"
	"gatewright/render"
)

// Layout is where the files of a project are.
type Layout uint8

const (
	// Native is the program's own layout, in backend/.
	Native Layout = iota
	// Amplify is a project of the Amplify CLI, in amplify/backend/. Its APIs are
	// edited in place; everything else is only read.
	Amplify
)

// String returns the layout's name for people.
func (l Layout) String() string {
	if l == Amplify {
		return "amplify/backend"
	}
	return "backend"
}

// ErrAmplifyCLI is the cause of a Problem about something that only the Amplify CLI
// may change.
var ErrAmplifyCLI = errors.New("kept by the Amplify CLI")

// StateFolder is the folder of what belongs to this machine: the chosen
// environment, drafts, the journal. Its .gitignore excludes all of it.
const StateFolder = journal.Folder

// Folder returns the folder of the definitions, relative to the project.
func (l Layout) Folder() string {
	if l == Amplify {
		return "amplify/backend"
	}
	return "backend"
}

// File returns the file with the definition of a thing, relative to the project; "" if
// the thing has no file of its own.
func (l Layout) File(of model.Ref) string {
	base := l.Folder()
	if l == Amplify {
		switch of.Kind {
		case model.KindFunction:
			return l.FunctionFolder(of.Name)
		case model.KindTable:
			return path.Join(base, "storage", of.Name, "cli-inputs.json")
		case model.KindGroup, model.KindAuth:
			return path.Join(base, groupsFile)
		case model.KindEnvironment:
			return EnvironmentsFile
		}
	}
	switch of.Kind {
	case model.KindAPI:
		return path.Join(base, "api", of.Name, "cli-inputs.json")
	case model.KindPath:
		return path.Join(base, "api", of.API, "cli-inputs.json")
	case model.KindEnvironment:
		return path.Join(base, "environments", of.Name+".json")
	case model.KindFunction:
		return path.Join(l.FunctionFolder(of.Name), "function.json")
	case model.KindTable:
		return path.Join(base, "table", of.Name, "table.json")
	case model.KindGroup, model.KindAuth:
		return path.Join(base, "auth.json")
	case model.KindOutput:
		return path.Join(base, "outputs", of.Name+".json")
	case model.KindData, model.KindStorage:
		return path.Join(base, string(of.Kind)+".json")
	case model.KindProject:
		return path.Join(base, "project.json")
	}
	return ""
}

// Ref returns the thing that a file of the project defines: the opposite of File. A function's
// folder, and what is in it, belongs to the function. ok is false for any other file.
func (l Layout) Ref(file string) (of model.Ref, ok bool) {
	rest, in := strings.CutPrefix(file, l.Folder()+"/")
	if l == Amplify && file == EnvironmentsFile {
		return model.Ref{Kind: model.KindEnvironment}, true
	}
	if !in {
		return model.Ref{}, false
	}
	first, rest, _ := strings.Cut(rest, "/")
	name, base, _ := strings.Cut(rest, "/")
	named := func(kind model.Kind) (model.Ref, bool) { return model.Ref{Kind: kind, Name: name}, name != "" }
	switch {
	case first == "function":
		return named(model.KindFunction)
	case first == "api" && (base == "cli-inputs.json" || l == Amplify):
		return named(model.KindAPI)
	case l == Amplify && first == "storage", l == Native && first == "table":
		return named(model.KindTable)
	case l == Amplify && file == path.Join(l.Folder(), groupsFile):
		return model.Ref{Kind: model.KindAuth}, true
	case l == Amplify:
		return model.Ref{}, false
	}
	name = strings.TrimSuffix(name, ".json")
	switch first {
	case "environments":
		return named(model.KindEnvironment)
	case "outputs":
		return named(model.KindOutput)
	case "auth.json", "data.json", "storage.json", "project.json":
		return model.Ref{Kind: model.Kind(strings.TrimSuffix(first, ".json"))}, true
	}
	return model.Ref{}, false
}

// APIFile returns the path of an API's cli-inputs.json, relative to the project.
func (l Layout) APIFile(label string) string {
	return l.File(model.Ref{Kind: model.KindAPI, Name: label})
}

// FunctionFolder returns the folder of a function, relative to the project.
func (l Layout) FunctionFolder(name string) string { return path.Join(l.Folder(), "function", name) }

// EventFile returns the path of a function's event.json, relative to the project.
func (l Layout) EventFile(name string) string {
	return path.Join(l.FunctionFolder(name), "src/event.json")
}

// RequestsFolder returns the folder of the saved requests, relative to the project. The folder
// of the Amplify CLI has only what that made.
func (l Layout) RequestsFolder() string {
	if l == Amplify {
		return "gatewright/requests"
	}
	return path.Join(l.Folder(), "requests")
}

// RequestFile returns the path of a saved request, relative to the project.
func (l Layout) RequestFile(name string) string { return path.Join(l.RequestsFolder(), name+".json") }

// ClientFile returns the path of the client configuration file.
func ClientFile(b *model.Backend) string { return render.ClientFileName(b.Project.Dialect) }

// EventFileNamed is the path of an event of a function, event-NAME.json beside its source,
// relative to the project.
func (l Layout) EventFileNamed(function, name string) string {
	return path.Join(l.FunctionFolder(function), "src", "event-"+name+".json")
}
