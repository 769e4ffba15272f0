// Package console is the page of the test console: a form for a request to an API that
// the sandbox serves, and a report on the answer. Package request has the parts that need
// no terminal: filling in, sending, reporting and the history.
package console

import (
	"strings"
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

// Options configure the console.
type Options struct {
	// Dir is the folder of the project or one below it.
	Dir string
	// ReadOnly is the reason why the console may change nothing: it sends only GET, HEAD
	// and OPTIONS, and saves no history. "" allows everything.
	ReadOnly string
}

// Page is the console.
type Page struct {
	context *frame.Context
	options Options
	start   route.Console
	layout  layout.Layout

	// snapshot is nil until it was read; err is why it could not be. polled is the same
	// snapshot for the watch, which runs outside Update.
	snapshot *request.Snapshot
	err      error
	polled   atomic.Pointer[request.Snapshot]
	// began is when the reading of snapshot began; results of earlier ones are dropped.
	began time.Time

	form request.Form
	rows widget.Table[request.Row]
	// rowsAt is the line of the first row, as last drawn.
	rowsAt int
	// typing says that the row at the cursor is being typed.
	typing bool
	field  widget.Field

	job frame.Job
	// last is the last exchange, previous the one before it.
	last, previous *request.Exchange
	// agreed are the environments that a person has agreed to send to.
	agreed map[string]bool
	answer widget.Pager
	// comparing says that the answer pane shows a comparison, inAnswer that it has the keys.
	comparing, inAnswer bool
}

var (
	_ frame.Worker  = (*Page)(nil)
	_ frame.Watcher = (*Page)(nil)
)

// New makes the page for a route. Its Init reads the project and asks the sandbox.
func New(context *frame.Context, o Options, start route.Console) *Page {
	p := &Page{context: context, options: o, start: start, agreed: make(map[string]bool)}
	p.rows = p.table()
	return p
}

// Init reads the project.
func (p *Page) Init() tea.Cmd { return p.read }

// SetSize keeps the layout for View.
func (p *Page) SetSize(l layout.Layout) { p.layout = l }

// Dirty is false: sent requests are in the history already.
func (p *Page) Dirty() bool { return false }

// Typing reports whether a row is being typed.
func (p *Page) Typing() bool { return p.typing }

// Job is the request that is being sent.
func (p *Page) Job() *frame.Job { return &p.job }

// pollInterval is the time between two polls of the sandbox.
const pollInterval = 2 * time.Second

// Watches polls whether the sandbox was started or stopped, or serves other APIs.
func (p *Page) Watches() []frame.Watch {
	return []frame.Watch{{Every: pollInterval, Poll: func() tea.Msg {
		if snapshot := p.polled.Load(); snapshot != nil && !snapshot.IsCurrent(snapshot.Ask()) {
			return p.read()
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
		return p.mouse(msg)
	case session.WrittenMsg:
		return p.read
	}
	return nil
}

// read is a command that reads the project and the status of the sandbox.
func (p *Page) read() tea.Msg {
	began := time.Now()
	snapshot, err := request.Read(p.options.Dir)
	return frame.ThenMsg(func() tea.Cmd { return p.takeSnapshot(began, snapshot, err) })
}

// takeSnapshot takes what was read; the form keeps the values that still exist.
func (p *Page) takeSnapshot(began time.Time, snapshot *request.Snapshot, err error) tea.Cmd {
	if !began.After(p.began) {
		return nil
	}
	first := p.snapshot == nil
	p.began, p.err = began, err
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	p.snapshot = snapshot
	p.polled.Store(snapshot)
	var filling tea.Cmd
	if first {
		filling = p.begin()
	}
	p.refresh()
	if filling != nil {
		return filling
	}
	// The warning is about the first path only, not about one that was chosen since.
	if path := p.start.Path; first && path != "" && p.form.Path != path {
		return frame.Say(frame.Warn, "environment %s has no path %s", prose.Printable(p.form.Environment), prose.Printable(path))
	}
	return nil
}

// begin fills in the form as the route says.
func (p *Page) begin() tea.Cmd {
	s := p.start
	p.form = p.snapshot.Begin(request.Form{API: s.API, Path: s.Path, Method: s.Method, Environment: s.Environment, Test: s.Test})
	if s.Filled.Target == "" {
		return nil
	}
	filled, err := p.snapshot.FillIn(p.form, request.Wire{
		Method: p.form.Method, Target: s.Filled.Target, Headers: strings.Split(s.Filled.Headers, "\n"), Body: s.Filled.Body, As: s.Filled.As, Test: s.Test,
	})
	if err != nil {
		return frame.Say(frame.Warn, "%v", err)
	}
	p.form = filled
	return p.setCaller(filled.As)
}

// env is the environment that requests go to; nil if there is none.
func (p *Page) env() *request.Environment { return p.snapshot.EnvironmentOf(p.form) }
