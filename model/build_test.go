package model_test

import (
	"slices"
	"testing"

	"gatewright/model"
)

// backend makes a project with one API called shop that has the given paths, a
// function for each name they use, and the groups in order.
func backend(t testing.TB, groups []string, paths ...*model.Path) *model.Backend {
	t.Helper()
	b := &model.Backend{Groups: groups}
	api := &model.API{Label: "shop", Paths: paths}
	for _, f := range api.Functions() {
		must(t, b.AddFunction(function(f)))
	}
	must(t, b.AddAPI(api))
	return b
}

func function(name string) *model.Function {
	return &model.Function{Name: name, Runtime: model.NodeJS, Template: model.Express, Handler: "index.handler"}
}

// open makes a path that everybody may use, served by the function fn.
func open(name, fn string) *model.Path {
	return &model.Path{Name: name, Function: fn, Access: model.Access{Setting: model.Open}}
}

// restricted makes a path with grants; protected if one is to guests.
func restricted(name, fn string, grants ...model.Grant) *model.Path {
	access := model.Access{Setting: model.Private, Grants: grants}
	for _, g := range grants {
		if g.To.Kind == model.Guest {
			access.Setting = model.Protected
		}
	}
	return &model.Path{Name: name, Function: fn, Access: access}
}

func toAuth(actions ...model.Action) model.Grant {
	return model.Grant{To: model.Principal{Kind: model.Authenticated}, Actions: model.ActionSet(actions...)}
}

func toGuests(actions ...model.Action) model.Grant {
	return model.Grant{To: model.Principal{Kind: model.Guest}, Actions: model.ActionSet(actions...)}
}

func toGroup(group string, actions ...model.Action) model.Grant {
	return model.Grant{To: model.Principal{Kind: model.Group, Group: group}, Actions: model.ActionSet(actions...)}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// texts returns the problems of one level, a line each, without those of some rules.
func texts(problems []*model.Problem, level model.Level, without ...string) []string {
	var lines []string
	for _, p := range problems {
		if p.Level == level && (p.Rule == "" || !slices.Contains(without, p.Rule)) {
			lines = append(lines, p.Error())
		}
	}
	return lines
}
