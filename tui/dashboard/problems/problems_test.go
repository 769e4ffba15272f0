package problems

import (
	"testing"

	"gatewright/flow/validation"
	"gatewright/model"
	"gatewright/project"
)

func TestErrorsComeFirstAndNoProblemIsLeftOut(t *testing.T) {
	t.Parallel()
	of := func(level model.Level, file, text string) *project.Problem {
		return &project.Problem{File: file, Line: 3, Column: 1, Level: level, Text: text}
	}
	all := []*project.Problem{
		of(model.Note, "backend/a.json", "one"), of(model.Warning, "backend/a.json", "two"), of(model.Error, "backend/b.json", "three"),
		of(model.Warning, "backend/b.json", "two"), of(model.Warning, "backend/b.json", "two"), of(model.Error, "", "four"),
	}
	f := rowsOf(&validation.Report{Problems: all, Groups: project.Grouped(all)})
	last, ids, lines := model.Error, make(map[string]bool), make(map[string]int)
	for _, r := range f.rows {
		if r.problem.Level < last {
			t.Errorf("%q is below a %s", r.line, last)
		}
		if ids[r.id] {
			t.Errorf("two rows have the id %q", r.id)
		}
		last, ids[r.id] = r.problem.Level, true
		lines[r.line]++
	}
	for _, p := range all {
		if lines[p.Reported()]--; lines[p.Reported()] < 0 {
			t.Errorf("%q is left out", p.Reported())
		}
	}
}

func TestAProblemLeadsToTheThingThatItIsAbout(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		problem project.Problem
		want    model.Ref
	}{
		{project.Problem{File: "backend/api/shop/cli-inputs.json", Pointer: "/paths/~1a~1{b}/permissions/x"}, model.Ref{Kind: model.KindPath, API: "shop", Name: "/a/{b}"}},
		{project.Problem{File: "backend/api/shop/cli-inputs.json", Pointer: "/version"}, model.Ref{Kind: model.KindAPI, Name: "shop"}},
		{project.Problem{File: "backend/function/f/function.json", Pointer: "/timeout"}, model.Ref{Kind: model.KindFunction, Name: "f"}},
		{project.Problem{File: "backend/auth.json", Pointer: "/oauth/domain"}, model.Ref{Kind: model.KindAuth, Name: "oauth.domain"}},
		{project.Problem{File: "backend/environments/dev.json"}, model.Ref{Kind: model.KindEnvironment, Name: "dev"}},
		{project.Problem{File: "client_config.json", Pointer: "/auth/x"}, model.Ref{Kind: model.KindOutput, Name: "/auth/x"}},
		{project.Problem{}, model.Ref{}},
	} {
		if got := thingOf(&of.problem, project.Native); got != of.want {
			t.Errorf("%s at %s leads to %+v, and not to %+v", of.problem.File, of.problem.Pointer, got, of.want)
		}
	}
}
