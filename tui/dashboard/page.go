// Package dashboard is the page that shows a project in tabs and changes it through a session. Without a
// session it only reads: it takes no lock and finishes no interrupted write.
//
// A tab is a package of its own below this one, and a line in tabsOf.
package dashboard

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/flow/validation"
	"gatewright/tui/dashboard/access"
	"gatewright/tui/dashboard/activity"
	"gatewright/tui/dashboard/apis"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/definitions"
	"gatewright/tui/dashboard/environments"
	"gatewright/tui/dashboard/functions"
	"gatewright/tui/dashboard/livemap"
	"gatewright/tui/dashboard/outputs"
	"gatewright/tui/dashboard/people"
	"gatewright/tui/dashboard/problems"
	"gatewright/tui/dashboard/requests"
	"gatewright/tui/dashboard/tables"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/look"
	"gatewright/tui/route"
	"gatewright/tui/widget"
)

// Page is the dashboard.
type Page struct {
	context *frame.Context
	route   route.Dashboard
	board   *board.Board
	tabs    []board.Tab
	current int
	layout  layout.Layout
	// detail is the pane with the details of the selected row, third the one next to it in a wide window,
	// with its title; focus is which has the keys: 0 the rows, 1 the details, 2 the third, if it is there.
	detail, third widget.Pager
	named         string
	focus         int
	areas         hitAreas
	// firstTab is the first tab in view, in a window that is too narrow for all; rooms is the
	// room after the name of each for what its title adds.
	firstTab int
	rooms    []int
}

var (
	_ frame.Page     = (*Page)(nil)
	_ frame.Reopener = (*Page)(nil)
)

// tabsOf makes the tabs in their order.
func tabsOf(b *board.Board) []board.Tab {
	return []board.Tab{
		livemap.New(b), apis.New(b), functions.New(b), access.New(b), requests.New(b), problems.New(b), people.New(b),
		environments.New(b), tables.New(b), outputs.New(b), definitions.New(b), activity.New(b),
	}
}

// New makes the page for the project that dir is in. Changes go through s; with nil the page
// only reads.
func New(context *frame.Context, dir string, s *session.Session, to route.Dashboard) *Page {
	p := &Page{context: context, route: to, board: board.New(dir, s, to.Environment)}
	p.board.Context, p.board.Still, p.detail.Hang = context, context.Still, 2
	p.third.Hang, p.third.Framed = 2, true
	p.tabs = tabsOf(p.board)
	p.board.Tabs, p.board.OpenTab = p.tabs, p.toTab
	p.board.SetFront(p.tabs[0])
	return p
}

// Things are what the palette finds of the project, on any page.
func (p *Page) Things() []dialog.Thing { return p.board.Things() }

// Look asks as whom the pages look at the project, and its users as they are known; false before the
// project was read.
func (p *Page) Look() (ask tea.Cmd, ready bool) {
	if !p.ready() {
		return nil, false
	}
	var users []look.User
	for _, t := range p.tabs {
		if u, ok := t.(interface{ Users() []look.User }); ok {
			users = append(users, u.Users()...)
		}
	}
	return look.Ask(p.context.Viewer, p.board.Snap.Backend, users), true
}

// GoTo shows this page with a thing under the cursor.
func (p *Page) GoTo(thing dialog.Thing) tea.Cmd {
	return tea.Batch(p.board.ShowThing(thing), frame.Go(p.route))
}

// Show has a new page show a thing when it has read the project.
func (p *Page) Show(thing dialog.Thing) { p.board.ShowThing(thing) }

// AskCloud lets a page that only reads ask AWS what it has of the environments: when one is
// shown for the first time, and when a person reads again.
func (p *Page) AskCloud() { p.board.Live = true }

// ShareProblems has the tab Problems show what a checker finds that others use, too, so that
// the project is validated once.
func (p *Page) ShareProblems(c *validation.Checker) { p.board.Problems = c }

// TellSandbox has the page report each sandbox that it starts, and what ends it.
func (p *Page) TellSandbox(started func(end func())) { p.board.SandboxStarted = started }

// Init reads the project, and asks the sandbox.
func (p *Page) Init() tea.Cmd {
	var recovered tea.Cmd
	if p.board.Session != nil {
		if text := p.board.Session.Project.Recovered(); text != "" {
			recovered = frame.Say(frame.Info, "%s", text)
		}
	}
	return tea.Batch(p.board.Read(), p.board.Observe(), recovered, p.Reopen())
}

// Reopen shows what the wizard changed, and sends the first request of a project, if the wizard asked for it.
func (p *Page) Reopen() tea.Cmd {
	s := p.board.Session
	if s == nil {
		return nil
	}
	s.Unseen = false
	seen := p.board.Seen()
	if s.First == nil {
		return seen
	}
	first := *s.First
	s.First = nil
	cmds := []tea.Cmd{seen, p.toTab(0)}
	if p.ready() && p.board.Wanted() != first.Environment {
		cmds = append(cmds, p.board.SwitchTo(first.Environment))
	}
	for _, t := range p.tabs {
		if runs, ok := t.(board.Runner); ok {
			cmds = append(cmds, runs.First(first))
		}
	}
	return tea.Batch(cmds...)
}

// SetSize keeps the rectangles that the page draws in.
func (p *Page) SetSize(l layout.Layout) { p.layout, p.board.RoomForThird = l, l.Size.W >= thirdW }

// Dirty reports whether a tab has edits that wait for review; other changes are written at once.
func (p *Page) Dirty() bool { return p.Kept() != "" }

// Kept says which edits are not written.
func (p *Page) Kept() string {
	for _, t := range p.tabs {
		if s, ok := t.(board.Stager); ok && s.Unwritten() != "" {
			return s.Unwritten()
		}
	}
	return ""
}

// Typing reports whether the filter has the keys.
func (p *Page) Typing() bool { return p.ready() && p.focus == 0 && p.tab().Table().Typing() }

// Job is the running work, which can be stopped.
func (p *Page) Job() *frame.Job { return &p.board.Job }

// Watches look at the files and at the sandbox.
func (p *Page) Watches() []frame.Watch { return p.board.Watches() }

// Ends says what stops when this program ends.
func (p *Page) Ends() string {
	var all []string
	for _, t := range p.tabs {
		if e, ok := t.(board.Ender); ok && e.Ends() != "" {
			all = append(all, e.Ends())
		}
	}
	return strings.Join(all, "\n")
}

// Close ends what the page runs. It is called after the screens are closed.
func (p *Page) Close() {
	p.board.Job.Close()
	p.board.Close()
	for _, t := range p.tabs {
		if e, ok := t.(board.Ender); ok {
			e.Close()
		}
	}
}

// ready reports whether there is something to show.
func (p *Page) ready() bool { return p.board.Snap != nil }

// tab is the open tab.
func (p *Page) tab() board.Tab { return p.tabs[p.current] }

// Update takes one message.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case session.WrittenMsg:
		return p.board.ReadOwn()
	case frame.ViewerMsg:
		p.board.SeeAgain()
	case session.DraftedMsg:
		return p.board.Read()
	case tea.KeyPressMsg, tea.PasteMsg:
		if p.Typing() {
			return p.tab().Table().Type(msg)
		}
		return nil
	case tea.MouseMsg:
		return p.handleMouse(msg)
	}
	return nil
}
