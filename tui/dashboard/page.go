// Package dashboard is the screen that shows a project as it is, and changes
// nothing: its APIs, its environments side by side, what a push would do, and the
// client configuration file. It takes no lock, and finishes no write that was
// interrupted: beside any other program it only looks.
package dashboard

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/wizard"
)

// Route is the dashboard. Environment is the one that it begins with; "" is the
// one chosen on this machine, else the first.
type Route struct{ Environment string }

// Title is the page's name.
func (Route) Title() string { return "dashboard" }

// Page is the dashboard.
type Page struct {
	context *frame.Context
	dir     string
	// env is the environment that was switched to here; "" for none yet.
	env  string
	snap *snapshot
	// print is the fingerprint of the files as they were read, err why they
	// could not be.
	print string
	err   error
	// asked counts the readings that were begun: the answer to an earlier one is
	// dropped. answered is the last that came.
	asked, answered int
	tabs            []tab
	lists           []list
	at              int
	typing          bool
	layout          layout.Layout
	drawn           drawn
}

// drawn is the page as it was last drawn.
type drawn struct {
	text  string
	stale bool
	// seen says that it was drawn since the last look at the files: a page that
	// nobody sees does not look.
	seen bool
}

// tab is one way to look at what was read. It has rows, with the cursor on one.
type tab interface {
	// title is the tab's name, with a count where that says something.
	title() string
	// take replaces what is shown, and begins what takes time.
	take(*snapshot) tea.Cmd
	// entries are the rows, as the list needs them.
	entries() []entry
	// heading stands above the rows, in w cells; empty in place of both where
	// there are no rows.
	heading(t *theme.Theme, w int) string
	empty() string
	// row draws a row in w cells.
	row(t *theme.Theme, i int, selected bool, w int) string
	// detail says more about a row, in lines of w cells; i is none where there is
	// no row.
	detail(t *theme.Theme, i, w int) []string
	// copied is what goes to the clipboard for a row; "" for nothing.
	copied(i int) string
	// opening is what enter does on a row; a Disabled one says why nothing.
	opening(i int) frame.Binding
	// open does it, and says on which row the cursor stands then.
	open(i int) (row int, cmd tea.Cmd)
}

// none is the row where there is none.
const none = -1

var _ frame.Page = (*Page)(nil)

// New makes the page for the project that a folder belongs to.
func New(context *frame.Context, dir string, route Route) *Page {
	p := &Page{context: context, dir: dir, env: route.Environment}
	p.tabs = []tab{&apisTab{}, &environmentsTab{}, &statusTab{page: p}, &clientTab{}}
	p.lists = make([]list, len(p.tabs))
	return p
}

// Init reads the project and begins to look for changes.
func (p *Page) Init() tea.Cmd { return tea.Batch(p.load(), p.wait(pace)) }

// SetSize keeps the rectangles that the page draws in.
func (p *Page) SetSize(l layout.Layout) {
	p.layout = l
	p.drawn.stale = true
}

// Dirty is false: nothing is written here.
func (p *Page) Dirty() bool { return false }

// Typing reports whether letters belong to the filter.
func (p *Page) Typing() bool { return p.typing }

// Cursor is nil: the filter draws its own.
func (p *Page) Cursor() *tea.Cursor { return nil }

// reading reports whether an answer is awaited.
func (p *Page) reading() bool { return p.asked != p.answered }

// Update takes one message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		p.drawn.stale = true
		return p.key(msg)
	case tea.PasteMsg:
		p.drawn.stale = true
		if p.typing {
			p.list().typed(msg)
		}
	case answer:
		if msg.of == p && msg.asked == p.asked {
			p.drawn.stale = true
			return p.takeAnswer(msg)
		}
	case over:
		if msg.of == p {
			return p.look()
		}
	case looked:
		if msg.of == p {
			return p.takeLook(msg)
		}
	case compared:
		if msg.of == p && msg.asked == p.answered {
			p.drawn.stale = true
			p.status().takeDiff(msg)
			p.lists[statusAt].set(p.status().entries())
		}
	case dialog.Result:
		if picked, ok := msg.Action.(dialog.Picked); ok && msg.ID == environmentDialog {
			return p.switchTo(string(picked))
		}
	case wizard.Written:
		return p.load()
	}
	return nil
}

// answer is what was read.
type answer struct {
	of    *Page
	asked int
	snap  *snapshot
	print string
	err   error
}

// load reads the project, away from Update.
func (p *Page) load() tea.Cmd {
	p.asked++
	p.drawn.stale = true
	asked, dir, env := p.asked, p.dir, p.env
	return func() tea.Msg {
		msg := answer{of: p, asked: asked}
		msg.snap, msg.print, msg.err = read(dir, env)
		return msg
	}
}

func (p *Page) takeAnswer(msg answer) tea.Cmd {
	p.answered, p.print, p.err = msg.asked, msg.print, msg.err
	if msg.err != nil {
		return frame.Say(frame.Error, "%v", msg.err)
	}
	p.snap = msg.snap
	var cmds []tea.Cmd
	for i, tab := range p.tabs {
		cmds = append(cmds, tab.take(p.snap))
		p.lists[i].set(tab.entries())
	}
	if p.env != "" && p.env != msg.snap.name() {
		cmds = append(cmds, frame.Say(frame.Warn, "there is no environment %s", frame.Plain(p.env)))
		p.env = ""
	}
	return tea.Batch(cmds...)
}

// switchTo shows another environment. It is chosen on this page alone.
func (p *Page) switchTo(env string) tea.Cmd {
	p.env = env
	return p.load()
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

// list is the list of the tab in front.
func (p *Page) list() *list { return &p.lists[p.at] }
