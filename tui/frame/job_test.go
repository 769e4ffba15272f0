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

	"gatewright/test/await"
	"gatewright/tui/keys"
)

// jobPage has a job that the key p starts.
type jobPage struct {
	*listPage
	job Job
	run func(ctx context.Context, report Progress) tea.Msg
}

func (p *jobPage) Job() *Job { return &p.job }

func (p *jobPage) Bindings() []keys.Binding {
	return []keys.Binding{keys.Push.Does("push", "", func() tea.Cmd { return p.job.Begin("pushing dev", p.run) })}
}

// pushing is a screen whose page has a job that the test controls.
type pushing struct {
	*screen
	page *jobPage
	// progress is what the job reports, end ends it; messages are the results of commands.
	progress chan [2]int
	end      chan string
	messages chan tea.Msg
}

func startPushing(t *testing.T) *pushing {
	s := &pushing{screen: start(t, "none", 100, 30), progress: make(chan [2]int), end: make(chan string), messages: make(chan tea.Msg, 10)}
	s.page = &jobPage{listPage: s.screen.page("items"), run: func(ctx context.Context, report Progress) tea.Msg {
		for {
			select {
			case units := <-s.progress:
				report(units[0], units[1])
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

// begin presses a key and runs its commands in other goroutines.
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
		if list := reflect.ValueOf(msg); isCmdList(reflect.TypeOf(msg)) {
			for i := range list.Len() {
				spread(list.Index(i).Interface().(tea.Cmd), to)
			}
			return
		}
		to <- msg
	}()
}

// waitForEnd waits for the end of the job.
func (s *pushing) waitForEnd() {
	s.t.Helper()
	for {
		s.send(await.Next(s.t, "the end of the job", s.messages))
		if s.page.job.Running() == "" {
			return
		}
	}
}

func TestARunningJobIsShownWithItsProgress(t *testing.T) {
	t.Parallel()
	s := startPushing(t)
	s.begin("p")
	s.shows("pushing dev ..., esc stops it")
	if footer := s.line(-1); !strings.Contains(footer, "esc stop") {
		t.Errorf("the footer is %q", footer)
	}
	if s.page.job.Running() != "pushing dev" || s.page.job.Busy() != "pushing dev has not ended yet" {
		t.Errorf("Running is %q, Busy is %q", s.page.job.Running(), s.page.job.Busy())
	}
	s.progress <- [2]int{3, 12}
	s.progress <- [2]int{3, 12} // now the first has been handled
	if line := s.line(-2); !strings.Contains(line, "pushing dev ..., 3 of 12, esc stops it") || !strings.Contains(line, "━━━━━━──────────────────") {
		t.Errorf("the line is %q", line)
	}
	s.progress <- [2]int{12, 0}
	s.progress <- [2]int{12, 0}
	s.hides("12 of")
	s.end <- "pushed"
	s.waitForEnd()
	wants(t, "the page", s.page.got, "pushed")
	s.hides("pushing dev")
	if s.page.job.Busy() != "" || s.page.job.current != nil {
		t.Error("the job is still busy")
	}
}

func TestEscStopsTheJobAndAfterwardsGoesBack(t *testing.T) {
	t.Parallel()
	s := startPushing(t)
	s.begin("p")
	s.press("esc")
	s.shows("pushing dev ..., stopping")
	if !s.page.job.current.stopping {
		t.Error("the job is not marked as stopping")
	}
	s.press("esc")
	s.waitForEnd()
	wants(t, "the page", s.page.got, "stopped")
	s.press("esc")
	s.shows("not available: this is the first page; ctrl+c quits")
}

func TestTheJobOfAReplacedPageIsStopped(t *testing.T) {
	t.Parallel()
	s := startPushing(t)
	stopped := make(chan bool)
	s.page.run = func(ctx context.Context, _ Progress) tea.Msg {
		<-ctx.Done()
		close(stopped)
		return nil
	}
	s.begin("p")
	s.run(Replace(listRoute{"orders"}))
	await.Next(t, "the end of the job", stopped)
}

func TestOneJobRunsAtATime(t *testing.T) {
	t.Parallel()
	s := startPushing(t)
	s.begin("p")
	s.press("p")
	s.shows("warning: pushing dev has not ended yet; esc stops it")
	s.end <- "pushed"
	s.waitForEnd()
	s.begin("p")
	s.end <- "again"
	s.waitForEnd()
	wants(t, "the page", s.page.got, "again", "pushed")
}

func TestAJobWithoutAResultEndsToo(t *testing.T) {
	t.Parallel()
	s := startPushing(t)
	s.page.run = func(context.Context, Progress) tea.Msg { return nil }
	got := len(s.page.got)
	s.begin("p")
	s.waitForEnd()
	if len(s.page.got) != got {
		t.Errorf("the page got %v", s.page.got[got:])
	}
}

func TestQuittingAsksBeforeItEndsAJob(t *testing.T) {
	t.Parallel()
	s := startPushing(t)
	s.begin("p")
	s.press("q")
	s.shows("Quitting stops what is running: pushing dev.")
	s.shows("[›Cancel‹]")
	s.press("enter")
	if s.quit {
		t.Fatal("enter ended the job")
	}
	s.press("ctrl+c q")
	if !s.quit {
		t.Error("the program cannot be quit")
	}
	s.page.job.Close()
}

func TestAPageWithARunningJobStaysInMemory(t *testing.T) {
	t.Parallel()
	s := startPushing(t)
	s.run(Go(listRoute{"second"}))
	if s.hides("pushing dev"); s.model.history.front().running() != nil {
		t.Error("the job of another page is shown")
	}
	s.run(Go(listRoute{"items"}))
	first := s.model.history.front()
	s.begin("p")
	s.run(Replace(listRoute{"other"}))
	s.model.history.visited = append([]*pageState{first}, s.model.history.visited...)
	for i := range 2 * maxIdlePages {
		s.run(Go(listRoute{fmt.Sprint("p", i)}))
		s.run(GoBack())
	}
	if !s.model.hasPage(first) {
		t.Error("the page was dropped")
	}
	s.page.job.Close()
}

func TestCloseWaitsForTheEndOfTheJob(t *testing.T) {
	t.Parallel()
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
		t.Error("Close did not wait")
	}
	job.Close()
	new(Job).Close()
}

func TestWorkThatHasNotBegunBeforeCloseNeverBegins(t *testing.T) {
	t.Parallel()
	var job Job
	cmd := job.Begin("x", func(context.Context, Progress) tea.Msg {
		t.Error("the work began")
		return nil
	})
	job.Close()
	messages := make(chan tea.Msg, 2)
	spread(cmd, messages)
	<-messages
	<-messages
}

func TestAllJobsShareOneTimer(t *testing.T) {
	t.Parallel()
	s := startPushing(t)
	s.model.live = true
	if s.model.tick(false) != nil || s.model.ticking {
		t.Error("a timer runs without a job")
	}
	s.page.job.current = &runningJob{title: "x", stop: func() {}}
	if s.model.tick(false) == nil {
		t.Fatal("the job has no timer")
	}
	if s.model.tick(false) != nil {
		t.Error("there are two timers")
	}
	if s.model.tick(true) == nil {
		t.Error("the timer ends before the job")
	}
	s.page.job.finish()
	if s.model.tick(true) != nil || s.model.ticking {
		t.Error("the timer does not end")
	}
	s.page.job.current = &runningJob{title: "y", stop: func() {}}
	if s.model.tick(false) == nil {
		t.Error("the next job has no timer")
	}
}

func TestTheLineOfARunningJobFits(t *testing.T) {
	t.Parallel()
	s := startPushing(t)
	r := &runningJob{title: "pushing \x1b[2J名前 " + strings.Repeat("x", 100)}
	r.done.Store(20)
	r.total.Store(10)
	s.page.job.current = r
	for w := 60; w < 130; w++ {
		s.send(tea.WindowSizeMsg{Width: w, Height: 20})
		checkWindow(t, s.model.View().Content, w, 20, w)
	}
	r.title = "pushing"
	for elapsed := time.Duration(0); elapsed < 3*time.Second; elapsed += 50 * time.Millisecond {
		line := r.draw(s.model.context.Theme, elapsed, 80)
		if spins := !strings.HasPrefix(line, "   pushing"); spins != (elapsed >= spinnerDelay) {
			t.Errorf("after %s it is %q", elapsed, line)
		}
		if elapsed >= 2*time.Second && !strings.Contains(line, "pushing ... 2 s, 20 of 10") {
			t.Errorf("after %s it is %q", elapsed, line)
		}
	}
}
