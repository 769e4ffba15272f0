package app_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/deploytest"
	"gatewright/flow/course"
	"gatewright/flow/request/requesttest"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/test/depth"
	"gatewright/tui/app"
	"gatewright/tui/app/apptest"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/keys"
	"gatewright/tui/route"
)

// TestKeysThatDoSomethingAreInTheHelp presses every key on every page in every mode, and
// in every dialog that one key opens there: a key that is not in the help must change
// nothing.
func TestKeysThatDoSomethingAreInTheHelp(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	for i, p := range slices.Concat(welcomes(t), wizards(), dashboards(t), consoles(t), lessons(t)) {
		if i%everyPlace != 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			p.t = t
			p.begin()
			listed := p.check("")
			if p.dialogs {
				p.eachDialog(listed)
			}
		})
	}
}

// place is a page in a mode: how the program is started, and the keys that lead to the
// mode from any other mode of the page.
type place struct {
	name string
	open func(t testing.TB) *apptest.Terminal
	to   []string
	// dialogs says that the dialogs that open here are checked too.
	dialogs bool

	t    testing.TB
	term *apptest.Terminal
	// window is the text of the window there.
	window string
}

func (p *place) begin() {
	if p.term != nil {
		p.term.Screens.Close()
	}
	p.term = p.open(p.t)
	p.term.Unseen = true
	p.again()
	p.window = p.term.Model.View().Content
}

// again goes back to the place, and reports whether its window is the same.
func (p *place) again() bool {
	for range 3 {
		if !p.hasDialog() {
			break
		}
		p.term.Keys("esc")
	}
	p.term.Keys(p.to...)
	// The next key clears the status line.
	p.term.Keys("f3")
	p.term.Quit = false
	return p.term.Model.View().Content == p.window
}

// hasDialog reports whether a dialog is open.
func (p *place) hasDialog() bool { return strings.Contains(p.term.Screen(), "╭ ") }

// check presses the keys that are not in the help, and returns those that are. key is
// the one that opened a dialog.
func (p *place) check(key string) map[string]bool {
	p.t.Helper()
	listed, typing := p.help()
	before := p.term.Model.View().Content
	for _, name := range append(frametest.Names(), "space") {
		if listed[keys.Name(name)] || typing && (len(name) == 1 || name == "space") {
			continue
		}
		p.press(name)
		after := p.term.Model.View().Content
		if _, means := keys.Named(name); means && !typing && !p.hasDialog() && !p.term.Quit {
			// The status line says that it does nothing, until the next key.
			if !strings.Contains(after, "does nothing here") {
				p.t.Fatalf("%s%s: %s is not in the help, and nothing says so:\n%s", p.name, key, name, p.term.Screen())
			}
			p.press("f3")
			continue
		}
		if after != before || p.term.Quit {
			p.t.Fatalf("%s%s: %s is not in the help %q, and leads to\n%s\nfrom\n%s", p.name, key, name, slices.Sorted(maps.Keys(listed)), p.term.Screen(), before)
		}
	}
	if p.term.Model.View().Content != before {
		p.t.Fatalf("%s%s: a key that is not in the help leads to\n%s\nfrom\n%s", p.name, key, p.term.Screen(), before)
	}
	return listed
}

// press presses a key without drawing.
func (p *place) press(name string) {
	key, ok := frametest.Key(name)
	if !ok {
		key = tea.KeyPressMsg{Code: rune(name[0]), Text: name}
	}
	var cmd tea.Cmd
	p.term.Model, cmd = p.term.Model.Update(key)
	p.term.Run(cmd)
}

// help reads the keys from the help, and whether a text field has the focus.
func (p *place) help() (keys map[string]bool, typing bool) {
	p.t.Helper()
	before := p.term.Screen()
	p.term.Keys("f1")
	p.term.Shows("╭ Keys ─")
	keys = make(map[string]bool)
	for last := ""; p.term.Screen() != last; p.term.Keys("pgdown") {
		last = p.term.Screen()
		_, box, _ := strings.Cut(last, "╭ Keys ─")
		lines := strings.Split(box, "\n")
		end := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "╰─") })
		// The first line is the filter, the last two describe the cursor's row.
		for _, line := range lines[2 : end-2] {
			_, line, _ = strings.Cut(line, "│ ")
			cell, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(line, "▌ "), "  "), "  ")
			for key := range strings.SplitSeq(strings.Trim(cell, "()"), ", ") {
				keys[key] = true
			}
			typing = typing || strings.Contains(line, "delete all before the cursor")
		}
	}
	if p.term.Keys("esc"); p.term.Screen() != before {
		p.t.Fatalf("%s: the help leaves\n%s\nin place of\n%s", p.name, p.term.Screen(), before)
	}
	return keys, typing
}

// quiet are keys that open no dialog, which are not pressed to save time.
var quiet = []keys.Meaning{
	keys.Up, keys.Down, keys.Left, keys.Right, keys.First, keys.Last, keys.HalfUp, keys.HalfDown, keys.PageUp, keys.PageDown,
	keys.Help, keys.Before, keys.After, keys.Number, keys.NextField, keys.PriorField, keys.Sandbox,
}

// eachDialog presses the keys that are in the help, and checks the dialogs that open.
func (p *place) eachDialog(listed map[string]bool) {
	p.t.Helper()
	for _, name := range frametest.Names() {
		silent := slices.ContainsFunc(quiet, func(m keys.Meaning) bool { return slices.Contains(m.Keys(), name) })
		if silent || !listed[keys.Name(name)] {
			continue
		}
		if p.term.Keys(name); p.hasDialog() {
			p.check(" " + name)
		}
		if !p.again() {
			p.begin()
		}
	}
}

// in opens a project. A key may change its files, which does not matter here.
func in(dir string, start frame.Route) func(testing.TB) *apptest.Terminal {
	return func(t testing.TB) *apptest.Terminal { return apptest.Open(t, dir, "none", wide, high, start) }
}

// anywhere opens an empty folder.
func anywhere(start frame.Route) func(testing.TB) *apptest.Terminal {
	return func(t testing.TB) *apptest.Terminal { return in(apptest.Folder(t), start)(t) }
}

// The window is just large enough for a side pane, since it is drawn for each key.
const wide, high = 110, 30

// full is a project with rows on every tab.
func full(t testing.TB) string {
	t.Helper()
	dir := apptest.StockedLibrary(t)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		b.Storage = &model.Storage{Region: "eu-west-1"}
		apptest.Must(t, edit.AddGroup(b, "Editors"))
		apptest.Must(t, edit.AddNamedOutput(b, "limits", model.Outputs{"custom": map[string]any{"limits": map[string]any{"pages": 20}}}))
		return edit.RemovePath(b, "shop", "/old")
	})
	return dir
}

func welcomes(t testing.TB) []place {
	dir := full(t)
	all := []place{
		{name: "welcome of an empty folder", open: anywhere(route.Welcome{}), to: []string{"esc", "g"}, dialogs: true},
		{name: "welcome with a draft", to: []string{"esc", "g"}, dialogs: true, open: func(t testing.TB) *apptest.Terminal {
			term := anywhere(route.Wizard{})(t)
			term.Keys("enter", "enter", "enter", "shop", "enter", "/books", "enter")
			return apptest.Open(t, term.Dir, "none", wide, high, route.Welcome{})
		}},
		{name: "welcome with a filter", open: in(dir, route.Welcome{}), to: []string{"esc", "/", "o"}},
		{name: "welcome with a filter that is kept", open: in(dir, route.Welcome{}), to: []string{"esc", "/", "o", "enter"}},
	}
	for row, name := range []string{"another API", "dashboard", "API", "path"} {
		all = append(all, place{name: "welcome on " + name, open: in(dir, route.Welcome{}), to: append([]string{"esc", "g"}, downs(row)...), dialogs: true})
	}
	return all
}

func downs(n int) []string { return slices.Repeat([]string{"down"}, n) }

// wizards are places in the wizard: the fields of the first steps, the steps of the sample
// backwards from its review, and the page after it. No keys lead back to them.
func wizards() []place {
	opened := func(start route.Wizard, keys []string) func(testing.TB) *apptest.Terminal {
		return func(t testing.TB) *apptest.Terminal {
			term := anywhere(start)(t)
			term.Keys(keys...)
			return term
		}
	}
	all := []place{
		{name: "review", open: opened(route.Wizard{Start: route.FromSample}, nil), dialogs: true},
		{name: "done", open: opened(route.Wizard{Start: route.FromSample}, []string{"ctrl+s"})},
	}
	var keysSoFar []string
	for _, keys := range [][]string{{"enter"}, {"enter"}, {"enter"}, {"shop", "enter"}, {"items", "enter"}, {"ctrl+u", "/book/{isbn}", "enter"}, {"enter"}, {"tab"}, {"tab"}, {"tab"}} {
		keysSoFar = append(keysSoFar, keys...)
		all = append(all, place{name: fmt.Sprint("wizard after ", keysSoFar), open: opened(route.Wizard{}, slices.Clone(keysSoFar))})
	}
	const steps = 28
	for back := range steps {
		keys := slices.Repeat([]string{"esc"}, back+1)
		all = append(all, place{name: fmt.Sprint("wizard, step ", steps-back), open: opened(route.Wizard{Start: route.FromSample}, keys), dialogs: back < 2})
	}
	return all
}

func dashboards(t testing.TB) []place {
	dir := full(t)
	reads := apptest.OpenReadOnly(t, dir, "none", wide, high, route.Dashboard{})
	var all []place
	at := func(name string, dialogs bool, keys ...string) {
		keys = append([]string{"esc", "esc", "esc"}, keys...)
		all = append(all,
			place{name: "dashboard that reads, " + name, open: func(testing.TB) *apptest.Terminal { return reads }, to: keys, dialogs: dialogs},
			place{name: "dashboard that writes, " + name, open: in(dir, route.Dashboard{}), to: keys, dialogs: dialogs})
	}
	on := func(tab, name string, dialogs bool, keys ...string) {
		at(tab+name, dialogs, append(apptest.To(tab), keys...)...)
	}
	for _, tab := range apptest.Tabs {
		on(tab, "", true, "g")
		on(tab, " below", true, "g", "down", "down")
		on(tab, " last", false, "G")
		on(tab, " filter", false, "/", "o")
		on(tab, " filtered", false, "/", "o", "enter")
		on(tab, " details", false, "g", "tab")
		on(tab, " without a match", false, "/", "§", "enter")
	}
	on("definitions", ", on a group", true, "/", "editors", "enter")
	on("tables", ", on an item", true, "/", "library", "enter", "enter", "down", "down")
	for name, dir := range map[string]string{"bare": bare(t), "amplify": amplify(t), "broken": broken(t)} {
		for _, tab := range apptest.Tabs {
			all = append(all, place{name: "dashboard, " + name + ", " + tab, open: in(dir, route.Dashboard{}), to: append(apptest.To(tab), "g")})
		}
	}
	return all
}

func bare(t testing.TB) string {
	b := &model.Backend{}
	apptest.Must(t, edit.SetProject(b, model.Project{Name: "bare", ApplicationID: "app2", Dialect: model.Neutral}))
	return apptest.Written(t, b)
}

func amplify(t testing.TB) string {
	dir := apptest.Folder(t)
	apptest.Must(t, os.CopyFS(dir, os.DirFS("../../testdata/amplify")))
	return dir
}

func broken(t testing.TB) string {
	dir := apptest.ChangedShop(t)
	apptest.Put(t, dir, "backend/function/books/function.json", `{"name": "books",`)
	return dir
}

func consoles(t testing.TB) []place {
	dir := full(t)
	reads := apptest.OpenReadOnly(t, dir, "none", wide, high, route.Console{API: "shop", Path: "/books/{isbn}"})
	writes := in(dir, route.Console{API: "shop", Path: "/books/{isbn}"})
	all := []place{
		{name: "console that reads", open: func(testing.TB) *apptest.Terminal { return reads }, to: []string{"esc", "g"}, dialogs: true},
		{name: "console, test", open: in(dir, route.Console{API: "shop", Path: "/books/{isbn}", Test: true}), to: []string{"esc", "g"}, dialogs: true},
		{name: "console of a path that is not there", open: in(dir, route.Console{API: "shop", Path: "/gone"}), to: []string{"esc", "g"}},
	}
	if _, err := exec.LookPath("node"); err == nil {
		echo := requesttest.WriteProject(t, requesttest.Shop(t))
		requesttest.Push(t, echo, "dev")
		deploytest.Serve(t, echo)
		answered := func(t testing.TB) *apptest.Terminal {
			term := in(echo, route.Console{API: "shop", Path: "/open"})(t)
			term.Keys("c", "c").Shows("200 OK")
			return term
		}
		all = append(all,
			place{name: "console with an answer", open: answered, to: []string{"esc", "g"}, dialogs: true},
			place{name: "console, the keys with the answer", open: answered, to: []string{"tab"}},
			place{name: "console, two answers compared", open: answered, to: []string{"v"}},
			place{name: "console, what to look for", open: answered, to: []string{"esc", "tab", "/"}},
			place{name: "console, a part of the answer", open: answered, to: []string{"esc", "/", "$.query", "enter"}})
	}
	for row := range 12 {
		all = append(all,
			place{name: fmt.Sprint("console, row ", row+1), open: writes, to: append([]string{"esc", "g"}, downs(row)...), dialogs: true},
			place{name: fmt.Sprint("console, typing in row ", row+1), open: writes, to: append(append([]string{"esc", "g"}, downs(row)...), "enter")})
	}
	return all
}

func lessons(t testing.TB) []place {
	taken := func(id string, to ...string) place {
		return place{name: "course " + id, to: to, dialogs: true, open: func(t testing.TB) *apptest.Terminal {
			c, err := course.Begin("", t.TempDir(), filepath.Join(t.TempDir(), "no-program"))
			apptest.Must(t, err)
			t.Cleanup(func() { apptest.Must(t, c.Close()) })
			s, err := session.Open(c.Dir, func(name string) string { return map[string]string{"GATEWRIGHT_STATE": c.State}[name] })
			apptest.Must(t, err)
			t.Cleanup(func() { _ = s.Project.Close() })
			return apptest.Begin(t, app.Options{Dir: c.Dir, Theme: "none", Start: route.Course{Lesson: id}, Course: c}, s, wide, high)
		}}
	}
	all := []place{taken(""), taken("", "esc", "/", "o"), taken("", "esc", "/", "o", "enter")}
	for _, l := range course.Lessons() {
		all = append(all, taken(l.ID))
	}
	all[1].name, all[1].dialogs = "course, filter", false
	all[2].name, all[2].dialogs = "course, filtered", false
	state := taken("access", "tab")
	state.name = "course, progress"
	return append(all, state)
}
