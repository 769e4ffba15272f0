package frame

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/widget"
)

// jobPage pushes at the key p.
type jobPage struct {
	*listPage
	job Job
	run func(ctx context.Context, tell Progress) tea.Msg
}

func (p *jobPage) Job() *Job { return &p.job }

func (p *jobPage) Bindings() []widget.Binding {
	return []widget.Binding{widget.Push.Does("push", "", func() tea.Cmd { return p.job.Begin("pushing dev", p.run) })}
}

// pushing is a screen whose page runs something until it is told to go on.
type pushing struct {
	*screen
	page *jobPage
	// told has how far it is, end lets it end; messages are what commands gave.
	told     chan [2]int
	end      chan string
	messages chan tea.Msg
}

func startPushing(t *testing.T) *pushing {
	s := &pushing{screen: start(t, "none", 100, 30), told: make(chan [2]int), end: make(chan string), messages: make(chan tea.Msg, 10)}
	s.page = &jobPage{listPage: s.screen.page("items"), run: func(ctx context.Context, tell Progress) tea.Msg {
		for {
			select {
			case far := <-s.told:
				tell(far[0], far[1])
			case text := <-s.end:
				return text
			case <-ctx.Done():
				return "stopped"
			}
		}
	}}
	s.model.history.front().page = s.page
	return s
}

// begin presses a key and carries its commands out beside the screens.
func (s *pushing) begin(name string) {
	_, cmd := s.model.Update(key(name))
	spread(cmd, s.messages)
}

func spread(cmd tea.Cmd, to chan<- tea.Msg) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		if list := reflect.ValueOf(msg); isList(reflect.TypeOf(msg)) {
			for i := range list.Len() {
				spread(list.Index(i).Interface().(tea.Cmd), to)
			}
			return
		}
		to <- msg
	}()
}

// over waits for the end of what runs.
func (s *pushing) over() {
	s.t.Helper()
	for {
		select {
		case msg := <-s.messages:
			s.send(msg)
			if s.page.job.Running() == "" {
				return
			}
		case <-time.After(20 * time.Second):
			s.t.Fatal("it does not end")
		}
	}
}

func TestWhatRunsIsShownWithHowFarItIs(t *testing.T) {
	s := startPushing(t)
	s.begin("p")
	s.shows("pushing dev ..., esc stops it")
	if footer := s.line(-1); !strings.Contains(footer, "esc stop") {
		t.Errorf("the footer is %q", footer)
	}
	if s.page.job.Running() != "pushing dev" || s.page.job.Busy() != "wait for the end of pushing dev" {
		t.Errorf("it runs %q and is busy with %q", s.page.job.Running(), s.page.job.Busy())
	}
	s.told <- [2]int{3, 12}
	s.told <- [2]int{3, 12} // the first was taken
	if line := s.line(-2); !strings.Contains(line, "pushing dev ..., 3 of 12, esc stops it") || !strings.Contains(line, "━━━━━━──────────────────") {
		t.Errorf("the line is %q", line)
	}
	s.told <- [2]int{12, 0}
	s.told <- [2]int{12, 0}
	s.hides("12 of")
	s.end <- "pushed"
	s.over()
	wants(t, "the page", s.page.got, "pushed")
	s.hides("pushing dev")
	if s.page.job.Busy() != "" || s.page.job.now != nil {
		t.Error("it is still busy")
	}
}

func TestEscStopsWhatRunsAndThenGoesBackAgain(t *testing.T) {
	s := startPushing(t)
	s.begin("p")
	s.press("esc")
	s.shows("pushing dev ..., stopping")
	if !s.page.job.now.stopping {
		t.Error("it does not know that it stops")
	}
	s.press("esc")
	s.over()
	wants(t, "the page", s.page.got, "stopped")
	s.press("esc")
	s.shows("not available: this is the first page")
}

func TestWhatRunsOnAPageThatIsReplacedIsStopped(t *testing.T) {
	s := startPushing(t)
	stopped := make(chan bool)
	s.page.run = func(ctx context.Context, _ Progress) tea.Msg {
		<-ctx.Done()
		close(stopped)
		return nil
	}
	s.begin("p")
	s.run(Replace(listRoute{"orders"}))
	select {
	case <-stopped:
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on")
	}
}

func TestOneThingRunsAtATime(t *testing.T) {
	s := startPushing(t)
	s.begin("p")
	s.press("p")
	s.shows("warning: wait for the end of pushing dev, or stop it with esc")
	s.end <- "pushed"
	s.over()
	s.begin("p")
	s.end <- "again"
	s.over()
	wants(t, "the page", s.page.got, "again", "pushed")
}

func TestWhatGivesNothingIsOverToo(t *testing.T) {
	s := startPushing(t)
	s.page.run = func(context.Context, Progress) tea.Msg { return nil }
	got := len(s.page.got)
	s.begin("p")
	s.over()
	if len(s.page.got) != got {
		t.Errorf("the page got %v", s.page.got[got:])
	}
}

func TestLeavingAsksBeforeWhatRunsIsEnded(t *testing.T) {
	s := startPushing(t)
	s.begin("p")
	s.press("q")
	s.shows("This is under way and is stopped: pushing dev.")
	s.shows("[›Cancel‹]")
	s.press("enter")
	if s.quit {
		t.Fatal("enter ended it")
	}
	s.press("ctrl+c q")
	if !s.quit {
		t.Error("it cannot be left")
	}
	s.page.job.Close()
}

func TestAPageThatRunsSomethingIsNotForgotten(t *testing.T) {
	s := startPushing(t)
	s.run(Go(listRoute{"second"}))
	if s.hides("pushing dev"); s.model.history.front().runs() != nil {
		t.Error("what runs on another page is shown")
	}
	s.run(Go(listRoute{"items"}))
	first := s.model.history.front()
	s.begin("p")
	s.run(Replace(listRoute{"other"}))
	s.model.history.visited = append([]*kept{first}, s.model.history.visited...)
	for i := range 2 * mostKept {
		s.run(Go(listRoute{fmt.Sprint("p", i)}))
		s.run(GoBack())
	}
	if !s.model.keeps(first) {
		t.Error("it was forgotten")
	}
	s.page.job.Close()
}

func TestClosingWaitsForTheEnd(t *testing.T) {
	var job Job
	var ended atomic.Bool
	begun := make(chan bool)
	list := job.Begin("x", func(ctx context.Context, _ Progress) tea.Msg {
		begun <- true
		<-ctx.Done()
		time.Sleep(20 * time.Millisecond)
		ended.Store(true)
		return nil
	})
	spread(list, make(chan tea.Msg, 2))
	<-begun
	job.Close()
	if !ended.Load() {
		t.Error("it did not wait")
	}
	job.Close()
	new(Job).Close()
}

func TestWhatHasNotBegunWhenItIsClosedNeverBegins(t *testing.T) {
	var job Job
	cmd := job.Begin("x", func(context.Context, Progress) tea.Msg {
		t.Error("it began")
		return nil
	})
	job.Close()
	messages := make(chan tea.Msg, 2)
	spread(cmd, messages)
	<-messages
	<-messages
}

// TestTheFrameTicksOnceHoweverManyRun: each would draw the window ten times a second.
func TestTheFrameTicksOnceHoweverManyRun(t *testing.T) {
	s := startPushing(t)
	s.model.live = true
	if s.model.ticked(false) != nil || s.model.ticking {
		t.Error("it ticks while nothing runs")
	}
	s.page.job.now = &running{title: "x", stop: func() {}}
	if s.model.ticked(false) == nil {
		t.Fatal("it does not tick")
	}
	if s.model.ticked(false) != nil {
		t.Error("it ticks twice")
	}
	if s.model.ticked(true) == nil {
		t.Error("it stops ticking")
	}
	s.page.job.over()
	if s.model.ticked(true) != nil || s.model.ticking {
		t.Error("it does not stop ticking")
	}
	s.page.job.now = &running{title: "y", stop: func() {}}
	if s.model.ticked(false) == nil {
		t.Error("it does not tick for the next")
	}
}

func TestTheLineOfWhatRunsFits(t *testing.T) {
	s := startPushing(t)
	r := &running{title: "pushing \x1b[2J名前 " + strings.Repeat("x", 100)}
	r.done.Store(20)
	r.of.Store(10)
	s.page.job.now = r
	for w := 60; w < 130; w++ {
		s.send(tea.WindowSizeMsg{Width: w, Height: 20})
		checkWindow(t, s.model.View().Content, w, 20, w)
	}
	r.title = "pushing"
	for elapsed := time.Duration(0); elapsed < 3*time.Second; elapsed += 50 * time.Millisecond {
		line := r.draw(s.model.context.Theme, elapsed, 80)
		if spins := !strings.HasPrefix(line, "   pushing"); spins != (elapsed >= unseen) {
			t.Errorf("after %s it is %q", elapsed, line)
		}
		if elapsed >= 2*time.Second && !strings.Contains(line, "pushing ... 2 s, 20 of 10") {
			t.Errorf("after %s it is %q", elapsed, line)
		}
	}
}
