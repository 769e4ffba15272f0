package problems

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gatewright/flow/validation"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/read"
	"gatewright/tui/dashboard/board"
)

func TestErrorsComeFirstAndNoProblemIsLeftOut(t *testing.T) {
	t.Parallel()
	of := func(level model.Level, file, text string) *read.Problem {
		return &read.Problem{File: file, Line: 3, Column: 1, Level: level, Text: text}
	}
	all := []*read.Problem{
		of(model.Note, "backend/a.json", "one"), of(model.Warning, "backend/a.json", "two"), of(model.Error, "backend/b.json", "three"),
		of(model.Warning, "backend/b.json", "two"), of(model.Warning, "backend/b.json", "two"), of(model.Error, "", "four"),
	}
	f := rowsOf(&validation.Report{Layout: project.Native, Problems: all, Groups: read.Grouped(all)})
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
		problem read.Problem
		want    model.Ref
	}{
		{read.Problem{File: "backend/api/shop/cli-inputs.json", Pointer: "/paths/~1a~1{b}/permissions/x"}, model.Ref{Kind: model.KindPath, API: "shop", Name: "/a/{b}"}},
		{read.Problem{File: "backend/api/shop/cli-inputs.json", Pointer: "/version"}, model.Ref{Kind: model.KindAPI, Name: "shop"}},
		{read.Problem{File: "backend/function/f/function.json", Pointer: "/timeout"}, model.Ref{Kind: model.KindFunction, Name: "f"}},
		{read.Problem{File: "backend/auth.json", Pointer: "/oauth/domain"}, model.Ref{Kind: model.KindAuth, Name: "oauth.domain"}},
		{read.Problem{File: "backend/environments/dev.json"}, model.Ref{Kind: model.KindEnvironment, Name: "dev"}},
		{read.Problem{File: "client_config.json", Pointer: "/auth/x"}, model.Ref{Kind: model.KindOutput, Name: "/auth/x"}},
		{read.Problem{}, model.Ref{}},
	} {
		if got := thingOf(&of.problem, project.Native); got != of.want {
			t.Errorf("%s at %s leads to %+v, and not to %+v", of.problem.File, of.problem.Pointer, got, of.want)
		}
	}
}

// TestTheDetailsOfAProblemAreWhole has one of a line, one of no file, and a group of one rule.
func TestTheDetailsOfAProblemAreWhole(t *testing.T) {
	t.Parallel()
	tab := New(board.New("", nil, ""))
	one := &read.Problem{File: "backend/a.json", Line: 3, Column: 9, Level: model.Error, Text: "it is\x1b wrong", Fix: "mend it", Pointer: "/x/y", Rule: "a-rule"}
	note := &read.Problem{Level: model.Note, Text: "it is long ago"}
	many := read.Group{Problem: &read.Problem{File: "backend/b.json", Line: 1, Level: model.Warning, Text: "keys: there are none", Rule: "keys"}, API: "shop"}
	for i := range 43 {
		many.All = append(many.All, &read.Problem{File: "backend/b.json", Line: i + 1, Level: model.Warning, Text: fmt.Sprint("no key ", i), Rule: "keys"})
	}
	f := rowsOf(&validation.Report{Layout: project.Native, Groups: []read.Group{{Problem: note, All: []*read.Problem{note}}, many, {Problem: one, All: []*read.Problem{one}}}})
	tab.show(&f)
	got := make(map[string]string)
	for _, r := range f.rows {
		if r.isGroup() || r.problem.Rule != "keys" {
			var lines []string
			for _, line := range tab.describe(r) {
				sign := map[prose.Tone]string{prose.Plain: " ", prose.Muted: ".", prose.Bad: "!", prose.Warning: "?", prose.Note: "i"}[line.Tone]
				lines = append(lines, sign+line.Text)
			}
			got[r.problem.Level.String()] = strings.Join(lines[:len(lines)-1], "\n")
		}
	}
	group := "?" + marks[model.Warning] + " warning: keys: there are none\n"
	for i, line := range strings.Split(got["warning"], "\n") {
		if want := fmt.Sprintf(".%d: no key %d", i, i-1); i > 0 && i <= 40 && line != want {
			t.Errorf("line %d of the group is %q, want %q", i, line, want)
		}
	}
	if text := got["warning"]; !strings.HasPrefix(text, group) || !strings.HasSuffix(text, ".40: no key 39\n.and 3 more\n.in backend/b.json\n.rule keys") {
		t.Errorf("the group is\n%s", text)
	}
	for level, want := range map[string]string{
		"error": "!" + marks[model.Error] + " error: it is␛ wrong\n to do: mend it\n.backend/a.json:3:9 at /x/y\n.rule a-rule",
		"note":  "i" + marks[model.Note] + " note: it is long ago",
	} {
		if got[level] != want {
			t.Errorf("the %s is\n%q, want\n%q", level, got[level], want)
		}
	}
	// A report that comes late is not shown any more.
	late := rowsOf(&validation.Report{})
	f.Report.Number, late.Report.Number = 2, 1
	tab.show(&late)
	if tab.List.Len() == 0 {
		t.Error("an earlier report is shown after a later one")
	}
	tab.shown = &found{Report: &validation.Report{Layout: project.Native, Err: errors.New("no\x1b project")}}
	if got := tab.nothing(); got != "! cannot be validated: no␛ project" {
		t.Errorf("what cannot be validated is shown as %q", got)
	}
}
