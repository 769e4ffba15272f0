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

// watching is a watch of a page. asleep says that it waits for the page to be in
// front again.
type watching struct {
	Watch
	of     *kept
	asleep bool
}

// watch begins the watches of a page.
func (m *Model) watch(k *kept) tea.Cmd {
	k.watches = []*watching{}
	w, ok := k.page.(Watcher)
	if !ok {
		return nil
	}
	var cmds []tea.Cmd
	for _, each := range w.Watches() {
		one := &watching{Watch: each, of: k}
		k.watches = append(k.watches, one)
		cmds = append(cmds, one.wait(each.Every))
	}
	return tea.Batch(cmds...)
}

// wait looks after a time.
func (w *watching) wait(d time.Duration) tea.Cmd {
	return after(d, func(m *Model, _ owner) tea.Cmd { return m.look(w) })
}

// look looks, where somebody sees the page.
func (m *Model) look(w *watching) tea.Cmd {
	if !m.keeps(w.of) {
		return nil
	}
	if !w.Behind && (m.history.front() != w.of || m.layout.TooSmall) {
		w.asleep = true
		return nil
	}
	return func() tea.Msg {
		began := time.Now()
		found := w.Look()
		took := time.Since(began)
		return askMsg(func(m *Model, _ owner) tea.Cmd { return m.looked(w, found, took) })
	}
}

// looked gives the page what was found, and waits for the next look.
func (m *Model) looked(w *watching, found tea.Msg, took time.Duration) tea.Cmd {
	if !m.keeps(w.of) {
		return nil
	}
	again := w.wait(w.pause(took))
	if found == nil {
		return again
	}
	return tea.Batch(m.deliver(w.of, found), again)
}

// pause is how long the wait after a look is that took so long.
func (w Watch) pause(took time.Duration) time.Duration {
	return max(w.Every, min(share*took, longestWait))
}

// wake goes on with the watches of the page that came to the front.
func (m *Model) wake(k *kept) tea.Cmd {
	if k.watches == nil {
		return m.watch(k)
	}
	var cmds []tea.Cmd
	for _, w := range k.watches {
		if w.asleep {
			w.asleep = false
			cmds = append(cmds, m.look(w))
		}
	}
	return tea.Batch(cmds...)
}
