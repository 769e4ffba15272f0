package board

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/plan"
	"gatewright/project/status"
	"gatewright/tui/frame/frametest"
)

func TestTheSourceOfAFunctionIsItsMainFile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		f     model.Function
		files []string
		want  string
	}{
		{"an Express app", model.Function{Template: model.Express, Handler: "index.handler"}, []string{"app.js", "index.js", "package.json"}, "app.js"},
		{"the module of the handler", model.Function{Handler: "index.handler"}, []string{"app.js", "index.json", "index.mjs"}, "index.mjs"},
		{"a module in a folder's name", model.Function{Handler: "src/main.run"}, []string{"a.py", "main.py"}, "main.py"},
		{"a Go program", model.Function{Handler: "bootstrap"}, []string{"go.mod", "handler.go", "main.go"}, "main.go"},
		{"the first that there is", model.Function{Handler: "x.y"}, []string{"b.js", "c.js"}, "b.js"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			test.f.Name = "f"
			folder := filepath.Join(root, "backend", "function", "f", "src")
			must(t, os.MkdirAll(folder, 0o755))
			for _, name := range test.files {
				must(t, os.WriteFile(filepath.Join(folder, name), nil, 0o644))
			}
			got, err := sourceOf(root, project.Native, &test.f)
			if err != nil || got != "backend/function/f/src/"+test.want {
				t.Errorf("it is %q, %v", got, err)
			}
		})
	}
	if _, err := sourceOf(t.TempDir(), project.Native, &model.Function{Name: "f"}); err == nil || !strings.Contains(err.Error(), "function f has no folder backend/function/f/src") {
		t.Errorf("without sources the error is %v", err)
	}
}

func TestTheLastChangesOfARunAreKeptForUndo(t *testing.T) {
	t.Parallel()
	b := &Board{}
	for i := range mostWritten + 3 {
		b.keep(writtenChange{done: fmt.Sprint("change ", i), deed: new(Deed)})
	}
	if n := len(b.written); n != mostWritten || b.written[0].done != "change 3" || b.written[n-1].done != fmt.Sprint("change ", mostWritten+2) {
		t.Errorf("%d are kept, from %s on", n, b.written[0].done)
	}
	// One that cannot be undone is forgotten alone, also beside changes of files.
	planned := &plan.Plan{}
	b.written = []writtenChange{{done: "a", deed: new(Deed)}, {done: "b", plan: planned}, {done: "c", plan: new(plan.Plan)}}
	b.forget(b.written[1])
	var left []string
	for _, w := range b.written {
		left = append(left, w.done)
	}
	if !slices.Equal(left, []string{"a", "c"}) {
		t.Errorf("there is left %q", left)
	}
	for _, of := range []struct {
		err  error
		want string
	}{
		{errors.New("it is full"), "nothing was written: it is full"},
		{&journal.StaleError{Files: []journal.StaleFile{{Path: "a\x1b.json"}, {Path: "b.json"}}}, "nothing was undone: files have changed since, and stay as they are: a␛.json, b.json"},
	} {
		if got := whyNotUndone(of.err); got != of.want {
			t.Errorf("it says %q, want %q", got, of.want)
		}
	}
}

func TestTheQuestionBeforeAWriteHasProblemsNotesFilesAndTheDifference(t *testing.T) {
	t.Parallel()
	planned := &plan.Plan{
		Notes:       []string{"a note\x1b", "guests may now read"},
		BrokenTests: []string{"guests may now read"},
		Changes:     []journal.Change{{Path: "a.json", Existed: true, Old: []byte("1\n"), New: []byte("2\n")}, {Path: "b.json", New: []byte("3\n")}},
	}
	problems := []*model.Problem{
		{Level: model.Note, Text: "it is only a note"}, {Of: model.Ref{Kind: model.KindTable, Name: "t"}, Level: model.Warning, Text: "it has\x1b no key", Fix: "give it one"},
	}
	for name, of := range map[string]struct {
		lines []prose.Line
		want  string
	}{
		"an edit": {linesOfPlan(planned, problems), `?! table t: it has␛ no key; give it one
 a note␛
 guests may now read

.update a.json
.create b.json

#--- a/a.json
>+++ b/a.json
@@@ -1 +1 @@
<-1
>+2
#--- /dev/null
>+++ b/b.json
@@@ -0,0 +1 @@
>+3`},
		"no notes": {linesOfPlan(&plan.Plan{Changes: planned.Changes[1:]}, nil), `.create b.json

#--- /dev/null
>+++ b/b.json
@@@ -0,0 +1 @@
>+3`},
		"a review": {differenceOf(planned), `^! guests may now read
*update a.json
*create b.json
ia note␛
#--- a/a.json
>+++ b/a.json
@@@ -1 +1 @@
<-1
>+2
#--- /dev/null
>+++ b/b.json
@@@ -0,0 +1 @@
>+3`},
		"a removal": {differenceOf(&plan.Plan{Changes: []journal.Change{{Path: "a.json", Existed: true, Old: []byte("1\n"), Delete: true}}}), `*delete a.json
#--- a/a.json
>+++ /dev/null
@@@ -1 +0,0 @@
<-1`},
	} {
		got := frametest.Toned(of.lines...)
		if difference := cmp.Diff(of.want, got); difference != "" {
			t.Errorf("the lines of %s differ (-want +got):\n%s", name, difference)
		}
	}
	if got := filesOf(planned); got != "update a.json, create b.json" {
		t.Errorf("afterwards it says %s", got)
	}
	planned.Changes = append(planned.Changes, planned.Changes...)
	if got := filesOf(planned); got != "4 files written" {
		t.Errorf("of many files it says %s", got)
	}
	if got := filesOf(&plan.Plan{Changes: planned.Changes[:3]}); strings.Count(got, ".json") != 3 {
		t.Errorf("of three files it says %s", got)
	}
}

func TestTheDifferenceOfAThingSaysWhyThereIsNone(t *testing.T) {
	t.Parallel()
	of := model.Ref{Kind: model.KindFunction, Name: "f"}
	other := status.Resource{Difference: diff.Difference{Of: model.Ref{Kind: model.KindFunction, Name: "g"}}, Files: []journal.Change{{Path: "g.json", New: []byte("1\n")}}}
	own := status.Resource{Difference: diff.Difference{Of: of}, Files: []journal.Change{{Path: "f.json", New: []byte("1\n")}}}
	for want, s := range map[string]Status{
		".it cannot be read":                              {Problem: "it cannot be read"},
		".never pushed: there is nothing to compare with": {Status: status.Status{Resources: []status.Resource{other}}},
		".no file differs from the last push":             {Status: status.Status{Deployed: &project.Record{}, Resources: []status.Resource{other, {Difference: diff.Difference{Of: of}}}}},
		"f.json":                                          {Status: status.Status{Deployed: &project.Record{}, Resources: []status.Resource{other, own}}},
	} {
		text := frametest.Toned(s.FileDifference(of)...)
		if text != want && (want != "f.json" || !strings.Contains(text, "f.json") || strings.Contains(text, "g.json")) {
			t.Errorf("it says\n%s, want\n%s", text, want)
		}
	}
}
