// Package modeltest builds backends for tests.
package modeltest

import (
	"slices"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// Backend makes a project with one API called shop that has the given paths, a
// function for each name they use, and the groups in order.
func Backend(t testing.TB, groups []string, paths ...*access.Path) *model.Backend {
	t.Helper()
	b := &model.Backend{Groups: groups}
	api := &access.API{Label: "shop", Paths: paths}
	for _, f := range api.Functions() {
		Must(t, edit.AddFunction(b, Function(f)))
	}
	Must(t, edit.AddAPI(b, api))
	return b
}

// Function makes a function of the name.
func Function(name string) *model.Function {
	return &model.Function{Name: name, Runtime: model.NodeJS, Template: model.Express, Handler: "index.handler"}
}

// Must ends the test at an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Texts returns the problems of one level, a line each, without those of some rules.
func Texts(problems []*model.Problem, level model.Level, without ...string) []string {
	var lines []string
	for _, p := range problems {
		if p.Level == level && (p.Rule == "" || !slices.Contains(without, p.Rule)) {
			lines = append(lines, p.Error())
		}
	}
	return lines
}

// Kept is the layout of a project of which another tool keeps all but the APIs.
var Kept model.Layout = kept{}

type kept struct{}

func (kept) Defines(kind model.Kind) bool { return kind == model.KindAPI || kind == model.KindPath }

func (kept) HasMediaTypes() bool { return false }

func (kept) Terms() access.Terms { return access.Terms{} }
