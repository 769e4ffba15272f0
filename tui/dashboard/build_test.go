package dashboard

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// paths is a project of one API of n paths, with one environment.
func paths(t testing.TB, n int) string {
	t.Helper()
	return spread(t, 1, n)
}

// spread is a project of n paths in as many APIs, with one environment. One API is
// called shop.
func spread(t testing.TB, apis, n int) string {
	t.Helper()
	b := &model.Backend{}
	must(t, b.SetProject(model.Project{Name: "shop", ApplicationID: "app1", Dialect: model.Neutral}))
	must(t, b.AddEnvironment(&model.Environment{Name: "dev", Provider: model.Local}))
	must(t, b.AddFunction(&model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
	all := make([]*model.API, apis)
	for i := range all {
		all[i] = api(fmt.Sprint("shop", i))
	}
	all[0].Label = "shop"
	for i := range n {
		of := all[i%apis]
		of.Paths = append(of.Paths, path(fmt.Sprintf("/area%d/thing%d/{id}", i%100, i), "f"))
	}
	for _, one := range all {
		must(t, b.AddAPI(one))
	}
	dir := t.TempDir()
	fsys, err := disk.Open(dir)
	must(t, err)
	p := project.New(fsys, fsys.Close)
	plan, err := p.Plan(b)
	must(t, err)
	must(t, plan.Commit())
	must(t, p.Close())
	return dir
}

// deployed says that dev was pushed as it is.
func deployed(t testing.TB, dir string) {
	t.Helper()
	p, err := project.Open(dir)
	must(t, err)
	must(t, p.Deploy(project.Record{
		Environment: "dev", Stack: "s", Provider: model.Local, Deployed: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		APIs: []project.Endpoint{{API: "shop", ID: "1", URL: "http://127.0.0.1:4280/1/dev"}},
	}))
	must(t, p.Close())
}

// opened is the page of a project, read and with a size.
func opened(t testing.TB, dir string, w, h int) *Page {
	t.Helper()
	p := New(&frame.Context{Theme: theme.New(theme.Dark)}, dir, nil, Route{})
	p.SetSize(layout.For(w, h))
	answered(t, p, p.load())
	return p
}

// answered gives the page what a command returns.
func answered(t testing.TB, p *Page, cmd tea.Cmd) {
	t.Helper()
	if cmd == nil {
		t.Fatal("there is no command")
	}
	p.Update(cmd())
}

func shown(p *Page) string { return ansi.Strip(p.View()) }

func press(p *Page, names ...string) tea.Cmd {
	codes := map[string]tea.KeyPressMsg{"down": {Code: tea.KeyDown}, "up": {Code: tea.KeyUp}, "end": {Code: tea.KeyEnd}, "tab": {Code: tea.KeyTab}, "enter": {Code: tea.KeyEnter}}
	var cmd tea.Cmd
	for _, name := range names {
		if key, ok := codes[name]; ok {
			cmd = p.Update(key)
			continue
		}
		for _, r := range name {
			cmd = p.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return cmd
}
