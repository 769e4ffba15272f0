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
	world  *request.World
	err    error
	looked atomic.Pointer[request.World]
	// began is when the reading began that gave them: an earlier one that comes later
	// is dropped.
	began time.Time

	form request.Form
	rows widget.Table[row]
	// rowsAt is the line of the first row, as last drawn.
	rowsAt int
	// typing says that the row at hand is being typed.
	typing bool
	field  widget.Field
	// groups are those of users, by environment and name.
	groups map[[2]string][]string

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
	p := &Page{context: context, options: o, start: start, groups: make(map[[2]string][]string), agreed: make(map[string]bool)}
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
	return []frame.Watch{{Every: pace, Look: func() tea.Msg {
		if w := p.looked.Load(); w != nil && !w.Stands(w.Ask()) {
			return p.look()
		}
		return nil
	}}}
}

// What the page's commands return.
type (
	readMsg struct {
		began time.Time
		world *request.World
		err   error
	}
	answeredMsg struct {
		exchange request.Exchange
		lines    []prose.Line
		// sent is what is kept of requests now, kept why this one is not.
		sent []request.Sent
		kept error
		err  error
	}
	peopleMsg struct {
		environment string
		people      []request.Option
		err         error
	}
	groupsMsg struct {
		key    [2]string
		groups []string
	}
	filledMsg  struct{ form request.Form }
	plannedMsg struct {
		saving request.Saving
		err    error
	}
)

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
	case readMsg:
		if msg.began.After(p.began) {
			return p.takeWorld(msg)
		}
	case answeredMsg:
		return p.takeAnswer(msg)
	case peopleMsg:
		if msg.environment == p.form.Environment {
			return p.choosePerson(msg)
		}
	case groupsMsg:
		p.groups[msg.key] = msg.groups
		p.lay()
	case filledMsg:
		p.form = msg.form
		return p.called()
	case plannedMsg:
		return p.askToSave(msg)
	}
	return nil
}

// look reads the project and asks the sandbox. It is a command, and runs away from
// Update.
func (p *Page) look() tea.Msg {
	began := time.Now()
	w, err := request.Look(p.options.Dir)
	return readMsg{began, w, err}
}

// takeWorld goes on with what was read; the form keeps what is still there.
func (p *Page) takeWorld(msg readMsg) tea.Cmd {
	first := p.world == nil
	p.began, p.err = msg.began, msg.err
	if msg.err != nil {
		return frame.Say(frame.Error, "%v", msg.err)
	}
	p.world = msg.world
	p.looked.Store(msg.world)
	if first {
		p.form = p.world.Begin(request.Start(p.start))
	} else {
		p.world.Fit(&p.form)
	}
	p.refresh()
	// Whoever went to another path since is not told of the first one again.
	if path := p.start.Path; first && path != "" && p.form.Path != path {
		return frame.Say(frame.Warn, "environment %s has no path %s", prose.Fit(p.form.Environment), prose.Fit(path))
	}
	return nil
}

// env is the environment that requests go to; nil where there is none.
func (p *Page) env() *request.Environment { return p.world.Of(p.form) }

// groupsOf are those of the user who signs, as far as they are known.
func (p *Page) groupsOf() []string { return p.groups[[2]string{p.form.Environment, p.form.As.User}] }
