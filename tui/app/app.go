// Package app runs all screens: it opens the session, makes the page of each route, and
// runs them in the frame.
package app

import (
	"fmt"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/course"
	"gatewright/flow/request"
	"gatewright/flow/session"
	"gatewright/flow/validation"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/tui/console"
	"gatewright/tui/dashboard"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/learn"
	"gatewright/tui/look"
	"gatewright/tui/outside"
	"gatewright/tui/route"
	"gatewright/tui/theme"
	"gatewright/tui/welcome"
	"gatewright/tui/wizard"
)

// Options configure the screens.
type Options struct {
	Dir     string
	In      io.Reader
	Out     io.Writer
	Environ []string
	// Theme is auto, dark, light, high-contrast or none.
	Theme string
	// Still says that nothing may move by itself.
	Still bool
	// Start is the first page; nil is the dashboard if there is a project, else the
	// welcome page.
	Start frame.Route
	// ReadOnly opens nothing for writing.
	ReadOnly bool
	// Live lets screens that only read ask AWS what it has of the environments.
	Live bool
	// Now is the clock of what screens say about when they looked; nil is time.Now.
	Now func() time.Time
	// Commands are those of the program, for the palette; nil for none.
	// The place of each is its help.
	Commands func() []dialog.Thing
	// Course is the course whose folder is Dir, with route.Course as its first page; nil
	// outside a course.
	Course *course.Course
}

// Run shows the screens until a person quits, and then ends what their pages run.
func Run(o Options) error {
	var s *session.Session
	if o.ReadOnly {
		if _, _, err := project.Find(o.Dir); err != nil {
			return err
		}
	} else {
		var err error
		if s, err = session.Open(o.Dir, tea.EnvMsg(o.Environ).Getenv); err != nil {
			return err
		}
		defer func() { _ = s.Project.Close() }()
	}
	all := New(o, s)
	defer all.Close()
	all.context.Pulse = frame.NewPulse()
	defer outside.Beats(all.context.Pulse.Beat, o.Dir)()
	return frame.Run(all.Frame())
}

// Screens makes the pages of one run of the program.
type Screens struct {
	options Options
	session *session.Session
	context *frame.Context
	// problems are those of the project.
	problems *validation.Checker
	// wizard is the most recent wizard; nil if there was none.
	wizard *wizard.Page
	// dashboards are all dashboards that were made, to close them.
	dashboards []*dashboard.Page
	// wanted is the thing that the first dashboard shows; nil for none.
	wanted *dialog.Thing
	course *learn.Pages
	// forms are those of the consoles, which outlive the pages.
	forms request.Forms
	// commands are those of the program, once the palette was opened.
	commands []dialog.Thing
}

// New makes the screens. Without a session (nil) there is no welcome page and no wizard.
func New(o Options, s *session.Session) *Screens {
	context := &frame.Context{Theme: theme.New(theme.Dark), Still: o.Still}
	return &Screens{
		options: o, session: s, context: context, problems: validation.New(o.Dir, now(o)),
		course: learn.NewPages(context, o.Course, s),
	}
}

// Frame are the options of the frame. If the program crashes, the draft of the open
// wizard is saved.
func (s *Screens) Frame() frame.Options {
	o := s.options
	return frame.Options{
		Start: start(o, s.session), Context: s.context, Theme: o.Theme, In: o.In, Out: o.Out, Env: o.Environ,
		Make: s.page, OnPanic: s.saveDraft, Finder: s, Look: s.look,
		ReadOnly: o.ReadOnly, Notice: func() frame.Notice { return notice(s.problems.Check()) },
	}
}

// Things are what the palette finds on every page: the lessons of a course, the things of
// the project, as the dashboard read them last, or as the session did before there was a
// dashboard, and the commands of the program.
func (s *Screens) Things() []dialog.Thing {
	all := s.course.Lessons()
	switch n := len(s.dashboards); {
	case n > 0:
		all = append(all, s.dashboards[n-1].Things()...)
	case s.session != nil && !s.session.New:
		all = append(all, board.ThingsOf(s.session.Project.Backend)...)
	}
	if s.commands == nil && s.options.Commands != nil {
		s.commands = s.options.Commands()
	}
	return append(all, s.commands...)
}

// look asks as whom the pages look at the project, as it was read last.
func (s *Screens) look() tea.Cmd {
	if n := len(s.dashboards); n > 0 {
		if ask, ready := s.dashboards[n-1].Look(); ready {
			return ask
		}
	}
	if s.session == nil || s.session.New {
		return frame.Say(frame.Info, "there is no project to view as somebody yet")
	}
	return look.Ask(s.context.Viewer, s.session.Project.Backend, nil)
}

// GoTo shows a thing on the page that has it. A command, which runs in a terminal, shows its help.
func (s *Screens) GoTo(thing dialog.Thing) tea.Cmd {
	if help, ok := thing.To.(func() string); ok {
		lines := prose.InTone(prose.Plain, prose.PrintableStarts(strings.Split(help(), "\n"))...)
		return frame.Open(dialog.Wide("In a terminal: "+thing.Name, lines))
	}
	if cmd, ok := s.course.GoTo(thing); ok {
		return cmd
	}
	if n := len(s.dashboards); n > 0 {
		return s.dashboards[n-1].GoTo(thing)
	}
	s.wanted = &thing
	return frame.Go(route.Dashboard{})
}

// page makes the page of a route.
func (s *Screens) page(to frame.Route) (frame.Page, error) {
	if page := s.course.Page(to); page != nil {
		return page, nil
	}
	switch to := to.(type) {
	case route.Dashboard:
		page := dashboard.New(s.context, s.options.Dir, s.session, to)
		page.ShareProblems(s.problems)
		if s.options.Live {
			page.AskCloud()
		}
		if c := s.options.Course; c != nil {
			page.TellSandbox(c.InBackground)
		}
		if thing := s.wanted; thing != nil {
			s.wanted = nil
			page.Show(*thing)
		}
		s.dashboards = append(s.dashboards, page)
		return page, nil
	case route.Console:
		o := console.Options{Dir: s.options.Dir, Forms: &s.forms, Session: s.session}
		if s.session == nil {
			o.ReadOnly = board.OnlyReads
		}
		return console.New(s.context, o, to), nil
	case route.Welcome:
		if s.session != nil {
			return welcome.New(s.context, s.session), nil
		}
	case route.Wizard:
		if s.session != nil {
			s.wizard = wizard.New(s.context, s.session, to, route.Dashboard{})
			return s.wizard, nil
		}
	}
	return nil, fmt.Errorf("there is no page for %T", to)
}

// saveDraft saves the draft of the wizard, and returns its path; "" if nothing was saved.
func (s *Screens) saveDraft() string {
	if s.wizard == nil || !s.wizard.Dirty() {
		return ""
	}
	saved, _ := s.wizard.SaveDraft()().(frame.DraftSavedMsg)
	if saved.Err != nil {
		return ""
	}
	return saved.Where
}

// Close ends what the pages run.
func (s *Screens) Close() {
	for _, board := range s.dashboards {
		board.Close()
	}
}

// start is the first page.
func start(o Options, s *session.Session) frame.Route {
	switch {
	case o.Start != nil:
		return o.Start
	case s == nil || !s.New:
		return route.Dashboard{}
	}
	return route.Welcome{}
}
