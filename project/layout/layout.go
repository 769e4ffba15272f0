// Package layout is where the files of a project are and what its definitions mean, and the project's
// folder as it was read in that layout.
package layout

import (
	"path"
	"strings"

	"gatewright/model"
	"gatewright/render"
)

// Layout is a layout of projects. Its values can be compared. Paths are relative to the project.
type Layout interface {
	model.Layout

	// String returns the folder of the definitions.
	String() string
	// File returns the file with the definition of a thing; "" if it has no file of its own.
	File(of model.Ref) string
	// Ref returns the thing that a file defines: the opposite of File. A function's folder, and what
	// is in it, belongs to the function. ok is false for any other file.
	Ref(file string) (of model.Ref, ok bool)
	// APIFile returns the path of an API's cli-inputs.json, FunctionFolder the folder of a function.
	APIFile(label string) string
	FunctionFolder(name string) string
	// EventFile returns the path of a function's event.json, EventFileNamed that of event-NAME.json.
	EventFile(function string) string
	EventFileNamed(function, name string) string
	// RequestsFolder returns the folder of the saved requests, RequestFile the path of one.
	RequestsFolder() string
	RequestFile(name string) string
	// ContractFile returns the path of the document of OpenAPI that is kept next to an API.
	ContractFile(label string) string
	// Schema names the schema of a file, by its path; "" if the format of the file belongs to another tool.
	Schema(file string) string
	// Form is the form of a new file.
	Form() render.Form
}

// Folder is the folder of the definitions of a layout.
type Folder string

// String returns the folder.
func (f Folder) String() string { return string(f) }

// APIFile returns the path of an API's cli-inputs.json.
func (f Folder) APIFile(label string) string {
	return path.Join(string(f), "api", label, "cli-inputs.json")
}

// FunctionFolder returns the folder of a function.
func (f Folder) FunctionFolder(name string) string { return path.Join(string(f), "function", name) }

// File returns the files that every layout has in the same place; "" for other things.
func (f Folder) File(of model.Ref) string {
	switch of.Kind {
	case model.KindAPI:
		return f.APIFile(of.Name)
	case model.KindPath:
		return f.APIFile(of.API)
	case model.KindOutput:
		return path.Join(string(f), "outputs", of.Name+".json")
	case model.KindData, model.KindStorage, model.KindProject:
		return path.Join(string(f), string(of.Kind)+".json")
	}
	return ""
}

// EventFile returns the path of a function's event.json.
func (f Folder) EventFile(function string) string {
	return path.Join(f.FunctionFolder(function), "src/event.json")
}

// EventFileNamed returns the path of an event of a function, event-NAME.json next to its source.
func (f Folder) EventFileNamed(function, name string) string {
	return path.Join(f.FunctionFolder(function), "src", "event-"+name+".json")
}

// Inside splits a file in the folder: the first part of its path there, the name after that, and the rest.
func (f Folder) Inside(file string) (first, name, rest string, ok bool) {
	inside, ok := strings.CutPrefix(file, string(f)+"/")
	first, inside, _ = strings.Cut(inside, "/")
	name, rest, _ = strings.Cut(inside, "/")
	return first, name, rest, ok
}

// Named returns a thing of a kind; ok is false without a name.
func Named(kind model.Kind, name string) (model.Ref, bool) {
	return model.Ref{Kind: kind, Name: name}, name != ""
}
