package dashboard

import (
	"context"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/sandbox"
)

// live is a sandbox that this program runs itself.
type live struct {
	environment string
	begun       time.Time
	// address is where the APIs answer, without the scheme; "" while it is being
	// started. announced says that this was told.
	address   string
	announced bool

	ctx    context.Context
	cancel context.CancelFunc
	// hurry ends requests that are running when it ends.
	hurry func()
	rush  chan struct{}
	box   *inbox[happening]
	// up is closed when it serves or could not start, ended when it serves no more.
	up, ended chan struct{}
	isUp      func()

	mu sync.Mutex
	// begins says that it has begun to run, closed that it is not to begin any more.
	begins, closed bool
}

// mostWaiting is how many events wait for the page.
const mostWaiting = 1000

func newLive(environment string) *live {
	l := &live{
		environment: environment, begun: time.Now(), box: newInbox[happening](mostWaiting),
		rush: make(chan struct{}), up: make(chan struct{}), ended: make(chan struct{}),
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.hurry = sync.OnceFunc(func() { close(l.rush) })
	l.isUp = sync.OnceFunc(func() { close(l.up) })
	return l
}

// run serves the project until it is told to end; it is the body of a command.
func (l *live) run(dir string, port int) {
	defer close(l.ended)
	defer l.isUp()
	if !l.begin() {
		l.box.end(nil)
		return
	}
	l.box.end(deploy.RunLive(l.ctx, deploy.LiveOptions{
		Dir: dir, Environment: l.environment, Port: port, Hurry: l.rush,
		Say: func(e sandbox.Event) {
			// Every path of a large project would push out what matters.
			if e.Kind != deploy.LivePath {
				l.box.put(happenedTo(e, time.Now()))
			}
			if e.Kind == deploy.LiveListening {
				l.isUp()
			}
		},
	}))
}

func (l *live) begin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begins = !l.closed
	return l.begins
}

// stop tells it to end. What is running gets a moment.
func (l *live) stop() { l.cancel() }

// ending reports whether it was told to end.
func (l *live) ending() bool { return l.ctx.Err() != nil }

// close ends it, and waits for that.
func (l *live) close() {
	l.mu.Lock()
	l.closed = true
	begins := l.begins
	l.mu.Unlock()
	l.cancel()
	if begins {
		<-l.ended
	}
}

// take learns from what it told.
func (l *live) take(events []happening) {
	for _, h := range events {
		if h.what == deploy.LiveListening {
			l.address = strings.TrimPrefix(h.text, "http://")
		}
	}
}

// liveSaid is what the sandbox of this program told; with ended it serves no more,
// err says why it could not.
type liveSaid struct {
	of     *live
	events []happening
	ended  bool
	err    error
}

// start starts a sandbox, and begins to listen to it.
func (l *live) start(dir string, port int) tea.Cmd {
	return tea.Batch(func() tea.Msg { l.run(dir, port); return nil }, l.listen())
}

// listen waits for what it tells next.
func (l *live) listen() tea.Cmd {
	return func() tea.Msg {
		events, ended, err := l.box.take()
		return liveSaid{l, events, ended, err}
	}
}

// ownLive is the sandbox that this program runs; nil for none.
func (p *Page) ownLive() *live {
	for _, t := range p.tabs {
		if a, ok := t.(*activityTab); ok && a.live != nil {
			return a.live
		}
	}
	return nil
}

// Close ends what the page runs: the sandbox that it started. It is called when the
// screens are gone.
func (p *Page) Close() {
	p.endWork()
	if l := p.ownLive(); l != nil {
		l.close()
	}
}
