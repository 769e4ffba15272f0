package dashboard

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/frame"
	"gatewright/tui/route"
)

func TestARemovalIsConfirmedWrittenAndUndone(t *testing.T) {
	t.Parallel()
	dir := paths(t, 2)
	was := get(t, apiFile(dir))
	w := writable(t, dir, 80, 24)
	w.press("down", "d").Shows("Remove path /area0/thing0/{id} of the API shop?", "update backend/api/shop/cli-inputs.json")
	if get(t, apiFile(dir)) != was {
		t.Fatal("it is written before the yes")
	}
	w.yes().Shows("/area1/thing1", "undoes it").Hides("/area0/thing0/{id}  ")
	w.press("u").Shows("/area0/thing0", "undid: removed")
	if got := get(t, apiFile(dir)); got != was {
		t.Errorf("after undo the file is\n%s\nand was\n%s", got, was)
	}
	w.press("u").Shows("not available: nothing was changed here yet")
}

func TestTheSettingsOfAnAPIAreChangedOnItsRow(t *testing.T) {
	t.Parallel()
	dir := paths(t, 2)
	was := get(t, apiFile(dir))
	w := writable(t, dir, 120, 40)
	w.press("e").Shows("Change API shop", "binary media types, such as image/png")
	w.press(strings.Split("image/png", "")...).press("enter").press("p", "d", "f", "ctrl+s").Shows("› binary types", "the binary media type pdf is not a media")
	w.press("ctrl+u").press(strings.Split("image/gif", "")...).press("tab").press(strings.Split("https://a.example/", "")...)
	w.press("ctrl+s").Shows("› origins", "is not written as browsers send it")
	w.press("backspace", "ctrl+s")
	w.Shows("Change API shop?", "API shop has the binary media types image/png, image/gif", "CORS origin https://a.example is new", `+  "binaryMediaTypes": [`)
	if get(t, apiFile(dir)) != was {
		t.Fatal("it is written before the yes")
	}
	w.yes().Shows("binary media types image/png,", "image/gif: their bodies are binary", "CORS origin: https://a.example", "changed API shop")
	if got := get(t, apiFile(dir)); !strings.Contains(got, "\"binaryMediaTypes\": [\n    \"image/png\",\n    \"image/gif\"\n  ]") {
		t.Errorf("the file is\n%s", got)
	}
	w.press("u").Shows("undid: changed API shop")
	if got := get(t, apiFile(dir)); got != was {
		t.Errorf("after undo the file is\n%s", got)
	}
}

func TestCancelWritesNothing(t *testing.T) {
	t.Parallel()
	dir := paths(t, 2)
	was := get(t, apiFile(dir))
	w := writable(t, dir, 80, 24)
	for _, keys := range [][]string{{"enter"}, {"esc"}, {"c"}} {
		w.press("g", "down", "d").Shows("Remove path")
		w.press(keys...).Hides("Remove path")
	}
	w.yes()
	if get(t, apiFile(dir)) != was {
		t.Error("something was written")
	}
	w.press("esc", "u").Shows("not available: nothing was changed here yet")
}

func TestRemovingTheOnlyPathRemovesItsAPIAndSaysSo(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	w := writable(t, dir, 120, 24)
	w.press("down", "d").Shows("It is the only path of its API, so the API is removed too.", "function f stays, but")
	w.yes().Shows("no API yet: A designs one")
}

func TestARemovalOfAnAPIThatAGuardedEnvironmentListsIsRefused(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return edit.AddEnvironment(b, &model.Environment{Name: "prod", Provider: model.Local, Guarded: true, APIs: []string{"shop"}})
	})
	w := writable(t, dir, 140, 24)
	const refusal = "API shop: removing it changes environment prod, which is guarded; run: gatewright remove api shop --cascade"
	w.press("d").Shows(refusal)
	w.press("down", "d").Shows(refusal)
}

func TestAFileThatChangedBeforeTheYesIsNotOverwritten(t *testing.T) {
	t.Parallel()
	dir := paths(t, 2)
	w := writable(t, dir, 80, 24)
	w.press("down", "d")
	theirs := get(t, apiFile(dir)) + "\n"
	put(t, apiFile(dir), theirs)
	w.yes().Shows("nothing was written yet: the files changed outside", "Remove path /area0/thing0/{id}")
	if get(t, apiFile(dir)) != theirs {
		t.Error("the change of another is written over")
	}
	w.press("esc", "u").Shows("not available: nothing was changed here yet")
}

func TestUndoIsRefusedIfAFileHasChangedSince(t *testing.T) {
	t.Parallel()
	dir := paths(t, 2)
	w := writable(t, dir, 80, 24)
	w.press("down", "d").yes()
	theirs := get(t, apiFile(dir)) + "\n"
	if strings.Contains(theirs, "/area0") {
		t.Fatalf("the file is\n%s", theirs)
	}
	put(t, apiFile(dir), theirs)
	w.press("u").Shows("error: nothing was undone: files have changed since")
	if get(t, apiFile(dir)) != theirs {
		t.Error("the change of another is written over")
	}
}

func TestAChangeThatCannotBeUndoneCanBeLeftForTheOneBefore(t *testing.T) {
	t.Parallel()
	dir := paths(t, 2)
	w := writable(t, dir, 80, 24)
	project := filepath.Join(dir, "backend", "project.json")
	was := get(t, project)
	w.tell(func() tea.Cmd {
		return w.page.board.Change("renamed the project", func(b *model.Backend) error {
			b.Project.Name = "other"
			return nil
		})
	})
	w.press("down", "d").yes()
	theirs := get(t, apiFile(dir)) + "\n"
	put(t, apiFile(dir), theirs)
	w.press("u").Shows("Leave this change as it is?", "removed path", "nothing was undone: files have changed since", "backend/api/shop/cli-inputs.json", "u undoes the change before it: renamed the")
	w.press("esc").press("u").Shows("Leave this change as it is?")
	w.press("tab", "enter").Shows("left as it is: removed path")
	w.press("u").Shows("undid: renamed the project")
	if got := get(t, project); got != was {
		t.Errorf("after undo the file is\n%s\nand was\n%s", got, was)
	}
	if get(t, apiFile(dir)) != theirs {
		t.Error("the change of another is written over")
	}
}

// addPath adds a path, as a tab does.
func addPath(p *Page, name string) func() tea.Cmd {
	return func() tea.Cmd {
		return p.board.Change("added "+name, func(b *model.Backend) error { return edit.AddPath(b, "shop", path(name, "f")) })
	}
}

func TestOneChangeIsWrittenAtATime(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	w := writable(t, dir, 80, 24)
	for _, name := range []string{"/a", "/b"} {
		w.tell(addPath(w.page, name))
	}
	// The command of the first key runs after the second key.
	undo := tea.KeyPressMsg{Code: 'u', Text: "u"}
	_, first := w.Model.Update(undo)
	w.Shows("writing ...")
	w.Send(undo)
	w.Shows("warning: wait: writing")
	w.Run(first)
	if got := get(t, apiFile(dir)); !strings.Contains(got, `"/a"`) || strings.Contains(got, `"/b"`) {
		t.Errorf("pressed twice at once the file is\n%s", got)
	}
	w.Hides("writing ...")
	w.press("u").Shows("undid: added /a")
	w.press("u").Shows("not available: nothing was changed here yet")
}

func TestARefusedEditWritesNothing(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	w := writable(t, dir, 80, 24)
	was := get(t, apiFile(dir))
	w.tell(addPath(w.page, "/area0/thing0/{id}"))
	w.Shows("error: nothing was written: ")
	if get(t, apiFile(dir)) != was {
		t.Error("something was written")
	}
	w.press("u").Shows("not available: nothing was changed here yet")
}

func TestAReadOnlyDashboardWritesNothing(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	was := get(t, apiFile(dir))
	w := opened(t, dir, 80, 24)
	b := w.page.board
	nothing := func(*project.Project) (*plan.Plan, string, error) {
		t.Error("a change is worked out")
		return nil, "", nil
	}
	for _, do := range []func() tea.Cmd{
		addPath(w.page, "/more"),
		func() tea.Cmd { return b.Propose("x", "x", "x", nothing) },
		func() tea.Cmd { return b.ToWizard(route.Wizard{}) },
		func() tea.Cmd { return b.EditFile("backend/project.json") },
		func() tea.Cmd { return b.EditFunction(&model.Function{Name: "f"}) },
		func() tea.Cmd { return b.EditText("x", "x", nil) },
	} {
		w.press("home").tell(do)
		w.Shows("not available: " + board.OnlyReads[:40])
	}
	if get(t, apiFile(dir)) != was {
		t.Error("something was written")
	}
	w.press("down")
	for _, key := range []string{"a", "e", "d", "delete", "ctrl+e", "A", "w", "u", "ctrl+z"} {
		w.press("home", "down", key).Shows("not available: " + board.OnlyReads[:40])
	}
}

func TestLongWorkIsShownAndStoppedByEsc(t *testing.T) {
	d := openLive(t, paths(t, 1), true)
	work := func(title string) {
		d.tell(func() tea.Cmd {
			return d.page.board.Work(title, func(ctx context.Context, _ frame.Progress) (string, error) {
				<-ctx.Done()
				return "", ctx.Err()
			})
		})
	}
	work("pushing dev")
	d.shows("pushing dev ..., esc stops it", "esc stop")
	work("pushing qa")
	d.shows("pushing dev has not ended yet")
	d.press("q")
	d.shows("Quit now?", "Quitting stops what is running: pushing dev.")
	d.press("enter", "esc")
	d.shows("stopped: pushing dev")
	if running := d.page.Job().Running(); running != "" || strings.Contains(d.shown(), "esc stops it") {
		t.Errorf("%q still runs:\n%s", running, d.shown())
	}
}

func TestUndoLeavesWhatChangedOutsideSinceAndSaysSo(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, boardtest.Library(t, "Admins", "Editors"))
	w := writable(t, dir, 200, 40).to("functions").press("e", "tab", "tab", "9", "ctrl+s").yes()
	w.Shows("changed function f")
	deploytest.Change(t, dir, func(b *model.Backend) error {
		f := *b.Function("f")
		f.Memory = 777
		return edit.UpdateFunction(b, &f)
	})
	w.press("u").Shows("nothing was undone: files have changed since, and stay as they are: backend/function/f/function.json")
	if f := backendOf(t, dir).Function("f"); f.Memory != 777 || f.Timeout != 9 {
		t.Errorf("the function is %+v", f)
	}
	w.press("down").Hides("nothing was undone")
}
