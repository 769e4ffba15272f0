// Package amplify has everything about projects of the Amplify CLI: where their files are, what of
// them is read, what the tool refuses, and what it last pushed.
package amplify

import (
	"path"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/layout"
	"gatewright/render"
)

// Layout is that of a project of the Amplify CLI, in amplify/backend/. Its APIs are edited in place; everything else
// is only read. What is of this program is in gatewright/: the folder of the Amplify CLI has only what that made.
var Layout layout.Layout = tool{"amplify/backend"}

type tool struct{ layout.Folder }

// Defines reports whether gatewright edits things of a kind. The Amplify CLI keeps the others.
func (tool) Defines(kind model.Kind) bool { return kind == model.KindAPI || kind == model.KindPath }

// HasMediaTypes is false: they are in the template of an API.
func (tool) HasMediaTypes() bool { return false }

// Terms are those of the roles that the Amplify CLI makes: a member of groups gets the role of the first of them,
// which has what paths grant to that group and nothing else (https://github.com/aws-amplify/amplify-cli/issues/5581);
// read is GET alone; and a policy names a path and that path with /* behind it, as the tool warns where paths overlap
// (https://github.com/aws-amplify/amplify-category-api).
func (tool) Terms() access.Terms {
	return access.Terms{GroupAlone: true, GetAlone: true, Below: true}
}

func (l tool) File(of model.Ref) string {
	switch of.Kind {
	case model.KindFunction:
		return l.FunctionFolder(of.Name)
	case model.KindTable:
		return path.Join(l.String(), "storage", of.Name, "cli-inputs.json")
	case model.KindGroup, model.KindAuth:
		return path.Join(l.String(), groupsFile)
	case model.KindEnvironment:
		return EnvironmentsFile
	}
	return l.Folder.File(of)
}

func (l tool) Ref(file string) (of model.Ref, ok bool) {
	first, name, _, ok := l.Inside(file)
	switch {
	case file == EnvironmentsFile:
		return model.Ref{Kind: model.KindEnvironment}, true
	case !ok:
		return model.Ref{}, false
	case first == "function":
		return layout.Named(model.KindFunction, name)
	case first == "api":
		return layout.Named(model.KindAPI, name)
	case first == "storage":
		return layout.Named(model.KindTable, name)
	case file == path.Join(l.String(), groupsFile):
		return model.Ref{Kind: model.KindAuth}, true
	}
	return model.Ref{}, false
}

func (tool) RequestsFolder() string { return "gatewright/requests" }

func (l tool) RequestFile(name string) string { return path.Join(l.RequestsFolder(), name+".json") }

// ContractFolder has the contracts of a project of the Amplify CLI.
const ContractFolder = "gatewright/contract"

func (tool) ContractFile(label string) string { return ContractFolder + "/" + label + ".json" }

func (tool) Schema(string) string { return "" }

func (tool) Form() render.Form { return render.AmplifyCLI }
