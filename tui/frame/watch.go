package frame

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame/waiting"
)

// Watch polls something outside of the program that a page shows, such as files, after a beat of
// the [Pulse].
type Watch struct {
	// Every is the least time between two polls.
	Every time.Duration
	// Ages, which may be nil, is the time after which there is a poll without a beat, because
	// what was seen depends on the clock; 0 for never.
	Ages func() time.Duration
	// Poll is called outside Update, never twice at a time. Its message is delivered to
	// the page; nil means that nothing has changed.
	Poll func() tea.Msg
	// Background polls while another page is in front, too.
	Background bool
}

// After a poll, the wait is at least pollShare times as long as the poll took, so that slow
// polls are rarer. This rule alone never makes the wait longer than longestWait.
const (
	pollShare   = 50
	longestWait = 30 * time.Second
)

// activeWatch is a watch that was started. asleep says that it waits until the page is
// in front again.
type activeWatch struct {
	Watch
	page   *pageState
	pulse  *Pulse
	polled time.Time
	asleep bool
}

// startWatches starts the watches of a page.
func (m *Model) startWatches(p *pageState) tea.Cmd {
	p.watches = []*activeWatch{}
	w, ok := p.page.(Watcher)
	if !ok {
		return nil
	}
	var cmds []tea.Cmd
	for _, each := range w.Watches() {
		one := &activeWatch{Watch: each, page: p, pulse: m.context.Pulse}
		p.watches = append(p.watches, one)
		cmds = append(cmds, one.wait(each.Every))
	}
	return tea.Batch(cmds...)
}

// wait polls after a time.
func (w *activeWatch) wait(d time.Duration) tea.Cmd {
	most := time.Duration(0)
	if w.Ages != nil {
		most = w.Ages()
	}
	return w.pulse.after(d, w.polled, most, func(m *Model, _ owner) tea.Cmd {
		m.quiet = true
		return m.poll(w)
	})
}

// poll polls if the page is in front or the watch is a background one.
func (m *Model) poll(w *activeWatch) tea.Cmd {
	if !m.hasPage(w.page) {
		return nil
	}
	if !w.Background && (m.history.front() != w.page || m.layout.TooSmall) {
		w.asleep = true
		return nil
	}
	began := time.Now()
	w.polled = began
	return func() tea.Msg {
		news := w.Poll()
		took := time.Since(began)
		return frameMsg(func(m *Model, _ owner) tea.Cmd {
			m.quiet = news == nil
			return m.pollEnded(w, news, took)
		})
	}
}

// pollEnded gives the page the message of a poll, and waits for the next poll.
func (m *Model) pollEnded(w *activeWatch, news tea.Msg, took time.Duration) tea.Cmd {
	if !m.hasPage(w.page) {
		return nil
	}
	again := w.wait(w.pause(took))
	if news == nil {
		return again
	}
	return tea.Batch(m.deliver(w.page, news), again)
}

// pause is the wait after a poll that took a given time.
func (w Watch) pause(took time.Duration) time.Duration {
	return max(w.Every, min(pollShare*took, longestWait))
}

// wakeWatches starts or resumes the watches of the page in front.
func (m *Model) wakeWatches(p *pageState) tea.Cmd {
	if p.watches == nil {
		return m.startWatches(p)
	}
	var cmds []tea.Cmd
	for _, w := range p.watches {
		if w.asleep {
			w.asleep = false
			cmds = append(cmds, m.poll(w))
		}
	}
	return tea.Batch(cmds...)
}

// Pulse beats when what watches look at may have changed: they do not poll without a beat. With
// a nil Pulse they poll on a clock.
type Pulse struct {
	mu   sync.Mutex
	last time.Time
	next chan struct{}
}

// NewPulse makes a Pulse that beats now.
func NewPulse() *Pulse { return &Pulse{last: time.Now(), next: make(chan struct{})} }

// Beat is a command after which the watches poll.
func Beat() tea.Cmd {
	return inFrame(func(m *Model, _ owner) tea.Cmd {
		if m.context.Pulse != nil {
			m.context.Pulse.Beat()
		}
		return nil
	})
}

// Beat makes the watches poll.
func (p *Pulse) Beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = time.Now()
	close(p.next)
	p.next = make(chan struct{})
}

// after is the command [after], which then waits for a beat since a time. What a beat announces
// may take a moment, so polls go on for a while. It waits no longer than most; 0 is for ever.
func (p *Pulse) after(d time.Duration, polled time.Time, most time.Duration, do frameMsg) tea.Cmd {
	const echo = 2 * time.Second
	tick := after(d, do)
	if p == nil {
		return tick
	}
	return func() tea.Msg {
		msg := tick()
		p.mu.Lock()
		next, rests := p.next, polled.Sub(p.last) > echo
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
