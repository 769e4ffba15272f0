package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/model"
	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// TestAPageFollowsTheFiles looks at the files as the tick does.
func TestAPageFollowsTheFiles(t *testing.T) {
	dir := paths(t, 2)
	p := opened(t, dir, 80, 24)
	_ = p.View()
	look := func() (reads bool) {
		t.Helper()
		cmd := p.look()
		seen, ok := cmd().(looked)
		if !ok {
			t.Fatal("a page that was seen does not look")
		}
		asked := p.asked
		_ = p.Update(seen)
		return p.asked > asked
	}
	if look() {
		t.Error("files that nobody changed are read again")
	}
	must(t, os.WriteFile(filepath.Join(dir, "backend", "api", "shop", "cli-inputs.json"), []byte(`{"version": 1, "paths": {"/other": {"name": "/other", "lambdaFunction": "f", "permissions": {"setting": "open"}}}}`), 0o644))
	_ = p.View()
	if !look() {
		t.Fatal("a file that changed is not read again")
	}
	snap, print, err := read(dir, "")
	p.Update(wasRead{of: p, asked: p.asked, snap: snap, print: print, err: err})
	if text := shown(p); !strings.Contains(text, "/other") || strings.Contains(text, "/area0") {
		t.Errorf("the page shows\n%s", text)
	}
}

func TestAPersonCanHaveTheFilesReadAgain(t *testing.T) {
	dir := paths(t, 1)
	p := opened(t, dir, 80, 24)
	must(t, os.RemoveAll(filepath.Join(dir, "backend", "api")))
	answered(t, p, press(p, "r"))
	if text := shown(p); !strings.Contains(text, "no API yet") {
		t.Errorf("the page shows\n%s", text)
	}
}

func TestAnAnswerThatCameLateIsDropped(t *testing.T) {
	dir := paths(t, 1)
	p := opened(t, dir, 80, 24)
	early := p.load()()
	late := p.load()
	p.snap = &snapshot{backend: &model.Backend{}}
	kept := p.snap
	p.Update(early)
	if p.snap != kept {
		t.Error("the answer to an earlier question is taken")
	}
	answered(t, p, late)
	if p.snap == kept {
		t.Error("the answer to the last question is not taken")
	}
}

func TestWhatCannotBeReadLeavesWhatWasReadBefore(t *testing.T) {
	dir := paths(t, 1)
	p := opened(t, dir, 80, 24)
	must(t, os.RemoveAll(filepath.Join(dir, "backend")))
	p.Update(p.load()())
	if text := shown(p); !strings.Contains(text, "! shown as it was before, since it cannot be read now: no project here") || !strings.Contains(text, "/area0/thing0") {
		t.Errorf("with the error %v the page shows\n%s", p.err, text)
	}
	lost := New(&frame.Context{Theme: theme.New(theme.None)}, dir, nil, Route{})
	lost.SetSize(layout.For(80, 24))
	if text := shown(lost); strings.TrimSpace(text) != "" && !strings.Contains(text, "reading") {
		t.Errorf("before the first answer the page shows\n%s", text)
	}
	lost.Update(lost.load()())
	if text := shown(lost); !strings.Contains(text, "no project here") {
		t.Errorf("the page shows\n%s", text)
	}
	// No key may trip over what is not there.
	for _, b := range lost.Keys() {
		for range b.Keys {
			_ = b.Disabled
		}
	}
	press(lost, "tab", "down", "end", "/x", "enter", "tab")
}

func TestCopySendsTheEndpointOrTheRow(t *testing.T) {
	dir := paths(t, 1)
	deployed(t, dir)
	p := opened(t, dir, 80, 24)
	copied := func() string {
		t.Helper()
		batch, ok := press(p, "y")().(tea.BatchMsg)
		if !ok || len(batch) != 2 {
			t.Fatal("copy does not send one thing and say it")
		}
		return fmt.Sprint(batch[0]())
	}
	if got := copied(); got != "http://127.0.0.1:4280/1/dev" {
		t.Errorf("of an API %q is copied", got)
	}
	press(p, "down")
	if got := copied(); got != "http://127.0.0.1:4280/1/dev/area0/thing0/{id}" {
		t.Errorf("of a path %q is copied", got)
	}
	press(p, "8", "down")
	if got := copied(); got != "api shop" {
		t.Errorf("of a resource %q is copied", got)
	}
}

func TestAPushThatIsUnderWayIsSaid(t *testing.T) {
	dir := paths(t, 1)
	deployed(t, dir)
	fsys, err := disk.Open(dir)
	must(t, err)
	defer func() { _ = fsys.Close() }()
	lock, err := journal.Hold(fsys, "deployed/dev/lock")
	must(t, err)
	p := opened(t, dir, 80, 24)
	if text := shown(p); !strings.Contains(text, "environment dev  is being pushed") || !strings.Contains(text, "no endpoint while dev is being pushed") {
		t.Errorf("the page shows\n%s", text)
	}
	must(t, lock.Release())
	answered(t, p, p.load())
	if text := shown(p); !strings.Contains(text, "environment dev  pushed ") {
		t.Errorf("after the push the page shows\n%s", text)
	}
}

func TestARecordThatCannotBeReadIsSaidWhereItMatters(t *testing.T) {
	dir := paths(t, 1)
	deployed(t, dir)
	must(t, os.WriteFile(filepath.Join(dir, ".gatewright", "deployed", "dev", "record.json"), []byte("{"), 0o644))
	p := opened(t, dir, 80, 24)
	if text := shown(p); !strings.Contains(text, "environment dev  last push unknown") || !strings.Contains(text, "record.json") {
		t.Errorf("the page shows\n%s", text)
	}
	press(p, "8")
	if text := shown(p); !strings.Contains(text, "what a push would do is not told") || !strings.Contains(text, "! .gatewright/deployed/dev/record.json") {
		t.Errorf("the status shows\n%s", text)
	}
}

func TestWhatWasUnfoldedStaysSoWhenFilesAreReadAgain(t *testing.T) {
	dir := paths(t, 1)
	deployed(t, dir)
	source := filepath.Join(dir, "backend", "function", "f", "src", "index.js")
	must(t, os.WriteFile(source, []byte("// first\n"), 0o644))
	p := opened(t, dir, 80, 120)
	press(p, "8", "/", "index.js", "enter")
	answered(t, p, press(p, "enter"))
	if text := shown(p); !strings.Contains(text, "+// first") || !strings.Contains(text, "> ~ Update     function f") {
		t.Fatalf("unfolded the status shows\n%s", text)
	}
	must(t, os.WriteFile(source, []byte("// second\n"), 0o644))
	snap, print, err := read(dir, "")
	must(t, err)
	p.asked++
	cmd := p.Update(wasRead{of: p, asked: p.asked, snap: snap, print: print})
	answered(t, p, cmd)
	if text := shown(p); !strings.Contains(text, "+// second") || strings.Contains(text, "first") {
		t.Errorf("after the change the status shows\n%s", text)
	}
	press(p, "enter")
	if text := shown(p); strings.Contains(text, "+// second") || !strings.Contains(text, "src/index.js changed") {
		t.Errorf("folded the status shows\n%s", text)
	}
}

func TestWhatHasNoPlaceIsCountedWithTheKeyThatShowsIt(t *testing.T) {
	p := opened(t, paths(t, 1), 120, 15)
	lines := []string{"one", "two", "three", "four"}
	got := p.upTo(3, p.context.Theme, slices.Clone(lines))
	if len(got) != 3 || got[1] != "two" || ansi.Strip(got[2]) != "and 2 more lines: enter shows all" {
		t.Errorf("of four lines three are %q", got)
	}
	if got := p.upTo(4, p.context.Theme, lines); !slices.Equal(got, lines) {
		t.Errorf("of four lines four are %q", got)
	}
}
