package dashboard

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
)

// seen is the dashboard in the frame for a benchmark, which runs the commands that it
// measures.
type seen struct {
	testing.TB
	model *frame.Model
	page  *Page
}

// begun draws the first frame, before anything was read.
func begun(b testing.TB, dir string, w, h int) *seen {
	b.Helper()
	model, page := screens(b, dir, nil, "dark")
	s := &seen{b, model, page}
	s.send(tea.WindowSizeMsg{Width: w, Height: h})
	return s
}

func (s *seen) send(msg tea.Msg) tea.Cmd {
	_, cmd := s.model.Update(msg)
	_ = s.model.View()
	return cmd
}

// read is the command that reads the project.
func (s *seen) read() tea.Cmd {
	s.Helper()
	cmd := s.send(frame.Announce(tellMsg(s.page.board.Read))())
	if cmd == nil {
		s.Fatal("there is no command")
	}
	return cmd
}

func (s *seen) press(names ...string) {
	for _, name := range names {
		if key, ok := frametest.Key(name); ok {
			s.send(key)
			continue
		}
		for _, r := range name {
			s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

// BenchmarkFirstFrame measures the start with a project of 200 APIs and 10,000 paths: the
// first frame, which says that the project is being read, and the frame with the rows.
func BenchmarkFirstFrame(b *testing.B) {
	dir := spread(b, 200, 10_000)
	deployed(b, dir)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			begun(b, dir, 120, 40)
		}
	})
	b.Run("rows", func(b *testing.B) {
		for b.Loop() {
			s := begun(b, dir, 120, 40)
			s.send(s.read()())
		}
	})
}

// BenchmarkTab measures a key and its frame on each tab of that project.
func BenchmarkTab(b *testing.B) {
	dir := spread(b, 200, 10_000)
	deployed(b, dir)
	s := begun(b, dir, 120, 40)
	s.send(s.read()())
	keys := []string{"down", "end", "up", "o"}
	for i, tab := range s.page.tabs {
		s.press(fmt.Sprint(i + 1))
		b.Run(tab.Name(), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				s.press(keys[i%len(keys)])
			}
		})
	}
}

// BenchmarkDashboard measures a key and its frame with an API of many paths, and what a
// reading costs, inside Update and outside.
func BenchmarkDashboard(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		dir := paths(b, n)
		deployed(b, dir)
		s := begun(b, dir, 120, 40)
		answer := s.read()()
		s.send(answer)
		b.Run(fmt.Sprintf("view/%d", n), func(b *testing.B) {
			for b.Loop() {
				_ = s.model.View()
			}
		})
		b.Run(fmt.Sprintf("key+view/%d", n), func(b *testing.B) {
			keys := []string{"down", "up"}
			for i := 0; b.Loop(); i++ {
				s.press(keys[i%2])
			}
		})
		b.Run(fmt.Sprintf("filter+view/%d", n), func(b *testing.B) {
			s.press("/", "thing9")
			keys := []string{"9", "backspace"}
			for i := 0; b.Loop(); i++ {
				s.press(keys[i%2])
			}
			s.press("esc")
		})
		b.Run(fmt.Sprintf("take/%d", n), func(b *testing.B) {
			for b.Loop() {
				s.model.Update(answer)
			}
		})
		b.Run(fmt.Sprintf("read/%d", n), func(b *testing.B) {
			for b.Loop() {
				_ = s.page.board.Read()()
			}
		})
	}
}
