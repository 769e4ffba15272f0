// Package console is the page of the test console: a request to an API that the
// sandbox serves, and all that is known of the answer beside it. What needs no
// terminal, filling in, sending, telling and keeping, is package request.
package console

import (
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/prose"
	"gatewright/request"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/route"
	"gatewright/tui/widget"
)

// Options are what the console needs of its caller.
type Options struct {
	// Dir is in the project.
	Dir string
	// ReadOnly is why nothing may change: only GET, HEAD and OPTIONS are sent, and
	// nothing is kept. "" where anything may be sent.
	ReadOnly string
}

// Page is the console.
type Page struct {
	context *frame.Context
	options Options
	start   route.Console
	layout  layout.Layout

	// world is nil until it was read; err is why it could not be. looked is the same
	// for the looks at the sandbox, which are taken away from Update.
	world  *request.Snapshot
	err    error
	looked atomic.Pointer[request.Snapshot]
	// began is when the reading began that gave them: an earlier one that comes later
	// is dropped.
	began time.Time

	form request.Form
	rows widget.Table[request.Row]
	// rowsAt is the line of the first row, as last drawn.
	rowsAt int
	// typing says that the row at hand is being typed.
	typing bool
	field  widget.Field

	job frame.Job
	// last is the last exchange, before the one before it.
	last, before *request.Exchange
	// agreed are the environments that somebody agreed to send to.
	agreed map[string]bool
	answer widget.Pager
	// comparing says that the answer pane has a comparison, inAnswer that keys go there.
	comparing, inAnswer bool
}

var (
	_ frame.Worker  = (*Page)(nil)
	_ frame.Watcher = (*Page)(nil)
)

// New makes the page for a route. It reads the project and the sandbox itself.
func New(context *frame.Context, o Options, start route.Console) *Page {
	p := &Page{context: context, options: o, start: start, agreed: make(map[string]bool)}
	p.rows = p.table()
	return p
}

// Init reads the project.
func (p *Page) Init() tea.Cmd { return p.look }

// SetSize keeps the rectangles that the page draws in.
func (p *Page) SetSize(l layout.Layout) { p.layout = l }

// Dirty is false: what was sent is kept, and the rest is quickly filled in.
func (p *Page) Dirty() bool { return false }

// Typing reports whether letters belong to a text field.
func (p *Page) Typing() bool { return p.typing }

// Job is the wait for an answer.
func (p *Page) Job() *frame.Job { return &p.job }

// pace is how often the sandbox is looked for.
const pace = 2 * time.Second

// Watches looks whether the sandbox came, went or serves other APIs.
func (p *Page) Watches() []frame.Watch {
	return []frame.Watch{{Every: pace, Poll: func() tea.Msg {
		if w := p.looked.Load(); w != nil && !w.Stands(w.Ask()) {
			return p.look()
		}
		return nil
	}}}
}

// Update takes one message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if p.typing {
			p.field.Update(msg)
		}
	case tea.PasteMsg:
		return p.paste(msg)
	case tea.MouseMsg:
		return p.pointer(msg)
	case session.WrittenMsg:
		return p.look
	}
	return nil
}

// look reads the project and asks the sandbox. It is a command, and runs away from
// Update.
func (p *Page) look() tea.Msg {
	began := time.Now()
	w, err := request.Look(p.options.Dir)
	return frame.ThenMsg(func() tea.Cmd { return p.takeSnapshot(began, w, err) })
}

// takeSnapshot goes on with what was read; the form keeps what is still there.
func (p *Page) takeSnapshot(began time.Time, w *request.Snapshot, err error) tea.Cmd {
	if !began.After(p.began) {
		return nil
	}
	first := p.world == nil
	p.began, p.err = began, err
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	p.world = w
	p.looked.Store(w)
	if first {
		s := p.start
		p.form = p.world.Begin(request.Form{API: s.API, Path: s.Path, Method: s.Method, Environment: s.Environment, Test: s.Test})
	}
	p.refresh()
	// Whoever went to another path since is not told of the first one again.
	if path := p.start.Path; first && path != "" && p.form.Path != path {
		return frame.Say(frame.Warn, "environment %s has no path %s", prose.Printable(p.form.Environment), prose.Printable(path))
	}
	return nil
}

// env is the environment that requests go to; nil where there is none.
func (p *Page) env() *request.Environment { return p.world.Of(p.form) }
