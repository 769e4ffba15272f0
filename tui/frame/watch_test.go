package frame

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// watchedPage looks at what the test puts there.
type watchedPage struct {
	*listPage
	behind bool
	there  tea.Msg
	looks  int
	asked  int
}

func (p *watchedPage) Watches() []Watch {
	p.asked++
	return []Watch{{Every: time.Hour, Behind: p.behind, Look: func() tea.Msg {
		p.looks++
		return p.there
	}}}
}

// startWatched is a screen whose page watches something.
func startWatched(t *testing.T, behind bool) (*screen, *watchedPage, *watching) {
	s := start(t, "dark", 80, 24)
	k := s.model.history.front()
	p := &watchedPage{listPage: s.page("items"), behind: behind}
	k.page, k.watches = p, nil
	s.model.Update(nil) // its watch waits an hour
	if len(k.watches) != 1 {
		t.Fatalf("it has %d watches", len(k.watches))
	}
	return s, p, k.watches[0]
}

// look has the hour be over, and tells whether anybody looks.
func (s *screen) look(w *watching) bool {
	cmd := s.model.look(w)
	if cmd == nil {
		return false
	}
	s.model.Update(cmd()) // which waits again
	return true
}

func TestAWatchLooksAndSaysOnlyWhatIsNew(t *testing.T) {
	s, p, hour := startWatched(t, false)
	s.model.View()
	got, views := len(p.got), p.views
	if !s.look(hour) || p.looks != 1 {
		t.Fatal("it does not look")
	}
	if s.model.View(); len(p.got) != got || p.views != views {
		t.Errorf("nothing was new, and the page got %v", p.got[got:])
	}
	p.there = "new"
	s.look(hour)
	s.model.View()
	wants(t, "the page", p.got, "new")
	if p.asked != 1 {
		t.Errorf("it was asked %d times for its watches", p.asked)
	}
}

func TestAWatchSleepsWhileItsPageIsNotInFront(t *testing.T) {
	s, p, hour := startWatched(t, false)
	s.press("o")
	if s.look(hour) || p.looks != 0 {
		t.Fatal("it looks for nobody")
	}
	p.there = "new"
	_, cmd := s.model.Update(key("esc"))
	if s.model.Update(cmd()); p.looks != 1 {
		t.Errorf("back in front it looked %d times", p.looks)
	}
	wants(t, "the page", p.got, "new")
}

// TestAWatchIsNotBegunTwice by leaving and coming back before the wait is over.
func TestAWatchIsNotBegunTwice(t *testing.T) {
	s, p, hour := startWatched(t, false)
	s.press("o esc o esc")
	if p.looks != 0 || p.asked != 1 {
		t.Errorf("it looked %d times, and was asked %d times", p.looks, p.asked)
	}
	if !s.look(hour) {
		t.Error("it does not look any more")
	}
}

func TestAWatchMayLookBehind(t *testing.T) {
	s, p, hour := startWatched(t, true)
	s.press("o")
	p.there = "new"
	if !s.look(hour) {
		t.Fatal("it does not look")
	}
	wants(t, "the page behind", p.got, "new")
	wants(t, "the page in front", s.page("orders").got)
}

func TestAWatchSleepsWhereNothingIsDrawn(t *testing.T) {
	s, p, hour := startWatched(t, false)
	s.send(tea.WindowSizeMsg{Width: 10, Height: 3})
	if s.look(hour) {
		t.Error("it looks for nobody")
	}
	_, cmd := s.model.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	if cmd(); p.looks != 1 {
		t.Error("it does not wake")
	}
}

func TestTheWatchOfAPageThatIsGoneEnds(t *testing.T) {
	s, p, hour := startWatched(t, true)
	s.run(Replace(listRoute{"orders"}))
	p.there = "new"
	if s.look(hour) || p.looks != 0 {
		t.Error("it looks on")
	}
	if s.model.looked(hour, "late", 0) != nil {
		t.Error("it waits on")
	}
	wants(t, "the page that is gone", p.got)
}

func TestWhatIsSlowToLookAtIsLookedAtLessOften(t *testing.T) {
	w := Watch{Every: 2 * time.Second}
	for _, row := range []struct{ took, want time.Duration }{
		{0, 2 * time.Second},
		{time.Millisecond, 2 * time.Second},
		{10 * time.Millisecond, 5 * time.Second},
		{time.Second, longestWait},
		{time.Hour, longestWait},
	} {
		if got := w.pause(row.took); got != row.want {
			t.Errorf("after a look of %s it waits %s, want %s", row.took, got, row.want)
		}
	}
	if rare := (Watch{Every: time.Hour}); rare.pause(time.Minute) != time.Hour {
		t.Error("it looks more often than it is to")
	}
}
