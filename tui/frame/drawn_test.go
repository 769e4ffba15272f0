package frame

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/theme"
)

func TestAPageIsRedrawnOnlyAfterItReceivedSomething(t *testing.T) {
	t.Parallel()
	s := start(t, "auto", 80, 24)
	p := s.doing()
	s.press("o esc")
	other := s.model.history.visited[0]
	if other.page == Page(p) {
		t.Fatal("the page in front is the older one")
	}
	front := s.model.history.front()
	w, behind := &activeWatch{page: front}, &activeWatch{page: other}
	for _, row := range []struct {
		name  string
		does  func()
		drawn bool
	}{
		{"nothing", func() {}, false},
		{"a key without a binding", func() { s.press("Z") }, false},
		{"its own key", func() { s.press("down") }, true},
		{"a message of its own", func() { s.run(s.begin(p, gives("a"))) }, true},
		{"a message of another page", func() { s.run(forPage(other, gives("a"))) }, false},
		{"a message of no page", func() { s.send("a") }, false},
		{"a message of a dropped page", func() { s.run(forPage(&pageState{}, gives("a"))) }, false},
		{"an announced message", func() { s.run(Announce("a")) }, true},
		{"the status line", func() { s.run(Say(Info, "hello")) }, false},
		{"the end of the status line", func() { s.model.expire(s.model.status.count) }, false},
		{"a tick of the frame", func() { s.model.tick(true); s.model.tick(false) }, false},
		{"a poll without news", func() { s.model.pollEnded(w, nil, 0) }, false},
		{"a poll with news", func() { s.model.pollEnded(w, "a", 0) }, true},
		{"a poll of another page", func() { s.model.pollEnded(behind, "a", 0) }, false},
		{"the keys of the help", func() { s.press("?"); p.views = 0; s.press("a b down esc") }, false},
		{"a click beside it", func() { s.send(tea.MouseClickMsg{X: 1, Y: 23}) }, false},
		{"a click", func() { s.send(tea.MouseClickMsg{X: 1, Y: 3}) }, true},
		{"a paste", func() { s.send(tea.PasteMsg{Content: "x"}) }, true},
		{"a dialog that is left", func() { s.press("c"); p.views = 0; s.press("x esc") }, false},
		{"a dialog with a result", func() { s.press("c"); p.views = 0; s.press("r") }, true},
		{"the same size", func() { s.send(tea.WindowSizeMsg{Width: 80, Height: 24}) }, false},
		{"another size", func() { s.send(tea.WindowSizeMsg{Width: 90, Height: 24}) }, true},
		{"a window that is too small", func() { s.send(tea.WindowSizeMsg{Width: 10, Height: 3}) }, false},
		{"the same size again", func() { s.send(tea.WindowSizeMsg{Width: 90, Height: 24}) }, false},
		{"another theme", func() { s.send(tea.BackgroundColorMsg{Color: theme.New(theme.HighContrast).Foreground}) }, true},
		{"leaving and coming back", func() { s.press("o q") }, true},
	} {
		s.model.View()
		p.views = 0
		row.does()
		s.model.View()
		s.model.View()
		if drawn := p.views > 0; drawn != row.drawn {
			t.Errorf("%s: drawn %d times", row.name, p.views)
		}
	}
}

func TestAPageBehindIsNotDrawn(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	p := s.page("items")
	s.press("o")
	views := p.views
	s.press("down down ? esc")
	s.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	if p.views != views {
		t.Errorf("it was drawn %d times", p.views-views)
	}
	s.press("q")
	if p.layout.Size.W != 120 || p.views != views+1 {
		t.Errorf("back in front its layout is %v, and it was drawn %d times", p.layout.Size, p.views-views)
	}
}
