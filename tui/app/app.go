// Package app puts the screens together: it opens the session, says which route
// is which page, and runs them in the frame.
package app

import (
	"fmt"
	"io"
	"strings"

	"gatewright/project"
	"gatewright/tui/dashboard"
	"gatewright/tui/frame"
	"gatewright/tui/session"
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
	// Start is the first page; nil is the welcome.
	Start frame.Route
}

// Run shows the screens until they are left. Where the dashboard is the first
// page it is the only one, and nothing is opened that could be written to.
func Run(o Options) error {
	if _, reads := o.Start.(dashboard.Route); reads {
		if _, _, err := project.Find(o.Dir); err != nil {
			return err
		}
		return frame.Run(options(o, nil))
	}
	s, err := session.Open(o.Dir, lookup(o.Environ))
	if err != nil {
		return err
	}
	defer func() { _ = s.Project.Close() }()
	return frame.Run(options(o, s))
}

// options are what the frame runs with: one maker for all routes, and a draft of
// the wizard that is open when the program fails. Without a session there is the
// dashboard alone.
func options(o Options, s *session.Session) frame.Options {
	context := &frame.Context{Theme: theme.New(theme.Dark)}
	var open *wizard.Page
	start := o.Start
	if start == nil {
		start = welcome.Route{}
	}
	return frame.Options{
		Start: start, Context: context, Theme: o.Theme, In: o.In, Out: o.Out, Env: o.Environ,
		Make: func(route frame.Route) (frame.Page, error) {
			switch r := route.(type) {
			case dashboard.Route:
				return dashboard.New(context, o.Dir, r), nil
			case welcome.Route:
				if s != nil {
					return welcome.New(context, s), nil
				}
			case wizard.Route:
				if s != nil {
					open = wizard.New(context, s, r, welcome.Route{})
					return open, nil
				}
			}
			return nil, fmt.Errorf("there is no page for %T", route)
		},
		OnPanic: func() string {
			if open == nil || !open.Dirty() {
				return ""
			}
			where, err := open.SaveNow()
			if err != nil {
				return ""
			}
			return where
		},
	}
}

// lookup reads variables of an environment.
func lookup(environ []string) func(string) string {
	return func(name string) string {
		for _, pair := range environ {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				return value
			}
		}
		return ""
	}
}
