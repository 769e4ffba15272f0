package flow_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow"
	"gatewright/model"
)

func TestANewAnswerAfterAnUndoLeavesNothingToDoAgain(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "path.path=/a", "path.path=/b")
	f.Undo()
	answer(t, f, "api.label=more")
	if done, ok := f.Redo(); ok {
		t.Errorf("after a new answer, redo does again: %+v", done)
	}
	want := []flow.Done{{At: flow.ID{Kind: "api"}, Field: "label", Text: "label more"}, {At: flow.ID{Kind: "path"}, Field: "path", Text: "path /a"}}
	for _, want := range want {
		if done, ok := f.Undo(); !ok || done != want {
			t.Errorf("undo says %+v %v, want %+v", done, ok, want)
		}
	}
	if done, ok := f.Undo(); ok || done != (flow.Done{}) {
		t.Errorf("before the first answer, undo takes back %+v", done)
	}
	for _, want := range slices.Backward(want) {
		if done, ok := f.Redo(); !ok || done != want {
			t.Errorf("redo says %+v %v, want %+v", done, ok, want)
		}
	}
	if got := f.Answers(); got.Label != "more" || got.Paths[0].Path != "/a" {
		t.Errorf("after all redos the answers are %+v", got)
	}
}

func TestOneUndoTakesBackAllCharactersOfAnAnswer(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "path.path=/")
	at := find(t, f, "path")
	for _, text := range []string{"/a", "/ab"} {
		f.Amend(at, "path", text, nil)
	}
	if got := f.Answers().Paths[0].Path; got != "/ab" {
		t.Errorf("the path is %q", got)
	}
	if done, _ := f.Undo(); done.Text != "path /ab" || f.Answers().Paths[0].Path != "" {
		t.Errorf("undo of %q leaves %q", done.Text, f.Answers().Paths[0].Path)
	}
	f.Redo()
	f.Amend(at, "path", "/abc", nil)
	if got := f.Answers().Paths[0].Path; got != "/abc" {
		t.Errorf("typed on after a redo the path is %q", got)
	}
	f.Amend(find(t, f, "another"), "another", flow.Yes, nil)
	if got := len(f.Answers().Paths); got != 2 {
		t.Errorf("there are answers about %d paths", got)
	}
}

func TestUndoKeepsWhatWasSeenAndForgetsWhatWasBeingTyped(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "path.path=/a")
	path := find(t, f, "path")
	f.Pass(path)
	f.Pass(path)
	f.Type("Buy")
	if f.Typed() != "Buy" || len(f.Answers().Answered) != 1 {
		t.Errorf("typed %q, answered %v", f.Typed(), f.Answers().Answered)
	}
	f.Undo()
	if !f.Passed(path) || f.Typed() != "" {
		t.Errorf("after undo the step is passed: %v, typed is %q", f.Passed(path), f.Typed())
	}
	f.Pass(find(t, f, "api"))
	f.Redo()
	if !f.Passed(path) || !f.Passed(find(t, f, "api")) || f.Passed(find(t, f, "access")) {
		t.Errorf("after redo the steps %v are passed", f.Answers().Answered)
	}
}

func TestAnswersAboutFurtherPathsComeBackWithAYes(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "path.path=/a", "another.another=yes", "path.path=/b", "function.name=fb")
	first := flow.ID{Kind: "another"}
	f.Set(first, "another", flow.No, nil)
	if got := names(f); got != "API, path, function, access, another path, environments, review" {
		t.Errorf("after a no the steps are %s", got)
	}
	b, err := f.Backend()
	must(t, err)
	if len(b.API(f.Label()).Paths) != 1 || b.Function("fb") != nil {
		t.Errorf("after a no there are the paths %v and functions %v", b.API(f.Label()).Paths, b.Names(model.KindFunction))
	}
	f.Set(first, "another", flow.Yes, nil)
	if b, err = f.Backend(); err != nil || len(b.API(f.Label()).Paths) != 2 || b.API(f.Label()).Paths[1].Function != "fb" {
		t.Errorf("after a yes the paths are %v, %v", b.API(f.Label()).Paths, err)
	}
	for range 3 {
		f.Undo()
	}
	f.Redo()
	if b, err = f.Backend(); err != nil || len(b.API(f.Label()).Paths) != 2 || b.Function("fb") == nil {
		t.Errorf("after undo and redo: %v", err)
	}
}

func TestADraftBringsItsAnswersAndNoHistory(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "path.path=/a", "access.groups=Buyers", "access.Buyers=create", "function.advanced=yes", "advanced.access=table/items:read", "environments.environments=")
	f.Type("Tes")
	f.Pass(find(t, f, "path"))
	saved := f.Answers()

	again := flow.New(shop(t), flow.Task{}, "")
	answer(t, again, "path.path=/other")
	again.Undo()
	again.Restore(saved)
	if _, ok := again.Undo(); ok {
		t.Error("a restored draft is undone")
	}
	if _, ok := again.Redo(); ok {
		t.Error("an answer before the draft is done again")
	}
	if difference := cmp.Diff(saved, again.Answers()); difference != "" {
		t.Error("the restored answers differ (-saved +restored):\n" + difference)
	}
	if again.Typed() != "Tes" || !again.Passed(find(t, again, "path")) {
		t.Errorf("typed %q, passed %v", again.Typed(), again.Answers().Answered)
	}
	// What goes on in one run changes no other.
	copied := again.Copy()
	answer(t, again, "access.Buyers=delete", "advanced.access=table/items:delete", "environments.environments=dev", "access.groups=More", "path.path=/b")
	for name, kept := range map[string]flow.Answers{"of the copy": copied.Answers(), "of the draft": saved, "of the first run": f.Answers()} {
		if difference := cmp.Diff(f.Answers(), kept); difference != "" {
			t.Errorf("the answers %s changed too:\n%s", name, difference)
		}
	}
	if copied.Task != again.Task || copied.Base != again.Base || copied.NewProject != again.NewProject {
		t.Errorf("the copy is %+v", copied)
	}
	empty := flow.New(shop(t), flow.Task{}, "")
	empty.Restore(flow.Answers{})
	if got := len(empty.Answers().Paths); got != 1 {
		t.Errorf("an empty draft has %d paths", got)
	}
}

func TestUndoSaysWhatEachKindOfChangeTookBack(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{}, "")
	answer(t, f, "path.path=/a", "function.source=existing", "function.existing=items", "function.source=new", "function.deployed=live", "function.deployed=",
		"access.groups=Buyers", "access.Buyers=read", "environments.environments=dev|prod", "environments.environments=")
	m, err := f.Matrix(0).Move("Buyers", -1)
	must(t, err)
	f.SetMatrix(0, m)
	f.SetMatrix(0, f.Matrix(0).WithoutEntry("Buyers"))
	m, err = f.Matrix(0).WithoutGroup("Buyers")
	must(t, err)
	f.SetMatrix(0, m)
	var texts []string
	for done, ok := f.Undo(); ok; done, ok = f.Undo() {
		texts = append(texts, done.Text)
	}
	want := `the group Buyers removed
members of Buyers have no entry of their own under /a
the order of the groups is Admins, Buyers, Editors
environments none
environments dev, prod
members of Buyers have an entry of their own under /a
the group Buyers added
function name a
function name live
function A new function
which one items
function One that exists
path /a`
	if got := strings.Join(texts, "\n"); got != want {
		t.Errorf("undone were\n%s\nwant\n%s", got, want)
	}
}
