package dashboard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
)

const otherPath = `{"version": 1, "paths": {"/other": {"name": "/other", "lambdaFunction": "f", "permissions": {"setting": "open"}}}}`

func TestAPageFollowsTheFiles(t *testing.T) {
	t.Parallel()
	dir := paths(t, 2)
	w := opened(t, dir, 80, 24)
	watch := w.page.Watches()[0]
	look := func() (reads bool) {
		t.Helper()
		found := watch.Poll()
		if found == nil {
			return false
		}
		w.tell(func() tea.Cmd {
			cmd := found.(frame.ThenMsg)()
			reads = cmd != nil
			return cmd
		})
		return reads
	}
	for range 2 {
		if look() {
			t.Error("files that nobody changed are read again")
		}
	}
	put(t, apiFile(dir), otherPath)
	if !look() {
		t.Fatal("a file that changed is not read again")
	}
	w.Shows("/other", "outside: ▲ everybody may now do everything under /other").Keys("?", "esc").Shows("/other").Hides("/area0")

	// A file that is half written is no file without paths.
	put(t, apiFile(dir), otherPath[:len(otherPath)/2])
	look()
	w.Shows("/other", "before stays")
	put(t, apiFile(dir), otherPath)
	look()
	w.Keys("?", "esc").Shows("/other").Hides("before stays")
}

func TestAPersonCanHaveTheFilesReadAgain(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	w := opened(t, dir, 80, 24)
	must(t, os.RemoveAll(filepath.Join(dir, "backend", "api")))
	w.press("ctrl+r").Shows("no API yet")
}

func TestALateResultIsDropped(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	w := opened(t, dir, 80, 24)
	ask := func() (answers func()) {
		key, _ := frametest.Key("ctrl+r")
		_, cmd := w.Model.Update(key)
		msg := cmd()
		return func() { w.Run(func() tea.Msg { return msg }) }
	}
	run := func(answers func()) { answers() }
	early := ask()
	put(t, apiFile(dir), otherPath)
	late := ask()
	run(late)
	w.Shows("/other")
	put(t, apiFile(dir), strings.ReplaceAll(otherPath, "other", "third"))
	run(early)
	w.Shows("/other").Hides("/third")
}

func TestAfterAFailedReadingTheLastStateIsShown(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	w := opened(t, dir, 80, 24)
	must(t, os.RemoveAll(filepath.Join(dir, "backend")))
	w.read().Shows("! cannot be read now, so this is the last state: no project in this folder", "/area0/thing0")

	model, _ := screens(t, dir, nil, "none")
	begun, _ := model.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	if text := begun.View().Content; !strings.Contains(text, "reading the project") {
		t.Errorf("before the first answer the window shows\n%s", text)
	}
	lost := opened(t, dir, 80, 24)
	lost.Shows("no project in this folder")
	// No key may panic on what is missing.
	for _, key := range append(everyKey(), "/x", "enter", ">") {
		if key != "q" && key != "ctrl+c" {
			lost.press(key, "esc")
		}
	}
	lost.press("esc").Shows("no project in this folder")
}

func TestCopySendsTheEndpointOrTheRow(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	deployed(t, dir)
	w := opened(t, dir, 120, 24)
	w.press("y").Shows("sent to the clipboard: http://127.0.0.1:4280/1/dev  ")
	w.press("down", "y").Shows("sent to the clipboard: http://127.0.0.1:4280/1/dev/area0/thing0/{id}")
	w.to("activity").press("down", "y").Shows("sent to the clipboard: API shop")
	if !clipboardOf(t, w, "y", "API shop") {
		t.Error("the terminal is not asked for it")
	}
}

// clipboardOf reports whether a key sends a text to the terminal's clipboard.
func clipboardOf(t *testing.T, w *window, key, text string) bool {
	t.Helper()
	_, cmd := w.Model.Update(tea.KeyPressMsg{Code: rune(key[0]), Text: key})
	var look func(tea.Cmd) bool
	look = func(cmd tea.Cmd) bool {
		if cmd == nil {
			return false
		}
		msg := cmd()
		if msg == tea.SetClipboard(text)() {
			return true
		}
		batch, _ := msg.(tea.BatchMsg)
		for _, one := range batch {
			if look(one) {
				return true
			}
		}
		return false
	}
	return look(cmd)
}

func TestARunningPushIsShown(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	deployed(t, dir)
	fsys, err := disk.Open(dir)
	must(t, err)
	defer func() { _ = fsys.Close() }()
	lock, err := journal.Hold(fsys, "deployed/dev/lock")
	must(t, err)
	w := opened(t, dir, 80, 24)
	w.Shows("environment dev  is being pushed", "no endpoint while dev is being pushed")
	must(t, lock.Release())
	w.read().Shows("environment dev  pushed ")
}

func TestARecordThatCannotBeReadIsShown(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	deployed(t, dir)
	put(t, filepath.Join(dir, ".gatewright", "deployed", "dev", "record.json"), "{")
	w := opened(t, dir, 80, 24)
	w.Shows("environment dev  last push unknown", "record.json")
	w.to("activity").Shows("what a push would do is unknown", "! .gatewright/deployed/dev/record.json")
}

func TestUnfoldedResourcesStaySoWhenFilesAreReadAgain(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	deployed(t, dir)
	source := filepath.Join(dir, "backend", "function", "f", "src", "index.js")
	put(t, source, "// first\n")
	w := opened(t, dir, 80, 150)
	w.to("activity").press("/", "index.js", "enter", "enter").Shows("+// first", "▌ ~ Update     function f")
	put(t, source, "// second\n")
	w.read().Shows("+// second").Hides("first")
	w.press("enter").Shows("src/index.js changed").Hides("+// second")
}

func TestHiddenDetailsAreCountedWithTheKeysThatShowThem(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	deployed(t, dir)
	w := opened(t, dir, 60, 15).press("down")
	w.Shows("1 to 2 of ", " lines", "enter show all").Hides("open to everybody;")
	w.press("tab").Shows("esc rows")
	w.press("end")
	w.Shows("handler index.handler")
	w.press("esc", "enter").Shows("API shop", "served by f; open to everybody", "handler index.handler")
}
