// Package app puts the screens together: it opens the session, says which route
// is which page, and runs them in the frame.
package app

import (
	"fmt"
	"io"
	"strings"

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

// Run shows the screens until they are left.
func Run(o Options) error {
	s, err := session.Open(o.Dir, lookup(o.Environ))
	if err != nil {
		return err
	}
	defer func() { _ = s.Project.Close() }()
	return frame.Run(options(o, s))
}

// options are what the frame runs with: one maker for all routes, and a draft of
// the wizard that is open when the program fails.
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
			case welcome.Route:
				return welcome.New(context, s), nil
			case wizard.Route:
				open = wizard.New(context, s, r, welcome.Route{})
				return open, nil
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
