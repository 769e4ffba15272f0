package console

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/request"
	"gatewright/sandbox"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/wizard"
)

// Page is the console.
type Page struct {
	context *frame.Context
	options Options
	route   Route
	// world is nil until it was read; err is why it could not be.
	world *request.World
	err   error
	// asked counts the readings that were begun: the answer to an earlier one is
	// dropped. answered is the last that came.
	asked, answered int

	form    request.Form
	started bool
	rows    []request.Row
	at      int
	typing  bool
	field   dialog.Field
	// members are the groups of users by environment and name; people is who was
	// last asked for.
	members map[[2]string][]string
	people  []request.Person

	sending *sending
	// last is the last exchange, before the one before it.
	last, before *request.Exchange
	// agreed are the environments that somebody agreed to send to; pending is what
	// waits for a yes.
	agreed  map[string]bool
	pending request.Form
	saving  request.Saving

	answer answerPane
	body   bodyShown
	// inAnswer says that keys go to the answer.
	inAnswer bool
	layout   layout.Layout
	drawn    drawn
}

// drawn is the page as it was last drawn.
type drawn struct {
	text  string
	stale bool
	// seen says that it was drawn since the last look at the sandbox: a page that
	// nobody sees does not look.
	seen bool
	// rowsAt is the line of the first row in view, which is row rowsFrom; rowsTo is
	// the one behind the last.
	rowsAt, rowsFrom, rowsTo int
}

// sending is a request that is under way.
type sending struct {
	form   request.Form
	began  time.Time
	cancel context.CancelFunc
}

var _ frame.Page = (*Page)(nil)

// New makes the page for a route. It reads the project and the sandbox itself.
func New(context *frame.Context, o Options, r Route) *Page {
	return &Page{context: context, options: o, route: r, members: make(map[[2]string][]string), agreed: make(map[string]bool)}
}

// Init reads the project and begins to look for the sandbox.
func (p *Page) Init() tea.Cmd { return tea.Batch(p.read(), p.wait()) }

// SetSize keeps the rectangles that the page draws in.
func (p *Page) SetSize(l layout.Layout) {
	p.layout = l
	p.answer.width = 0
	p.drawn.stale = true
}

// Dirty is false: what was sent is kept, and the rest is quickly filled in.
func (p *Page) Dirty() bool { return false }

// Typing reports whether letters belong to a text field.
func (p *Page) Typing() bool { return p.typing }

// Cursor is nil: the text field draws its own.
func (p *Page) Cursor() *tea.Cursor { return nil }

// What the page's commands return; of says whose it is.
type (
	readMsg struct {
		of    *Page
		asked int
		world *request.World
		err   error
	}
	overMsg   struct{ of *Page }
	lookedMsg struct {
		of     *Page
		status sandbox.Status
		err    error
	}
	secondMsg struct {
		of *Page
		s  *sending
	}
	answeredMsg struct {
		of       *Page
		s        *sending
		exchange request.Exchange
		lines    []prose.Line
		world    *request.World
		kept     error
		err      error
	}
	peopleMsg struct {
		of          *Page
		environment string
		people      []request.Person
		err         error
	}
	membersMsg struct {
		of     *Page
		key    [2]string
		groups []string
		err    error
	}
	filledMsg struct {
		of   *Page
		form request.Form
		err  error
	}
	plannedMsg struct {
		of     *Page
		saving request.Saving
		err    error
	}
	savedMsg struct {
		of   *Page
		name string
		err  error
	}
)

// Update takes one message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		p.drawn.stale = true
		return p.key(msg)
	case tea.PasteMsg:
		p.drawn.stale = true
		return p.paste(msg)
	case tea.MouseMsg:
		p.drawn.stale = true
		return p.pointer(msg)
	case dialog.Result:
		p.drawn.stale = true
		return p.takeResult(msg)
	case wizard.Written:
		return p.read()
	}
	return p.take(msg)
}

// take takes the result of a command of this page.
func (p *Page) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case readMsg:
		if msg.of == p && msg.asked == p.asked {
			return p.takeWorld(msg)
		}
	case overMsg:
		if msg.of == p {
			return p.look()
		}
	case lookedMsg:
		if msg.of == p {
			return p.takeLook(msg)
		}
	case secondMsg:
		if msg.of == p && msg.s == p.sending {
			p.drawn.stale = true
			return p.second()
		}
	case answeredMsg:
		if msg.of == p && msg.s == p.sending {
			return p.takeAnswer(msg)
		}
	case peopleMsg:
		if msg.of == p && msg.environment == p.form.Environment {
			return p.choosePerson(msg)
		}
	case membersMsg:
		if msg.of == p {
			p.drawn.stale = true
			p.members[msg.key] = msg.groups
		}
	case filledMsg:
		if msg.of == p {
			return p.takeFilled(msg)
		}
	case plannedMsg:
		if msg.of == p {
			return p.askToSave(msg)
		}
	case savedMsg:
		if msg.of == p {
			return saved(msg)
		}
	}
	return nil
}

// read reads the project and asks the sandbox, away from Update.
func (p *Page) read() tea.Cmd {
	p.asked++
	p.drawn.stale = true
	asked, dir := p.asked, p.options.Dir
	return func() tea.Msg {
		w, err := request.Look(dir)
		return readMsg{p, asked, w, err}
	}
}

// takeWorld goes on with what was read; the form keeps what is still there.
func (p *Page) takeWorld(msg readMsg) tea.Cmd {
	p.drawn.stale = true
	p.answered, p.err = msg.asked, msg.err
	if msg.err != nil {
		return frame.Say(frame.Error, "%v", msg.err)
	}
	p.world = msg.world
	if p.started {
		// Whoever went to another path since is not told of the first one again.
		p.world.Fit(&p.form)
		p.refresh()
		return nil
	}
	p.form, p.started = p.world.Begin(request.Start(p.route)), true
	p.refresh()
	if path := p.route.Path; path != "" && p.form.Path != path {
		return frame.Say(frame.Warn, "environment %s has no path %s", prose.Fit(p.form.Environment), prose.Fit(path))
	}
	return nil
}

// pace is how often the sandbox is looked for.
const pace = 2 * time.Second

func (p *Page) wait() tea.Cmd {
	return tea.Tick(pace, func(time.Time) tea.Msg { return overMsg{p} })
}

// look asks what the sandbox serves, where somebody sees the page.
func (p *Page) look() tea.Cmd {
	if !p.drawn.seen || p.world == nil || p.asked != p.answered {
		return p.wait()
	}
	p.drawn.seen = false
	w := p.world
	return func() tea.Msg {
		status, err := w.Ask()
		return lookedMsg{p, status, err}
	}
}

// takeLook reads everything anew where the sandbox came, went or serves other APIs.
func (p *Page) takeLook(msg lookedMsg) tea.Cmd {
	if p.world.Stands(msg.status, msg.err) {
		return p.wait()
	}
	return tea.Batch(p.read(), p.wait())
}

// env is the environment that requests go to; nil where there is none.
func (p *Page) env() *request.Environment {
	if p.world == nil {
		return nil
	}
	return p.world.Of(p.form)
}

// groups are those of the user who signs, as far as they are known.
func (p *Page) groups() []string { return p.members[[2]string{p.form.Environment, p.form.As.User}] }
