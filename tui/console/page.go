// Package console is the page of the test console: a form for a request to an API that
// the sandbox serves or that is in AWS, and a report on the answer. Package request has the parts that need
// no terminal: filling in, sending, reporting and the history.
package console

import (
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/cloudcall"
	"gatewright/flow/request"
	"gatewright/flow/session"
	"gatewright/internal/text/prose"
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
	// Forms are the forms of all consoles of the program; nil for those of this page alone.
	Forms *request.Forms
	// Session knows the editor; nil for none.
	Session *session.Session
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

	// at is the form and the answers of the path at hand, forms has those of all paths.
	at    *request.Kept
	forms *request.Forms
	rows  widget.Table[request.Row]
	// rowsAt is the line of the first row, as last drawn.
	rowsAt int
	// typing says that the row at the cursor is being typed, finding that a text or a path is
	// looked for in the answer. Both are typed in field.
	typing, finding bool
	field           widget.Field

	// cloud has who has signed in to environments in AWS, until the page closes.
	cloud *cloudcall.Session

	job frame.Job
	// agreed are the environments that a person has agreed to send to.
	agreed map[string]bool
	answer widget.Outline
	// showing is the exchange that the answer pane shows, comparing what it is compared with,
	// picked what a path picked from it; nil if nothing was.
	showing   *request.Exchange
	comparing comparison
	picked    *request.Picked
	// inAnswer says that the answer pane has the keys.
	inAnswer bool
}

var (
	_ frame.Worker  = (*Page)(nil)
	_ frame.Watcher = (*Page)(nil)
)

// New makes the page for a route. Its Init reads the project and asks the sandbox.
func New(context *frame.Context, o Options, start route.Console) *Page {
	p := &Page{
		context: context, options: o, start: start, agreed: make(map[string]bool), at: new(request.Kept),
		forms: o.Forms, cloud: new(cloudcall.Session),
	}
	if p.forms == nil {
		p.forms = new(request.Forms)
	}
	p.rows = p.table()
	return p
}

// Init reads the project.
func (p *Page) Init() tea.Cmd { return p.read }

// SetSize keeps the layout for View.
func (p *Page) SetSize(l layout.Layout) { p.layout = l }

// Dirty is false: sent requests are in the history already.
func (p *Page) Dirty() bool { return false }

// Typing reports whether a row, or what to look for, is being typed.
func (p *Page) Typing() bool { return p.typing || p.finding }

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
		if p.Typing() && p.field.Update(msg) && p.finding {
			p.find()
		}
	case tea.PasteMsg:
		return p.paste(msg)
	case tea.MouseMsg:
		return p.mouse(msg)
	case session.WrittenMsg:
		return p.read
	case frame.ViewerMsg:
		p.refresh()
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
	snapshot.Cloud = p.cloud
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
	if path := p.start.Path; first && path != "" && p.at.Form.Path != path {
		return frame.Say(frame.Warn, "environment %s has no path %s", prose.Printable(p.at.Form.Environment),
			prose.Printable(path))
	}
	return nil
}

// env is the environment that requests go to; nil if there is none.
func (p *Page) env() *request.Environment { return p.snapshot.EnvironmentOf(p.at.Form) }
