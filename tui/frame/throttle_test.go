package frame

import (
	"bytes"
	"io"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/test/await"
	"gatewright/test/depth"
)

// TestBubbleTeaHasTheRenderersTicker fails if another version of Bubble Tea has renamed
// the ticker: idle screens would wake 120 times a second then.
func TestBubbleTeaHasTheRenderersTicker(t *testing.T) {
	t.Parallel()
	field, ok := reflect.TypeFor[tea.Program]().FieldByName("ticker")
	if !ok || field.Type != reflect.TypeFor[*time.Ticker]() {
		t.Fatal("tea.Program has no field ticker of the type *time.Ticker: see rendererTicker")
	}
	if rendererTicker(tea.NewProgram(New(Options{}))) != nil {
		t.Error("a program that does not run has a ticker")
	}
}

// window collects what is written to the terminal.
type window struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (w *window) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.Write(p)
}

func (w *window) size() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.Len()
}

// grows waits until more than a number of bytes were written.
func (w *window) grows(t *testing.T, than int) {
	t.Helper()
	await.Until(t, "something drawn", func() bool { return w.size() > than })
}

// startThrottled starts a program that draws into a window, with a throttle of a pace.
func startThrottled(t *testing.T, pace time.Duration) (*window, *tea.Program, *throttle, io.Writer) {
	t.Helper()
	in, keys := io.Pipe()
	w, s := &window{}, start(t, "dark", 80, 24)
	g := &guard{model: s.model}
	p := tea.NewProgram(g, tea.WithInput(in), tea.WithOutput(w), tea.WithWindowSize(80, 24), tea.WithoutSignals(),
		tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithFPS(busyFrames))
	r := newThrottle(p)
	r.pace = pace
	g.stop, s.model.throttle = p.Quit, r
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	t.Cleanup(func() {
		p.Kill()
		<-ended
		r.stop()
		_ = keys.Close()
	})
	w.grows(t, 0)
	return w, p, r, keys
}

// waitUntilSlow waits until the renderer has slowed down.
func (r *throttle) waitUntilSlow(t *testing.T) {
	t.Helper()
	await.Until(t, "a slow renderer", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.slow
	})
}

// TestAKeyIsDrawnAtOnceAfterARest has a pace of an hour, which only the key can end.
func TestAKeyIsDrawnAtOnceAfterARest(t *testing.T) {
	t.Parallel()
	w, _, r, keys := startThrottled(t, time.Hour)
	for range 3 {
		r.waitUntilSlow(t)
		before := w.size()
		if _, err := keys.Write([]byte("j")); err != nil {
			t.Fatal(err)
		}
		w.grows(t, before)
	}
}

// TestTheRendererSlowsDownAgainAfterAnotherProgram is about the new renderer that Bubble
// Tea starts then, for a window that has not changed.
func TestTheRendererSlowsDownAgainAfterAnotherProgram(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "true")
	_, p, r, _ := startThrottled(t, time.Hour)
	r.waitUntilSlow(t)
	r.mu.Lock()
	first := r.timer
	r.mu.Unlock()
	other := exec.Command("true")
	other.Stdin = strings.NewReader("") // it would wait for the end of the pipe of the keys
	p.Send(Exec(other, func(error) tea.Msg { return nil })())
	await.Until(t, "a renderer that is slow again", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.timer != first && r.slow
	})
}

// TestManyChangesInARowAreDrawn fails if each change puts off the drawing.
func TestManyChangesInARowAreDrawn(t *testing.T) {
	t.Parallel()
	w, p, r, _ := startThrottled(t, time.Hour)
	r.waitUntilSlow(t)
	before := w.size()
	end, ended, began := make(chan bool), make(chan bool), time.Now()
	go func() {
		defer close(ended)
		for {
			select {
			case <-end:
				return
			case <-time.After(time.Millisecond):
				p.Send(Say(Error, "%s", time.Now())())
			}
		}
	}()
	for range 20 {
		w.grows(t, before)
		before = w.size()
	}
	close(end)
	<-ended
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("twenty of them took %s", took)
	}
}

func TestAThrottleDoesNothingWithoutARunningProgram(t *testing.T) {
	t.Parallel()
	var none *throttle
	none.viewDrawn(true)
	r := newThrottle(tea.NewProgram(New(Options{})))
	r.viewDrawn(true)
	r.stop()
}
