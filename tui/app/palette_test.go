package app_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/tui/app"
	"gatewright/tui/app/apptest"
	"gatewright/tui/frame"
	"gatewright/tui/route"
)

func TestThePaletteGoesToThingsFromEveryPage(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	term := apptest.Open(t, dir, "none", 120, 36, route.Dashboard{})
	for _, row := range []struct {
		typed string
		want  []string
	}{
		{"admins", []string{" Definitions ━", "Admins"}},
		{"table library", []string{" Tables ━", "▌ library"}},
		{"environment dev", []string{" Environments ━"}},
		{"passwordless", []string{"nothing matches"}},
		{"show activity", []string{" Activity ━"}},
	} {
		term.Keys("2", "ctrl+p", row.typed)
		if row.want[0] == "nothing matches" {
			term.Shows(row.want...).Keys("esc")
			continue
		}
		term.Keys("enter").Shows(row.want...)
	}
	// The same from the console: a thing brings the dashboard to the front.
	term.Keys("ctrl+p", "send requests in the console", "enter").Shows("gatewright › dashboard › console")
	term.Keys("ctrl+p", "group admins", "enter").Shows("gatewright › dashboard", " Definitions ━", "Admins").Hides("› console")
}

func TestThePaletteFindsThingsBeforeThereIsADashboard(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	for _, start := range []frame.Route{route.Welcome{}, route.Console{API: "shop"}, route.Wizard{}} {
		term := apptest.Open(t, dir, "none", 120, 36, start)
		term.Keys("ctrl+p", "table library", "enter").Shows("› dashboard", " Tables ━", "▌ library")
		term.Keys("2", "ctrl+p", "group admins", "enter").Shows(" Definitions ━", "Admins")
	}
}

func TestThePaletteKeepsItsPlaceWhileSomebodyTypes(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{60, 15}, {80, 24}, {100, 30}, {120, 36}, {200, 60}} {
		term := apptest.Open(t, apptest.Written(t, apptest.Shop(t)), "none", size[0], size[1], route.Dashboard{})
		term.Keys("ctrl+p")
		before := corners(term.Screen())
		for _, key := range []string{"down", "end", "b", "o", "o", "k", "s", "z", "z", "z", "backspace", "home", "ctrl+u", "x"} {
			term.Keys(key)
			if got := corners(term.Screen()); got != before {
				t.Errorf("at %v after %s the palette is at %s, and was at %s:\n%s", size, key, got, before, term.Screen())
			}
		}
	}
}

// corners are where the frame of the dialog in a window begins and ends.
func corners(window string) string {
	lines, from, to := strings.Split(window, "\n"), "", ""
	for y, line := range lines {
		if x := strings.Index(line, "╭ What"); x >= 0 {
			from = fmt.Sprint(x-len(line[:x])+len([]rune(line[:x])), ",", y)
			for below := y; below < len(lines); below++ {
				runes := []rune(lines[below])
				if at := len([]rune(line[:x])); at < len(runes) && runes[at] == '╰' {
					end := at + 1
					for end < len(runes) && runes[end] == '─' {
						end++
					}
					to = fmt.Sprint(end, ",", below)
				}
			}
		}
	}
	return from + " to " + to
}

func TestThePaletteOfACourseFindsItsLessons(t *testing.T) {
	t.Parallel()
	for _, p := range lessons(t) {
		term := p.open(t)
		defer term.Screens.Close()
		term.Keys(p.to...).Keys("ctrl+p", "lesson environments").Shows("lesson  ")
		return
	}
}

// large is a project of 200 APIs with 50 paths each.
func large(t testing.TB) string {
	t.Helper()
	b := &model.Backend{}
	apptest.Must(t, edit.SetProject(b, model.Project{Name: "shop", ApplicationID: "app1", Dialect: model.Neutral}))
	apptest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	apptest.Must(t, edit.AddFunction(b, &model.Function{Name: "reviews", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
	for i := range 200 {
		api := &access.API{Label: fmt.Sprint("shop", i)}
		for j := range 50 {
			api.Paths = append(api.Paths, &access.Path{Name: fmt.Sprintf("/tenants/{tenant}/reviews%d/%d", i, j), Function: "reviews", Access: access.Access{Setting: access.Open}})
		}
		apptest.Must(t, edit.AddAPI(b, api))
	}
	dir := t.TempDir()
	deploytest.Write(t, dir, b)
	return dir
}

// BenchmarkThePalette measures keys and their frames in the palette of a project with 10,000
// paths.
func BenchmarkThePalette(b *testing.B) {
	dir := large(b)
	all := app.New(app.Options{Dir: dir, Theme: "dark", Environ: []string{"TERM=xterm-256color"}, ReadOnly: true}, nil)
	b.Cleanup(all.Close)
	model := frame.New(all.Frame())
	var run func(cmd tea.Cmd, depth int)
	run = func(cmd tea.Cmd, depth int) {
		if cmd == nil || depth > 4 {
			return
		}
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			for _, each := range msg {
				run(each, depth+1)
			}
		default:
			_, next := model.Update(msg)
			run(next, depth+1)
		}
	}
	run(model.Init(), 0)
	model.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	if n := len(all.Things()); n < 10_000 {
		b.Fatalf("there are %d things", n)
	}
	press := func(key tea.KeyPressMsg) {
		model.Update(key)
		_ = model.View()
	}
	letter := func(r rune) { press(tea.KeyPressMsg{Code: r, Text: string(r)}) }
	open, escape := tea.KeyPressMsg{Code: 'p', Mod: tea.ModCtrl}, tea.KeyPressMsg{Code: tea.KeyEscape}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			press(open)
			b.StopTimer()
			press(escape)
			b.StartTimer()
		}
	})
	b.Run("first letter", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			press(open)
			b.StartTimer()
			letter('r')
			b.StopTimer()
			press(escape)
			b.StartTimer()
		}
	})
	for _, word := range []string{"reviews77", "tntrvws7", "zzzz"} {
		b.Run("letters of "+word, func(b *testing.B) {
			n := 0
			for b.Loop() {
				b.StopTimer()
				press(open)
				letter(rune(word[0]))
				b.StartTimer()
				for _, r := range word[1:] {
					letter(r)
					n++
				}
				b.StopTimer()
				press(escape)
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "µs/key")
		})
	}
}
