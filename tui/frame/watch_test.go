package frame

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// watchedPage has a watch whose polls return news.
type watchedPage struct {
	*listPage
	background bool
	news       tea.Msg
	polls      int
	asked      int
}

func (p *watchedPage) Watches() []Watch {
	p.asked++
	return []Watch{{Every: time.Hour, Background: p.background, Poll: func() tea.Msg {
		p.polls++
		return p.news
	}}}
}

// startWatched is a screen whose page has a watch.
func startWatched(t *testing.T, background bool) (*screen, *watchedPage, *activeWatch) {
	s := start(t, "dark", 80, 24)
	state := s.model.history.front()
	p := &watchedPage{listPage: s.page("items"), background: background}
	state.page, state.watches = p, nil
	s.model.Update(nil) // starts the watch, which polls after an watch
	if len(state.watches) != 1 {
		t.Fatalf("the page has %d watches", len(state.watches))
	}
	return s, p, state.watches[0]
}

// poll is called in place of the timer, and reports whether the watch polls.
func (s *screen) poll(w *activeWatch) bool {
	cmd := s.model.poll(w)
	if cmd == nil {
		return false
	}
	s.model.Update(cmd())
	return true
}

func TestAWatchDeliversOnlyNews(t *testing.T) {
	t.Parallel()
	s, p, watch := startWatched(t, false)
	s.model.View()
	got, views := len(p.got), p.views
	if !s.poll(watch) || p.polls != 1 {
		t.Fatal("it does not poll")
	}
	if s.model.View(); len(p.got) != got || p.views != views {
		t.Errorf("nothing was new, and the page got %v", p.got[got:])
	}
	p.news = "new"
	s.poll(watch)
	s.model.View()
	wants(t, "the page", p.got, "new")
	if p.asked != 1 {
		t.Errorf("it was asked %d times for its watches", p.asked)
	}
}

func TestAWatchDoesNotPollWhileItsPageIsBehind(t *testing.T) {
	t.Parallel()
	s, p, watch := startWatched(t, false)
	s.press("o")
	if s.poll(watch) || p.polls != 0 {
		t.Fatal("it polls although nobody sees the page")
	}
	p.news = "new"
	_, cmd := s.model.Update(key("esc"))
	if s.model.Update(cmd()); p.polls != 1 {
		t.Errorf("back in front it polled %d times", p.polls)
	}
	wants(t, "the page", p.got, "new")
}

// TestAWatchIsNotStartedTwice leaves the page and comes back before the timer ends.
func TestAWatchIsNotStartedTwice(t *testing.T) {
	t.Parallel()
	s, p, watch := startWatched(t, false)
	s.press("o esc o esc")
	if p.polls != 0 || p.asked != 1 {
		t.Errorf("it polled %d times, and was asked %d times", p.polls, p.asked)
	}
	if !s.poll(watch) {
		t.Error("it does not poll any more")
	}
}

func TestABackgroundWatchPollsWhileItsPageIsBehind(t *testing.T) {
	t.Parallel()
	s, p, watch := startWatched(t, true)
	s.press("o")
	p.news = "new"
	if !s.poll(watch) {
		t.Fatal("it does not poll")
	}
	wants(t, "the page behind", p.got, "new")
	wants(t, "the page in front", s.page("orders").got)
}

func TestAWatchDoesNotPollInATooSmallWindow(t *testing.T) {
	t.Parallel()
	s, p, watch := startWatched(t, false)
	s.send(tea.WindowSizeMsg{Width: 10, Height: 3})
	if s.poll(watch) {
		t.Error("it polls although nobody sees the page")
	}
	_, cmd := s.model.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	if cmd(); p.polls != 1 {
		t.Error("it does not poll again")
	}
}

func TestTheWatchOfADroppedPageEnds(t *testing.T) {
	t.Parallel()
	s, p, watch := startWatched(t, true)
	s.run(Replace(listRoute{"orders"}))
	p.news = "new"
	if s.poll(watch) || p.polls != 0 {
		t.Error("it still polls")
	}
	if s.model.pollEnded(watch, "late", 0) != nil {
		t.Error("it still waits")
	}
	wants(t, "the dropped page", p.got)
}

func TestSlowPollsAreRarer(t *testing.T) {
	t.Parallel()
	w := Watch{Every: 2 * time.Second}
	for _, row := range []struct{ took, want time.Duration }{
		{0, 2 * time.Second},
		{time.Millisecond, 2 * time.Second},
		{10 * time.Millisecond, 2 * time.Second},
		{100 * time.Millisecond, 5 * time.Second},
		{time.Second, longestWait},
		{time.Hour, longestWait},
	} {
		if got := w.pause(row.took); got != row.want {
			t.Errorf("after a poll of %s it waits %s, want %s", row.took, got, row.want)
		}
	}
	if rare := (Watch{Every: time.Hour}); rare.pause(time.Minute) != time.Hour {
		t.Error("a slow poll shortens a long interval")
	}
}
