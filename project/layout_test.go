package project_test

import (
	"testing"

	"gatewright/model"
	"gatewright/project"
)

func TestTheThingOfAFileIsTheOneWhoseFileItIs(t *testing.T) {
	t.Parallel()
	for _, layout := range []project.Layout{project.Native, project.Amplify} {
		for _, of := range []model.Ref{
			{Kind: model.KindAPI, Name: "shop"}, {Kind: model.KindFunction, Name: "books"}, {Kind: model.KindTable, Name: "orders"}, {Kind: model.KindAuth},
		} {
			if got, ok := layout.Ref(layout.File(of)); !ok || got != of {
				t.Errorf("%s: %s is of %v, %v, and not of %v", layout, layout.File(of), got, ok, of)
			}
		}
	}
	for _, of := range []model.Ref{
		{Kind: model.KindEnvironment, Name: "dev"}, {Kind: model.KindOutput, Name: "extra"}, {Kind: model.KindData}, {Kind: model.KindStorage}, {Kind: model.KindProject},
	} {
		if got, ok := project.Native.Ref(project.Native.File(of)); !ok || got != of {
			t.Errorf("%s is of %v, %v, and not of %v", project.Native.File(of), got, ok, of)
		}
	}
	for _, file := range []string{"", "client_config.json", "backend", "backend/other.json", "backend/function", "elsewhere/api/shop/cli-inputs.json"} {
		if got, ok := project.Native.Ref(file); ok {
			t.Errorf("%q is of %v", file, got)
		}
	}
}
