package aws

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/archive"
	"gatewright/deploy/stack"
	"gatewright/internal/clock"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/layout"
)

func TestWhatTakesAPushIsToldByAHotPush(t *testing.T) {
	t.Parallel()
	f := func(name string, change func(*model.Function)) *model.Function {
		one := &model.Function{Name: name, Runtime: model.NodeJS, Handler: "index.handler", Memory: 128}
		if change != nil {
			change(one)
		}
		return one
	}
	project := model.Project{Name: "shop", ApplicationID: "app1"}
	table := func(name string) *model.Table {
		return &model.Table{Name: name, PartitionKey: model.Key{Name: "id", Type: model.StringKey}}
	}
	then := &model.Backend{Project: project, Functions: []*model.Function{
		f("same", nil), f("more", nil), f("handled", nil), f("layered", nil), f("run", nil), f("gone", nil),
	}, Tables: []*model.Table{table("old")}}
	now := &model.Backend{Project: project, Functions: []*model.Function{
		f("same", nil), f("more", func(f *model.Function) { f.Memory = 256 }), f("handled", func(f *model.Function) { f.Handler = "main.handler" }),
		f("layered", func(f *model.Function) { f.Layers = []string{"layers/one"} }), f("run", func(f *model.Function) { f.Runtime = model.Python }), f("new", nil),
	}, Tables: []*model.Table{table("fresh")}}
	x := &HotPush{}
	waits := x.waiting(then, now)
	if diff := cmp.Diff(map[string]bool{"more": false, "handled": true, "layered": true, "run": true}, waits); diff != "" {
		t.Errorf("other functions keep their code (-want +got):\n%s", diff)
	}
	slices.Sort(x.Waiting)
	const waiting = " has other settings than the deployed one, and keeps its code until then ("
	for i, begins := range []string{
		"function gone is removed", "function handled" + waiting, "function layered" + waiting, "function more changes (", "function new is new", "function run" + waiting, "table fresh is new", "table old is removed",
	} {
		if i >= len(x.Waiting) || !strings.HasPrefix(x.Waiting[i], begins) || strings.HasSuffix(begins, "(") != strings.HasSuffix(x.Waiting[i], ")") {
			t.Fatalf("it tells\n%s\nand not %s", strings.Join(x.Waiting, "\n"), begins)
		}
	}
	if len(x.Waiting) != 8 {
		t.Errorf("it tells %q", x.Waiting)
	}
	const sum = "00ff"
	code, layer := archive.Key(archive.Source{}, archive.Archive{SHA256: sum}), archive.Key(archive.Source{Layer: true}, archive.Archive{SHA256: sum})
	if code != "functions/00ff.zip" || layer != "layers/00ff.zip" || keyHash(code) != "AP8=" || codeHash(sum) != "AP8=" || codeHash("x") != "" || hotKey("s", "f") != "hot/s/f" {
		t.Errorf("the keys are %s and %s, the hashes %s and %s", code, layer, keyHash(code), codeHash(sum))
	}
}

func TestANoteSaysWhatIsWrongWithAStackAndWhatToDo(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Project: model.Project{ApplicationID: "app1"}}
	p := Place{Environment: &model.Environment{Name: "my dev"}, cloud: &session{}, project: &project.Project{Loaded: layout.Loaded{Layout: project.Native, Backend: b}}}
	for want, status := range map[string]stack.Status{
		"the stack s could not roll back; fix it with: gatewright push --env 'my dev'":                       stack.UpdateRollbackFailed,
		"the stack s could not be made; the next push removes its remains and creates the stack again":       stack.RollbackComplete,
		"the stack s could not be removed: A bucket is full; try again with: gatewright remove env 'my dev'": stack.DeleteFailed,
		"the stack s is as it was before the last push, which failed":                                        stack.UpdateRolledBack,
		"the stack s is pushed": stack.UpdateComplete,
	} {
		s := &stack.Stack{Name: "s", Status: status, Reason: "A bucket is full.", Tags: p.tags()}
		if got := p.noteOf(t.Context(), s); got != want {
			t.Errorf("of %s it says\n%s\nwant\n%s", status, got, want)
		}
	}
	half := &stack.Stack{Name: "s", Status: stack.Imported}
	if got, want := p.noteOf(t.Context(), half), "the stack s has only adopted resources so far; continue with: gatewright push --env 'my dev' --adopt"; got != want {
		t.Errorf("of one that is half done it says\n%s\nwant\n%s", got, want)
	}
	made, updated := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	s := &stack.Stack{Name: "s", Status: "UPDATE_IN_PROGRESS", Created: made, Updated: updated}
	for want, o := range map[string]stack.Operation{
		"the stack s is being pushed by ann since " + clock.Moment(made): {Token: token(1, 1, randomText(), "ann"), Began: made},
		"the stack s is being pushed since " + clock.Moment(made):        {Token: "by-hand", Began: made},
		"the stack s is being pushed since " + clock.Moment(updated):     {},
	} {
		if got := busyText(o, s); got != want {
			t.Errorf("of %+v it says %s, want %s", o, got, want)
		}
	}
}

func TestADeploymentIsAnotherIfAnyPartOfItIs(t *testing.T) {
	t.Parallel()
	record := func() project.Record {
		return project.Record{
			Stack: "s", Account: "1", Provider: model.AWS, Definition: "d", Sources: map[string]map[string]string{"f": {"a": "1"}}, Values: model.Outputs{"auth": map[string]any{"x": "y"}},
			Deployed: time.Unix(1, 0),
		}
	}
	for name, change := range map[string]func(*project.Record){
		"its stack": func(r *project.Record) { r.Stack = "other" }, "its account": func(r *project.Record) { r.Account = "2" }, "its provider": func(r *project.Record) { r.Provider = model.Local },
		"its definition": func(r *project.Record) { r.Definition = "e" }, "a source": func(r *project.Record) { r.Sources["f"]["a"] = "2" },
		"a value": func(r *project.Record) { r.Values["auth"] = map[string]any{"x": "z"} },
	} {
		other := record()
		if change(&other); sameDeployment(record(), other) {
			t.Errorf("with %s it is the same", name)
		}
	}
	other := record()
	if other.Deployed = time.Unix(2, 0); !sameDeployment(record(), other) {
		t.Error("at another time it is another")
	}
}
