package frame

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Watch is something outside of the program that a page shows, such as files.
type Watch struct {
	// Every is how often it is looked at.
	Every time.Duration
	// Look looks, away from Update, one look at a time. What it returns comes to the
	// page; nil is nothing new.
	Look func() tea.Msg
	// Behind has it look while another page is in front, too.
	Behind bool
}

// share is how much longer than a look the wait between two of them is at the least:
// what is slow to look at is looked at less often.
// A look that was slow for once is no reason to be blind for minutes, though.
const (
	share       = 500
	longestWait = 30 * time.Second
)

// lookMsg says that it is time to look.
type lookMsg struct {
	page  *kept
	watch *watching
}

// lookedMsg is what a look found.
type lookedMsg struct {
	lookMsg
	found tea.Msg
	took  time.Duration
}

// watching is a watch of a page. asleep says that it waits for the page to be in
// front again.
type watching struct {
	Watch
	asleep bool
}

// watch begins the watches of a page.
func (m *Model) watch(k *kept) tea.Cmd {
	k.watched = true
	w, ok := k.page.(Watcher)
	if !ok {
		return nil
	}
	var cmds []tea.Cmd
	for _, each := range w.Watches() {
		one := &watching{Watch: each}
		k.watches = append(k.watches, one)
		cmds = append(cmds, wait(lookMsg{k, one}, each.Every))
	}
	return tea.Batch(cmds...)
}

func wait(msg lookMsg, d time.Duration) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// look looks, where somebody sees the page.
func (m *Model) look(msg lookMsg) tea.Cmd {
	if !m.keeps(msg.page) {
		return nil
	}
	if !msg.watch.Behind && (m.history.front() != msg.page || m.layout.TooSmall) {
		msg.watch.asleep = true
		return nil
	}
	return func() tea.Msg {
		began := time.Now()
		found := msg.watch.Look()
		return lookedMsg{msg, found, time.Since(began)}
	}
}

// looked gives the page what was found, and waits for the next look.
func (m *Model) looked(msg lookedMsg) tea.Cmd {
	if !m.keeps(msg.page) {
		return nil
	}
	again := wait(msg.lookMsg, msg.watch.pause(msg.took))
	if msg.found == nil {
		return again
	}
	return tea.Batch(m.deliver(msg.page, msg.found), again)
}

// pause is how long the wait after a look is that took so long.
func (w Watch) pause(took time.Duration) time.Duration {
	return max(w.Every, min(share*took, longestWait))
}

// wake goes on with the watches of the page that came to the front.
func (m *Model) wake() tea.Cmd {
	k := m.history.front()
	if k == nil || m.layout.TooSmall {
		return nil
	}
	if !k.watched {
		return m.watch(k)
	}
	var cmds []tea.Cmd
	for _, w := range k.watches {
		if w.asleep {
			w.asleep = false
			cmds = append(cmds, m.look(lookMsg{k, w}))
		}
	}
	return tea.Batch(cmds...)
}
