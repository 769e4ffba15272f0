package frame

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame/waiting"
)

// Pulse beats when what watches look at may have changed: they do not poll without a beat. With
// a nil Pulse they poll on a clock.
type Pulse struct {
	mu   sync.Mutex
	last time.Time
	next chan struct{}
}

// NewPulse makes a Pulse that beats now.
func NewPulse() *Pulse { return &Pulse{last: time.Now(), next: make(chan struct{})} }

// Beat makes the watches poll.
func (p *Pulse) Beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = time.Now()
	close(p.next)
	p.next = make(chan struct{})
}

// Next receives when the next beat comes.
func (p *Pulse) Next() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.next
}

// after is the command [after], which then waits for a beat since a time. What a beat announces
// may take a moment, so polls go on for a while. It waits no longer than most; 0 is for ever.
func (p *Pulse) after(d time.Duration, polled time.Time, most time.Duration, do frameMsg) tea.Cmd {
	const echo = 4 * time.Second
	tick := after(d, do)
	if p == nil {
		return tick
	}
	return func() tea.Msg {
		msg := tick()
		next := p.Next()
		p.mu.Lock()
		rests := polled.Sub(p.last) > echo
		p.mu.Unlock()
		if rests {
			waiting.Begins(waiting.News)
			var end <-chan time.Time
			if most > 0 {
				end = time.After(most)
			}
			select {
			case <-next:
			case <-end:
			}
		}
		return msg
	}
}
