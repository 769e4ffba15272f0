// Package screen runs the screens for commands, or asks in plain lines instead.
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
	"gatewright/internal/text/phrase"
	"gatewright/tui/app"
	"gatewright/tui/dialog"
	"gatewright/tui/route"
	"gatewright/tui/theme"
)

// themes lists the values of --theme.
func themes() []string {
	names := []string{"auto"}
	for _, kind := range []theme.Kind{theme.Dark, theme.Light, theme.HighContrast, theme.None} {
		names = append(names, kind.String())
	}
	return names
}

// Flags are the flags of commands that run screens.
type Flags struct {
	Theme      string
	Accessible bool
	// Still says that nothing on the screens moves by itself.
	Still bool
}

// Add adds the flags to a command.
func (f *Flags) Add(cmd *cobra.Command, streams command.Streams) {
	cmd.Flags().BoolVar(&f.Accessible, "accessible", isOn(streams.Getenv("ACCESSIBLE")),
		"ask in plain lines instead of screens; the variable ACCESSIBLE does the same")
	cmd.Flags().StringVar(&f.Theme, "theme", "auto",
		"the `COLOURS` of the screens: auto, dark, light, high-contrast or none")
	cmd.Flags().BoolVar(&f.Still, "no-motion", isOn(streams.Getenv("NO_MOTION")),
		"stop all motion on the screens; the variable NO_MOTION does the same")
	_ = cmd.RegisterFlagCompletionFunc("theme", command.CompleteWords(themes()...))
}

// Available reports whether screens can run: input and output are terminals.
func Available(streams command.Streams) bool {
	return command.IsTerminal(streams.In) && command.IsTerminal(streams.Out)
}

// GitBash returns why screens cannot run in a terminal of Git Bash, which programs of Windows
// do not see as one; nil elsewhere.
func GitBash(streams command.Streams) error {
	if !isGitBash(streams.In) && !isGitBash(streams.Out) {
		return nil
	}
	return command.Misuse("this terminal cannot show screens of Windows programs; put winpty before the command, or " +
		"run it in Windows Terminal, PowerShell or cmd")
}

// NoTerminal is the error of a command that needs screens, where none can run: that of GitBash
// there, else the text.
func NoTerminal(streams command.Streams, text string) error {
	if err := GitBash(streams); err != nil {
		return err
	}
	return command.Misuse("%s", text)
}

// isOn reports whether a variable switches something on: any value except 0 and false.
func isOn(value string) bool { return value != "" && value != "0" && value != "false" }

// Check refuses an unknown theme.
func (f *Flags) Check() error {
	if !slices.Contains(themes(), f.Theme) {
		return command.Misuse("--theme takes %s, not %s", strings.Join(themes(), ", "), phrase.Quote(f.Theme))
	}
	return nil
}

// Show runs the screens, or asks in plain lines. It starts with the wizard for the task. If
// task is nil, it starts with the dashboard, or with the welcome page if there is no project.
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

// Run runs the screens with the options, in the terminal and with the theme of the command.
func (f *Flags) Run(streams command.Streams, options app.Options) error {
	// The screens handle signals themselves, to restore the terminal and to save a draft.
	signal.Reset(os.Interrupt)
	options.In, options.Out, options.Environ, options.Theme = streams.In, streams.Out, streams.Environment(), f.Theme
	options.Still = f.Still
	options.Commands = func() []dialog.Thing { return commands(streams) }
	return app.Run(options)
}

// commands are all commands that do something, with their help, for the palette.
func commands(streams command.Streams) (all []dialog.Thing) {
	if streams.Tree == nil {
		return nil
	}
	const helpWidth = 72
	for _, cmd := range command.Visible(streams.Tree()) {
		if !cmd.HasAvailableSubCommands() {
			help := func() string { return command.Help(cmd, helpWidth) }
			all = append(all, dialog.Thing{Kind: "command", Name: cmd.CommandPath(), About: cmd.Short, To: help})
		}
	}
	return all
}

// ask asks the wizard's questions as plain lines.
func (f *Flags) ask(streams command.Streams, task *flow.Task) error {
	s, err := session.Open(streams.Dir, streams.Getenv)
	if err != nil {
		return err
	}
	defer func() { _ = s.Project.Close() }()
	if task == nil {
		task = &flow.Task{}
	}
	return lines.Run(streams.In, streams.Out, s, *task)
}
