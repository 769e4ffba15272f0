package dashboard

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/draft"
	"gatewright/prose"
	"gatewright/tui/frame"
)

// wasRead is what was read.
type wasRead struct {
	of    *Page
	asked int
	snap  *snapshot
	print string
	err   error
	// draft is what is kept of a walk of the wizard; nil for nothing.
	draft *draft.Draft
}

// load reads the project, away from Update.
func (p *Page) load() tea.Cmd {
	p.asked++
	p.drawn.stale = true
	asked, dir, env, writes := p.asked, p.dir, p.env, p.writes
	return func() tea.Msg {
		msg := wasRead{of: p, asked: asked}
		msg.snap, msg.print, msg.err = read(dir, env)
		if writes != nil {
			if kept, ok, err := writes.Drafts.Load(); err == nil && ok {
				msg.draft = &kept
			}
		}
		return msg
	}
}

func (p *Page) takeAnswer(msg wasRead) tea.Cmd {
	p.answered, p.print, p.err, p.draft = msg.asked, msg.print, msg.err, msg.draft
	if msg.err != nil {
		return frame.Say(frame.Error, "%v", msg.err)
	}
	p.snap = msg.snap
	var cmds []tea.Cmd
	for i, t := range p.tabs {
		cmds = append(cmds, t.take(p.snap))
		if s, ok := t.(sorting); ok && p.orders[i] > 0 {
			s.sortBy(p.orders[i])
		}
		p.lists[i].set(t.entries())
	}
	cmds = append(cmds, p.reach())
	if p.env != "" && p.env != msg.snap.name() {
		cmds = append(cmds, frame.Say(frame.Warn, "there is no environment %s", prose.Fit(p.env)))
		p.env = ""
	}
	return tea.Batch(cmds...)
}

// pace is how often the files are looked at.
const pace = 2 * time.Second

// over says that it is time to look at the files.
type over struct{ of *Page }

// looked is the fingerprint of the files as they are now, and how long it took.
type looked struct {
	of    *Page
	print string
	took  time.Duration
}

func (p *Page) wait(pace time.Duration) tea.Cmd {
	return tea.Tick(pace, func(time.Time) tea.Msg { return over{p} })
}

// look takes the fingerprint of the files, away from Update.
func (p *Page) look() tea.Cmd {
	if !p.drawn.seen || p.reading() {
		return p.wait(pace)
	}
	p.drawn.seen = false
	dir := p.dir
	return func() tea.Msg {
		begin := time.Now()
		print := fingerprint(dir)
		return looked{p, print, time.Since(begin)}
	}
}

// takeLook reads the project again where somebody changed it. A project that
// takes long to look at is looked at less often.
func (p *Page) takeLook(msg looked) tea.Cmd {
	const share = 20
	wait := p.wait(max(pace, share*msg.took))
	if msg.print == p.print || p.reading() {
		return wait
	}
	return tea.Batch(p.load(), wait)
}

// observation is what the sandbox said.
type observation struct {
	of   *Page
	seen *observed
}

// ask asks the sandbox, away from Update. A page that nobody sees asks only where
// one runs, whose codes for users are said on any page.
func (p *Page) ask() tea.Cmd {
	if p.asking || p.sandbox != nil && !p.sandbox.running && !p.drawn.seen {
		return nil
	}
	p.asking = true
	dir, before := p.dir, p.sandbox
	return func() tea.Msg { return observation{p, observe(dir, before)} }
}

func (p *Page) takeObserved(seen *observed) tea.Cmd {
	p.asking = false
	p.sandbox = seen
	p.drawn.stale = true
	var cmds []tea.Cmd
	for i, t := range p.tabs {
		if o, ok := t.(observing); ok {
			cmds = append(cmds, o.observe(seen), p.again(i))
		}
	}
	return tea.Batch(cmds...)
}
