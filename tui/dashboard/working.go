package dashboard

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// working is what takes long: it shows how long it has run, and esc stops it.
type working struct {
	title string
	begun time.Time
	// elapsed is how long it has run, as last counted.
	elapsed  time.Duration
	stop     context.CancelFunc
	stopping bool
	// ended is closed when it has ended. runs says that it began, over that it is
	// not to begin any more: mu is theirs.
	ended      chan struct{}
	mu         sync.Mutex
	runs, over bool
}

// worked is how it ended.
type worked struct {
	of   *working
	said string
	err  error
}

// ticked says that another second of it has passed.
type ticked struct {
	of      *working
	elapsed time.Duration
}

// work runs what takes long away from Update. title names it while it runs, as
// "pushing dev". Esc cancels its context. What it says, or its error, comes to the
// status line, and the project is read again. One runs at a time.
func (p *Page) work(title string, run func(context.Context) (said string, err error)) tea.Cmd {
	if p.working != nil {
		return frame.Say(frame.Warn, "wait for the end of %s, or stop it with esc", p.working.title)
	}
	ctx, stop := context.WithCancel(context.Background())
	w := &working{title: title, begun: time.Now(), stop: stop, ended: make(chan struct{})}
	p.working = w
	p.drawn.stale = true
	return tea.Batch(func() tea.Msg {
		defer close(w.ended)
		if !w.begin() {
			return nil
		}
		said, err := run(ctx)
		return worked{w, said, err}
	}, w.next())
}

// next counts the next second.
func (w *working) next() tea.Cmd {
	return tea.Tick(time.Second, func(now time.Time) tea.Msg { return ticked{w, now.Sub(w.begun)} })
}

func (p *Page) tick(msg ticked) tea.Cmd {
	if msg.of != p.working || p.working == nil {
		return nil
	}
	p.working.elapsed = msg.elapsed
	p.drawn.stale = true
	return msg.of.next()
}

func (p *Page) takeWorked(msg worked) tea.Cmd {
	if msg.of != p.working || p.working == nil {
		return nil
	}
	title, stopped := p.working.title, p.working.stopping
	p.working.stop()
	p.working = nil
	p.drawn.stale = true
	again := p.load()
	switch {
	case stopped && errors.Is(msg.err, context.Canceled):
		return tea.Batch(again, frame.Say(frame.Warn, "stopped: %s", title))
	case msg.err != nil:
		return tea.Batch(again, frame.Say(frame.Error, "%s: %v", title, msg.err))
	case msg.said != "":
		return tea.Batch(again, frame.Say(frame.Good, "%s", msg.said))
	}
	return again
}

// stopWork cancels what runs.
func (p *Page) stopWork() {
	p.working.stopping = true
	p.working.stop()
}

const quitDialog = "page/quit"

// ends is what ends with this program; "" for nothing.
func (p *Page) ends() string {
	var all []string
	if p.working != nil {
		all = append(all, "This is under way and is stopped: "+prose.Fit(p.working.title)+".")
	}
	if l := p.ownLive(); l != nil {
		all = append(all, "The sandbox that runs here ends, and nobody can call it any more.")
	}
	return strings.Join(all, "\n")
}

// askToQuit asks whether what runs may be stopped.
func (p *Page) askToQuit() tea.Cmd {
	ends := p.ends()
	if ends == "" {
		return frame.Quit()
	}
	return frame.Open(dialog.Confirm(quitDialog, "Quit now?", ends,
		dialog.Button{ID: "cancel", Label: "Cancel", Cancel: true}, dialog.Button{ID: "quit", Label: "Quit"}))
}

// endWork stops what runs, and waits for its end. It is called when the screens are
// gone.
func (p *Page) endWork() {
	w := p.working
	if w == nil {
		return
	}
	w.mu.Lock()
	w.over = true
	runs := w.runs
	w.mu.Unlock()
	w.stop()
	if runs {
		<-w.ended
	}
}

// begin reports whether it may begin.
func (w *working) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.runs = !w.over
	return w.runs
}

// line says what runs, and since when.
func (w *working) line() string {
	text := fmt.Sprintf("%s ... %d s", w.title, int(w.elapsed.Seconds()))
	if w.stopping {
		return text + ", stopping"
	}
	return text + ", esc stops it"
}
