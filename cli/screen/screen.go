// Package screen opens the screens for commands, or asks in plain lines instead.
package screen

import (
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/lines"
	"gatewright/flow"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/tui/app"
	"gatewright/tui/route"
	"gatewright/tui/theme"
)

// themes are what --theme takes.
func themes() []string {
	names := []string{"auto"}
	for _, kind := range []theme.Kind{theme.Dark, theme.Light, theme.HighContrast, theme.None} {
		names = append(names, kind.String())
	}
	return names
}

// Flags are the flags of every command that shows screens.
type Flags struct {
	Theme      string
	Accessible bool
}

// Add adds the flags to a command.
func (f *Flags) Add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.Accessible, "accessible", saysYes(os.Getenv("ACCESSIBLE")), "ask in plain lines instead of screens (also: the variable ACCESSIBLE)")
	cmd.Flags().StringVar(&f.Theme, "theme", "auto", "the `COLOURS` of the screens: auto, dark, light, high-contrast or none")
	_ = cmd.RegisterFlagCompletionFunc("theme", command.CompleteWords(themes()...))
}

// Available reports whether a person sits at both ends.
func Available(streams command.Streams) bool {
	return command.IsTerminal(streams.In) && command.IsTerminal(streams.Out)
}

// saysYes reads a variable that switches something on: anything but 0 and false.
func saysYes(value string) bool { return value != "" && value != "0" && value != "false" }

// Check refuses a theme that there is not.
func (f *Flags) Check() error {
	if !slices.Contains(themes(), f.Theme) {
		return command.Misuse("--theme takes %s, not %s", strings.Join(themes(), ", "), model.Quote(f.Theme))
	}
	return nil
}

// Show runs the screens, beginning with the wizard for a task or, where task is
// nil, with the dashboard of the project or the welcome where there is none; or it
// asks in plain lines.
func (f *Flags) Show(streams command.Streams, task *flow.Task) error {
	if err := f.Check(); err != nil {
		return err
	}
	if f.Accessible {
		return f.ask(streams, task)
	}
	options := app.Options{Dir: streams.Dir}
	if task != nil {
		options.Start = route.Wizard{Task: *task}
	}
	return f.Run(streams, options)
}

// Run runs the screens in the terminal and with the theme of the command; options
// say the rest.
func (f *Flags) Run(streams command.Streams, options app.Options) error {
	// The screens take signals themselves: they have a terminal to put in order
	// and a draft to keep.
	signal.Reset(os.Interrupt)
	options.In, options.Out, options.Environ, options.Theme = streams.In, streams.Out, os.Environ(), f.Theme
	return app.Run(options)
}

// ask asks the wizard's questions as plain lines.
func (f *Flags) ask(streams command.Streams, task *flow.Task) error {
	s, err := session.Open(streams.Dir, os.Getenv)
	if err != nil {
		return err
	}
	defer func() { _ = s.Project.Close() }()
	if task == nil {
		task = &flow.Task{}
	}
	return lines.Run(streams.In, streams.Out, s, *task)
}
