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
)

// TestBubbleTeaHasTheTickerThatRests fails where another version of Bubble Tea calls
// its ticker otherwise: the screens would wake 120 times a second, for nobody.
func TestBubbleTeaHasTheTickerThatRests(t *testing.T) {
	field, ok := reflect.TypeFor[tea.Program]().FieldByName("ticker")
	if !ok || field.Type != reflect.TypeFor[*time.Ticker]() {
		t.Fatal("tea.Program has no field ticker of the type *time.Ticker: see tickerOf")
	}
	if tickerOf(tea.NewProgram(New(Options{}))) != nil {
		t.Error("a program that does not run has a ticker")
	}
}

// window is what is written to a terminal.
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

// grows waits for more than there was.
func (w *window) grows(t *testing.T, than int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); w.size() <= than; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing is drawn")
		}
	}
}

// resting is a program that draws into a window, and rests for pace.
func resting(t *testing.T, pace time.Duration) (*window, *tea.Program, *rest, io.Writer) {
	t.Helper()
	in, keys := io.Pipe()
	w, s := &window{}, start(t, "dark", 80, 24)
	g := &guard{model: s.model}
	p := tea.NewProgram(g, tea.WithInput(in), tea.WithOutput(w), tea.WithWindowSize(80, 24), tea.WithoutSignals(),
		tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithFPS(busyFrames))
	r := restOf(p)
	r.pace = pace
	g.stop, s.model.rest = p.Quit, r
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	t.Cleanup(func() {
		p.Kill()
		<-ended
		r.end()
		_ = keys.Close()
	})
	w.grows(t, 0)
	return w, p, r, keys
}

// rests waits until the looking has slowed down.
func (r *rest) rests(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		r.mu.Lock()
		slow := r.slow
		r.mu.Unlock()
		if slow {
			return
		}
		if time.Now().After(end) {
			t.Fatal("it does not rest")
		}
	}
}

// TestAKeyAfterARestIsDrawn: it rests for an hour, which only the key can end.
func TestAKeyAfterARestIsDrawn(t *testing.T) {
	w, _, r, keys := resting(t, time.Hour)
	for range 3 {
		r.rests(t)
		before := w.size()
		if _, err := keys.Write([]byte("j")); err != nil {
			t.Fatal(err)
		}
		w.grows(t, before)
	}
}

// TestItRestsAgainAfterAnotherProgram: Bubble Tea has its renderer look often again then,
// although the window is the same as before.
func TestItRestsAgainAfterAnotherProgram(t *testing.T) {
	if _, err := exec.LookPath("true"); err != nil {
		t.Skip("there is no program to run: ", err)
	}
	_, p, r, _ := resting(t, time.Hour)
	r.rests(t)
	r.mu.Lock()
	first := r.timer
	r.mu.Unlock()
	other := exec.Command("true")
	other.Stdin = strings.NewReader("") // the keys here are a pipe, whose end it would wait for
	p.Send(Exec(other, func(error) tea.Msg { return nil })())
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		r.mu.Lock()
		anew := r.timer != first && r.slow
		r.mu.Unlock()
		if anew {
			return
		}
		if time.Now().After(end) {
			t.Fatal("it does not rest")
		}
	}
}

// TestAFloodOfChangesIsDrawnWhileItComes: each change alone would put off the drawing.
func TestAFloodOfChangesIsDrawnWhileItComes(t *testing.T) {
	w, p, r, _ := resting(t, time.Hour)
	r.rests(t)
	before := w.size()
	over, ended, began := make(chan bool), make(chan bool), time.Now()
	go func() {
		defer close(ended)
		for {
			select {
			case <-over:
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
	close(over)
	<-ended
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("twenty of them took %s", took)
	}
}

func TestARestIsNothingWithoutAProgram(t *testing.T) {
	var none *rest
	none.drawn(tea.View{})
	r := restOf(tea.NewProgram(New(Options{})))
	r.drawn(tea.View{Content: "x"})
	r.end()
}
