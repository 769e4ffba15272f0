// Package app puts the screens together: it opens the session, says which route
// is which page, and runs them in the frame.
package app

import (
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"

	"gatewright/course"
	"gatewright/flow/session"
	"gatewright/project"
	"gatewright/tui/console"
	"gatewright/tui/dashboard"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
	"gatewright/tui/learn"
	"gatewright/tui/route"
	"gatewright/tui/theme"
	"gatewright/tui/welcome"
	"gatewright/tui/wizard"
)

// Options are how the screens are run.
type Options struct {
	Dir     string
	In      io.Reader
	Out     io.Writer
	Environ []string
	// Theme is auto, dark, light, high-contrast or none.
	Theme string
	// Start is the first page; nil is the dashboard where there is a project, else
	// the welcome.
	Start frame.Route
	// ReadOnly says that nothing is opened that could be written to.
	ReadOnly bool
	// Course is the course whose folder Dir is; nil outside of one. Its first page
	// is route.Course.
	Course *course.Course
}

// Run shows the screens until they are left, and ends what they run.
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
	return frame.Run(all.Frame())
}

// Screens makes the pages of one run.
type Screens struct {
	of      Options
	session *session.Session
	context *frame.Context
	// wizard is the one that was made last; nil for none.
	wizard *wizard.Page
	// boards are the dashboards that were made: they run things.
	boards []*dashboard.Page
	desk   *learn.Pages
}

// New makes the screens; without a session there are only the pages that read.
func New(o Options, s *session.Session) *Screens {
	context := &frame.Context{Theme: theme.New(theme.Dark)}
	return &Screens{of: o, session: s, context: context, desk: learn.NewPages(context, o.Course, s)}
}

// Frame is what the frame runs with: one maker for all routes, and a draft of
// the wizard that is open when the program fails.
func (s *Screens) Frame() frame.Options {
	o := s.of
	return frame.Options{
		Start: start(o, s.session), Context: s.context, Theme: o.Theme, In: o.In, Out: o.Out, Env: o.Environ,
		Make: s.page, OnPanic: s.keep,
	}
}

// page makes the page of a route.
func (s *Screens) page(to frame.Route) (frame.Page, error) {
	if page := s.desk.Page(to); page != nil {
		return page, nil
	}
	switch to := to.(type) {
	case route.Dashboard:
		page := dashboard.New(s.context, s.of.Dir, s.session, to)
		s.boards = append(s.boards, page)
		return page, nil
	case route.Console:
		o := console.Options{Dir: s.of.Dir}
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

// keep saves the draft of the wizard, and says where.
func (s *Screens) keep() string {
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
	for _, board := range s.boards {
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
