package dashboard_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/flow/session"
	"gatewright/tui/app"
	"gatewright/tui/app/apptest"
	"gatewright/tui/route"
)

// spoiltShop is a project with two errors, in line 16 of the API's file and in a function's.
func spoiltShop(t *testing.T) string {
	t.Helper()
	dir := apptest.ChangedShop(t)
	file := "backend/api/shop/cli-inputs.json"
	text := apptest.Get(t, dir, file)
	spoilt := strings.Replace(text, `"lambdaFunction": "items"`, `"lambdaFunction": "itms"`, 1)
	if spoilt == text {
		t.Fatalf("there is nothing to spoil in\n%s", text)
	}
	apptest.Put(t, dir, file, spoilt)
	f := "backend/function/books/function.json"
	apptest.Put(t, dir, f, strings.Replace(apptest.Get(t, dir, f), `"version": 1,`, `"version": 1, "timeout": 4000,`, 1))
	return dir
}

func TestTheTabProblemsLooksAsItsGolden(t *testing.T) {
	t.Parallel()
	dir := spoiltShop(t)
	for _, size := range [][2]int{{60, 15}, {80, 24}, {100, 30}, {120, 36}} {
		term := apptest.Open(t, dir, "none", size[0], size[1], route.Dashboard{})
		at := func(name string) { term.Golden(fmt.Sprintf("spoilt_%s_%dx%d", name, size[0], size[1])) }
		at("apis")
		term.Tab("problems")
		at("problems")
		term.Keys("/", "open-path", "enter", "g")
		at("problems_filtered")
		term.Keys("esc")
		term.At("open-path: 2").Keys("esc")
		at("problems_group")
		term.Keys("enter")
		at("problems_unfolded")
		term.Keys("p")
		at("push_refused")
	}
}

func TestAProblemLeadsToItsRowAndItsLine(t *testing.T) {
	t.Parallel()
	dir := spoiltShop(t)
	opened := filepath.Join(t.TempDir(), "opened")
	editor := filepath.Join(t.TempDir(), "vim")
	apptest.Must(t, os.WriteFile(editor, []byte("#!/bin/sh\necho \"$@\" > "+opened+"\n"), 0o755))
	s, err := session.Open(dir, func(name string) string {
		return map[string]string{"GATEWRIGHT_STATE": t.TempDir(), "EDITOR": editor}[name]
	})
	apptest.Must(t, err)
	t.Cleanup(func() { _ = s.Project.Close() })
	term := apptest.Begin(t, app.Options{Dir: dir, Theme: "none", Start: route.Dashboard{}}, s, 120, 36)
	term.Tab("problems").At("itms").Keys("esc").Shows("! error", "names the function itms, which does not exist", "to do: ", "enter go to path")
	term.Keys("y").Shows("sent to the clipboard: backend/api/shop/cli-inputs.json:")
	line := 0
	for i, text := range strings.Split(apptest.Get(t, dir, "backend/api/shop/cli-inputs.json"), "\n") {
		if strings.Contains(text, "itms") {
			line = i + 1
		}
	}
	exec := s.EditAt("backend/api/shop/cli-inputs.json", line)
	if out, err := exec.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := strings.TrimSpace(apptest.Get(t, filepath.Dir(opened), "opened")); !strings.HasPrefix(got, fmt.Sprintf("+%d ", line)) {
		t.Errorf("the editor is called with %q", got)
	}
	term.Shows(fmt.Sprintf("cli-inputs.json:%d:", line))
	term.Keys("enter").Shows("APIs]", "▌   /items", "! itms does not exist", "! the function itms does not exist")
	term.Tab("problems").Keys("esc")
	term.At("timeout").Keys("enter").Shows("Functions", "▌ books")
	term.Tab("access").Keys("/", "items", "enter", "g", "j").Shows("! its function itms does not exist")
}

func TestAGroupOfProblemsUnfolds(t *testing.T) {
	t.Parallel()
	term := apptest.Open(t, spoiltShop(t), "none", 120, 36, route.Dashboard{})
	term.Tab("problems").Shows("▸ open-path: 2 paths of the API shop").Hides("  /items is open to everybody")
	term.At("open-path: 2").Keys("esc", "enter").Shows("▾ open-path: 2 paths of the API shop", "  /items is open to everybody")
	term.Keys("ctrl+r").Shows("▾ open-path: 2 paths")
	term.Keys("z").Shows("▸ open-path: 2 paths")
}

func TestAProjectWithoutProblemsSaysSoAndWhenItWasChecked(t *testing.T) {
	t.Parallel()
	dir := apptest.Folder(t)
	apptest.Put(t, dir, "backend/project.json", `{"version": 1, "name": "shop", "applicationId": "a"}`)
	term := apptest.Open(t, dir, "none", 80, 24, route.Dashboard{}).Tab("problems")
	term.Shows("No problems: validate finds nothing.", "checked 2026-11-25 13:20:41 UTC; no file has changed since").Hides(" warning", " error")
	apptest.Put(t, dir, "backend/data.json", `{`)
	term.Keys("ctrl+r").Shows("! 1 error", "▌ ! error  the file ends in the middle of a value", "data.json:1").Hides("No problems")
	apptest.Must(t, os.Remove(filepath.Join(dir, "backend/data.json")))
	term.Keys("ctrl+r").Shows("No problems").Hides("! 1 error")
}

func TestAPushThatWouldBeRefusedSaysAllReasons(t *testing.T) {
	t.Parallel()
	dir := spoiltShop(t)
	unchanged := apptest.Unchanged(t, dir)
	term := apptest.Open(t, dir, "none", 100, 30, route.Dashboard{})
	term.Keys("p").Shows("A push of dev is refused", "Nothing was pushed. 2 reasons:", "function itms, which does not exist (at", "(at /timeout)", "The tab Problems goes to each place.")
	term.Keys("tab", "enter")
	unchanged()
	apptest.Put(t, dir, "backend/function/books/function.json", `{`)
	term.Keys("esc", "ctrl+r", "p").Shows("A push of dev is refused", "backend/function/books/function.json:1:2: the file ends in the").Keys("esc")
}
